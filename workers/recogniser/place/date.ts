// Dates in figures.
import type { Line } from "../line.ts";

/** A day, a month or a year in figures, or what the bank blanked out of one. */
function isDatePart(line: Line, at: number, to: number): boolean {
  const token = line.tokens[at];
  if (at >= to || token === undefined || token.text.length > 4) return false;
  return token.kind === "number" || token.kind === "mask";
}

function isJoinedDate(line: Line, at: number): boolean {
  const token = line.tokens[at];
  return token?.gap === 1 && (token.before === "/" || token.before === "-" || token.before === ":");
}

/** `01/23`, `01-23-2024`, `XX/XX`: a date in figures. Returns the token after it, or `at` when there is none. */
export function skipDate(line: Line, at: number, to: number): number {
  if (!isDatePart(line, at, to)) return at;
  if (isDottedDate(line, at, to)) return at + 3;
  let end = at + 1;
  while (end < at + 3 && isDatePart(line, end, to) && isJoinedDate(line, end)) end++;
  const next = line.tokens[end];
  const glued =
    next !== undefined && end < to && next.gap === 1 && next.before === "-" && next.kind === "word";
  return end > at + 1 && !glued ? end : at;
}

/** `12.03.2024`: with fewer parts, figures with a dot between them are an amount. */
function isDottedDate(line: Line, at: number, to: number): boolean {
  if (at + 3 > to) return false;
  for (let i = at; i < at + 3; i++) {
    const token = line.tokens[i];
    const isYear = i === at + 2 && token?.text.length === 4;
    if (token?.kind !== "number" || (token.text.length > 2 && !isYear)) return false;
    if (i > at && (token.gap !== 1 || token.before !== ".")) return false;
  }
  return true;
}
