// Step: the category, by order of evidence: the bank's wording, the merchant, its codes, the words of its name. Then
// the same in the direction of the money and in the set of the account.
import {
  accountingOf,
  businessCategories,
  consumerCategories,
  NOT_ENOUGH_INFORMATION,
} from "../../../src/model/categories.ts";
import type { Categories } from "../../../src/model/facts.ts";
import type { Knowledge } from "../../knowledge/knowledge.ts";
import type { Guess } from "./guess.ts";

/** What a row of the wording or word tables says. */
export interface NamedCategory {
  readonly category: number;
  /** Index of a business category, -1 = by the consumer category. */
  readonly business: number;
}

/** What the steps before found out; a category is an index into the lexicon, -1 = none. */
export interface CategoryEvidence {
  readonly wording: NamedCategory | null;
  /** What an office is paid for, where the line says it. */
  readonly service: number;
  readonly merchant: number;
  readonly mccs: readonly number[];
  readonly nameWords: NamedCategory | null;
  /** What the name sounds like, where nothing else says anything. */
  readonly guess: Guess | null;
  /** Category of those who are paid through the wallet or processor in front. */
  readonly through: number;
  /** Money between private people: a person was recognised, or a transfer service. */
  readonly personal: boolean;
  /** A platform that pays drivers and couriers, in a line that no card terminal wrote. */
  readonly platform: boolean;
}

const outgoingNames: ReadonlySet<string> = new Set(consumerCategories.outgoing);
const incomingNames: ReadonlySet<string> = new Set(consumerCategories.incoming);
const businessOutgoing: ReadonlySet<string> = new Set(businessCategories.outgoing);
const businessIncoming: ReadonlySet<string> = new Set(businessCategories.incoming);

/** What money from such a merchant is, where it is no refund. */
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
  ["credit card bill", NOT_ENOUGH_INFORMATION],
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

/** Below this a guess is wrong too often: no category is the better answer. */
const GUESS_PROBABILITY_MIN = 0.3;

/** Whether somebody of the category sells over a counter or a website, so that money from him is a refund. */
export const isShopCategory = (category: number, knowledge: Knowledge): boolean =>
  shops.has(knowledge.lexicon.categories[category] ?? "");

interface Decision {
  readonly consumer: string;
  /** Index of a business category, -1 = by the consumer category. */
  readonly business: number;
}

const nothingKnown: Decision = { consumer: NOT_ENOUGH_INFORMATION, business: -1 };

/** The first code that the table knows. */
function decisionOfCodes(mccs: readonly number[], knowledge: Knowledge): Decision | null {
  for (const mcc of mccs) {
    const categories = knowledge.mccCategories.get(mcc);
    const consumer = knowledge.lexicon.categories[categories?.[0] ?? -1];
    if (consumer !== undefined) return { consumer, business: categories?.[1] ?? -1 };
  }
  return null;
}

/** A merchant's own category; for a company's account the code that agrees with it is more exact than the category. */
function decisionOfMerchant(
  consumer: string,
  mccs: readonly number[],
  knowledge: Knowledge,
): Decision {
  for (const mcc of mccs) {
    const categories = knowledge.mccCategories.get(mcc);
    if (knowledge.lexicon.categories[categories?.[0] ?? -1] !== consumer) continue;
    return { consumer, business: categories?.[1] ?? -1 };
  }
  return { consumer, business: -1 };
}

const decisionOf = (named: NamedCategory | null, knowledge: Knowledge): Decision | null => {
  const consumer = named === null ? undefined : knowledge.lexicon.categories[named.category];
  return named === null || consumer === undefined ? null : { consumer, business: named.business };
};

/** Categories of banks, lenders, insurers and wallets, which keep accounts too: a transfer to them may be just that. */
const keepers: ReadonlySet<string> = new Set([
  NOT_ENOUGH_INFORMATION,
  "bank fee",
  "inter account transfer",
  "intra account transfer",
  "peer to peer transfer",
  "atm/bank withdrawal",
  "credit card bill",
  "loan repayment",
  "auto loan repayment",
  "student loan repayment",
  "mortgage",
  "insurance",
  "medical bill",
  "retirement contributions",
  "ecommerce purchase",
]);

/** What is moved to them and back again, and is no mere transfer either way. */
const brokers: ReadonlySet<string> = new Set([
  "investment",
  "trading (crypto)",
  "trading (non-crypto)",
]);

/** Whether a transfer is what is paid for: `FASTER PAYMENT TO FIFE COUNCIL`. Money that comes may be sent by anybody. */
const isPaid = (category: string | undefined, direction: 0 | 1): boolean =>
  category !== undefined && (brokers.has(category) || (direction === 1 && !keepers.has(category)));

/** What the wording says, unless it says no more than that money was moved to somebody who is known better. */
function decisionOfWording(
  evidence: CategoryEvidence,
  direction: 0 | 1,
  knowledge: Knowledge,
): Decision | null {
  const wording = decisionOf(evidence.wording, knowledge);
  if (evidence.personal && (wording?.consumer.endsWith("transfer") ?? true)) {
    // "Transfer to" alone says little; that a person stands behind it says more. Companies pay people for work.
    const worker = knowledge.lexicon.businessCategories.indexOf("contractors");
    const said = wording?.business ?? -1;
    return { consumer: "peer to peer transfer", business: said >= 0 ? said : worker };
  }
  const isMere = wording?.consumer === "inter account transfer" && wording.business < 0;
  const { categories } = knowledge.lexicon;
  const paid = categories[evidence.service] ?? categories[evidence.merchant];
  return isMere && isPaid(paid, direction) ? null : wording;
}

function decisionOfGuess(guess: Guess | null, knowledge: Knowledge): Decision {
  const guessed = knowledge.lexicon.categories[guess?.category ?? -1];
  const isSure = guess !== null && guess.probability >= GUESS_PROBABILITY_MIN;
  return isSure && guessed !== undefined ? { consumer: guessed, business: -1 } : nothingKnown;
}

function outgoingDecision(
  evidence: CategoryEvidence,
  direction: 0 | 1,
  knowledge: Knowledge,
): Decision {
  const wording = decisionOfWording(evidence, direction, knowledge);
  if (wording !== null) return wording;
  const service = knowledge.lexicon.categories[evidence.service];
  if (service !== undefined) return { consumer: service, business: -1 };
  const merchant = knowledge.lexicon.categories[evidence.merchant];
  if (merchant !== undefined) return decisionOfMerchant(merchant, evidence.mccs, knowledge);
  const codes = decisionOfCodes(evidence.mccs, knowledge);
  const named = codes ?? decisionOf(evidence.nameWords, knowledge);
  if (named !== null) return named;
  const through = knowledge.lexicon.categories[evidence.through];
  if (through !== undefined) return { consumer: through, business: -1 };
  return decisionOfGuess(evidence.guess, knowledge);
}

/** The category of the direction: a merchant's is written for money that leaves. */
function directed(decision: Decision, direction: 0 | 1, evidence: CategoryEvidence): Decision {
  const { consumer } = decision;
  if (direction === 1) {
    return outgoingNames.has(consumer) ? decision : nothingKnown;
  }
  if (evidence.platform && (evidence.wording === null || consumer.endsWith("transfer")))
    return { consumer: "rideshare and delivery income", business: -1 };
  if (incomingNames.has(consumer)) return decision;
  const known = incomingOf.get(consumer);
  if (known !== undefined) return { consumer: known, business: -1 };
  const fromMerchant = evidence.merchant >= 0 || evidence.mccs.length > 0;
  const isRefund = fromMerchant && shops.has(consumer);
  return { consumer: isRefund ? "refund" : NOT_ENOUGH_INFORMATION, business: -1 };
}

function businessName(decision: Decision, direction: 0 | 1, knowledge: Knowledge): string {
  const { categories, businessCategories: names, toBusiness } = knowledge.lexicon;
  const allowed = direction === 1 ? businessOutgoing : businessIncoming;
  const own = names[decision.business];
  if (own !== undefined && allowed.has(own)) return own;
  const mapped = names[toBusiness[categories.indexOf(decision.consumer)] ?? -1];
  return mapped !== undefined && allowed.has(mapped) ? mapped : NOT_ENOUGH_INFORMATION;
}

export function decideCategories(
  evidence: CategoryEvidence,
  direction: 0 | 1,
  account: "consumer" | "business",
  knowledge: Knowledge,
): Categories {
  const decision = directed(outgoingDecision(evidence, direction, knowledge), direction, evidence);
  if (account === "consumer") return { general: decision.consumer, accounting: null };
  const general = businessName(decision, direction, knowledge);
  const accounting = accountingOf[general];
  const known = accounting !== undefined && accounting !== NOT_ENOUGH_INFORMATION;
  return { general, accounting: known ? accounting : null };
}
