// Step: the payment went through somebody (`SQ *`, `PAYPAL *`, `DOORDASH*`): take the prefix off and remember whose it is.
import type { Line, Span } from "../line.ts";
import { startsWith } from "../line.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import type { IntermediaryRow } from "../knowledge/sections.ts";

/** At most this many are wrapped around each other (`PAYPAL *SQ *…`). */
const INTERMEDIARIES_MAX = 3;

/** From this length a prefix is recognised even when the star was lost on the way. */
const SPOKEN_LENGTH_MIN = 4;

export interface Through {
  readonly span: Span;
  /** Outermost first. */
  readonly rows: readonly IntermediaryRow[];
}

function fits(line: Line, span: Span, row: IntermediaryRow): boolean {
  const after = span.from + row.prefix.length;
  if (!startsWith(line, span.from, span.to, row.prefix)) return false;
  if (!row.star) return true;
  const next = line.tokens[after];
  if (next === undefined || after >= span.to)
    return line.text.charAt(line.tokens[after - 1]?.end ?? 0) === "*" || isSpoken(row);
  return next.before === "*" || (next.gap >= 2 && next.before === " ") || isSpoken(row);
}

const isSpoken = (row: IntermediaryRow): boolean =>
  row.prefix.reduce((length, word) => length + word.length, 0) >= SPOKEN_LENGTH_MIN;

export function peelIntermediaries(line: Line, span: Span, knowledge: Knowledge): Through {
  const rows: IntermediaryRow[] = [];
  let from = span.from;
  while (rows.length < INTERMEDIARIES_MAX && from < span.to) {
    const inside = { from, to: span.to };
    const candidates = knowledge.intermediaries.get(line.tokens[from]?.text ?? "");
    const row = candidates?.find((candidate) => fits(line, inside, candidate));
    if (row === undefined) break;
    rows.push(row);
    from += row.prefix.length;
  }
  return { span: { from, to: span.to }, rows };
}
