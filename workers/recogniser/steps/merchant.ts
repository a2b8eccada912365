// Step: the merchant a name belongs to: the longest alias in the span that has enough evidence. A wrong merchant is
// worse than none, so what may also be an ordinary word must be the whole name, at home, and so on.
import { isReference, type Line, type Span } from "../line.ts";
import { isLayoutWord } from "../../knowledge/layouts.ts";
import { hashSeed, hashText } from "../text/hash.ts";
import { flagsOfWord, type Knowledge } from "../../knowledge/knowledge.ts";
import { AliasFlag, WordFlag } from "../../knowledge/sections.ts";
import { closingForms, legalForms } from "./name-words.ts";
import { matchNameWords } from "./wording.ts";
import type { MerchantEvidence } from "./confidence.ts";
import { type Candidate, type MerchantContext, ownerOf } from "./owner.ts";

/** Longest alias in tokens; `T J MAXX` needs three, a cut-up legal name rarely more than six. */
export const ALIAS_TOKENS_MAX = 7;
/** Below this length a hand-written alias is only believed where a name begins; a single word sooner is by chance. */
const ANYWHERE_LENGTH_MIN = 8;
const SINGLE_ANYWHERE_LENGTH_MIN = 9;
/** A shorter name of somebody who trades elsewhere is more likely that of somebody else here. */
const ABROAD_LENGTH_MIN = 10;
/** Brands of the packages, by length of the joined alias. */
const BRAND_LENGTH_MIN = 5;
const BRAND_ANYWHERE_LENGTH_MIN = 10;
/** A single word of this length that is no ordinary one is believed whatever follows it. */
const DISTINCTIVE_LENGTH_MIN = 7;

export interface FoundMerchant {
  readonly merchant: number;
  /** Tokens the alias covers. */
  readonly span: Span;
  readonly by: MerchantEvidence;
}

interface Match {
  readonly span: Span;
  readonly length: number;
  readonly candidate: Candidate;
}

/** The first token of the span that is no reference and no word of the bank: an alias up to it stands at the beginning. */
export function nameStart(
  line: Line,
  span: Span,
  { hints }: MerchantContext,
  { layouts }: Knowledge,
): number {
  let at = span.from;
  while (at < span.to - 1) {
    const token = line.tokens[at];
    const isBank = isLayoutWord(layouts, token, hints.countries);
    if (!isReference(line, at) && token?.text !== "the" && !isBank) break;
    at++;
  }
  return at;
}

/** Only references and a legal form, or nothing, after the alias. */
export function toTheEnd(line: Line, span: Span, to: number): boolean {
  for (let i = to; i < span.to; i++)
    if (!isReference(line, i) && !(i === to && closingForms.has(line.tokens[i]?.text ?? "")))
      return false;
  return true;
}

/** Whether ordinary words, places and references are all that follows: `WICKES PERRY BAR`, not `PARKERS SCHOOLWEAR`. */
function isExplained(line: Line, span: Span, to: number, knowledge: Knowledge): boolean {
  const ordinary = WordFlag.plain | WordFlag.place | WordFlag.banking;
  for (let i = to; i < span.to; i++) {
    const text = line.tokens[i]?.text ?? "";
    if (isReference(line, i) || text.length <= 2 || legalForms.has(text)) continue;
    if ((flagsOfWord(knowledge, text) & ordinary) === 0) return false;
  }
  return true;
}

/** Also an ordinary word, or in a line whose amount hardly anybody pays him: needs more evidence than the name itself. */
const isWeak = ({ flags, unusual }: Candidate): boolean =>
  unusual || (flags & AliasFlag.weak) !== 0;

export function believed(
  line: Line,
  span: Span,
  start: number,
  match: Match,
  knowledge: Knowledge,
): boolean {
  const first = match.span.from <= start;
  const whole = first && toTheEnd(line, span, match.span.to);
  const hand = (match.candidate.flags & AliasFlag.hand) !== 0;
  if (hand) {
    const isByChance = isJoinedByChance(line, match, knowledge);
    const isWhole = whole || isShopNumber(line, match.span.to);
    // What costs most is asked last.
    return (
      believedHand(match, first, isWhole, isByChance) &&
      (whole || !isOtherShop(line, span, match, knowledge, isWeak(match.candidate))) &&
      (first || !isOfAnother(line, start, span, match, knowledge))
    );
  }
  const explained = whole || (first && isExplained(line, span, match.span.to, knowledge));
  return (
    believedBrand(match, first, whole, explained) &&
    (whole || !isOtherShop(line, span, match, knowledge, isDoubtfulBrand(match))) &&
    (first || !isOfAnother(line, start, span, match, knowledge))
  );
}

/**
 * `JEWEL BOX CLEANERS` is no supermarket: behind the word stand those of another trade, or it is half of a name. `doubtful`:
 * the alias is one of which the first is believed.
 */
const isOtherShop = (
  line: Line,
  span: Span,
  match: Match,
  knowledge: Knowledge,
  doubtful: boolean,
): boolean =>
  isHalfOfName(line, span, match, knowledge) ||
  (doubtful && isOfTrade(line, span, match, knowledge));

/**
 * `ST ANNES PARISH SCHOOL FACTS TUITION`, `#4471 LUCKY STRIKE LIQUORS`: in the middle of a line an alias is by chance, or
 * of a service, where the words in front of it are a name of their own, or those behind it of another trade.
 */
function isOfAnother(
  line: Line,
  start: number,
  span: Span,
  match: Match,
  knowledge: Knowledge,
): boolean {
  if (matchNameWords(line, start, match.span.from, knowledge) !== null) return true;
  if (!isOrdinary(line, match.span, knowledge)) return false;
  return isOfTrade(line, span, match, knowledge) || isName(line, start, match.span.from, knowledge);
}

/** `BODY SHOP`: nothing but words that many names hold. */
function isOrdinary(line: Line, { from, to }: Span, knowledge: Knowledge): boolean {
  for (let at = from; at < to; at++)
    if ((flagsOfWord(knowledge, line.tokens[at]?.text ?? "") & WordFlag.plain) === 0) return false;
  return true;
}

/** Whether a word stands there that is neither a reference nor the bank's. */
function isName(line: Line, from: number, to: number, knowledge: Knowledge): boolean {
  for (let at = from; at < to; at++) {
    const token = line.tokens[at];
    if (token?.kind !== "word" || token.text.length <= SHORT_LENGTH_MAX || isReference(line, at))
      continue;
    if ((flagsOfWord(knowledge, token.text) & WordFlag.banking) === 0) return true;
  }
  return false;
}

/** Longer brands of several words are nobody else's: `COMMUNITY FIRST CU`, not `SPEEDY WASH`. */
const BRAND_WORDS_LENGTH_MIN = 13;

/** Whether a brand is less likely meant than what the words of another trade behind it say. */
const isDoubtfulBrand = ({ length, candidate }: Match): boolean =>
  (candidate.flags & AliasFlag.single) !== 0 || length < BRAND_WORDS_LENGTH_MIN;

/** Whether the words behind the match are those of another trade than its own. */
function isOfTrade(line: Line, span: Span, match: Match, knowledge: Knowledge): boolean {
  const { candidate } = match;
  if (match.span.to >= span.to) return false;
  const trade = matchNameWords(line, match.span.to, span.to, knowledge);
  const own = (knowledge.merchants.category[candidate.merchant] ?? 0) - 1;
  return trade !== null && own >= 0 && trade.row.category !== own;
}

/** Longer single words are nobody else's name, whatever they are joined to. */
const JOINED_LENGTH_MAX = 8;
/** Words of so few letters are many a name's. */
const SHORT_LENGTH_MAX = 4;

const isPlainWord = (text: string, knowledge: Knowledge): boolean =>
  (flagsOfWord(knowledge, text) & (WordFlag.plain | WordFlag.place)) === WordFlag.plain;

/** `SLICE OF HEAVEN`, `BOLT & BOBBIN FABRICS`: one word of a name that goes on. `CULVERS OF PLOVER` is a shop and its town. */
function isHalfOfName(
  line: Line,
  span: Span,
  { candidate, span: own }: Match,
  knowledge: Knowledge,
): boolean {
  const { flags } = candidate;
  if ((flags & (AliasFlag.single | AliasFlag.website)) !== AliasFlag.single) return false;
  const word = line.tokens[own.from]?.text ?? "";
  const next = line.tokens[own.to];
  if (next === undefined || own.to >= span.to || own.to - own.from > 1) return false;
  // A word that is only a brand is not the half of another name.
  const isOrdinary = word.length <= SHORT_LENGTH_MAX || knowledge.words.find(word) >= 0;
  if (word.length > JOINED_LENGTH_MAX || !isOrdinary) return false;
  if (next.text === "of") return isPlainWord(line.tokens[own.to + 1]?.text ?? "", knowledge);
  if (next.before === "&" && next.kind === "word") return next.text.length > 1;
  return next.text === "and";
}

/** `MONTHLY RENT PAYMENT` is not RentPayment: ordinary words that only together are the one word of the alias. */
function isJoinedByChance(line: Line, { span, candidate }: Match, knowledge: Knowledge): boolean {
  if (span.to - span.from < 2 || (candidate.flags & AliasFlag.single) === 0) return false;
  const ordinary = WordFlag.plain | WordFlag.banking;
  for (let at = span.from; at < span.to; at++) {
    const text = line.tokens[at]?.text ?? "";
    if (text.length < 3 || (flagsOfWord(knowledge, text) & ordinary) === 0) return false;
  }
  return true;
}

const SHOP_NUMBER_LENGTHS: ReadonlySet<number> = new Set([3, 4, 5, 6]);

/** `MCDONALDS 11820 SUNRISE RESTS`: a name with the number of its shop is whole, whatever follows. */
function isShopNumber(line: Line, at: number): boolean {
  const token = line.tokens[at];
  return token?.kind === "number" && SHOP_NUMBER_LENGTHS.has(token.text.length);
}

/** Written down by a person: at the front of a name always; in the middle, or abroad, only what cannot be a word. */
function believedHand(match: Match, first: boolean, whole: boolean, byChance: boolean): boolean {
  const { flags, fit } = match.candidate;
  const weak = byChance || isWeak(match.candidate);
  const single = (flags & (AliasFlag.single | AliasFlag.website)) === AliasFlag.single;
  if (fit === "state") return false;
  if (fit === "none") return first && !weak && !single && match.length >= ABROAD_LENGTH_MIN;
  if (weak) return first && (fit === "exact" || whole);
  return first || match.length >= (single ? SINGLE_ANYWHERE_LENGTH_MIN : ANYWHERE_LENGTH_MIN);
}

/** From the packages: never abroad, short and ordinary words only when they are the whole name. */
function believedBrand(match: Match, first: boolean, whole: boolean, explained: boolean): boolean {
  const { flags, fit } = match.candidate;
  const weak = isWeak(match.candidate);
  if (fit === "none" || fit === "state") return false;
  if (weak) return whole && fit === "exact" && match.length >= 3;
  if (match.length < BRAND_LENGTH_MIN) return explained && fit === "exact";
  if (whole) return true;
  if (fit !== "exact") return false;
  if ((flags & AliasFlag.single) !== 0) {
    return explained || (first && match.length >= DISTINCTIVE_LENGTH_MIN);
  }
  return first || match.length >= BRAND_ANYWHERE_LENGTH_MIN;
}

/** What stands first in a line is who was paid, before anything longer behind it. */
const START_BONUS_HAND = 20;
const START_BONUS_BRAND = 6;

function coverage(start: number, match: Match): number {
  const hand = (match.candidate.flags & AliasFlag.hand) !== 0;
  if (match.span.from > start) return match.length;
  return match.length + (hand ? START_BONUS_HAND : START_BONUS_BRAND);
}

/** Best believable alias that begins at token `from`. */
function longestFrom(
  line: Line,
  parts: readonly string[],
  span: Span,
  start: number,
  from: number,
  context: MerchantContext,
  knowledge: Knowledge,
): Match | null {
  const { keys } = knowledge.aliases;
  const last = Math.min(span.to, from + ALIAS_TOKENS_MAX);
  let hash = hashSeed;
  let length = 0;
  let best: Match | null = null;
  for (let to = from + 1; to <= last; to++) {
    const part = parts[to - 1] ?? "";
    hash = hashText(hash, part);
    length += part.length;
    if (length < 2) continue;
    const alias = keys.findJoined(hash, parts, from, to);
    if (alias < 0) continue;
    const candidate = ownerOf(alias, context, knowledge);
    if (candidate === null) continue;
    const match = { span: { from, to }, length, candidate };
    if (believed(line, span, start, match, knowledge)) best = match;
  }
  return best;
}

/** Where the longest hand-written name of at least two words ends that begins at `from`; `from` when none does. */
export function endOfKnownName(
  line: Line,
  from: number,
  end: number,
  knowledge: Knowledge,
): number {
  const { keys, first, flags } = knowledge.aliases;
  const last = Math.min(end, from + ALIAS_TOKENS_MAX);
  let known = from;
  let key = line.tokens[from]?.text ?? "";
  for (let to = from + 2; to <= last; to++) {
    key += line.tokens[to - 1]?.text ?? "";
    const alias = keys.find(key);
    const owner = alias < 0 ? 0 : (flags[first[alias] ?? 0] ?? 0);
    if ((owner & (AliasFlag.hand | AliasFlag.weak)) === AliasFlag.hand) known = to;
  }
  return known;
}

/** The best alias inside the span. */
export function findMerchant(
  line: Line,
  parts: readonly string[],
  span: Span,
  context: MerchantContext,
  knowledge: Knowledge,
): FoundMerchant | null {
  const start = nameStart(line, span, context, knowledge);
  let best: Match | null = null;
  for (let from = span.from; from < span.to; from++) {
    const match = longestFrom(line, parts, span, start, from, context, knowledge);
    if (match === null) continue;
    if (best === null || coverage(start, match) > coverage(start, best)) best = match;
  }
  return best === null ? null : foundOf(line, span, start, best);
}

function foundOf(line: Line, span: Span, start: number, match: Match): FoundMerchant {
  const first = match.span.from <= start;
  const whole = first && toTheEnd(line, span, match.span.to);
  return {
    merchant: match.candidate.merchant,
    span: match.span,
    by: evidenceOf(match.candidate, first, whole),
  };
}

function evidenceOf({ flags, fit }: Candidate, first: boolean, whole: boolean): MerchantEvidence {
  const weak = (flags & AliasFlag.weak) !== 0;
  if ((flags & AliasFlag.hand) === 0)
    return whole ? "brand whole" : first ? "brand first" : "brand inside";
  if (fit === "none") return "alias abroad";
  if (weak) return "alias weak";
  return whole ? "alias whole" : first ? "alias first" : "alias inside";
}

/** The merchant whose registrable domain this is. */
export function merchantOfWebsite(
  domain: string,
  context: MerchantContext,
  knowledge: Knowledge,
): number {
  const alias = knowledge.aliases.keys.find(domain);
  return alias < 0 ? -1 : (ownerOf(alias, context, knowledge)?.merchant ?? -1);
}
