// What the operators of the language do with their values.
import { type ListOperator, RULE_JOINED_LENGTH_MAX } from "../../../src/model/rules.ts";
import { RULE_FAILED } from "./transaction.ts";

/** Numbers of the language are finite: anything else is a division by zero or too large. */
function finite(value: number): number {
  if (!Number.isFinite(value)) throw RULE_FAILED;
  return value;
}

/** The result so far and the next operand. */
export const ARITHMETIC = {
  "+": (left, right) => finite(left + right),
  "-": (left, right) => finite(left - right),
  "*": (left, right) => finite(left * right),
  "/": (left, right) => finite(left / right),
  "//": (left, right) => finite(Math.floor(left / right)),
} as const satisfies Partial<Record<ListOperator, (left: number, right: number) => number>>;

/** By the difference of left and right. */
export const ORDERINGS = {
  "<": (difference) => difference < 0,
  "<=": (difference) => difference <= 0,
  ">": (difference) => difference > 0,
  ">=": (difference) => difference >= 0,
} as const satisfies Partial<Record<ListOperator, (difference: number) => boolean>>;

export const TEXT_TESTS = {
  is_substring: (needle, text) => text.includes(needle),
  starts_with: (text, start) => text.startsWith(start),
  ends_with: (text, end) => text.endsWith(end),
} as const satisfies Partial<Record<ListOperator, (left: string, right: string) => boolean>>;

/** By code points: `<` of JavaScript compares code units, where emoji come before some letters. */
export function compareTexts(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  let place = 0;
  while (place < length && left.charCodeAt(place) === right.charCodeAt(place)) place++;
  if (place === length) return left.length - right.length;
  // Two surrogate pairs that differ only in their second half differ as a pair.
  if (place > 0 && (left.codePointAt(place - 1) ?? 0) > 0xffff) place--;
  return (left.codePointAt(place) ?? 0) - (right.codePointAt(place) ?? 0);
}

export function joinTexts(texts: readonly string[]): string {
  let length = 0;
  for (const text of texts) length += text.length;
  if (length > RULE_JOINED_LENGTH_MAX) throw RULE_FAILED;
  return texts.join("");
}
