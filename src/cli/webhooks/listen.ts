// ledgerline webhooks listen: a receiver on this machine that prints the checks of each call.
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { BODY_BYTES_MAX, createCallReader, type Expectation, type ReadCall } from "./call.ts";
import { parseSigningKey } from "./verify.ts";

/** Of each pair at most one is given: the text itself, or the file it is in. */
export interface ListenOptions {
  readonly port: number;
  readonly host: string;
  readonly secret: string | null;
  readonly secretFile: string | null;
  readonly token: string | null;
  readonly tokenFile: string | null;
  /** Of the answer to a call that is right. */
  readonly status: number;
  readonly isVerbose: boolean;
}

export interface ListenDeps {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  /** Milliseconds since 1970. */
  now(): number;
  /** Aborted when it is to end, by Ctrl-C. */
  readonly signal: AbortSignal;
}

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
/** Longer than the 10 s after which Ledgerline aborts a call. */
const REQUEST_TIMEOUT_MS = 15_000;
const CONNECTIONS_MAX = 100;

/** Receives calls until the signal. The exit code is 0 then, 1 when it cannot listen, 2 for a secret it cannot use. */
export async function listen(options: ListenOptions, deps: ListenDeps): Promise<number> {
  const expected = await readExpectation(options);
  if (typeof expected === "string") {
    deps.stderr.write(`${expected}\n`);
    return EXIT_USAGE;
  }
  const server = createReceiver(expected, options.isVerbose, deps);
  try {
    await startListening(server, options);
  } catch (error) {
    deps.stderr.write(`${whyNotListening(error, options)}\n`);
    return EXIT_FAILED;
  }
  deps.stdout.write(`${heading(server.address(), options, expected)}\n`);
  if (!deps.signal.aborted) {
    await new Promise<void>((resolve) => {
      const ended = (): void => {
        resolve();
      };
      deps.signal.addEventListener("abort", ended, { once: true });
    });
  }
  await new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
    // A call that is cut off is made again.
    server.closeAllConnections();
  });
  return 0;
}

/** A sentence when a secret or a token cannot be used. */
async function readExpectation(options: ListenOptions): Promise<Expectation | string> {
  const { secretFile, tokenFile, status } = options;
  let secret: string | null;
  let token: string | null;
  try {
    secret = secretFile === null ? options.secret : await readLine(secretFile);
    token = tokenFile === null ? options.token : await readLine(tokenFile);
  } catch (error) {
    return `The file of the secret or the token cannot be read: ${messageOf(error)}.`;
  }
  if (token === "") return "The token is empty.";
  if (secret !== null && parseSigningKey(secret) === null)
    return "The secret is empty, or what follows whsec_ in it is not base64.";
  return { secret, token, status };
}

/** Editors and `echo` end a file with a line break, which belongs to no secret. */
const readLine = async (file: string): Promise<string> =>
  (await readFile(file, "utf8")).replace(/\r?\n$/, "");

function createReceiver(expected: Expectation, isVerbose: boolean, deps: ListenDeps): Server {
  const { stdout, stderr, now } = deps;
  const readCall = createCallReader(expected);
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { body, bodyBytes } = await readCallBody(request);
    const { method = "", headers } = request;
    const call = readCall({ method, headers, body, bodyBytes, at: now() });
    stdout.write(`${call.line}\n`);
    if (isVerbose && call.shownBody !== "") stdout.write(`${call.shownBody}\n`);
    answer(response, call);
  };
  const limits = { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS };
  const server = createServer(limits, (request, response) => {
    receive(request, response).catch((error: unknown) => {
      stderr.write(`A call was cut off: ${messageOf(error)}.\n`);
      response.destroy();
    });
  });
  server.maxConnections = CONNECTIONS_MAX;
  server.on("clientError", (error, socket) => {
    stderr.write(`A bad request: ${messageOf(error)}.\n`);
    if (socket.writable) socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
    else socket.destroy();
  });
  return server;
}

function answer(response: ServerResponse, { status, answer: text }: ReadCall): void {
  response.writeHead(status, text === "" ? {} : { "Content-Type": "text/plain; charset=utf-8" });
  response.end(text === "" ? undefined : `${text}\n`);
}

/** Reads to the end but keeps no more than may come: a caller that is cut off would not see the answer. */
async function readCallBody(
  request: IncomingMessage,
): Promise<{ readonly body: Buffer | null; readonly bodyBytes: number }> {
  const chunks: Buffer[] = [];
  let bodyBytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bodyBytes += chunk.length;
    if (bodyBytes <= BODY_BYTES_MAX) chunks.push(chunk);
    else chunks.length = 0;
  }
  return { body: bodyBytes > BODY_BYTES_MAX ? null : Buffer.concat(chunks), bodyBytes };
}

function startListening(server: Server, { host, port }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function whyNotListening(error: unknown, { host, port }: ListenOptions): string {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "EADDRINUSE") return `Port ${String(port)} is in use by another program.`;
  if (code === "EACCES") return `This user may not listen on port ${String(port)}.`;
  return `Cannot listen on ${host}: ${messageOf(error)}.`;
}

function heading(
  address: AddressInfo | string | null,
  { host, port }: ListenOptions,
  { secret, token }: Expectation,
): string {
  const bound = typeof address === "object" && address !== null ? address.port : port;
  const name = host.includes(":") ? `[${host}]` : host;
  const checked = [secret === null ? "" : "signatures", token === null ? "" : "tokens"];
  const words = checked.filter((word) => word !== "").join(" and ") || "nothing";
  return `Receives webhooks on http://${name}:${String(bound)} and checks ${words}. Ctrl-C stops it.`;
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
