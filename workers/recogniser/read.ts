// Reads a line: parse, candidates, ranking. Each is a value that the next one reads, and `explain`.
import { type IntermediaryRow, WordFlag } from "../knowledge/sections.ts";
import { type Line, type Span, startsWith } from "./line.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import type { PatternMatch } from "../knowledge/patterns.ts";
import type { RecogniserInput } from "../../src/model/transaction.ts";
import { LABEL } from "./parse/labels.ts";
import type { Tagging } from "./parse/tagger.ts";
import type { Candidate } from "./rank/candidate.ts";
import { candidatesOf } from "./rank/candidates.ts";
import { createParser } from "./parser.ts";
import { createRanker, type Ranked } from "./rank/ranker.ts";
import { displayName } from "./name/display-name.ts";
import { createHints, type Hints } from "./hints.ts";
import { keepByTexts } from "./kept-texts.ts";
import { keepReadings, type ReadAnew } from "./kept-readings.ts";
import { cutPlace, type FoundPlace } from "./place/place.ts";
import { nameTokens } from "./text/keys.ts";
import {
  WEBSITE_PROBABILITY_MIN,
  websiteOfName,
  type WebsiteOfName,
} from "./website/website-of-name.ts";
import { tokenise } from "./text/tokenise.ts";
import { lookUp } from "./text/word-map.ts";

/** The counterparty. */
export type Party =
  | { readonly kind: "merchant"; readonly merchant: number; readonly span: Span }
  | {
      /** It is in no table. */
      readonly kind: "named";
      readonly type: "person" | "organization";
      readonly name: string;
      readonly website: string | null;
      readonly span: Span;
      /** What the last token of the span stands for, folded, where it was cut off. */
      readonly lastWord: string | null;
    }
  | { readonly kind: "none" };

/** What was found in a line. */
export interface Reading {
  readonly line: Line;
  readonly hints: Hints;
  readonly tagging: Tagging;
  readonly wording: PatternMatch | null;
  /** It is the bank's own business, by its wording. */
  readonly internal: boolean;
  /** Best first. */
  readonly ranked: readonly Ranked<Candidate>[];
  readonly place: FoundPlace | null;
  /** Token at which the place begins; the number of tokens without one. */
  readonly placeFrom: number;
  readonly party: Party;
  /** Merchants in between, outermost first. */
  readonly through: readonly number[];
  /** Category of the merchants that are paid through the innermost, -1 = of any. */
  readonly throughCategory: number;
  /** How sure the counterparty is, 0..1; 0 when there is none. */
  readonly confidence: number;
}

const PLACE_LABELS: ReadonlySet<number> = new Set([
  LABEL.city,
  LABEL.state,
  LABEL.postcode,
  LABEL.country,
]);

/** The place is read off the end of what the tagger calls a place. */
function placeOf(
  line: Line,
  tagging: Tagging,
  hints: Hints,
  knowledge: Knowledge,
): Pick<Reading, "place" | "placeFrom"> {
  const { labels } = tagging;
  let to = labels.length;
  while (to > 0 && !PLACE_LABELS.has(labels[to - 1] ?? 0)) to--;
  let from = to;
  while (from > 0 && PLACE_LABELS.has(labels[from - 1] ?? 0)) from--;
  if (to === 0) return { place: null, placeFrom: line.tokens.length };
  const { place, span } = cutPlace(line, { from: Math.max(0, from - 1), to }, hints, knowledge);
  return { place, placeFrom: place === null ? line.tokens.length : span.to };
}

/** From this length on a prefix is recognised even where its star was lost. */
const SPOKEN_LENGTH_MIN = 4;
const ORDINARY = WordFlag.plain | WordFlag.place | WordFlag.firstName | WordFlag.lastName;

/** Long enough, and not a word or name that other merchants have too: `ZELLE TO`, but not `ACTIVE`. */
const isSpoken = ({ prefix }: IntermediaryRow, at: number, { flags }: Tagging): boolean =>
  prefix.join("").length >= SPOKEN_LENGTH_MIN &&
  (prefix.length > 1 || ((flags[at] ?? 0) & ORDINARY) === 0);

/** Whether the words of the row stand at the token as the mark of an intermediary. */
function isMarkAt(
  row: IntermediaryRow,
  at: number,
  line: Line,
  tagging: Tagging,
  chosen: Candidate,
): boolean {
  if (!startsWith(line, at, line.tokens.length, row.prefix)) return false;
  const isTagged = tagging.labels[at] === LABEL.prefix;
  const next = line.tokens[at + row.prefix.length];
  if (isTagged || at === chosen.span.from)
    return isTagged || !row.star || next === undefined || next.before === "*" || next.gap > 1;
  return at < chosen.span.from && isSpoken(row, at, tagging);
}

/** Merchants of one name or website are one, whichever row of the tables was found. */
function isSameMerchant(one: number, other: number, { merchants }: Knowledge): boolean {
  if (one === other) return true;
  if (one < 0 || other < 0) return false;
  const { name, website } = merchants;
  return name[one] === name[other] || (website[one] !== 0 && website[one] === website[other]);
}

type Through = Pick<IntermediaryRow, "merchant" | "category">;

const noMarks: readonly Through[] = [];

/** Whether the owner of a mark is the counterparty, or was met before. */
function isMet(
  { merchant }: Through,
  chosen: Candidate,
  through: readonly Through[],
  knowledge: Knowledge,
): boolean {
  if (isSameMerchant(merchant, chosen.merchant, knowledge)) return true;
  return through.some((other) => isSameMerchant(merchant, other.merchant, knowledge));
}

/** The owners of the marks in front of the name, outermost first. */
function throughOf(
  line: Line,
  tagging: Tagging,
  chosen: Candidate,
  knowledge: Knowledge,
): readonly Through[] {
  let through: Through[] | null = null;
  for (let at = 0; at < line.tokens.length; at++) {
    const rows = lookUp(knowledge.intermediaries, line.tokens[at]);
    if (rows === undefined) continue;
    for (const row of rows) {
      if (!isMarkAt(row, at, line, tagging, chosen)) continue;
      const isInside = chosen.merchant < 0 && at >= chosen.span.from && at < chosen.span.to;
      if (!isInside && !isMet(row, chosen, through ?? noMarks, knowledge))
        (through ??= []).push(row);
      at += row.prefix.length - 1;
      break;
    }
  }
  return through ?? noMarks;
}

const none: Party = { kind: "none" };

/** `buy-stationery` → `Buy Stationery`. */
function addressName(label: string): string {
  const text = label.replaceAll("-", " ");
  const tokens = tokenise(text);
  return displayName({ text, tokens }, { from: 0, to: tokens.length });
}

/** The likeliest website of a name as it is shown. */
export const websiteOfParty = (
  name: string,
  home: string | null,
  knowledge: Knowledge,
): WebsiteOfName | null =>
  websiteOfName(nameTokens(name.replaceAll("&", " and ")), home, knowledge);

/** See `websiteOfParty`. */
type SiteOfParty = typeof websiteOfParty;

/** Websites of names that are kept by each thread; a power of two. */
const SITES_KEPT_MAX = 4096;

/** `websiteOfParty`, with what it answered kept: the same names come again and again. One for each thread. */
const createSiteOfParty = (knowledge: Knowledge): SiteOfParty =>
  keepByTexts((name, home) => websiteOfParty(name, home, knowledge), SITES_KEPT_MAX);

/** `SMITH, JOHN` and `SMITH JOHN` → `John Smith`; what may be in either order is left. */
function personName(line: Line, { from, to }: Span, flags: Tagging["flags"]): string {
  const isOnly = (at: number, flag: number, other: number): boolean =>
    ((flags[at] ?? 0) & flag) !== 0 && ((flags[at] ?? 0) & other) === 0;
  const { firstName, lastName } = WordFlag;
  const hasComma = to - from > 1 && line.tokens[from + 1]?.before === ",";
  const isTurned =
    to - from === 2 && isOnly(from, lastName, firstName) && isOnly(to - 1, firstName, lastName);
  if (!hasComma && !isTurned) return displayName(line, { from, to });
  return `${displayName(line, { from: from + 1, to })} ${displayName(line, { from, to: from + 1 })}`;
}

export function partyOf(
  line: Line,
  candidate: Candidate,
  flags: Tagging["flags"],
  home: string | null,
  knowledge: Knowledge,
  siteOf: SiteOfParty = websiteOfParty,
): Party {
  const { span, merchant, address, lastWord } = candidate;
  if (candidate.class === "none") return none;
  if (merchant >= 0) return { kind: "merchant", merchant, span };
  const named = { kind: "named", span, lastWord } as const;
  if (address !== undefined)
    return {
      ...named,
      type: "organization",
      name: addressName(address.label),
      website: address.domain,
    };
  if (candidate.class === "person")
    return { ...named, type: "person", name: personName(line, span, flags), website: null };
  const name = displayName(line, span, lastWord, knowledge.abbreviations);
  const site = siteOf(name, home, knowledge);
  const website = site !== null && site.probability >= WEBSITE_PROBABILITY_MIN ? site.domain : null;
  return { ...named, type: "organization", name, website };
}

/** The name of a candidate that is in no table, without spaces; null of a merchant. */
function unlistedNameOf({ address, merchant, span }: Candidate, { tokens }: Line): string | null {
  if (merchant >= 0) return null;
  if (address !== undefined) return address.label;
  let words = "";
  for (let at = span.from; at < span.to; at++) words += tokens[at]?.text ?? "";
  return words;
}

/**
 * Of the best candidate together with the others of the same name: a name and the address that it is written in.
 * @param ranked the best first
 */
export function probabilityOfName(
  ranked: readonly Pick<Ranked<Candidate>, "candidate" | "probability">[],
  line: Line,
): number {
  const best = ranked[0];
  if (best === undefined) return 0;
  const name = unlistedNameOf(best.candidate, line);
  if (name === null) return best.probability;
  let sum = best.probability;
  for (let at = 1; at < ranked.length; at++) {
    const other = ranked[at];
    if (other !== undefined && unlistedNameOf(other.candidate, line) === name)
      sum += other.probability;
  }
  return sum;
}

export type ReadLine = (item: RecogniserInput) => Reading;

function createUnkeptReading(knowledge: Knowledge): ReadAnew<Reading> {
  const parse = createParser(knowledge);
  const ranker = createRanker(knowledge.lexicon.ranker);
  const siteOf = createSiteOfParty(knowledge);
  return ({ item, hints }, sizedFor) => {
    const parsed = parse(item, hints);
    const { line, tagging, wording, internal } = parsed;
    const ranked = ranker.rank(candidatesOf(parsed, knowledge, sizedFor));
    const best = ranked[0];
    if (best === undefined) throw new Error("That no counterparty is named is always a candidate.");
    const { candidate } = best;
    const through = throughOf(line, tagging, candidate, knowledge);
    const party = partyOf(line, candidate, tagging.flags, hints.home, knowledge, siteOf);
    const { place, placeFrom } = placeOf(line, tagging, hints, knowledge);
    const probability = probabilityOfName(ranked, line);
    return {
      line,
      hints,
      tagging,
      wording,
      internal,
      ranked,
      place,
      placeFrom,
      party,
      through: through.map(({ merchant }) => merchant),
      throughCategory: through.at(-1)?.category ?? -1,
      confidence:
        party.kind === "none"
          ? 0
          : ranker.calibrate(probability, candidate.class, item.accountType),
    };
  };
}

/** One for each thread: it keeps what it read. The function returned is deterministic. */
export function createReading(knowledge: Knowledge): ReadLine {
  const read = keepReadings(createUnkeptReading(knowledge), knowledge);
  const hintsOf = createHints(knowledge);
  return (item) => {
    const hints = hintsOf(item);
    const reading = read({ item, hints });
    return reading.hints === hints ? reading : { ...reading, hints };
  };
}
