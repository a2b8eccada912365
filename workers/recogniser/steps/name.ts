// Step: the name of a merchant that is in no table: which words of the line are its name, or none when what is left does
// not look like a name. Its spelling is in display-name.ts.
import { isReference, type Line, type Span } from "../line.ts";
import { flagsOfWord, type Knowledge } from "../../knowledge/knowledge.ts";
import { WordFlag } from "../../knowledge/sections.ts";
import { isLayoutWord } from "../../knowledge/layouts.ts";
import { followers } from "./name-pairs.ts";
import { areaOfState } from "./states.ts";
import {
  closingForms,
  endWordSet,
  hollowWords,
  institutionWords,
  legalForms,
  lowerWords,
  nobodyWords,
  paymentWords,
  tailWords,
  townServices,
  townWords,
} from "./name-words.ts";

/** A name longer than this is a sentence. */
const NAME_TOKENS_MAX = 7;

/** `BIRRIA BROTHERS - LAS`: behind a dash between spaces stands which shop it is, often cut off. */
const SHOP_LENGTH_MAX = 3;
const DASH_GAP_MIN = 3;

function namesShop(line: Line, at: number): boolean {
  const token = line.tokens[at];
  if (token?.before !== "-" || token.gap < DASH_GAP_MIN) return false;
  return token.text.length <= SHOP_LENGTH_MAX;
}

/** Whether the name goes on at this token. */
function goesOn(line: Line, from: number, at: number): boolean {
  if (at === from) return true;
  if (!isNameToken(line, at) || namesShop(line, at)) return false;
  if (isOtherHand(line, from, at) || isRoad(line, at) || isDateToken(line, at)) return false;
  return !endsName(line, at) && !neverInside(line.tokens[at]?.text ?? "");
}

/** Words behind which, and with which, nothing belongs to a name. */
const neverInside = (text: string): boolean =>
  webPrefixes.has(text) || paymentWords.has(text) || closingForms.has(text);

const isUpper = (line: Line, at: number): boolean => {
  const token = line.tokens[at];
  if (token?.kind !== "word") return false;
  const written = line.text.slice(token.start, token.end);
  return written.length >= 2 && written === written.toUpperCase();
};

const isLower = (line: Line, at: number): boolean => {
  const token = line.tokens[at];
  if (token?.kind !== "word" || token.before !== " ") return false;
  const written = line.text.slice(token.start, token.end);
  return written.length >= 3 && written.slice(1) === written.slice(1).toLowerCase();
};

/** `LITTLE LOAF BAKESHOP Poughkeepsie`: the name in capitals ends where another field in small letters begins. */
const isOtherHand = (line: Line, from: number, at: number): boolean =>
  isLower(line, at) &&
  isUpper(line, at - 1) &&
  (at - from >= 2 || (line.tokens[from]?.text.length ?? 0) >= 5) &&
  isUpper(line, from);

/** `09/04` behind a name. */
const isDateToken = (line: Line, at: number): boolean =>
  line.tokens[at]?.kind === "number" &&
  line.tokens[at + 1]?.kind === "number" &&
  line.tokens[at + 1]?.before === "/";

const roads: ReadonlySet<string> = new Set(["rt", "rte", "hwy", "ste", "unit", "bldg"]);

/** `LOBSTER SHANTY RT 1`: behind the name stands where it is. */
const isRoad = (line: Line, at: number): boolean =>
  roads.has(line.tokens[at]?.text ?? "") && line.tokens[at + 1]?.kind === "number";

/** `CITY OF BEMIDJI UTILITY`: what a town collects money for is no part of its name. */
const isOfTown = (line: Line, from: number, at: number): boolean =>
  at > from + 2 &&
  townWords.has(line.tokens[from]?.text ?? "") &&
  line.tokens[from + 1]?.text === "of" &&
  townServices.has(line.tokens[at]?.text ?? "");

/** The span without what follows the first number, the first wide gap or a second `*`; legal forms off. */
function nameSpan(line: Line, span: Span): Span {
  let from = span.from;
  while (from < span.to && !startsHere(line, from, span.to)) from++;
  const last = Math.min(span.to, from + NAME_TOKENS_MAX);
  let to = from;
  while (to < last && goesOn(line, from, to) && !isOfTown(line, from, to)) to++;
  to = endOfRepeat(line, from, to);
  if (repeatsName(line, from, to - 1)) to--;
  while (to - 1 > from && endsWithLess(line, from, to - 1)) to--;
  return { from, to };
}

const REPEATED_LENGTH_MIN = 6;

/** `HIGH DESERT BEADS HIGHDESERTBEA`: the beginning of its website, or `ASSN ASSN`: the last word twice. */
function repeatsName(line: Line, from: number, at: number): boolean {
  const text = line.tokens[at]?.text ?? "";
  if (at <= from) return false;
  if (line.tokens[at - 1]?.text === text) return true;
  if (text.length < REPEATED_LENGTH_MIN) return false;
  let joined = "";
  for (let i = from; i < at; i++) joined += line.tokens[i]?.text ?? "";
  return joined.startsWith(text);
}

/** `ADP TAX ADP TAX`: name and purpose say the same, or the name came twice. */
function endOfRepeat(line: Line, from: number, to: number): number {
  const first = line.tokens[from]?.text ?? "";
  if (first.length < 2 || lowerWords.has(first)) return to;
  const second = line.tokens[from + 1]?.text;
  for (let at = from + 2; at + 1 < to; at++) {
    if (line.tokens[at]?.text === first && line.tokens[at + 1]?.text === second) return at;
  }
  return to;
}

/** A legal form, a state behind a dash (`MOSQUITO SQUAD - NY`), or the first letter of a word that was cut off. */
function endsWithLess(line: Line, from: number, at: number): boolean {
  const token = line.tokens[at];
  if (token === undefined) return false;
  if (legalForms.has(token.text)) return true;
  // The number of the shop: `LAUNDROMAT 3Q`.
  if (token.kind === "mixed" && token.text.length <= SHOP_LENGTH_MAX) return true;
  // `DRIVE-IN` stays whole.
  if (token.before === "-" && token.gap > 1) return areaOfState(token.text, "US") !== null;
  const isAlone = token.text.length === 1 && token.gap === 1 && token.before === " ";
  return (
    isAlone && isRestOfWord(line.tokens[at - 1]?.text ?? "", token.text, at - from >= 2 ? 3 : 5)
  );
}

/** A letter behind a word of some length. `LEARNING C`: the word that usually stands there is completed later. */
function isRestOfWord(before: string, letter: string, lengthMin: number): boolean {
  if (before.length < lengthMin || lowerWords.has(before)) return false;
  return followers.get(before)?.some((word) => word.startsWith(letter)) !== true;
}

/** `608 VETS`, `365 GAMES`: up to three digits in front of a word begin a name; inside one they are the shop's. */
function startsHere(line: Line, at: number, to: number): boolean {
  const token = line.tokens[at];
  const next = line.tokens[at + 1];
  const numbered = token?.kind === "number" && token.text.length === 3 && next?.kind === "word";
  return (numbered && at + 1 < to) || (isNameToken(line, at) && !isWebPrefix(line, at, to));
}

const webPrefixes: ReadonlySet<string> = new Set(["www", "http", "https"]);

/** `WWW.` in front of an address that was cut off. */
const isWebPrefix = (line: Line, at: number, to: number): boolean =>
  webPrefixes.has(line.tokens[at]?.text ?? "") && at + 1 < to;

const isNameToken = (line: Line, at: number): boolean => {
  const token = line.tokens[at];
  if (token === undefined) return false;
  if (token.kind === "number") return token.text.length <= 2;
  return !isReference(line, at);
};

const endsName = (line: Line, at: number): boolean => {
  const token = line.tokens[at];
  if (token === undefined) return true;
  return (
    (token.gap >= 3 && token.before === " ") ||
    token.before === "#" ||
    token.before === "*" ||
    token.before === ";" ||
    token.before === ":"
  );
};

/** Words that the wording tables hold too and that belong to the name in front of them. */
const nameEnds: ReadonlySet<string> = new Set([
  "group",
  "union",
  "clinic",
  "center",
  "centre",
  "hospital",
  "trust",
  "foundation",
  "bank",
  "system",
  "systems",
  "property",
  "properties",
  "management",
  "mgmt",
  "mgt",
  "apartments",
  "apts",
  "services",
  "service",
  "svcs",
  "svc",
  "shop",
  "company",
  "club",
  "park",
  "estates",
  "medical",
  "dental",
  "academy",
  "collector",
  "treasurer",
  "assessor",
  "commissioner",
  "office",
]);

/** Words that names end with stay behind another word, and what an institution is called stays in front of what it is. */
function isPartOfName(line: Line, span: Span, at: number, knowledge: Knowledge): boolean {
  const text = line.tokens[at]?.text ?? "";
  if (at > span.from) return nameEnds.has(text) || endWordSet.has(text);
  const isName = (flagsOfWord(knowledge, text) & (WordFlag.place | WordFlag.lastName)) !== 0;
  return isName && institutionWords.has(line.tokens[at + 1]?.text ?? "");
}

/** After the bank's own words, those are taken off both ends; in the middle they may belong to a name. */
function trimBankWords(
  line: Line,
  span: Span,
  isClosed: boolean,
  countries: readonly number[],
  knowledge: Knowledge,
): Span {
  const isBank = (at: number): boolean => {
    const token = line.tokens[at];
    const text = token?.text ?? "";
    if (institutionWords.has(text)) return !isFirstOfItsKind(line, span, at);
    if (isPartOfName(line, span, at, knowledge)) return false;
    const banking = (flagsOfWord(knowledge, text) & WordFlag.banking) !== 0;
    const isHollow = text.length < 2 || nobodyWords.has(text);
    return banking || isHollow || isLayoutWord(knowledge.layouts, token, countries);
  };
  let { from, to } = span;
  while (!isClosed && from < to && isBank(to - 1)) to--;
  while (from < to && isBank(from) && !startsName(line, from, to)) {
    // `CITY OF MUSKOGEE PAYROLL`
    if (institutionWords.has(line.tokens[from]?.text ?? "") && line.tokens[from + 1]?.text === "of")
      break;
    from++;
  }
  return { from, to };
}

/** Behind a name and never before it in the same name: of `CITY COUNCIL COUNCIL TAX` only the first is the council. */
function isFirstOfItsKind(line: Line, span: Span, at: number): boolean {
  const text = line.tokens[at]?.text;
  if (at === span.from) return false;
  for (let i = span.from; i < at; i++) if (line.tokens[i]?.text === text) return false;
  return true;
}

/** `THE OLD INN`, `A CLEAN HOUSE`: the article belongs to the word behind it. */
const startsName = (line: Line, at: number, to: number): boolean => {
  const text = line.tokens[at]?.text ?? "";
  const next = line.tokens[at + 1]?.text ?? "";
  return (
    (text === "the" || text.length < 2) && at + 1 < to && next.length >= 3 && !nobodyWords.has(next)
  );
};

function trimTail(line: Line, span: Span): Span {
  let { to } = span;
  while (to > span.from && tailWords.has(line.tokens[to - 1]?.text ?? "")) to--;
  while (to < span.to && to - 1 > span.from && endsWithLess(line, span.from, to - 1)) to--;
  return { from: span.from, to };
}

/** Legal forms off the end, when what stood behind them is gone. */
function trimForms(line: Line, { from, to }: Span): Span {
  let end = to;
  while (end - 1 > from && legalForms.has(line.tokens[end - 1]?.text ?? "")) end--;
  return { from, to: end };
}

/** Words of some meaning, or initials (`C.E.S.`): without them a text is no name. Beside another word, layout words count. */
function looksLikeName(
  line: Line,
  span: Span,
  countries: readonly number[],
  knowledge: Knowledge,
): boolean {
  let letters = 0;
  let initials = 0;
  let meaning = 0;
  let layout = 0;
  for (let at = span.from; at < span.to; at++) {
    const token = line.tokens[at];
    if (token === undefined || token.kind === "number") continue;
    const { text } = token;
    letters += text.length;
    if (text.length === 1) initials++;
    if (text.length < 3 || nobodyWords.has(text) || hollowWords.has(text)) continue;
    if (legalForms.has(text)) continue;
    if (isLayoutWord(knowledge.layouts, token, countries)) layout++;
    else meaning++;
  }
  const hasMeaning = meaning > 0 || (initials > 0 && layout > 0) || initials >= 3;
  return letters >= 3 && hasMeaning;
}

/**
 * The span of an unknown merchant's name, null when nothing is left that could be one. `afterWording`: the bank's own
 * words were found in the line, so words of the wording tables are taken off too.
 */
export function independentName(
  line: Line,
  span: Span,
  countries: readonly number[],
  knowledge: Knowledge,
  afterWording: boolean,
): Span | null {
  const spelled = nameSpan(line, span);
  // Nothing of the bank stands in front of a legal form: `WESTFALL CABINET SHOP INC PAYROLL`.
  const isClosed = closingForms.has(line.tokens[spelled.to]?.text ?? "") && spelled.to < span.to;
  const whole = isClosed ? spelled : trimTail(line, spelled);
  const name = afterWording
    ? trimForms(line, trimBankWords(line, whole, isClosed, countries, knowledge))
    : whole;
  return looksLikeName(line, name, countries, knowledge) ? name : null;
}
