// The recogniser: one bank line in, the facts about it out. Every step is a pure function in steps/; this file is the
// order in which they are asked. Read it first.
import type { Counterparty, Facts, Intermediary } from "../../src/model/facts.ts";
import { createEntityFactory, type EntityFactory, mccsOf } from "./entities.ts";
import { type Line, type Span, withWord } from "./line.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import type { PatternMatch } from "../knowledge/patterns.ts";
import { packArea } from "../knowledge/sections.ts";
import { type CategoryEvidence, decideCategories, isShopCategory } from "./steps/category.ts";
import { codesOfUnknown } from "./steps/codes.ts";
import { endOfKnownName } from "./steps/merchant.ts";
import { splitGlued } from "./steps/glued.ts";
import { guessCategory } from "./steps/guess.ts";
import { type Hints, hintsOf } from "./steps/hints.ts";
import { buildLocation, cityInCapitals, storeNumberAfter } from "./steps/location.ts";
import type { MerchantContext } from "./steps/owner.ts";
import { withoutOwnBank } from "./steps/own-bank.ts";
import { officeService } from "./steps/office-service.ts";
import { isPlatform } from "./steps/platforms.ts";
import { findParties } from "./steps/party.ts";
import type { Parties, Party } from "./steps/party-types.ts";
import { cutTrailing, type Peeled, peelWrappers } from "./steps/peel.ts";
import { findPhone } from "./steps/phone.ts";
import { cutPlace, type Placed } from "./steps/place.ts";
import { matchNameWords, matchWording } from "./steps/wording.ts";
import { normaliseText } from "./text/normalise.ts";
import { type Token, tokenise } from "./text/tokenise.ts";
import { lookUp } from "./text/word-map.ts";
import type { RecogniserInput } from "../../src/model/transaction.ts";

export type Recognise = (item: RecogniserInput) => Facts;

/** Categories of the bank's own business: such lines have no merchant unless one is named at the front. */
const bankInternal: ReadonlySet<string> = new Set([
  "bank fee",
  "non-sufficient funds / overdraft fee",
  "interest",
  "atm/bank withdrawal",
  "atm/bank deposit",
  "credit card fee",
  "intra account transfer",
  "inter account transfer",
  "interest and dividends",
  "cash back and rewards",
  "prenote",
  "reversal / adjustment",
]);

/** Wording after which the rest of the line is the agency's shorthand: only a labelled field names somebody there. */
const agencyShorthand: ReadonlySet<string> = new Set([
  "unemployment insurance",
  "social security",
  "government benefits",
  "child support",
  "tax refund",
]);

/** What the steps found in a line. */
export interface Reading {
  readonly line: Line;
  readonly hints: Hints;
  readonly peeled: Peeled;
  readonly placed: Placed;
  readonly wording: PatternMatch | null;
  readonly parties: Parties;
}

/** Where a merchant of this line would have to be. */
export function merchantContextOf(hints: Hints, placed: Placed): MerchantContext {
  const area = placed.place?.area ?? null;
  return { hints, state: area !== null && area.length > 2 ? packArea(area) : 0 };
}

function read(item: RecogniserInput, knowledge: Knowledge): Reading {
  const text = normaliseText(item.description);
  const hints = hintsOf(item, knowledge);
  const line = splitGlued({ text, tokens: tokenise(text) }, hints, knowledge);
  const around = {
    layouts: knowledge.layouts,
    countries: hints.countries,
    startsMark: (word: Token | undefined) => lookUp(knowledge.intermediaries, word) !== undefined,
    nameEnd: (within: Line, from: number, to: number) =>
      endOfKnownName(within, from, to, knowledge),
  };
  const peeled = peelWrappers(line, hints.direction, around);
  const found = cutPlace(line, peeled.span, hints, knowledge);
  // A date may have stood between the name and the place.
  const placed = { ...found, span: cutTrailing(line, found.span, around) };
  const wording = matchWording(line, hints.direction, knowledge);
  const category =
    wording === null ? undefined : knowledge.lexicon.categories[wording.row.category];
  const internal = category !== undefined && bankInternal.has(category);
  const shorthand = category !== undefined && agencyShorthand.has(category);
  const named = findParties(
    {
      line,
      span: placed.span,
      tail: { from: placed.span.to, to: peeled.span.to },
      context: merchantContextOf(hints, placed),
      bankInternal: internal,
      mute: shorthand,
      afterWording: wording !== null && !peeled.labelled,
      paysWages: category === "paycheck" && hints.direction === 0,
      labelled: peeled.labelled,
      card: peeled.wrapped || placed.place !== null,
      rail: peeled.rail,
    },
    knowledge,
  );
  const parties = withoutOwnBank(named, category ?? "", knowledge);
  return { line, hints, peeled, placed, wording, parties };
}

function entityOf(party: Party, hints: Hints, entities: EntityFactory): Counterparty | null {
  switch (party.kind) {
    case "merchant":
      return { type: "organization", ...entities.merchant(party.merchant, hints) };
    case "named":
      return entities.unknown(party.type, party.name, party.website);
    case "none":
      return null;
  }
}

/** The counterparty with what the line itself says about it. */
function counterpartyOf(
  reading: Reading,
  evidence: CategoryEvidence,
  entities: EntityFactory,
  knowledge: Knowledge,
): Counterparty | null {
  const { line, hints, peeled, placed, parties } = reading;
  const { party } = parties;
  const entity = entityOf(party, hints, entities);
  if (party.kind === "none" || entity?.type !== "organization") return entity;
  const behind = { from: party.span.to, to: peeled.span.to };
  // Behind a processor the number is as often the processor's.
  const isOwn = parties.through.length === 0 && !peeled.labelled;
  const phone = isOwn ? findPhone(line, behind, hints, placed.place) : null;
  const codes = codesOfUnknown(party, evidence, hints.direction, knowledge);
  return { ...entity, ...codes, phone_number: phone };
}

/** Index of a merchant's category, -1 when it has none or there is no merchant. */
const categoryIndexOf = (merchant: number, knowledge: Knowledge): number =>
  (knowledge.merchants.category[merchant] ?? 0) - 1;

/** The words that are asked about, with the last one whole where it was completed. */
function askedWords({ line, placed, parties }: Reading): {
  readonly line: Line;
  readonly span: Span;
} {
  const { party } = parties;
  const span = party.kind === "none" ? placed.span : party.span;
  const lastWord = party.kind === "named" ? (party.lastWord ?? null) : null;
  return { line: lastWord === null ? line : withWord(line, span.to - 1, lastWord), span };
}

/** The words of a name that no table knows which tell its trade. What the bank's wording says goes before them. */
export function tradeOfUnknown(reading: Reading, knowledge: Knowledge): PatternMatch | null {
  const { line, placed, wording, parties } = reading;
  if (wording !== null || parties.party.kind === "merchant") return null;
  const { line: whole, span } = askedWords(reading);
  // What is written says more than what it was completed to, and than what stands behind the name.
  return (
    (whole === line ? null : matchNameWords(line, span.from, span.to, knowledge)) ??
    matchNameWords(whole, span.from, span.to, knowledge) ??
    matchNameWords(line, span.to, Math.max(span.to, placed.span.to), knowledge)
  );
}

/** Money that leaves for an office: the word that says what it is for. What an office pays out is told by other words. */
export function rowServiceOf(
  reading: Reading,
  trade: PatternMatch | null,
  knowledge: Knowledge,
): ReturnType<typeof officeService> {
  const { line, placed, parties, hints } = reading;
  const { party } = parties;
  if (party.kind === "none" || hints.direction === 0) return null;
  const category =
    party.kind === "merchant"
      ? categoryIndexOf(party.merchant, knowledge)
      : (trade?.row.category ?? -1);
  if (knowledge.lexicon.categories[category] !== "government") return null;
  const behind = placed.place === null ? line.tokens.length : placed.span.to;
  return officeService(
    line,
    { from: party.span.from, to: Math.max(party.span.to, behind) },
    knowledge,
  );
}

/** What a name sounds like that nothing else is known of. */
function guessOf(reading: Reading, knowledge: Knowledge): CategoryEvidence["guess"] {
  if (reading.wording !== null || reading.parties.party.kind === "merchant") return null;
  const { line, span } = askedWords(reading);
  return guessCategory(line, span, reading.hints, knowledge);
}

/** Words of the bank count; a single one in the name of a known shop does not: `ENTERPRISE RENT-A-CAR`. */
function wordingOf(
  { wording, parties, hints }: Reading,
  knowledge: Knowledge,
): PatternMatch | null {
  const { party } = parties;
  if (wording === null || party.kind !== "merchant") return wording;
  // What arrives under the name of a platform is told by that name: `POSHMARK`.
  if (hints.direction === 0) return wording;
  const isInName = party.span.from <= wording.from && wording.to <= party.span.to;
  const isShop = isShopCategory(categoryIndexOf(party.merchant, knowledge), knowledge);
  return isInName && isShop && wording.row.parts.flat().length === 1 ? null : wording;
}

function evidenceOf(reading: Reading, knowledge: Knowledge): CategoryEvidence {
  const { line, parties } = reading;
  const wording = wordingOf(reading, knowledge);
  const { party } = parties;
  const merchant = party.kind === "merchant" ? party.merchant : -1;
  const trade = tradeOfUnknown(reading, knowledge);
  return {
    wording: wording?.row ?? null,
    service: rowServiceOf(reading, trade, knowledge)?.category ?? -1,
    merchant: categoryIndexOf(merchant, knowledge),
    mccs: merchant < 0 ? [] : mccsOf(merchant, knowledge),
    nameWords: trade?.row ?? null,
    guess: trade === null ? guessOf(reading, knowledge) : null,
    through: parties.throughCategory,
    personal: party.kind === "named" && party.type === "person",
    platform: merchant >= 0 && !line.text.includes("*") && isPlatform(merchant, knowledge),
  };
}

function locationOf(
  reading: Reading,
  item: RecogniserInput,
  counterparty: Counterparty | null,
  knowledge: Knowledge,
): Facts["location"] {
  const { line, placed, parties, peeled, hints } = reading;
  const { party } = parties;
  const hasShop =
    party.kind !== "none" && !peeled.labelled && counterparty?.type === "organization";
  const storeNumber = hasShop ? storeNumberAfter(line, party.span.to, placed.span.to) : null;
  const place =
    placed.place?.cityText != null
      ? { ...placed.place, cityText: cityInCapitals(placed.place.cityText) }
      : placed.place;
  const merchantName = counterparty?.name ?? null;
  return buildLocation(
    { place, storeNumber, rawAddress: item.rawAddress, merchantName },
    hints,
    knowledge,
  );
}

/** The facts about a line together with what they were made from. */
export interface Examination {
  readonly reading: Reading;
  /** Null where no category is decided. */
  readonly evidence: CategoryEvidence | null;
  readonly facts: Facts;
}

/**
 * One per thread: the knowledge and the bounded caches around it. The function returned is deterministic.
 * @param publicUrl where the API is reached, which answers the logos; null: entities have none
 */
export function createExaminer(
  knowledge: Knowledge,
  publicUrl: string | null = null,
): (item: RecogniserInput) => Examination {
  const entities = createEntityFactory(knowledge, publicUrl);
  return (item) => {
    const reading = read(item, knowledge);
    const { hints, parties } = reading;
    const evidence = evidenceOf(reading, knowledge);
    const counterparty = counterpartyOf(reading, evidence, entities, knowledge);
    const intermediaries: Intermediary[] = parties.through.map((merchant) =>
      entities.merchant(merchant, hints),
    );
    const categories =
      item.accountType === null
        ? null
        : decideCategories(evidence, hints.direction, item.accountType, knowledge);
    const facts = {
      entities: { counterparty, intermediaries },
      categories,
      location: locationOf(reading, item, counterparty, knowledge),
    };
    return { reading, evidence: categories === null ? null : evidence, facts };
  };
}

/** The facts alone; see `createExaminer`. */
export function createRecogniser(knowledge: Knowledge, publicUrl: string | null = null): Recognise {
  const examine = createExaminer(knowledge, publicUrl);
  return (item) => examine(item).facts;
}
