// What the operators of the language do with values that are there, apart from where the values come from.
import { RULE_JOINED_LENGTH_MAX } from "../../../src/model/rules.ts";

/**
 * Thrown where a rule fails; the rules around it are the only ones who catch it. One object for all: a rule that fails on
 * every transaction must not cost a stack trace each time.
 */
export const RULE_FAILED = new Error("A rule failed");

/** Numbers of the language are finite: what is not, is a division by zero or too large. */
function finite(value: number): number {
  if (!Number.isFinite(value)) throw RULE_FAILED;
  return value;
}

export type Arithmetic = "+" | "-" | "*" | "/" | "//";

/** What an operator makes of the operands so far and the next one. */
export const ARITHMETIC: Readonly<Record<Arithmetic, (left: number, right: number) => number>> = {
  "+": (left, right) => finite(left + right),
  "-": (left, right) => finite(left - right),
  "*": (left, right) => finite(left * right),
  "/": (left, right) => finite(left / right),
  "//": (left, right) => finite(Math.floor(left / right)),
};

export type Order = "<" | "<=" | ">" | ">=";

export const NUMBER_ORDER: Readonly<Record<Order, (left: number, right: number) => boolean>> = {
  "<": (left, right) => left < right,
  "<=": (left, right) => left <= right,
  ">": (left, right) => left > right,
  ">=": (left, right) => left >= right,
};

export const TEXT_ORDER: Readonly<Record<Order, (left: string, right: string) => boolean>> = {
  "<": (left, right) => compareTexts(left, right) < 0,
  "<=": (left, right) => compareTexts(left, right) <= 0,
  ">": (left, right) => compareTexts(left, right) > 0,
  ">=": (left, right) => compareTexts(left, right) >= 0,
};

/** Below 0, 0 or above it, by code points. The language compares code units, where emoji stand before some letters. */
function compareTexts(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  let place = 0;
  while (place < length && left.charCodeAt(place) === right.charCodeAt(place)) place++;
  if (place === length) return left.length - right.length;
  // Where the second halves of two pairs differ, the pairs do.
  if (place > 0 && (left.codePointAt(place - 1) ?? 0) > 0xffff) place--;
  return (left.codePointAt(place) ?? 0) - (right.codePointAt(place) ?? 0);
}

export function join(texts: readonly string[]): string {
  let length = 0;
  for (const text of texts) length += text.length;
  if (length > RULE_JOINED_LENGTH_MAX) throw RULE_FAILED;
  return texts.join("");
}

export type Fold = "to_lower" | "to_upper";

/** Neither asks for the locale of the process. */
export const FOLDS: Readonly<Record<Fold, (text: string) => string>> = {
  to_lower: (text) => text.toLowerCase(),
  to_upper: (text) => text.toUpperCase(),
};

export type TextTest = "is_substring" | "starts_with" | "ends_with";

/** The operands in the order of the language: `is_substring` has what is looked for first, the others last. */
export const TEXT_TESTS: Readonly<Record<TextTest, (left: string, right: string) => boolean>> = {
  is_substring: (needle, text) => text.includes(needle),
  starts_with: (text, start) => text.startsWith(start),
  ends_with: (text, end) => text.endsWith(end),
};

/** Looking for a long needle in a text that nearly holds it takes so many times as long. */
const NEEDLE_STEP = 256;

export function searchSteps(needle: string, text: string): number {
  return text.length * (1 + Math.floor(needle.length / NEEDLE_STEP));
}
