import type { ServerResponse } from "node:http";
import { LedgerlineError } from "../../shared/errors.ts";
import { type Answer, type StreamAnswer, streamTexts, WARNING_HEADER } from "./answer.ts";
import type { Exchange } from "./exchange.ts";

/** A client that reads no byte of an answer for this long is disconnected, so that it cannot hold memory forever. */
const STALLED_MS_MAX = 120_000;

/** Answers up to here are not counted: ten thousand connections could hold 160 MB of them. */
const UNCOUNTED_BYTES_MAX = 16 * 1024;
/** Memory of a stream while its reader takes nothing: 250 results, as text and in socket buffers. */
const STREAM_BYTES = 1024 * 1024;

/**
 * Sends an answer. A stream that fails before its first byte throws, so that it can still become an error answer.
 * @throws LedgerlineError `overloaded` when clients do not read their answers, and too much memory would be held
 */
export async function sendAnswer(
  exchange: Exchange,
  response: ServerResponse,
  answer: Answer,
): Promise<void> {
  if (!mayHold(exchange, response, answer))
    throw new LedgerlineError(
      "overloaded",
      "Too many answers are waiting for clients to read them.",
    );
  // Without a listener for it, Node ends a connection on which nothing moved for this long.
  response.setTimeout(STALLED_MS_MAX);
  response.statusCode = answer.status;
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
  if (answer.warnings !== undefined) response.setHeader(WARNING_HEADER, answer.warnings);
  if (answer.kind === "stream") {
    await sendStream(exchange, response, answer);
    return;
  }
  if (answer.body === null) {
    response.end();
    return;
  }
  const body = answer.isError === true ? withRequestId(answer.body, exchange) : answer.body;
  const length = Buffer.byteLength(body);
  response.setHeader("Content-Length", length);
  // Node leaves the body out of an answer to HEAD, and keeps its length.
  if (!isHead(response)) exchange.bytesOut = length;
  response.end(body);
}

/** Only here, so that a kept answer that is sent again names the request it now answers. */
function withRequestId(body: string | Buffer, { requestId }: Exchange): string {
  return `${body.toString().slice(0, -1)},"request_id":${JSON.stringify(requestId)}}`;
}

function bytesOf(answer: Answer): number {
  return answer.kind === "stream" ? STREAM_BYTES : Buffer.byteLength(answer.body ?? "");
}

/**
 * Counts an answer as held until the exchange is over. A refused read can be repeated, and so can a repetition; the answer to a
 * change is always sent.
 */
function mayHold(
  { principal, answerRoom }: Exchange,
  response: ServerResponse,
  answer: Answer,
): boolean {
  const bytes = bytesOf(answer);
  if (principal === null || bytes <= UNCOUNTED_BYTES_MAX) return true;
  const isRead = response.req.method === "GET" || answer.isReplay === true;
  if (!isRead || response.destroyed) return true;
  if (!answerRoom.acquire(principal.org, bytes)) return false;
  response.once("close", () => {
    answerRoom.release(principal.org, bytes);
  });
  return true;
}

async function sendStream(
  exchange: Exchange,
  response: ServerResponse,
  answer: StreamAnswer,
): Promise<void> {
  if (isHead(response)) {
    response.end();
    return;
  }
  for await (const text of streamTexts(answer)) {
    // Leaving the loop also ends the source.
    if (response.destroyed) return;
    if (!write(exchange, response, text)) await drained(response);
  }
  if (response.destroyed) return;
  response.end();
}

function write(exchange: Exchange, response: ServerResponse, text: string | Uint8Array): boolean {
  exchange.bytesOut += Buffer.byteLength(text);
  return response.write(text);
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done).off("close", done);
      resolve();
    };
    response.once("drain", done).once("close", done);
  });
}

function isHead(response: ServerResponse): boolean {
  return response.req.method === "HEAD";
}
