// The names that are in no table: what the tagger calls a name, and the same without or with a word at its ends where it is not sure,
// without a legal form, without a city behind it, without what stands behind a dash, with a last word completed that a field cut off.
import { WordFlag } from "../../knowledge/sections.ts";
import type { Span } from "../line.ts";
import { completeName } from "../name/complete.ts";
import { isIn, type WordSet, wordSet } from "../text/word-map.ts";
import type { Candidate } from "./candidate.ts";
import { AT, type Evidence } from "./evidence.ts";
import { bit, type LineView, log1, type NameSpan } from "./line-view.ts";
import { WORDS_COUNTED_MAX } from "./merchants.ts";

const NAMES_MAX = 3;
const FIELD_LENGTH = 22;
const SHORT_MAX = 4;
/** A dash and a space on either side of it. */
const DASH_GAP = 3;
/** A word at the end of a name that is less likely one of it may be none; one next to it that is more likely may be one. */
const SURE = 0.95;
export const POSSIBLE_MIN = 0.03;
/** `MRS MARIA DE LA CRUZ`. */
const PERSON_TOKENS_MAX = 5;

const LEGAL_FORMS: WordSet = wordSet(
  (
    "llc inc ltd limited plc corp corporation incorporated gmbh llp pllc pty bv nv srl sarl sas sa ag kg ohg ug spa sl lda ltda " +
    "eireli"
  ).split(" "),
);
/** What a field leaves of them. */
const CUT_FORMS: readonly string[] = ["limited", "incorporated", "corporation"];
const CUT_FORM_LENGTH_MIN = 3;

const isNumber = (view: LineView, at: number): boolean => {
  const token = view.parsed.line.tokens[at];
  return token?.kind === "number" && token.text.length > 2;
};

/** `LIMITE`, the last word of a name. */
const isCutForm = (word: string): boolean =>
  word.length >= CUT_FORM_LENGTH_MIN && CUT_FORMS.some((form) => form.startsWith(word));

/** Taken off the end of a name: legal forms, and numbers of some length. */
function withoutEnd(view: LineView, { from, to }: Span): Span {
  let end = to;
  if (end > from + 1 && isCutForm(view.parts[end - 1] ?? "")) end--;
  while (end > from + 1 && isIn(LEGAL_FORMS, view.parsed.line.tokens[end - 1])) end--;
  while (end > from + 1 && isNumber(view, end - 1)) end--;
  return { from, to: end };
}

/** How a variant differs from the name as the tagger has it. */
type Change = Extract<
  Evidence,
  "legalForm" | "withoutCity" | "longer" | "shortened" | "completed" | "repeated" | "beforeDash"
>;

interface Variant {
  readonly span: Span;
  readonly lastWord: string | null;
  readonly change: Change | null;
}

/** Where a city begins at the end of the span, at least one token of which must be left; -1 = there is none. */
const cityAtEnd = (view: LineView, { from, to }: Span): number => {
  const start = view.cityBefore(to);
  return start > from ? start : -1;
};

/** Where the words of the span begin a second time: `EXPERTPAY        EXPERTPAY`; -1 = they do not. */
function repeatedFrom({ parts }: LineView, { from, to }: Span): number {
  const first = parts[from] ?? "";
  for (let at = from + 1; at < to; at++) {
    // Most words begin with another letter: that is seen without joining them.
    if (parts[at]?.charCodeAt(0) !== first.charCodeAt(0)) continue;
    const rest = parts.slice(at, to).join("");
    if (rest.startsWith(first) && parts.slice(from, at).join("").startsWith(rest)) return at;
  }
  return -1;
}

const TITLES: WordSet = wordSet(
  "mr mrs ms miss dr sir mme mlle herr frau sr sra srta sig dhr mevr prof rev".split(" "),
);

/** Adds a variant that is not empty and not among them. */
function addVariant(
  variants: Variant[],
  from: number,
  to: number,
  change: Change | null,
  lastWord: string | null = null,
): void {
  if (to <= from) return;
  for (const { span, lastWord: other } of variants)
    if (span.from === from && span.to === to && other === lastWord) return;
  variants.push({ span: { from, to }, lastWord, change });
}

/** `JANSEN DISPLAY LTD BEDFORDSHIRE`: where the legal form stands, -1 = there is none. */
function legalFormIn({ parsed }: LineView, from: number, to: number): number {
  const { tokens } = parsed.line;
  for (let at = from; at < to; at++) if (isIn(LEGAL_FORMS, tokens[at])) return at;
  return -1;
}

/** `RAMEN NAGI - SAN`: the token behind a dash with spaces around it, -1 = there is none inside the span. */
function behindDash({ parsed }: LineView, { from, to }: Span): number {
  const { tokens } = parsed.line;
  for (let at = from + 1; at < to; at++) {
    const { before, gap } = tokens[at] ?? {};
    if (before === "-" && gap === DASH_GAP) return at;
  }
  return -1;
}

function variantsOf(view: LineView, named: NameSpan): readonly Variant[] {
  const whole = withoutEnd(view, named);
  const { from, to } = whole;
  const variants: Variant[] = [];
  addVariant(variants, from, to, to < named.to ? "legalForm" : null);
  if (named.isPerson) return variants;
  const { span: done, lastWord } = completeName(view.parsed.line, whole, 0, view.knowledge);
  if (done.to < to) addVariant(variants, done.from, done.to, "shortened", lastWord);
  else if (lastWord !== null) addVariant(variants, done.from, done.to, "completed", lastWord);
  addVariant(variants, from, legalFormIn(view, from + 1, to), "legalForm");
  addVariant(variants, from, repeatedFrom(view, whole), "repeated");
  addVariant(variants, from, cityAtEnd(view, whole), "withoutCity");
  addVariant(variants, from, behindDash(view, whole), "beforeDash");
  if (to - from > 1) {
    if (view.nameAt(to - 1) < SURE) addVariant(variants, from, to - 1, "shortened");
    if (view.nameAt(from) < SURE) addVariant(variants, from + 1, to, "shortened");
  }
  if (isWordOfName(view, named.to)) addVariant(variants, from, named.to + 1, "longer");
  if (isWordOfName(view, from - 1)) addVariant(variants, from - 1, to, "longer");
  return variants;
}

/** A word next to a name that may be one of it. */
function isWordOfName(view: LineView, at: number): boolean {
  const { kind } = view.parsed.line.tokens[at] ?? {};
  return (kind === "word" || kind === "mixed") && view.nameAt(at) > POSSIBLE_MIN;
}

function candidateOf(
  view: LineView,
  named: NameSpan,
  order: number,
  { span, lastWord, change }: Variant,
  isPerson: boolean,
  holdsMerchant: boolean,
): Candidate {
  const { line } = view.parsed;
  let words = 0;
  let unknownWords = 0;
  let letters = 0;
  for (let at = span.from; at < span.to; at++) {
    letters += view.parts[at]?.length ?? 0;
    const token = line.tokens[at];
    if (token?.kind !== "word" || token.text.length <= 2) continue;
    words += 1;
    if (!view.isOrdinary(at)) unknownWords += 1;
  }
  const evidence = view.evidenceAt(change === "legalForm" || change === null ? named : span);
  if (change !== null) evidence[AT[change]] = 1;
  evidence[AT.order] = order;
  evidence[AT.length] = log1(letters);
  evidence[AT.words] = Math.min(WORDS_COUNTED_MAX, span.to - span.from);
  evidence[AT.single] = bit(span.to - span.from === 1);
  evidence[AT.trade] = bit(view.hasTrade(span.from, span.to));
  evidence[AT.ordinary] = bit(unknownWords === 0);
  evidence[AT.unknownWords] = Math.min(3, unknownWords);
  evidence[AT.noWords] = bit(words === 0);
  evidence[AT.short] = bit(letters < SHORT_MAX);
  evidence[AT.holdsMerchant] = bit(holdsMerchant);
  evidence[AT.full] = bit(line.text.length >= FIELD_LENGTH);
  const first = isIn(TITLES, line.tokens[span.from]) ? span.from + 1 : span.from;
  evidence[AT.title] = bit(first > span.from);
  evidence[AT.personal] = view.personalOf(span);
  evidence[AT.given] = bit((view.flags(first) & WordFlag.firstName) !== 0);
  evidence[AT.surname] = bit((view.flags(span.to - 1) & WordFlag.lastName) !== 0);
  evidence[AT.endsInCity] = bit(cityAtEnd(view, span) > 0);
  evidence[AT.dashInside] = bit(behindDash(view, span) > 0);
  evidence[AT.endsOrdinary] = bit(span.to - span.from > 1 && view.isOrdinary(span.to - 1));
  return { class: isPerson ? "person" : "name", span, merchant: -1, lastWord, evidence };
}

/** Whether the words may be a person's name, whatever its labels are: `MR HOLLOWAY`, `L OKAFOR`, `MARIA LOPEZ`. */
function mayBePerson(view: LineView, { from, to }: Span): boolean {
  if (to - from < 2 || to - from > PERSON_TOKENS_MAX) return false;
  if (isIn(TITLES, view.parsed.line.tokens[from])) return true;
  const { firstName, lastName } = WordFlag;
  const isTurned = view.parsed.line.tokens[from + 1]?.before === ",";
  if (isTurned) return (view.flags(from) & lastName) !== 0;
  const isGiven = view.parts[from]?.length === 1 || (view.flags(from) & firstName) !== 0;
  return isGiven && (view.flags(to - 1) & lastName) !== 0;
}

/** Labelled as a person's, with a form of address in front: no company is called so. */
const isSurelyPerson = (view: LineView, { from, isPerson }: NameSpan): boolean =>
  isPerson && isIn(TITLES, view.parsed.line.tokens[from]);

/** Whether one of the merchants stands inside the name. */
function holdsOne({ from, to }: Span, merchants: readonly Candidate[]): boolean {
  for (const { span } of merchants) if (span.from >= from && span.to <= to) return true;
  return false;
}

/**
 * Adds the names that are in no table.
 * @param merchants those that were found in the line
 */
export function addNameCandidates(
  view: LineView,
  merchants: readonly Candidate[],
  all: Candidate[],
): void {
  const count = Math.min(view.spans.length, NAMES_MAX);
  for (let order = 0; order < count; order++) {
    const named = view.spans[order];
    if (named === undefined) return;
    const holdsMerchant = holdsOne(named, merchants);
    const variants = variantsOf(view, named);
    for (const variant of variants)
      all.push(candidateOf(view, named, order, variant, named.isPerson, holdsMerchant));
    const whole = variants[0];
    if (whole === undefined || isSurelyPerson(view, named)) continue;
    if (mayBePerson(view, whole.span))
      all.push(candidateOf(view, named, order, whole, !named.isPerson, holdsMerchant));
  }
}
