import { createHash } from "node:crypto";
import type { IdempotencyRepository } from "../../model/idempotency.ts";
import { LedgerlineError } from "../../shared/errors.ts";
import { type Answer, errorAnswer, jsonTextAnswer, noContent, retryAfter } from "./answer.ts";
import type { LogPort } from "./exchange.ts";
import { packAnswer, streamOfLongText, unpackedAnswer } from "./packed-answer.ts";
import type { RawCall } from "./route.ts";
import type { SlicedWork } from "./steps.ts";
import { unprocessable, type FieldError } from "./validation.ts";

// Idempotency-Key: the first request of a key runs, its answer is kept, and a repetition gets the kept answer. Only an
// answer that would be the same again is kept: a success without an error in it, and a 422 about the request's own form.
// After any other (a 404 for what may be created by then, a 400 for a limit, a result that failed) the key is free, and
// the request may run again. A long answer, such as a list of results, is written to its end and kept before its first byte is
// sent: a caller that has read a part of it gets the same bytes again. One that is not kept, because a result in it failed or it is
// longer than what is kept, was accepted all the same: that request may run again too, but its key is for no other.

/** What the stage uses of the repository. */
export type IdempotencyPort = Omit<IdempotencyRepository, "removeExpired">;

/** A request that carries a key. */
export interface KeyedRequest {
  readonly org: string;
  /** Method and pattern. */
  readonly route: string;
  readonly key: string;
  readonly fingerprint: string;
}

export const IDEMPOTENCY_HEADER = "Idempotency-Key";
const KEY = /^[\x21-\x7e]{1,255}$/;

/** Why a key cannot be used; null when it can. */
export function keyError(key: string): FieldError | null {
  if (KEY.test(key)) return null;
  return {
    loc: ["header", IDEMPOTENCY_HEADER],
    msg: "String should be 1 to 255 visible ASCII characters",
    type: "string_pattern_mismatch",
  };
}

/**
 * What must be equal for two requests to be the same. The ids of the path and the query, in any order, count too: they are part
 * of what is asked, while the key is looked up by the route's pattern.
 */
export function* requestFingerprint(
  { path, query }: Pick<RawCall, "path" | "query">,
  body: Buffer,
): SlicedWork<string> {
  const hash = createHash("sha256");
  const pathValues = Object.values(path);
  if (pathValues.length > 0) hash.update(JSON.stringify(pathValues));
  const asked = Object.entries(query).toSorted();
  if (asked.length > 0) hash.update(JSON.stringify(asked));
  for (let from = 0; from < body.length; from += HASHED_PER_STEP_BYTES) {
    if (from > 0) yield;
    hash.update(body.subarray(from, from + HASHED_PER_STEP_BYTES));
  }
  return hash.digest("hex");
}

/** A millisecond, three on a processor without instructions for it. */
const HASHED_PER_STEP_BYTES = 1024 * 1024;

/** Runs `respond` under the request's key. */
export async function answerOnce(
  port: IdempotencyPort,
  logger: LogPort,
  request: KeyedRequest,
  respond: (resourceId: string) => Promise<Answer>,
): Promise<Answer> {
  const { org, route, key } = request;
  const start = await port.begin(org, route, key, request.fingerprint);
  switch (start.kind) {
    case "replay":
      return { ...replayAnswer(start.status, start.body), isReplay: true };
    case "replayLong":
      return { ...unpackedAnswer(start.status, start.parts, REPLAYED), isReplay: true };
    case "mismatch":
      return unprocessable([USED_FOR_ANOTHER], "idempotency_key_reused");
    case "running":
      return errorAnswer(
        "idempotency_key_in_use",
        "A request with this Idempotency-Key is still running",
        retryAfter(1),
      );
    case "unreadable":
      return errorAnswer("idempotency_answer_unreadable", ANSWER_UNREADABLE);
    case "new":
      break;
  }

  let isAccepted = false;
  let answered: AnsweredRequest;
  try {
    const answer = await respond(start.resourceId);
    isAccepted = answer.kind === "stream";
    answered = await packedWhereLong(answer);
  } catch (error) {
    // A failure to free the key must not hide why the request failed; the store frees it in time by itself.
    const free = isAccepted || mayBeAccepted(error) ? port.interrupt : port.abandon;
    await free(org, route, key).catch(() => undefined);
    throw error;
  }
  try {
    await keepAnswer(port, request, answered);
  } catch (error) {
    // The request itself is done and durable: its answer is worth more than the ability to repeat it.
    logger.warn({ route, error }, "answer of an idempotency key not kept");
  }
  return answered.answer;
}

interface AnsweredRequest {
  readonly answer: Answer;
  /** What is kept of a stream; null where it is not kept, and of a text. */
  readonly parts: readonly Uint8Array[] | null;
}

async function packedWhereLong(answer: Answer): Promise<AnsweredRequest> {
  const stream = answer.kind === "stream" ? answer : streamOfLongText(answer);
  return stream === null || !isKept(stream) ? { answer, parts: null } : packAnswer(stream);
}

async function keepAnswer(
  port: IdempotencyPort,
  { org, route, key }: KeyedRequest,
  { answer, parts }: AnsweredRequest,
): Promise<void> {
  if (answer.kind === "stream") {
    const { status, accountHolderIds = [] } = answer;
    if (parts === null) await port.interrupt(org, route, key);
    else await port.finishLong(org, route, key, status, parts, accountHolderIds);
  } else if (isKept(answer)) {
    const { status, body, accountHolderId = null, statementId = null } = answer;
    const text = body?.toString() ?? "";
    await port.finish(org, route, key, status, text, accountHolderId, statementId);
  } else {
    await port.abandon(org, route, key);
  }
}

const ANSWER_UNREADABLE =
  "The request with this Idempotency-Key was done, but its answer cannot be decrypted any more: read what it made with GET, or use another key";

const USED_FOR_ANOTHER: FieldError = {
  loc: ["header", IDEMPOTENCY_HEADER],
  msg: "Value error, this key was used for another request",
  type: "value_error",
};

/** The log or store may have accepted the work before the connection was lost. */
function mayBeAccepted(error: unknown): boolean {
  return (
    error instanceof LedgerlineError &&
    (error.code === "unavailable" || error.code === "reply_timeout")
  );
}

function isKept({ status, isTransient = false }: Pick<Answer, "status" | "isTransient">): boolean {
  return !isTransient && ((status >= 200 && status < 300) || status === 422);
}

const REPLAYED = { "Idempotency-Replayed": "true" };

function replayAnswer(status: number, body: string): Answer {
  if (body === "") return { ...noContent(REPLAYED), status };
  return { ...jsonTextAnswer(status, body, REPLAYED), isError: status >= 400 };
}
