// What names the purpose of a line: the bank's words, the merchant, its codes, the words of a name … Each by itself names a category
// of the consumer's set, which is then turned into that of the direction and of the account.
import {
  businessCategories,
  consumerCategories,
  NOT_ENOUGH_INFORMATION,
} from "../../../src/model/categories.ts";
import type { AccountType } from "../../../src/model/transaction.ts";
import type { Knowledge } from "../../knowledge/knowledge.ts";
import { mccsOf } from "../entities.ts";
import type { Reading } from "../read.ts";
import type { CategorySource } from "./categoriser.ts";
import { fuelOfShop } from "./fuel-of-shop.ts";
import { serviceOfOffice } from "./office-service.ts";
import { isPlatform } from "./platforms.ts";
import { tradeOfName } from "./trade.ts";

interface Decision {
  readonly consumer: string;
  /** Index of a business category, -1 = by the consumer category. */
  readonly business: number;
}

const outgoingNames: ReadonlySet<string> = new Set(consumerCategories.outgoing);
const incomingNames: ReadonlySet<string> = new Set(consumerCategories.incoming);
const businessOutgoing: ReadonlySet<string> = new Set(businessCategories.outgoing);
const businessIncoming: ReadonlySet<string> = new Set(businessCategories.incoming);

/** What money from such a merchant is, where it is not a refund. */
const incomingOf: ReadonlyMap<string, string> = new Map([
  ["insurance", "insurance payout"],
  ["government", "government benefits"],
  ["taxes", "tax refund"],
  ["loan repayment", "loans"],
  ["student loan repayment", "loans"],
  ["mortgage", "loans"],
  ["auto loan repayment", "loans"],
  ["interest", "interest and dividends"],
  ["retirement contributions", "retirement funds"],
  ["bank fee", "reversal / adjustment"],
  ["credit card fee", "reversal / adjustment"],
  ["non-sufficient funds / overdraft fee", "reversal / adjustment"],
  ["atm/bank withdrawal", "atm/bank deposit"],
  ["rent and property management fee", "property rental"],
]);

/** Money from these is a refund: one buys there by card. From a lender or an agency it may be anything. */
const shops: ReadonlySet<string> = new Set([
  "app stores",
  "books, newsletters, newspapers",
  "cafes and coffee shops",
  "clothing",
  "convenience stores",
  "department and discount stores",
  "drugstores and pharmacies",
  "ecommerce purchase",
  "education",
  "electronics",
  "entertainment and recreation",
  "food and drink",
  "fuel",
  "gifts",
  "groceries",
  "home improvements and maintenance services",
  "hotels and lodging",
  "laundry",
  "liquor",
  "media",
  "medical bill",
  "other non-essential",
  "other transport",
  "pets",
  "public transport",
  "recreational goods",
  "ridesharing and taxis",
  "saas tools",
  "self care",
  "sport and fitness",
  "toll charge",
  "utilities",
  "vehicle maintenance",
]);

const byConsumer = (category: number, { lexicon }: Knowledge): Decision | null => {
  const consumer = lexicon.categories[category];
  return consumer === undefined ? null : { consumer, business: -1 };
};

/** What a row of a table contains. */
function byRow(
  row: { readonly category: number; readonly business: number },
  knowledge: Knowledge,
): Decision | null {
  const decision = byConsumer(row.category, knowledge);
  return decision === null ? null : { consumer: decision.consumer, business: row.business };
}

/** The first code that is in the table. */
function byCodes(mccs: readonly number[], knowledge: Knowledge): Decision | null {
  for (const mcc of mccs) {
    const [category = -1, business = -1] = knowledge.mccCategories.get(mcc) ?? [];
    const decision = byRow({ category, business }, knowledge);
    if (decision !== null) return decision;
  }
  return null;
}

/** A merchant's own category; for a company's account the code that agrees with it is more exact than the category. */
function byMerchant(
  category: number,
  mccs: readonly number[],
  knowledge: Knowledge,
): Decision | null {
  for (const mcc of mccs) {
    const [consumer = -1, business = -1] = knowledge.mccCategories.get(mcc) ?? [];
    if (consumer === category) return byRow({ category, business }, knowledge);
  }
  return byConsumer(category, knowledge);
}

/** Words of the bank count; a single one in the name of a known shop does not: `ENTERPRISE RENT-A-CAR`. */
function isByWording({ wording, party, hints }: Reading, knowledge: Knowledge): boolean {
  if (wording === null) return false;
  // What arrives under the name of a platform is recognised by that name: `POSHMARK`.
  if (party.kind !== "merchant" || hints.direction === 0) return true;
  const isInName = party.span.from <= wording.from && wording.to <= party.span.to;
  const category = (knowledge.merchants.category[party.merchant] ?? 0) - 1;
  const isShop = shops.has(knowledge.lexicon.categories[category] ?? "");
  return !(isInName && isShop && wording.row.parts.flat().length === 1);
}

/** Companies pay people for work, unless the bank's words say for what. */
function byPerson({ wording }: Reading, knowledge: Knowledge): Decision {
  const named = wording?.row.business ?? -1;
  const worker = knowledge.lexicon.businessCategories.indexOf("contractors");
  return { consumer: "peer to peer transfer", business: named >= 0 ? named : worker };
}

/** What a source names, whatever the account is. */
export type NamedBySource = readonly [source: CategorySource, decision: Decision];

/** Takes what a source names; null: it names nothing. */
type TakeNamed = (source: CategorySource, decision: Decision | null) => void;

/** The trade of the merchant in the words of the card network: for an unknown one, it is as good as a row of ours. */
function nameBySentCode({ party, hints }: Reading, knowledge: Knowledge, take: TakeNamed): void {
  const { mcc } = hints;
  if (mcc === null) return;
  const decision = byCodes([mcc], knowledge);
  take("mccs", decision);
  if (party.kind !== "merchant") take("merchant", decision);
}

function nameByMerchant(reading: Reading, knowledge: Knowledge, take: TakeNamed): void {
  const { line, party, hints, ranked } = reading;
  if (party.kind !== "merchant") return;
  const category = (knowledge.merchants.category[party.merchant] ?? 0) - 1;
  const mccs = mccsOf(party.merchant, knowledge);
  const isCurated = ranked[0]?.candidate.class === "curated";
  take(isCurated ? "merchant" : "brand", byMerchant(category, mccs, knowledge));
  const fuel = fuelOfShop(reading, knowledge);
  // The codes are those of the shop, and not of its pumps.
  if (fuel === null) take("mccs", byCodes(mccs, knowledge));
  else take("service", byConsumer(fuel, knowledge));
  const isPaying = hints.direction === 0 && isPlatform(party.merchant, knowledge);
  if (isPaying && !line.text.includes("*"))
    take("platform", { consumer: "rideshare and delivery income", business: -1 });
}

/** Later ones replace earlier ones of the same source. */
function nameCategories(reading: Reading, knowledge: Knowledge, take: TakeNamed): void {
  const { wording, party } = reading;
  if (isByWording(reading, knowledge) && wording !== null)
    take(reading.internal ? "internal" : "wording", byRow(wording.row, knowledge));
  const trade = tradeOfName(reading, knowledge);
  const service = serviceOfOffice(reading, trade, knowledge);
  if (service !== null) take("service", byConsumer(service.category, knowledge));
  nameByMerchant(reading, knowledge, take);
  nameBySentCode(reading, knowledge, take);
  if (trade !== null) take("words", byRow(trade.row, knowledge));
  take("through", byConsumer(reading.throughCategory, knowledge));
  if (party.kind === "named" && party.type === "person")
    take("person", byPerson(reading, knowledge));
}

const REFUNDERS: ReadonlySet<CategorySource> = new Set<CategorySource>([
  "merchant",
  "brand",
  "mccs",
]);

/** The consumer's category of the direction: a merchant's is written for money that leaves. */
function directed(source: CategorySource, consumer: string, direction: 0 | 1): string {
  if (direction === 1) return outgoingNames.has(consumer) ? consumer : NOT_ENOUGH_INFORMATION;
  if (incomingNames.has(consumer)) return consumer;
  const known = incomingOf.get(consumer);
  if (known !== undefined) return known;
  return REFUNDERS.has(source) && shops.has(consumer) ? "refund" : NOT_ENOUGH_INFORMATION;
}

function businessName(
  consumer: string,
  business: number,
  direction: 0 | 1,
  { lexicon }: Knowledge,
): string {
  const { categories, businessCategories: names, toBusiness } = lexicon;
  const allowed = direction === 1 ? businessOutgoing : businessIncoming;
  const own = names[business];
  if (own !== undefined && allowed.has(own)) return own;
  const mapped = names[toBusiness[categories.indexOf(consumer)] ?? -1];
  return mapped !== undefined && allowed.has(mapped) ? mapped : NOT_ENOUGH_INFORMATION;
}

export interface NamedSources {
  /** CategorySource → the category that it names, in the set of the account; a source that names none is missing. */
  readonly sources: ReadonlyMap<CategorySource, string>;
  /** What the counterparty sells by the tables or the words of its name, a category of the consumer's set; null: not known. */
  readonly trade: string | null;
}

/** Sources that name what the counterparty sells, whatever the line is for. */
const TRADERS: ReadonlySet<CategorySource> = new Set<CategorySource>([
  "merchant",
  "brand",
  "words",
]);

/** What each source names in a line, the same for every account; later ones replace earlier ones of the same source. */
export function namedBySources(reading: Reading, knowledge: Knowledge): readonly NamedBySource[] {
  const named: NamedBySource[] = [];
  nameCategories(reading, knowledge, (source, decision) => {
    if (decision !== null) named.push([source, decision]);
  });
  return named;
}

/** The same in the set of the account. */
export function sourcesOf(
  named: readonly NamedBySource[],
  direction: 0 | 1,
  accountType: AccountType,
  knowledge: Knowledge,
): NamedSources {
  const sources = new Map<CategorySource, string>();
  let trade: string | null = null;
  for (const [source, decision] of named) {
    if (TRADERS.has(source)) trade = decision.consumer;
    const consumer = directed(source, decision.consumer, direction);
    const isSame = consumer === decision.consumer;
    const category =
      accountType === "consumer"
        ? consumer
        : businessName(consumer, isSame ? decision.business : -1, direction, knowledge);
    if (category !== NOT_ENOUGH_INFORMATION) sources.set(source, category);
  }
  return { sources, trade };
}
