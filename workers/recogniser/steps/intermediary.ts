// Step: the payment went through somebody (`SQ *`, `PAYPAL *`, `DOORDASH*`): take the prefix off and remember whose it is.
import type { Line, Span } from "../line.ts";
import { startsWith } from "../line.ts";
import { lookUp } from "../text/word-map.ts";
import { flagsOfWord, type Knowledge } from "../../knowledge/knowledge.ts";
import { type IntermediaryRow, WordFlag } from "../../knowledge/sections.ts";

/** At most this many are wrapped around each other (`PAYPAL *SQ *…`). */
const INTERMEDIARIES_MAX = 3;

/** From this length a prefix is recognised even when the star was lost on the way. */
const SPOKEN_LENGTH_MIN = 4;

export interface Through {
  readonly span: Span;
  /** Outermost first. */
  readonly rows: readonly IntermediaryRow[];
}

function fits(line: Line, span: Span, row: IntermediaryRow, knowledge: Knowledge): boolean {
  const after = span.from + row.prefix.length;
  if (!startsWith(line, span.from, span.to, row.prefix)) return false;
  if (!row.star) return true;
  const next = line.tokens[after];
  if (next === undefined || after >= span.to)
    return line.text.charAt(line.tokens[after - 1]?.end ?? 0) === "*" || isSpoken(row, knowledge);
  const isStarred = next.before === "*" || (next.gap >= 2 && next.before === " ");
  return isStarred || isSpoken(row, knowledge);
}

/** Long enough, and no word or name that shops carry too: `ACTIVE`, `SAWYER`. */
function isSpoken({ prefix }: IntermediaryRow, knowledge: Knowledge): boolean {
  const ordinary = WordFlag.plain | WordFlag.place | WordFlag.firstName | WordFlag.lastName;
  const [first = ""] = prefix;
  if (prefix.length === 1 && (flagsOfWord(knowledge, first) & ordinary) !== 0) return false;
  return prefix.reduce((length, word) => length + word.length, 0) >= SPOKEN_LENGTH_MIN;
}

/** Marks of processors are short. */
const MARK_LENGTH_MAX = 3;

/** `ZZ*MARIAS HAIR STUDIO`: a few letters and a star stand for somebody in between, whom nobody knows. */
function isUnknownMark(line: Line, span: Span): boolean {
  const [mark, next] = [line.tokens[span.from], line.tokens[span.from + 1]];
  if (mark?.kind !== "word" || next?.kind !== "word" || span.to - span.from < 3) return false;
  return mark.text.length <= MARK_LENGTH_MAX && next.before === "*" && next.gap === 1;
}

export function peelIntermediaries(line: Line, span: Span, knowledge: Knowledge): Through {
  const rows: IntermediaryRow[] = [];
  let from = span.from;
  while (rows.length < INTERMEDIARIES_MAX && from < span.to) {
    const inside = { from, to: span.to };
    const candidates = lookUp(knowledge.intermediaries, line.tokens[from]);
    const row = candidates?.find((candidate) => fits(line, inside, candidate, knowledge));
    if (row === undefined) {
      if (rows.length === 0 && isUnknownMark(line, inside)) from++;
      break;
    }
    rows.push(row);
    from += row.prefix.length;
  }
  return { span: { from, to: span.to }, rows };
}
