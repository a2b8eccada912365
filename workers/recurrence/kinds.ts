// What kind of payee decides how much a rhythm proves: a tax office sends bills, a supermarket does not.

/** Paid by contract, law or a fixed plan. */
const SCHEDULED: ReadonlySet<string> = new Set([
  "auto lease payment",
  "auto loan repayment",
  "bank fee",
  "benefits",
  "buy now, pay later",
  "child support",
  "childcare",
  "cloud infrastructure",
  "contribution to reserve fund",
  "council tax",
  "credit card bill",
  "credit card fee",
  "credit report",
  "debt collection",
  "dividends",
  "education",
  "government benefits",
  "insurance",
  "interest",
  "interest and dividends",
  "loan repayment",
  "marketplace payout",
  "media",
  "mortgage",
  "paycheck",
  "payment processing fee",
  "payroll",
  "property rental",
  "rent",
  "rent and property management fee",
  "rent to own",
  "rental income",
  "retirement contributions",
  "retirement funds",
  "saas tools",
  "sales revenue",
  "service revenue",
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
  "chargeback reversal",
  "clothing",
  "convenience stores",
  "department and discount stores",
  "drugstores and pharmacies",
  "ecommerce purchase",
  "electronics",
  "equipment",
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
  "loan proceeds",
  "loans",
  "meals and entertainment",
  "non-sufficient funds / overdraft fee",
  "office supplies",
  "other transport",
  "pawn shops",
  "public transport",
  "recreational goods",
  "refund",
  "reversal / adjustment",
  "ridesharing and taxis",
  "repairs and maintenance",
  "self care",
  "shipping",
  "tax refund",
  "toll charge",
  "towing companies",
  "travel",
  "vehicle",
  "vehicle maintenance",
]);

/** What a household or business cannot do without for a month. */
const ESSENTIAL: ReadonlySet<string> = new Set([
  "auto lease payment",
  "auto loan repayment",
  "benefits",
  "child support",
  "childcare",
  "cloud infrastructure",
  "contribution to reserve fund",
  "council tax",
  "credit card bill",
  "debt collection",
  "drugstores and pharmacies",
  "education",
  "fuel",
  "government",
  "groceries",
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

/** Billed for use, repaid, given or moved: not a product that is subscribed to. */
const BILLS: ReadonlySet<string> = new Set([
  ...ESSENTIAL,
  "advertising",
  "atm/bank withdrawal",
  "bank fee",
  "buy now, pay later",
  "contractors",
  "credit card fee",
  "donation",
  "equity investment",
  "goods",
  "inter account transfer",
  "interest",
  "intra account transfer",
  "inventory",
  "investment",
  "marketing",
  "not enough information",
  "owner draw",
  "payment processing fee",
  "peer to peer transfer",
  "professional services",
  "refund",
  "retirement contributions",
  "shipping",
  "trading (crypto)",
  "trading (non-crypto)",
]);

export const categoriesOfKinds: ReadonlySet<string> = new Set([...SCHEDULED, ...HABITS, ...BILLS]);

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

/** @param isService the payee is known to sell subscriptions: meal boxes are groceries, and one is subscribed to them */
export const isBill = (category: string | null, isService: boolean): boolean =>
  category !== null && BILLS.has(category) && !(isService && HABITS.has(category));

/** Billed once a year where nothing else is agreed: two payments a year apart show it. */
const BILLED_YEARLY: ReadonlySet<string> = new Set([
  "credit card fee",
  "insurance",
  "saas tools",
  "subscriptions",
]);

export const isBilledYearly = (category: string | null): boolean =>
  category !== null && BILLED_YEARLY.has(category);
