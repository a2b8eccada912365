// The recogniser: one bank line in, the facts about it out: parse, candidates, ranking (read.ts), category, location. Read it
// first.
import { accountingOf, NOT_ENOUGH_INFORMATION } from "../../src/model/categories.ts";
import type { Categories, Counterparty, Facts, Intermediary } from "../../src/model/facts.ts";
import type { AccountType, RecogniserInput } from "../../src/model/transaction.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import {
  type CategoryAnswer,
  type CategoryInput,
  createCategoriser,
} from "./category/categoriser.ts";
import { createCategoryInput } from "./category/input.ts";
import { codesOfCategory } from "./codes.ts";
import { createEntityFactory } from "./entities.ts";
import { keepByText } from "./kept-lines.ts";
import { createReading, type Reading } from "./read.ts";
import { buildLocation, cityInCapitals, storeNumberAfter } from "./place/location.ts";
import { findPhone } from "./place/phone.ts";

export type Recognise = (item: RecogniserInput) => Facts;

/**
 * A counterparty that is less likely meant is not named: chosen on the precision/recall curve of the labelled lines
 * (docs/reference/quality.md). Above it, more right names than wrong ones are left out.
 */
const NAMING_PROBABILITY_MIN = 0.2;

/** Behind a processor the number is as often the processor's. */
function phoneOf({ line, hints, place, party, through }: Reading): string | null {
  if (party.kind === "none" || through.length > 0) return null;
  return findPhone(line, { from: party.span.to, to: line.tokens.length }, hints, place);
}

/** Where a card terminal or a website named the counterparty, the words name what is sold there. */
const isSoldByCard = ({ party, hints, wording }: Reading): boolean =>
  party.kind === "named" &&
  party.type === "organization" &&
  hints.direction === 1 &&
  wording === null;

/** The code that was sent comes first: it is the one of this very shop. */
function withSentCode(
  { mccs, naics2017 }: Pick<Counterparty, "mccs" | "naics2017">,
  { hints }: Reading,
) {
  const { mcc } = hints;
  return { naics2017, mccs: mcc === null ? mccs : [mcc, ...mccs.filter((one) => one !== mcc)] };
}

/** Codes are only made from a category that is at least so likely. */
const CODES_PROBABILITY_MIN = 0.7;

function locationOf(
  { line, place, party, hints }: Reading,
  item: RecogniserInput,
  counterparty: Counterparty | null,
  knowledge: Knowledge,
): Facts["location"] {
  const hasShop = party.kind !== "none" && counterparty?.type === "organization";
  const storeNumber = hasShop ? storeNumberAfter(line, party.span.to, line.tokens.length) : null;
  const shown =
    place?.cityText == null ? place : { ...place, cityText: cityInCapitals(place.cityText) };
  const merchantName = counterparty?.name ?? null;
  return buildLocation(
    { place: shown, storeNumber, rawAddress: item.rawAddress, merchantName },
    hints,
    knowledge,
  );
}

/** The category with that of the books, which only companies keep. */
function categoriesOf(general: string, accountType: AccountType | null): Categories {
  const accounting = accountType === "business" ? accountingOf[general] : undefined;
  const isKnown = accounting !== undefined && accounting !== NOT_ENOUGH_INFORMATION;
  return { general, accounting: isKnown ? accounting : null };
}

/** Two more digits than it is exact by, and no more to be stored. */
const roundedShare = (share: number): number => Math.round(share * 10_000) / 10_000;

/** The facts about a line together with what they were made from. */
export interface Examination {
  readonly reading: Reading;
  /** Null where no category is decided. */
  readonly categoryInput: CategoryInput | null;
  readonly categorised: CategoryAnswer | null;
  readonly facts: Facts;
}

/** Only of a consumer's line the amount is evidence, see `sizeOf`. In hundredths most amounts are whole numbers. */
const saltOfAmount = ({ amount, accountType }: RecogniserInput): number =>
  accountType === "consumer" ? Math.imul(amount * 100, 0x9e3779b1) : 0;

/** Whether lines of one text have the same facts. */
const isExaminedLike = (one: RecogniserInput, other: RecogniserInput): boolean =>
  (one.amount === other.amount || other.accountType !== "consumer") &&
  one.accountType === other.accountType &&
  one.entryType === other.entryType &&
  one.currency === other.currency &&
  one.country === other.country &&
  one.rawAddress === other.rawAddress &&
  (one.mcc ?? null) === (other.mcc ?? null);

/**
 * One per thread: the knowledge and the bounded caches around it. The function returned is deterministic.
 * @param publicUrl where the API is reached, which answers the logos; null: entities have none
 */
export function createExaminer(
  knowledge: Knowledge,
  publicUrl: string | null = null,
): (item: RecogniserInput) => Examination {
  const entities = createEntityFactory(knowledge, publicUrl);
  const read = createReading(knowledge);
  const inputOf = createCategoryInput(knowledge);
  const categoriser = createCategoriser(knowledge.lexicon.categoriser);

  /** A counterparty that is in no table has the codes of what is sold there. */
  function codesOf(reading: Reading, item: RecogniserInput, categorised: CategoryAnswer | null) {
    if (!isSoldByCard(reading)) return null;
    const { category, probability } =
      categorised !== null && item.accountType === "consumer"
        ? categorised
        : categoriser.categorise(inputOf(reading, "consumer", item.entryType));
    const isSure = probability >= CODES_PROBABILITY_MIN && category !== NOT_ENOUGH_INFORMATION;
    return isSure ? codesOfCategory(category, knowledge) : null;
  }

  /** A company with what the line tells of it. Written out: to copy an entity three times takes longer than to find it. */
  function described(
    entity: Intermediary,
    reading: Reading,
    item: RecogniserInput,
    categorised: CategoryAnswer | null,
  ): Counterparty {
    const { id, name, website, tax_number, logo, parent } = entity;
    const { naics2017, mccs } = withSentCode(
      codesOf(reading, item, categorised) ?? entity,
      reading,
    );
    const phone_number = phoneOf(reading);
    const type = "organization";
    return { type, id, name, website, phone_number, tax_number, naics2017, logo, mccs, parent };
  }

  function counterpartyOf(
    reading: Reading,
    item: RecogniserInput,
    categorised: CategoryAnswer | null,
  ): Counterparty | null {
    const { party, hints, confidence } = reading;
    if (confidence < NAMING_PROBABILITY_MIN || party.kind === "none") return null;
    if (party.kind === "merchant")
      return described(entities.merchant(party.merchant, hints), reading, item, categorised);
    const entity = entities.unknown(party.type, party.name, party.website);
    return party.type === "person" ? entity : described(entity, reading, item, categorised);
  }

  const examine = (item: RecogniserInput): Examination => {
    const { accountType, entryType } = item;
    const reading = read(item);
    const categoryInput = accountType === null ? null : inputOf(reading, accountType, entryType);
    const categorised = categoryInput === null ? null : categoriser.categorise(categoryInput);
    const counterparty = counterpartyOf(reading, item, categorised);
    const intermediaries = reading.through.map((merchant) =>
      entities.merchant(merchant, reading.hints),
    );
    const facts = {
      entities: { counterparty, intermediaries },
      categories: categorised === null ? null : categoriesOf(categorised.category, accountType),
      location: locationOf(reading, item, counterparty, knowledge),
      confidence: categorised === null ? null : roundedShare(categorised.probability),
    };
    return { reading, categoryInput, categorised, facts };
  };
  return keepByText(examine, isExaminedLike, saltOfAmount);
}

/** The facts alone; see `createExaminer`. */
export function createRecogniser(knowledge: Knowledge, publicUrl: string | null = null): Recognise {
  const examine = createExaminer(knowledge, publicUrl);
  return (item) => examine(item).facts;
}
