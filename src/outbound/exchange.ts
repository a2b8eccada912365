// One request on an open connection, and the part of the answer that is kept.
import type { Dispatcher } from "undici";
import type { Connection } from "./connection.ts";
import { onAbort, since } from "./deadline.ts";
import { exchangeFailure, type Failure, failure } from "./failure.ts";

export interface ExchangeResult {
  /** Null when no final answer began. */
  readonly status: number | null;
  readonly location: string | null;
  readonly retryAfter: string | null;
  /** The part of the answer's body that may be kept, null without an answer. */
  readonly responseBody: string | null;
  readonly firstByteMs: number | null;
  /** What failed before the answer was complete. A body that was truncated for its length counts as complete. */
  readonly failure: Failure | null;
  /** Whether the connection may carry another request. */
  readonly isReusable: boolean;
}

/** The result of a call that failed before anything was sent. */
export const failedBefore = (reason: Failure): ExchangeResult => ({
  status: null,
  location: null,
  retryAfter: null,
  responseBody: null,
  firstByteMs: null,
  failure: reason,
  isReusable: false,
});

/** Bytes read of a body; after this the connection is closed, because reading more would only help an attacker. */
const BODY_READ_BYTES_MAX = 64 * 1024;
/** Bytes kept of a body: enough for the first words of an error page, few enough to be stored with every attempt. */
const BODY_KEPT_BYTES_MAX = 4 * 1024;
/** `Retry-After` is a number or a date of 29 characters. */
const RETRY_AFTER_LENGTH_MAX = 64;
/** Interim answers (103 and the like); more than one is rare. */
const INTERIM_ANSWERS_MAX = 8;

const TOO_LATE = failure("timed_out", "The time was up before the answer was complete.");

/** As text of at most 4 KiB in UTF-8; drops a character that the end splits. */
function keptText(bytes: Uint8Array): string {
  const isCut = bytes.length === BODY_KEPT_BYTES_MAX;
  const text = new TextDecoder().decode(bytes, { stream: isCut });
  // Bytes that are not UTF-8 become replacement characters of three bytes each.
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(BODY_KEPT_BYTES_MAX));
  return text.slice(0, read);
}

const firstOf = (value: string | string[] | undefined): string | null => [value].flat()[0] ?? null;

/** Collects one answer and passes it to `resolve` once. */
class AnswerHandler implements Dispatcher.DispatchHandler {
  readonly #resolve: (exchange: ExchangeResult) => void;
  readonly #startedAt = performance.now();
  readonly #kept: Buffer[] = [];
  #controller: Dispatcher.DispatchController | null = null;
  #status: number | null = null;
  #location: string | null = null;
  #retryAfter: string | null = null;
  #firstByteMs: number | null = null;
  #bodyBytes = 0;
  #interimAnswers = 0;
  #isDone = false;

  constructor(resolve: (exchange: ExchangeResult) => void) {
    this.#resolve = resolve;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isDone) controller.abort(new Error("The call is over."));
  }

  onResponseStarted(): void {
    this.#firstByteMs ??= since(this.#startedAt);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) {
      this.#interimAnswers += 1;
      if (this.#interimAnswers <= INTERIM_ANSWERS_MAX) return;
      this.end(failure("bad_response", "There were too many interim answers before the answer."));
      return;
    }
    this.#status = status;
    this.#location = firstOf(headers["location"]);
    const retryAfter = firstOf(headers["retry-after"]);
    this.#retryAfter = (retryAfter?.length ?? 0) > RETRY_AFTER_LENGTH_MAX ? null : retryAfter;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = BODY_KEPT_BYTES_MAX - this.#bodyBytes;
    // A copy, so that a few bytes do not keep the whole chunk in memory.
    if (room > 0) this.#kept.push(Buffer.from(chunk.subarray(0, room)));
    this.#bodyBytes += chunk.length;
    if (this.#bodyBytes > BODY_READ_BYTES_MAX) this.end(null);
  }

  onResponseEnd(): void {
    this.#finish(null, true);
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#finish(exchangeFailure(error, this.#status !== null), false);
  }

  /** Ends the exchange before the answer is complete. */
  end(reason: Failure | null): void {
    this.#finish(reason, false);
    this.#controller?.abort(new Error("The call is over."));
  }

  #finish(reason: Failure | null, isReusable: boolean): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#resolve({
      status: this.#status,
      location: this.#location,
      retryAfter: this.#retryAfter,
      responseBody: this.#status === null ? null : keptText(Buffer.concat(this.#kept)),
      firstByteMs: this.#firstByteMs,
      failure: reason,
      isReusable,
    });
  }
}

/** Sends one POST. Never rejects. */
export async function exchange(
  connection: Connection,
  call: {
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  },
  signal: AbortSignal,
): Promise<ExchangeResult> {
  let stopListening = (): void => undefined;
  try {
    return await new Promise<ExchangeResult>((resolve) => {
      const handler = new AnswerHandler(resolve);
      stopListening = onAbort(signal, () => {
        handler.end(TOO_LATE);
      });
      connection.dispatch({ ...call, method: "POST" }, handler);
    });
  } finally {
    stopListening();
  }
}
