// The recogniser: one bank line in, the facts about it out. Every step is a pure function in steps/; this file is the
// order in which they are asked. Read it first.
import type { Counterparty, Facts, Intermediary } from "../../src/domain/facts.ts";
import { createEntities, type Entities, mccsOf, unknownParty } from "./entities.ts";
import type { Line } from "./line.ts";
import type { Knowledge } from "./knowledge/knowledge.ts";
import type { PatternMatch } from "./knowledge/patterns.ts";
import { packArea } from "./knowledge/sections.ts";
import { type CategoryEvidence, decideCategories } from "./steps/category.ts";
import { type Hints, hintsOf } from "./steps/hints.ts";
import { buildLocation, cityInCapitals, storeNumberAfter } from "./steps/location.ts";
import { isPlatform } from "./steps/platforms.ts";
import { findParties, type Parties, type Party } from "./steps/party.ts";
import { cutTrailing, type Peeled, peelWrappers } from "./steps/peel.ts";
import { cutPlace, type Placed } from "./steps/place.ts";
import { matchNameWords, matchWording } from "./steps/wording.ts";
import { normaliseText } from "./text/normalise.ts";
import { tokenise } from "./text/tokenise.ts";

export interface RecogniserItem {
  /** As the bank wrote it. */
  readonly description: string;
  /** Money leaves the account. */
  readonly outgoing: boolean;
  /** ISO 4217. */
  readonly currency: string;
  /** `none`: no category is decided. */
  readonly accountType: "none" | "consumer" | "business";
  /** Address the customer sent along. */
  readonly rawAddress: string | null;
  /** ISO 3166-1 alpha-2 (or ISO 3166-2) the customer sent along. */
  readonly country: string | null;
}

export type Recognise = (item: RecogniserItem) => Facts;

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

const FRANCE = packArea("FR");

interface Reading {
  readonly line: Line;
  readonly hints: Hints;
  readonly peeled: Peeled;
  readonly placed: Placed;
  readonly wording: PatternMatch | null;
  readonly parties: Parties;
}

function read(item: RecogniserItem, knowledge: Knowledge): Reading {
  const text = normaliseText(item.description);
  const line = { text, tokens: tokenise(text) };
  const hints = hintsOf(item.outgoing, item.currency, item.country, knowledge);
  const inEuro = hints.countries.includes(FRANCE);
  const peeled = peelWrappers(line, hints.direction, inEuro);
  const found = cutPlace(line, peeled.span, hints, knowledge);
  // A date may have stood between the name and the place.
  const placed = { ...found, span: cutTrailing(line, found.span) };
  const wording = matchWording(line, hints.direction, knowledge);
  const category =
    wording === null ? undefined : knowledge.lexicon.categories[wording.row.category];
  const area = placed.place?.area ?? null;
  const internal = category !== undefined && bankInternal.has(category);
  const shorthand = category !== undefined && agencyShorthand.has(category);
  const parties = findParties(
    {
      line,
      span: placed.span,
      tail: { from: placed.span.to, to: peeled.span.to },
      context: { hints, state: area !== null && area.length > 2 ? packArea(area) : 0 },
      bankInternal: internal,
      mute: shorthand,
      afterWording: wording !== null && !peeled.labelled,
      labelled: peeled.labelled,
      card: peeled.wrapped || placed.place !== null,
      rail: peeled.rail,
    },
    knowledge,
  );
  return { line, hints, peeled, placed, wording, parties };
}

function counterpartyOf(party: Party, hints: Hints, entities: Entities): Counterparty | null {
  switch (party.kind) {
    case "merchant":
      return { type: "organization", ...entities.merchant(party.merchant, hints) };
    case "named":
      return unknownParty(party.type, party.name, party.website);
    case "none":
      return null;
  }
}

/** Index of a merchant's category, -1 when it has none or there is no merchant. */
const categoryIndexOf = (merchant: number, knowledge: Knowledge): number =>
  (knowledge.merchants.category[merchant] ?? 0) - 1;

function evidenceOf(reading: Reading, knowledge: Knowledge): CategoryEvidence {
  const { line, placed, wording, parties } = reading;
  const { party } = parties;
  const merchant = party.kind === "merchant" ? party.merchant : -1;
  const words = party.kind === "none" ? placed.span : party.span;
  const needsWords = wording === null && party.kind !== "merchant";
  const nameWords = needsWords ? matchNameWords(line, words.from, words.to, knowledge) : null;
  return {
    wording: wording?.row ?? null,
    merchant: categoryIndexOf(merchant, knowledge),
    mccs: merchant < 0 ? [] : mccsOf(merchant, knowledge),
    nameWords: nameWords?.row ?? null,
    through: categoryIndexOf(parties.through[0] ?? -1, knowledge),
    personal: party.kind === "named" && party.type === "person",
    platform: merchant >= 0 && !line.text.includes("*") && isPlatform(merchant, knowledge),
  };
}

function locationOf(
  reading: Reading,
  item: RecogniserItem,
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

/** One per thread: the knowledge and the bounded caches around it. The function returned is deterministic. */
export function createRecogniser(knowledge: Knowledge): Recognise {
  const entities = createEntities(knowledge);
  return (item) => {
    const reading = read(item, knowledge);
    const { hints, parties } = reading;
    const counterparty = counterpartyOf(parties.party, hints, entities);
    const intermediaries: Intermediary[] = parties.through.map((merchant) =>
      entities.merchant(merchant, hints),
    );
    const categories =
      item.accountType === "none"
        ? null
        : decideCategories(
            evidenceOf(reading, knowledge),
            hints.direction,
            item.accountType,
            knowledge,
          );
    return {
      entities: { counterparty, intermediaries },
      categories,
      location: locationOf(reading, item, counterparty, knowledge),
    };
  };
}
