// Which incoming payments are income, and of which type. What comes back (refunds, rewards, loans, own money) is not.
import type { IncomeType } from "../../src/model/recurrence.ts";

const INCOME_OF_CATEGORY: ReadonlyMap<string, IncomeType> = new Map<string, IncomeType>([
  ["paycheck", "salary"],
  ["freelance", "freelance"],
  ["rideshare and delivery income", "rideshare and delivery"],
  ["government benefits", "government benefits"],
  ["social security", "social security"],
  ["unemployment insurance", "unemployment insurance"],
  ["child support", "child support"],
  ["grants and subsidies", "government benefits"],
  ["ecommerce", "ecommerce"],
  ["marketplace payout", "ecommerce"],
  ["sales revenue", "freelance"],
  ["service revenue", "freelance"],
  ["interest and dividends", "interest and dividends"],
  ["interest", "interest and dividends"],
  ["dividends", "interest and dividends"],
  ["property rental", "long term rent"],
  ["rental income", "long term rent"],
  ["retirement funds", "retirement funds"],
]);

/** Money that was the holder's, or has to be given back. */
const NOT_INCOME: ReadonlySet<string> = new Set([
  "atm/bank deposit",
  "cash back and rewards",
  "chargeback reversal",
  "equity investment",
  "gambling",
  "insurance payout",
  "inter account transfer",
  "intra account transfer",
  "loan proceeds",
  "loans",
  "owner contribution",
  "peer to peer transfer",
  "refund",
  "reversal / adjustment",
  "tax refund",
  "trading (crypto)",
  "trading (non-crypto)",
]);

/** Those of which is known whether they are income. */
export const categoriesOfIncome: ReadonlySet<string> = new Set([
  ...INCOME_OF_CATEGORY.keys(),
  ...NOT_INCOME,
  "investment",
]);

/** Platforms for guests of days, not tenants of months. */
const SHORT_RENT = /\b(?:airbnb|vrbo|booking\.com|homeaway|evolve vacation)/iu;

/** Market places, shop systems and processors, which pay out sales; other sales are paid by a client. */
const SHOPS =
  /\b(?:etsy|ebay|shopify|stripe|square|sumup|zettle|izettle|paypal|adyen|worldpay|mollie|klarna|clover|toast|woocommerce|bigcommerce|squarespace|wix|amazon|vinted|depop|poshmark|mercari|walmart marketplace|gumroad|redbubble)\b/iu;

const WORDS: readonly (readonly [RegExp, IncomeType])[] = [
  [
    /\b(?:payroll|salary|dir dep|direct dep|wages?|salaris|gehalt|lohn|salaire|nomina|stipendio|ordenado)\b/iu,
    "salary",
  ],
  [/\b(?:ssa treas|social security|soc sec)\b/iu, "social security"],
  [/\b(?:pension|rentenversicherung|retraite|retirement)\b/iu, "retirement funds"],
  [/\b(?:unemployment|jobseekers?|arbeitslosen|arbeitsagentur)\b/iu, "unemployment insurance"],
  [/\b(?:child support|unterhalt)\b/iu, "child support"],
  [
    /\b(?:universal credit|child benefit|kindergeld|va benefit|snap|caf)\b/iu,
    "government benefits",
  ],
  [/\b(?:interest|dividends?|zinsen|interets)\b/iu, "interest and dividends"],
  [
    /\b(?:doordash|uber|lyft|deliveroo|instacart|grubhub|just eat|lieferando|glovo)\b/iu,
    "rideshare and delivery",
  ],
  [/\b(?:gofundme|justgiving|donorbox|betterplace|donations?|spenden?)\b/iu, "donations"],
  [SHOPS, "ecommerce"],
];

const UNSURE_INCOME: IncomeType = "possible income - please verify";

export interface IncomeEvidence {
  readonly category: string | null;
  /** Name of the source and text of a payment. */
  readonly text: string;
  readonly isPerson: boolean;
  /** Null: no rhythm was found. */
  readonly rhythm: "fixed" | "varying" | null;
}

/** By the name of the category alone, with what tells platforms from tenants and clients; undefined: it does not say. */
function typeOfCategory({ category, text, rhythm }: IncomeEvidence): IncomeType | null | undefined {
  if (category === null) return undefined;
  if (NOT_INCOME.has(category)) return null;
  // What is sold of an investment was the holder's; what it pays in a rhythm is income.
  if (category === "investment") return rhythm === null ? UNSURE_INCOME : "investment";
  const type = INCOME_OF_CATEGORY.get(category);
  if (type === "long term rent" && SHORT_RENT.test(text)) return "short term rent";
  return type === "freelance" && category !== "freelance" && SHOPS.test(text) ? "ecommerce" : type;
}

/** Null: not income, or nothing shows that it is. */
export function incomeTypeOf(evidence: IncomeEvidence): IncomeType | null {
  const { category, text, isPerson, rhythm } = evidence;
  const type = typeOfCategory(evidence);
  if (type !== undefined) return type;
  const found = WORDS.find(([words]) => words.test(text));
  if (found !== undefined) return found[1];
  // Without a category or a word only a rhythm remains, which persons' money has as well.
  if (rhythm === null) return null;
  return isPerson || category !== null || rhythm === "varying" ? UNSURE_INCOME : "salary";
}
