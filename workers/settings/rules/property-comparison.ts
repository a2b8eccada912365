import type { Expression } from "../../../src/model/rules.ts";
import { readTextSlot, slotRead, type RuleTransaction } from "./transaction.ts";

/** A property, unchanged or in one case, compared with a constant: what most conditions consist of. */
export interface PropertyComparison {
  readonly operator: "==" | "is_substring" | "starts_with" | "ends_with";
  readonly slot: number;
  readonly constant: string;
}

export function asPropertyComparison(expression: Expression): PropertyComparison | null {
  if (typeof expression !== "object") return null;
  if ("==" in expression) {
    const [left, right, more] = expression["=="];
    if (more !== undefined) return null;
    return typeof left === "string" ? compared("==", right, left) : compared("==", left, right);
  }
  if ("is_substring" in expression) {
    const [needle, text] = expression.is_substring;
    return compared("is_substring", text, needle);
  }
  if ("starts_with" in expression) return compared("starts_with", ...expression.starts_with);
  if ("ends_with" in expression) return compared("ends_with", ...expression.ends_with);
  return null;
}

function compared(
  operator: PropertyComparison["operator"],
  read?: Expression,
  constant?: Expression,
): PropertyComparison | null {
  const slot = read === undefined ? null : slotRead(read);
  return slot === null || typeof constant !== "string" ? null : { operator, slot, constant };
}

/** It takes no steps. */
export function compilePropertyComparison({
  operator,
  slot,
  constant,
}: PropertyComparison): (transaction: RuleTransaction) => boolean {
  switch (operator) {
    case "==":
      return (transaction) => readTextSlot(transaction, slot) === constant;
    case "is_substring":
      return (transaction) => readTextSlot(transaction, slot).includes(constant);
    case "starts_with":
      return (transaction) => readTextSlot(transaction, slot).startsWith(constant);
    case "ends_with":
      return (transaction) => readTextSlot(transaction, slot).endsWith(constant);
  }
}
