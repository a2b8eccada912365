import type { IncomingMessage, ServerResponse } from "node:http";
import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { createTenantBudget } from "../../shared/concurrency/tenant-budget.ts";

// Request bodies into memory, within two bounds: one for each body and one for all bodies at once. Express' own reader
// was rejected: it reads a refused body to its end before it answers, and it cannot count what all bodies hold together.

/** Bytes that the bodies of an organization being read and checked may hold together. */
export interface BodyBudget {
  /** False, and nothing is taken, when that many bytes are not left. */
  reserve(bytes: number): boolean;
  release(bytes: number): void;
}

/** The budgets of all organizations, which share `bytesMax`: bodies of one that come slowly must not lock out the others. */
export function createBodyBudgets(bytesMax: number): (org: string) => BodyBudget {
  const room = createTenantBudget(bytesMax);
  return (org) => ({
    reserve: (bytes) => room.acquire(org, bytes),
    release: (bytes) => {
      room.release(org, bytes);
    },
  });
}

export type BodyRefusal =
  | "too_large"
  | "over_budget"
  | "cut_off"
  | "bad_encoding"
  | "unknown_encoding";

export interface ReceivedBody {
  readonly ok: true;
  /** Counted until `release` is called, then empty: a reference that is kept holds no memory. */
  readonly bytes: Buffer;
  /** Calling it again does nothing. */
  release(): void;
}

/** The body of a request without one. */
export const NO_BODY: ReceivedBody = {
  ok: true,
  bytes: Buffer.alloc(0),
  release: () => undefined,
};

export type BodyReading = ReceivedBody | { readonly ok: false; readonly reason: BodyRefusal };

export interface BodyLimits {
  readonly bytesMax: number;
  readonly budget: BodyBudget;
}

/** Whether a body was announced; a chunked one may still turn out to be empty. */
export function announcesBody(request: IncomingMessage): boolean {
  return request.headers["transfer-encoding"] !== undefined || declaredLength(request) > 0;
}

/**
 * Reads the whole body, decompressed. A declared length is reserved before the first byte is read; an undeclared one
 * (chunked, compressed) is reserved as it arrives: reserving the limit for each of those would let eight small chunked
 * requests, or eight slow ones, block all others.
 *
 * After a refusal the rest of the body is discarded while the answer is sent, so that a client that is still
 * sending can read it; `requestTimeout` of the server bounds how long.
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
): Promise<BodyReading> {
  const decoder = createDecoder(request.headers["content-encoding"]);
  if (decoder === "unknown") return { ok: false, reason: "unknown_encoding" };
  const declared = declaredLength(request);
  if (declared > limits.bytesMax) return { ok: false, reason: "too_large" };
  if (!limits.budget.reserve(declared)) return { ok: false, reason: "over_budget" };
  // Sent no earlier than here, so that a refusal by key, type or size spares the client the upload.
  if (expectsContinue(request)) response.writeContinue();

  const held = { bytes: declared };
  const outcome = await collectBytes(request, decoder, limits, held);
  if (typeof outcome === "string") {
    limits.budget.release(held.bytes);
    return { ok: false, reason: outcome };
  }
  const body = {
    ok: true as const,
    bytes: outcome,
    release: () => {
      limits.budget.release(held.bytes);
      held.bytes = 0;
      body.bytes = NO_BODY.bytes;
    },
  };
  return body;
}

/** Whether the client waits for a word from us before it sends its body. */
function expectsContinue(request: IncomingMessage): boolean {
  return request.headers.expect?.toLowerCase() === "100-continue";
}

function collectBytes(
  request: IncomingMessage,
  decoder: Transform | null,
  limits: BodyLimits,
  held: { bytes: number },
): Promise<Buffer | BodyRefusal> {
  const source = decoder === null ? request : request.pipe(decoder);
  const chunks: Buffer[] = [];
  let length = 0;

  return new Promise((resolve) => {
    const finish = (outcome: Buffer | BodyRefusal): void => {
      source.off("data", onData).off("end", onEnd).off("error", onSourceError);
      request.off("close", onCutOff).off("error", onCutOff);
      // A late error (a reset connection) must find a listener, or it would end the process.
      source.on("error", ignore);
      request.on("error", ignore);
      if (decoder !== null) {
        request.unpipe(decoder);
        decoder.destroy();
      }
      if (typeof outcome === "string") request.resume();
      resolve(outcome);
    };
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > limits.bytesMax) finish("too_large");
      else if (!holdAtLeast(length, held, limits.budget)) finish("over_budget");
    };
    const onEnd = (): void => {
      finish(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    };
    const onSourceError = (): void => {
      finish(decoder === null ? "cut_off" : "bad_encoding");
    };
    const onCutOff = (): void => {
      if (!request.complete) finish("cut_off");
    };
    source.on("data", onData).on("end", onEnd).on("error", onSourceError);
    request.on("close", onCutOff).on("error", onCutOff);
    // The client may have left while its key was looked up; then no event is left to wait for.
    if (request.destroyed && !request.readableEnded) finish("cut_off");
  });
}

function holdAtLeast(bytes: number, held: { bytes: number }, budget: BodyBudget): boolean {
  const missing = bytes - held.bytes;
  if (missing <= 0) return true;
  if (!budget.reserve(missing)) return false;
  held.bytes = bytes;
  return true;
}

function declaredLength(request: IncomingMessage): number {
  return Number(request.headers["content-length"] ?? 0);
}

function createDecoder(encoding: string | undefined): Transform | null | "unknown" {
  switch (encoding?.trim().toLowerCase() ?? "identity") {
    case "identity":
    case "":
      return null;
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "deflate":
      return createInflate();
    case "br":
      return createBrotliDecompress();
    default:
      return "unknown";
  }
}

function ignore(): void {
  // Nothing to do: the outcome is known already.
}
