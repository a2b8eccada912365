import type { z } from "zod";
import { problemAnswer, type TextAnswer } from "./answer.ts";

// Validation errors in the words that clients of this API already know. The value that was refused is never repeated:
// it is a payload, and answers are logged and shown by callers.

/** One entry of a 422 answer. */
export interface FieldError {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

export type RequestPart = "body" | "query" | "path" | "header";

/** A 422 lists at most this many errors: a batch of 24 960 wrong items must not make an answer of megabytes. */
export const FIELD_ERRORS_MAX = 100;

/** What a check of ours attaches to its issue: the error without its place. */
export type ErrorWords = Omit<FieldError, "loc">;

/** @param code the reason, where it is not simply that fields are not valid */
export function unprocessable(
  errors: readonly FieldError[],
  code: "validation_error" | "idempotency_key_reused" = "validation_error",
): TextAnswer {
  return problemAnswer(code, { detail: errors.slice(0, FIELD_ERRORS_MAX) });
}

/** Parses one part of a request; the errors name their place from that part on. */
export function parsePart<Schema extends z.ZodType>(
  part: RequestPart,
  schema: Schema,
  value: unknown,
): { ok: true; value: z.output<Schema> } | { ok: false; errors: readonly FieldError[] } {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return { ok: true, value: result.data };
  const issues = result.error.issues.slice(0, FIELD_ERRORS_MAX);
  return { ok: false, errors: issues.map((issue) => fieldError(part, issue)) };
}

function fieldError(part: RequestPart, issue: z.core.$ZodIssue): FieldError {
  const path = issue.path.map((key) => (typeof key === "symbol" ? String(key) : key));
  return { loc: [part, ...path], ...errorWords(part, issue) };
}

function errorWords(part: RequestPart, issue: z.core.$ZodIssue): ErrorWords {
  if (issue.code === "custom") return (issue.params as ErrorWords | undefined) ?? INVALID;
  if (issue.input === undefined) return { type: "missing", msg: "Field required" };
  if (issue.code === "invalid_type") return typeWords(part, issue);
  if (issue.code === "invalid_value") return enumWords(issue.values);
  if (issue.code === "too_small") {
    return boundWords("greater_than_equal", "greater", "ge", issue.minimum);
  }
  if (issue.code === "too_big") {
    return boundWords("less_than_equal", "less", "le", issue.maximum);
  }
  // No schema of ours can raise any other.
  return INVALID;
}

const INVALID: ErrorWords = { type: "value_error", msg: "Value error, input is not valid" };

const TYPE_WORDS: Readonly<Record<string, ErrorWords>> = {
  string: { type: "string_type", msg: "Input should be a valid string" },
  number: { type: "float_type", msg: "Input should be a valid number" },
  boolean: { type: "bool_type", msg: "Input should be a valid boolean" },
  array: { type: "list_type", msg: "Input should be a valid list" },
  object: {
    type: "model_attributes_type",
    msg: "Input should be a valid dictionary or object to extract fields from",
  },
};

const INTEGER_TEXT: ErrorWords = {
  type: "int_parsing",
  msg: "Input should be a valid integer, unable to parse string as an integer",
};
const FINITE: ErrorWords = { type: "finite_number", msg: "Input should be a finite number" };

function typeWords(part: RequestPart, issue: z.core.$ZodIssueInvalidType): ErrorWords {
  if (issue.expected === "number" && typeof issue.input === "number") return FINITE;
  // Query parameters arrive as text, and all our numeric ones are whole numbers.
  if (issue.expected === "number" && part === "query") return INTEGER_TEXT;
  // A schema may name its own kind of text by its error message, see `calendarDate`.
  if (issue.message === DATE_TYPE.type) return DATE_TYPE;
  return TYPE_WORDS[issue.expected] ?? INVALID;
}

export const DATE_TYPE: ErrorWords = { type: "date_type", msg: "Input should be a valid date" };

function enumWords(values: readonly unknown[]): ErrorWords {
  const quoted = values.map((value) => `'${String(value)}'`);
  const last = quoted.at(-1) ?? "";
  const expected = quoted.length > 1 ? `${quoted.slice(0, -1).join(", ")} or ${last}` : last;
  return { type: "enum", msg: `Input should be ${expected}`, ctx: { expected } };
}

function boundWords(
  type: string,
  word: string,
  key: "ge" | "le",
  bound: number | bigint,
): ErrorWords {
  const value = Number(bound);
  const msg = `Input should be ${word} than or equal to ${String(value)}`;
  return { type, msg, ctx: { [key]: value } };
}

/** A list of the wrong length. */
export function listWords(
  type: "too_short" | "too_long",
  bound: number,
  length: number,
): ErrorWords {
  const isShort = type === "too_short";
  const items = bound === 1 ? "item" : "items";
  return {
    type,
    msg: `List should have at ${isShort ? "least" : "most"} ${String(bound)} ${items} after validation, not ${String(length)}`,
    ctx: {
      field_type: "List",
      [isShort ? "min_length" : "max_length"]: bound,
      actual_length: length,
    },
  };
}
