// Who could have been meant: everybody of the knowledge who answers to a name in the line, and why he was believed or
// not.
import type { ExplainedCandidate } from "../../../src/model/explanation.ts";
import type { Facts } from "../../../src/model/facts.ts";
import { merchantContextOf, type Reading } from "../recogniser.ts";
import type { Knowledge } from "../../knowledge/knowledge.ts";
import { AliasFlag } from "../../knowledge/sections.ts";
import { isEmpty, type Span } from "../line.ts";
import { type AreaFit, fitOfAreas } from "../steps/hints.ts";
import { peelIntermediaries } from "../steps/intermediary.ts";
import { aliasPartsOf } from "../steps/alias-parts.ts";
import { lookUpText } from "../text/word-map.ts";
import type { Party } from "../steps/party-types.ts";
import { categoryReasonOf } from "./evidence.ts";
import { type ListedMerchant, listMerchants } from "./merchants.ts";
import { excerptOf } from "./parts.ts";

/** More than a person reads; a line of one repeated name could have hundreds. */
const CANDIDATES_MAX = 40;

type Chosen = Extract<Party, { kind: "merchant" }>;

/** The stretch that was searched: behind the marks, from where the counterparty stands if that is before it. */
function searchedSpan({ line, placed, parties }: Reading, knowledge: Knowledge): Span {
  const inner = peelIntermediaries(line, placed.span, knowledge).span;
  const { party } = parties;
  if (party.kind === "none" || party.by === "intermediary") return inner;
  const { span } = party;
  if (span.from >= inner.from && span.to <= inner.to) return inner;
  return span.from >= placed.span.from && span.to <= inner.to
    ? { from: span.from, to: inner.to }
    : span;
}

/** Those who answer to the words as written; where these chose nobody, to the words spelled out. */
function listAll(reading: Reading, chosen: Chosen | null, knowledge: Knowledge) {
  const { line, hints, placed } = reading;
  const span = searchedSpan(reading, knowledge);
  const context = merchantContextOf(hints, placed);
  const parts = aliasPartsOf(line, knowledge);
  const listed = isEmpty(span) ? [] : listMerchants(line, parts, span, context, knowledge);
  if (chosen === null || listed.some((one) => isChosen(one, chosen))) return listed;
  const spelled = parts.map((part) => lookUpText(knowledge.abbreviations, part) ?? part);
  const isSame = spelled.every((part, i) => part === parts[i]);
  const more = isSame ? [] : listMerchants(line, spelled, span, context, knowledge);
  // Who is believed when spelled out is not refused as written as well.
  const believed = more.filter((one) => one.believed);
  const left = listed.filter((one) => !believed.some((other) => isSameName(one, other)));
  return [...left, ...more.filter((one) => !left.some((other) => isSameName(one, other)))];
}

const isSameName = (one: ListedMerchant, other: ListedMerchant): boolean =>
  one.merchant === other.merchant &&
  one.span.from === other.span.from &&
  one.span.to === other.span.to;

const isChosen = (one: ListedMerchant, { merchant, span }: Chosen): boolean =>
  one.believed &&
  one.merchant === merchant &&
  one.span.from === span.from &&
  one.span.to === span.to;

const TRADES: Readonly<Record<AreaFit, ExplainedCandidate["trades"]>> = {
  exact: "here",
  open: "anywhere",
  none: "elsewhere",
  state: "elsewhere",
};

/** `US-VA` or `GB` of a packed area, see `packArea`. */
function unpackArea(packed: number): string {
  let rest = packed;
  let letters = "";
  for (let i = 0; i < 5; i++) {
    const letter = rest % 27;
    letters = (letter === 0 ? "" : String.fromCharCode(0x40 + letter)) + letters;
    rest = Math.floor(rest / 27);
  }
  return letters.length > 2 ? `${letters.slice(0, 2)}-${letters.slice(2)}` : letters;
}

export const unpackAreas = (packed: Iterable<number>): string[] =>
  Array.from(packed, unpackArea).sort();

function areasOf(merchant: number, { merchants }: Knowledge): string[] {
  const from = merchants.areaFirst[merchant] ?? 0;
  return unpackAreas(merchants.areas.subarray(from, merchants.areaFirst[merchant + 1] ?? from));
}

const isWeak = ({ flags }: ListedMerchant): boolean => (flags & AliasFlag.weak) !== 0;
const isHand = ({ flags }: ListedMerchant): boolean => (flags & AliasFlag.hand) !== 0;

const UNUSUAL = "hardly anybody pays there such an amount";
const ORDINARY = "also an ordinary word, a place or a person's name";

/** What a name that a person wrote down was missing. */
function whyNotHand(one: ListedMerchant): string {
  if (one.fit === "state") return "it trades in other states";
  if (one.fit === "none") {
    if (one.stands === "inside") return "trades elsewhere and does not stand first";
    return isWeak(one) ? `trades elsewhere and is ${ORDINARY}` : "trades elsewhere; a single word";
  }
  if (isWeak(one)) return `${ORDINARY}: must stand first, at home or alone`;
  if (one.unusual) return UNUSUAL;
  return "too short to be believed inside a name";
}

/** What a brand of the packages was missing. */
function whyNotBrand(one: ListedMerchant): string {
  if (one.fit === "none" || one.fit === "state") return "a brand that trades elsewhere";
  if (isWeak(one)) return `${ORDINARY}: a brand must be the whole name, at home`;
  if (one.unusual) return UNUSUAL;
  if (one.stands === "whole") return "a short brand that is not known to trade here";
  if (one.fit !== "exact") return "a brand not known to trade here must be the whole name";
  return one.stands === "first"
    ? "a short brand, and nothing explains the words behind it"
    : "a brand inside a name, where short ones stand by chance";
}

function whyNot(one: ListedMerchant): string {
  const isHere = one.fit === "exact" || one.fit === "open";
  if (one.outdone)
    return one.unusual && isHere ? UNUSUAL : "another of this name fits the place better";
  return isHand(one) ? whyNotHand(one) : whyNotBrand(one);
}

function verdictOf(
  one: ListedMerchant,
  chosen: Chosen | null,
): Pick<ExplainedCandidate, "verdict" | "because"> {
  if (!one.believed) return { verdict: "refused", because: whyNot(one) };
  if (chosen !== null && isChosen(one, chosen))
    return { verdict: "chosen", because: categoryReasonOf(chosen.by) };
  return {
    verdict: "believed",
    because: chosen === null ? "the line is about something else" : "another stands better",
  };
}

function nameOf(merchant: number, { merchants, text }: Knowledge) {
  return {
    name: text(merchants.name[merchant] ?? 0),
    website: text(merchants.website[merchant] ?? 0) || null,
  };
}

/** The merchant that was found otherwise than by a whole alias: cut off, misspelt, by its website or its mark. */
function foundOtherwise(
  reading: Reading,
  chosen: Chosen,
  facts: Facts,
  knowledge: Knowledge,
): ExplainedCandidate {
  const { merchant, span, by } = chosen;
  const excerpt = excerptOf(reading.line, span);
  const { areaFirst, areas } = knowledge.merchants;
  const { hints, state } = merchantContextOf(reading.hints, reading.placed);
  const [first, end] = [areaFirst[merchant] ?? 0, areaFirst[merchant + 1] ?? 0];
  return {
    ...nameOf(merchant, knowledge),
    website: facts.entities?.counterparty?.website ?? null,
    ...excerpt,
    source: null,
    length: excerpt.text.length,
    stands: span.from === reading.placed.span.from ? "first" : "inside",
    trades: TRADES[fitOfAreas(areas, first, end, hints.countries, state)],
    areas: areasOf(merchant, knowledge),
    verdict: "chosen",
    because: categoryReasonOf(by),
  };
}

const RANKS = { chosen: 0, believed: 1, refused: 2 } as const;

const inOrder = (one: ExplainedCandidate, other: ExplainedCandidate): number =>
  RANKS[one.verdict] - RANKS[other.verdict] ||
  other.length - one.length ||
  one.start - other.start ||
  (one.name < other.name ? -1 : 1);

/** The candidates in the order in which they would be taken, and how many more there are. */
export function candidatesOf(
  reading: Reading,
  facts: Facts,
  knowledge: Knowledge,
): { readonly shown: readonly ExplainedCandidate[]; readonly leftOut: number } {
  const { party } = reading.parties;
  const chosen = party.kind === "merchant" ? party : null;
  // Of several websites, the answer has the one of the country.
  const website = facts.entities?.counterparty?.website ?? null;
  const shown = listAll(reading, chosen, knowledge).map((one): ExplainedCandidate => {
    const verdict = verdictOf(one, chosen);
    return {
      ...nameOf(one.merchant, knowledge),
      ...(verdict.verdict === "chosen" ? { website } : {}),
      ...excerptOf(reading.line, one.span),
      source: isHand(one) ? "hand" : "brand",
      length: one.length,
      stands: one.stands,
      trades: TRADES[one.fit],
      areas: areasOf(one.merchant, knowledge),
      ...verdict,
    };
  });
  if (chosen !== null && !shown.some(({ verdict }) => verdict === "chosen"))
    shown.push(foundOtherwise(reading, chosen, facts, knowledge));
  shown.sort(inOrder);
  const leftOut = Math.max(0, shown.length - CANDIDATES_MAX);
  return { shown: shown.slice(0, CANDIDATES_MAX), leftOut };
}
