// Lines that differ in nothing but the digits of their numbers and their references of letters and digits: of shops, orders, cards,
// dates. Their tokens have the same labels, because the tagger sees of either hardly more than how long it is. So they are read alike
// as long as none is part of what is read, and no look-up that holds one finds anything. That is what is checked here, look-up by
// look-up: it costs a tenth of reading.
import type { Knowledge } from "../knowledge/knowledge.ts";
import type { Hints } from "./hints.ts";
import type { Line, Span } from "./line.ts";
import { cityKind } from "./parse/cities.ts";
import { mayBeCityField } from "./parse/glued.ts";
import { LABEL } from "./parse/labels.ts";
import {
  areReference,
  isMixedReference,
  referenceSort,
  sortOfReference,
} from "./parse/references.ts";
import type { Tagging } from "./parse/tagger.ts";
import {
  mayBeOfName,
  type ParsedLine,
  nameProbability,
  nameSpans,
  NAME_MIN,
  spelledParts,
} from "./rank/line-view.ts";
import { ALIAS_TOKENS_MAX } from "./rank/merchants.ts";
import { POSSIBLE_MIN } from "./rank/names.ts";
import { hashSeed, hashText, hashUnit } from "./text/hash.ts";
import type { Token } from "./text/tokenise.ts";
import { isIn } from "./text/word-map.ts";

const ZERO = 0x30;
const isDigit = (code: number): boolean => code >= ZERO && code <= 0x39;
const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;

/** What stands for a reference in the hash: no code unit of a clean description. */
const REFERENCE = -1;

/** Of a clean description, the same for all that differ from it in the digits of numbers and in references only. */
export function hashWithoutValues(text: string): number {
  let hash: number = hashSeed;
  let before: number = hashSeed;
  let length = 0;
  let digits = 0;
  let runs = 0;
  let wasDigit = false;
  for (let at = 0; at <= text.length; at++) {
    // Behind the end it is not a number, and neither a digit nor a letter.
    const code = text.charCodeAt(at);
    const isOfNumber = isDigit(code);
    if (isOfNumber || isLetter(code)) {
      if (length === 0) before = hash;
      if (length === 0 || isOfNumber !== wasDigit) runs += 1;
      if (isOfNumber) digits += 1;
      length += 1;
      wasDigit = isOfNumber;
    } else {
      if (areReference(length, digits, runs))
        hash = hashUnit(hashUnit(before, REFERENCE), referenceSort(length, digits));
      length = 0;
      digits = 0;
      runs = 0;
    }
    hash = hashUnit(hash, isOfNumber ? ZERO : code);
  }
  return hash;
}

/** A number that was not cut off from a word: what that was cut by may depend on its digits. */
const isNumber = (text: string, { kind, start, end }: Token): boolean =>
  kind === "number" && !isLetter(text.charCodeAt(start - 1)) && !isLetter(text.charCodeAt(end));

function isSame(one: string, other: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (one.charCodeAt(at) !== other.charCodeAt(at)) return false;
  return true;
}

function areDigits(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!isDigit(text.charCodeAt(at))) return false;
  return true;
}

/** Whether the text is that of the line but for the digits of numbers. */
export function differsInNumbers({ text, tokens }: Line, other: string): boolean {
  if (text.length !== other.length) return false;
  let from = 0;
  for (const token of tokens) {
    if (!isNumber(text, token)) continue;
    const { start, end } = token;
    if (!isSame(text, other, from, start) || !areDigits(other, start, end)) return false;
    from = end;
  }
  return isSame(text, other, from, text.length);
}

/** The line with the numbers of a text that differs in those only. */
export function withNumbersOf({ text, tokens }: Line, other: string): Line {
  const own: Token[] = [];
  for (const token of tokens) {
    const { start, end, kind, before, gap } = token;
    if (!isNumber(text, token) || isSame(text, other, start, end)) {
      own.push(token);
      continue;
    }
    const digits = other.slice(start, end);
    own.push({ text: digits, start, end, kind, before, gap, hash: hashText(hashSeed, digits) });
  }
  return { text: other, tokens: own };
}

const isValue = (token: Token): boolean => token.kind === "number" || isMixedReference(token);

/** Whether the tagger sees the same of both, which stand in the same place of a line. */
function areAlike(one: Token, other: Token): boolean {
  if (one.start !== other.start || one.end !== other.end || one.kind !== other.kind) return false;
  if (one.before !== other.before || one.gap !== other.gap) return false;
  if (one.text === other.text || one.kind === "number") return true;
  return (
    isMixedReference(one) &&
    isMixedReference(other) &&
    one.text.length === other.text.length &&
    sortOfReference(one) === sortOfReference(other)
  );
}

/** Whether two lines have the same tokens but for numbers and references. */
export function differsInValues({ tokens }: Line, { tokens: others }: Line): boolean {
  if (tokens.length !== others.length) return false;
  for (let at = 0; at < tokens.length; at++) {
    const [one, other] = [tokens[at], others[at]];
    if (one === undefined || other === undefined || !areAlike(one, other)) return false;
  }
  return true;
}

/** Whether the line holds a reference with letters. */
export const holdsReference = ({ tokens }: Line): boolean => tokens.some(isMixedReference);

/** Numbers and references with these labels are part of what is read. */
const READ_LABELS: ReadonlySet<number> = new Set([
  LABEL.name,
  LABEL.person,
  LABEL.city,
  LABEL.state,
  LABEL.postcode,
  LABEL.country,
]);

const isJoined = ({ gap, before }: Token, joints: string): boolean =>
  gap === 1 && before !== "" && joints.includes(before);

/** Web addresses have a dot, or a slash in front of what some terminals write for one. */
function mayHoldAddress({ tokens }: Line): boolean {
  for (const token of tokens) {
    const isCom = token.text === "com" || token.text === "co";
    if (isJoined(token, ".") || (isCom && isJoined(token, "/"))) return true;
  }
  return false;
}

const WEB_ENDING = /(?:com|couk|orguk|govuk)$/u;

/** Whether a number may be part of a web address. */
function isOfAddress({ tokens }: Line, at: number, mayHold: boolean): boolean {
  const token = tokens[at];
  const next = tokens[at + 1];
  if (next !== undefined && WEB_ENDING.test(next.text)) return true;
  if (!mayHold || token === undefined) return false;
  return isJoined(token, "./-") || (next !== undefined && isJoined(next, "./-"));
}

/** Whether a number is part of what is read, whatever its digits are. */
function isNumberRead(line: Line, { labels, marginals }: Tagging): boolean {
  const mayHold = mayHoldAddress(line);
  for (let at = 0; at < line.tokens.length; at++) {
    const token = line.tokens[at];
    if (token === undefined || !isValue(token)) continue;
    // A word with letters may be of a name next to it, see `isWordOfName`.
    const least = token.kind === "number" ? NAME_MIN : POSSIBLE_MIN;
    const isPart = READ_LABELS.has(labels[at] ?? 0) || nameProbability(marginals, at) >= least;
    if (isPart || isOfAddress(line, at, mayHold)) return true;
  }
  return false;
}

/** A line with its labels, and what was sent with it. */
export type TaggedLine = Pick<ParsedLine, "line" | "tagging" | "hints">;

/** What lines have in common that differ in numbers only, as far as look-ups with numbers depend on it. */
export interface NumberUse {
  /** Whether each token may be of a name, see `mayBeOfName`. */
  readonly likely: readonly boolean[];
  readonly spans: readonly Span[];
  readonly hints: Hints;
}

/** Null where a number is part of what is read, so that lines with other numbers are read differently. */
export function numberUseOf(
  { line, tagging, hints }: TaggedLine,
  knowledge: Knowledge,
): NumberUse | null {
  if (isNumberRead(line, tagging)) return null;
  const likely = line.tokens.map((_, at) => mayBeOfName(tagging.marginals, at));
  const use = { likely, spans: nameSpans(tagging), hints };
  return isFoundWithNumber(line, use, knowledge) ? null : use;
}

/** Whether a look-up that holds a number of the line finds something. */
export function isFoundWithNumber(line: Line, use: NumberUse, knowledge: Knowledge): boolean {
  const { tokens } = line;
  const parts: string[] = [];
  for (const token of tokens) {
    if (isValue(token) && isIn(knowledge.numberWords, token)) return true;
    parts.push(token.text);
  }
  if (mayBeCityField(line, use.hints, knowledge)) return true;
  if (isCityWithNumber(tokens, parts, use.spans, knowledge)) return true;
  if (isAliasWithNumber(tokens, parts, use.likely, knowledge)) return true;
  const spelled = spelledParts(line, parts, knowledge);
  return spelled !== parts && isAliasWithNumber(tokens, spelled, use.likely, knowledge);
}

/** The same windows as `addAliases` looks up, of those the ones with a number. */
function isAliasWithNumber(
  tokens: readonly Token[],
  parts: readonly string[],
  likely: readonly boolean[],
  { aliases }: Knowledge,
): boolean {
  const count = tokens.length;
  for (let from = 0; from < count; from++) {
    let hash: number = hashSeed;
    let isLikely = false;
    let hasNumber = false;
    const end = Math.min(count, from + ALIAS_TOKENS_MAX);
    for (let to = from + 1; to <= end; to++) {
      hash = hashText(hash, parts[to - 1] ?? "");
      isLikely ||= likely[to - 1] === true;
      const last = tokens[to - 1];
      hasNumber ||= last !== undefined && isValue(last);
      if (isLikely && hasNumber && aliases.keys.findJoined(hash, parts, from, to) >= 0) return true;
    }
  }
  return false;
}

/** A city at the end of a name may begin in front of it: at most so many tokens, see `LineView.cityBefore`. */
const CITY_TOKENS_MAX = 3;

/** Numbers are not in names, but in front of them they are looked up with their first words. */
function isCityWithNumber(
  tokens: readonly Token[],
  parts: readonly string[],
  spans: readonly Span[],
  knowledge: Knowledge,
): boolean {
  for (const { from } of spans)
    for (let start = Math.max(1, from - CITY_TOKENS_MAX + 1); start < from; start++)
      if (isCityFrom(start, from, tokens, parts, knowledge)) return true;
  return false;
}

/** Whether a city with a number begins at `start` and ends behind `from`. */
function isCityFrom(
  start: number,
  from: number,
  tokens: readonly Token[],
  parts: readonly string[],
  knowledge: Knowledge,
): boolean {
  let hash: number = hashSeed;
  let length = 0;
  let hasNumber = false;
  const end = Math.min(tokens.length, start + CITY_TOKENS_MAX);
  for (let at = start; at < end; at++) {
    const part = parts[at] ?? "";
    hash = hashText(hash, part);
    length += part.length;
    const token = tokens[at];
    hasNumber ||= token !== undefined && isValue(token);
    if (at >= from && hasNumber && cityKind(knowledge, hash, length) === "city") return true;
  }
  return false;
}
