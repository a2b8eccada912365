// What a handler decides to say, as data: sent in one place (`send.ts`), kept by idempotency in one place.

export type Headers = Readonly<Record<string, string>>;

/** An answer whose body is known. */
export interface TextAnswer {
  readonly kind: "text";
  readonly status: number;
  readonly headers: Headers;
  /** Null for an answer without a body (204). */
  readonly body: string | Buffer | null;
}

/** An answer whose body is produced while it is sent: opening, chunks joined by commas, closing. */
export interface StreamAnswer {
  readonly kind: "stream";
  readonly status: number;
  readonly headers: Headers;
  readonly opening: string;
  readonly chunks: AsyncIterable<string>;
  readonly closing: string;
}

export type Answer = TextAnswer | StreamAnswer;

export const JSON_TYPE = "application/json";

/** An answer with a JSON text that is already written. */
export function jsonTextAnswer(status: number, body: string, headers: Headers = {}): TextAnswer {
  return { kind: "text", status, headers: { "Content-Type": JSON_TYPE, ...headers }, body };
}

export function jsonAnswer(status: number, value: unknown, headers: Headers = {}): TextAnswer {
  return jsonTextAnswer(status, JSON.stringify(value), headers);
}

/** Every error other than 422: one sentence. */
export function errorAnswer(status: number, detail: string, headers: Headers = {}): TextAnswer {
  return jsonAnswer(status, { detail }, headers);
}

export function noContent(headers: Headers = {}): TextAnswer {
  return { kind: "text", status: 204, headers, body: null };
}

/** `Retry-After` in whole seconds, at least one: clients accept nothing but an integer. */
export function retryAfter(seconds: number): Headers {
  return { "Retry-After": String(Math.max(1, Math.ceil(seconds))) };
}
