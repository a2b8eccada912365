import { ERROR_CODES, type ErrorCode } from "./error-codes.ts";

// What a handler decides to say, as data: sent in one place (`send.ts`), kept by idempotency in one place.

export type Headers = Readonly<Record<string, string>>;

/** An answer whose body is known. */
export interface TextAnswer {
  readonly kind: "text";
  readonly status: number;
  readonly headers: Headers;
  readonly warnings?: readonly string[];
  /** Null for an answer without a body (204). */
  readonly body: string | Buffer | null;
  /** Whether the body is a JSON object about an error: it gets the id of the request when it is sent. */
  readonly isError?: boolean;
  /** The account holder that it is about, whose deletion erases what is kept of it. */
  readonly accountHolderId?: string | null;
  /** The same of a bank statement. */
  readonly statementId?: string;
  /** Whether the same request may get another answer a moment later: such an answer is not kept for repetitions. */
  readonly isTransient?: boolean;
  /** Whether nothing was done for it: it may be refused, as a read may, where too many answers wait for their readers. */
  readonly isReplay?: true;
}

/** An answer whose body is produced while it is sent: opening, chunks joined by separators, closing. */
export interface StreamAnswer {
  readonly kind: "stream";
  readonly status: number;
  readonly headers: Headers;
  readonly warnings?: readonly string[];
  readonly opening: string;
  /** Bytes are UTF-8. */
  readonly chunks: AsyncIterable<string | Uint8Array>;
  /** Left out: a comma. */
  readonly separator?: string;
  readonly closing: string;
  /** As `accountHolderId` of a text, for each that the answer is about. */
  readonly accountHolderIds?: readonly string[];
  /** As of a text. */
  readonly isTransient?: boolean;
  readonly isReplay?: true;
}

export type Answer = TextAnswer | StreamAnswer;

/** Carries each warning of an answer: the request was accepted, and something about it is probably not as meant. */
export const WARNING_HEADER = "Ledgerline-Warning";

/** The answer with more warnings; each is one sentence of visible ASCII without a value that was sent. */
export function withWarnings<Kind extends Answer>(answer: Kind, warnings: readonly string[]): Kind {
  if (warnings.length === 0) return answer;
  return { ...answer, warnings: [...(answer.warnings ?? []), ...warnings] };
}

export const JSON_TYPE = "application/json";

/** The body of a stream. */
export async function* streamTexts(
  answer: Pick<StreamAnswer, "opening" | "chunks" | "separator" | "closing">,
): AsyncIterable<string | Uint8Array> {
  let isEmpty = true;
  for await (const chunk of answer.chunks) {
    const before = isEmpty ? answer.opening : (answer.separator ?? ",");
    if (typeof chunk === "string") yield before + chunk;
    else {
      if (before !== "") yield before;
      yield chunk;
    }
    isEmpty = false;
  }
  yield (isEmpty ? answer.opening : "") + answer.closing;
}

/** The answer, not kept under an idempotency key. */
export const transient = (answer: TextAnswer): TextAnswer => ({ ...answer, isTransient: true });

/** An answer with a JSON text that is already written. */
export function jsonTextAnswer(status: number, body: string, headers: Headers = {}): TextAnswer {
  return { kind: "text", status, headers: { "Content-Type": JSON_TYPE, ...headers }, body };
}

export function jsonAnswer(status: number, value: unknown, headers: Headers = {}): TextAnswer {
  return jsonTextAnswer(status, JSON.stringify(value), headers);
}

/** The answer, as one that is about this account holder. */
export function ofHolder(answer: TextAnswer, accountHolderId: string | null): TextAnswer {
  return { ...answer, accountHolderId };
}

/** The answer, as one that is about this bank statement and the account holder that it may have. */
export function ofStatement(
  answer: TextAnswer,
  statementId: string,
  accountHolderId: string | null,
): TextAnswer {
  return { ...answer, accountHolderId, statementId };
}

/** Every error other than invalid fields: one sentence for people, and a code for programs that gives the status too. */
export function errorAnswer(code: ErrorCode, detail: string, headers: Headers = {}): TextAnswer {
  return problemAnswer(code, { detail }, headers);
}

/** An error with more than a sentence. */
export function problemAnswer(
  code: ErrorCode,
  fields: { readonly detail: unknown; readonly missingIds?: readonly string[] },
  headers: Headers = {},
): TextAnswer {
  const { status } = ERROR_CODES[code];
  return { ...jsonAnswer(status, { ...fields, code }, headers), isError: true };
}

/** The refusal with its sentence in `details` too. */
export function withRepeatedDetail(refusal: TextAnswer): TextAnswer {
  const body = JSON.parse(refusal.body?.toString() ?? "{}") as { readonly detail?: unknown };
  return { ...refusal, body: JSON.stringify({ ...body, details: body.detail }) };
}

export function noContent(headers: Headers = {}): TextAnswer {
  return { kind: "text", status: 204, headers, body: null };
}

/** `Retry-After` in whole seconds, at least one: clients accept nothing but an integer. */
export function retryAfter(seconds: number): Headers {
  return { "Retry-After": String(Math.max(1, Math.ceil(seconds))) };
}
