// What kind of payee decides how much a rhythm proves: a tax office sends bills, a supermarket does not.

/** Paid by contract, law or a fixed plan. */
const SCHEDULED: ReadonlySet<string> = new Set([
  "auto lease payment",
  "auto loan repayment",
  "bank fee",
  "buy now, pay later",
  "child support",
  "childcare",
  "contribution to reserve fund",
  "council tax",
  "credit card bill",
  "credit card fee",
  "credit report",
  "debt collection",
  "education",
  "government benefits",
  "infrastructure",
  "insurance",
  "interest",
  "interest and dividends",
  "loan repayment",
  "media",
  "mortgage",
  "paycheck",
  "payment processing fee",
  "payroll",
  "property rental",
  "rent",
  "rent and property management fee",
  "rent to own",
  "retirement contributions",
  "retirement funds",
  "saas tools",
  "sales revenue",
  "social security",
  "student loan repayment",
  "subscriptions",
  "taxes",
  "telecom",
  "unemployment insurance",
  "utilities",
]);

/** Bought when it is wanted, at whatever rhythm. */
const HABITS: ReadonlySet<string> = new Set([
  "advertising",
  "atm/bank deposit",
  "atm/bank withdrawal",
  "cafes and coffee shops",
  "cash back and rewards",
  "clothing",
  "convenience stores",
  "department and discount stores",
  "drugstores and pharmacies",
  "ecommerce purchase",
  "electronics",
  "food and drink",
  "fuel",
  "gambling",
  "gifts",
  "goods",
  "groceries",
  "hotels and lodging",
  "inventory",
  "laundry",
  "liquor",
  "loans",
  "non-sufficient funds / overdraft fee",
  "office supplies",
  "other transport",
  "pawn shops",
  "public transport",
  "recreational goods",
  "refund",
  "reversal / adjustment",
  "ridesharing and taxis",
  "self care",
  "shipping",
  "toll charge",
  "towing companies",
  "travel",
  "vehicle maintenance",
]);

/** What a household or business cannot do without for a month. */
const ESSENTIAL: ReadonlySet<string> = new Set([
  "auto lease payment",
  "auto loan repayment",
  "child support",
  "childcare",
  "contribution to reserve fund",
  "council tax",
  "credit card bill",
  "debt collection",
  "drugstores and pharmacies",
  "education",
  "fuel",
  "government",
  "groceries",
  "infrastructure",
  "insurance",
  "legal and accounting",
  "legal services",
  "loan repayment",
  "medical bill",
  "mortgage",
  "payroll",
  "public transport",
  "rent",
  "rent and property management fee",
  "rent to own",
  "student loan repayment",
  "taxes",
  "telecom",
  "utilities",
]);

/** Billed for use, or repaid: not a product that is subscribed to. */
const BILLS: ReadonlySet<string> = new Set([
  ...ESSENTIAL,
  "bank fee",
  "buy now, pay later",
  "credit card fee",
  "interest",
  "payment processing fee",
  "retirement contributions",
]);

/** Either: what sells subscriptions and single products, persons, clubs. Unknown: without a category. */
export type PayeeKind = "scheduled" | "habit" | "either" | "unknown";

/** @param category null: not known */
export function payeeKind(category: string | null): PayeeKind {
  if (category === null) return "unknown";
  if (SCHEDULED.has(category)) return "scheduled";
  return HABITS.has(category) ? "habit" : "either";
}

export const isEssential = (category: string | null): boolean =>
  category !== null && ESSENTIAL.has(category);

export const isBill = (category: string | null): boolean =>
  category !== null && BILLS.has(category);

/** Words of bank lines for payments by mandate or standing order, which are made without a decision each time. */
const BY_MANDATE =
  /\b(?:ddr|sto|direct debit|autopay|auto pay|recurring|bill pay|lastschrift|dauerauftrag|prlv|prelevement|domiciliacion|addebito|incasso|mandate|mref|standing order|ppd|ach)\b/iu;

export const isByMandate = (description: string): boolean => BY_MANDATE.test(description);
