// The layouts of generated statements, described by what they print. Every one is drawn with the words of every country.

export type CellKind =
  | "date"
  | "value date"
  | "description"
  | "reference"
  | "type"
  | "debit"
  | "credit"
  | "amount"
  | "balance";

/** How a single column of amounts tells credits from debits. */
export type SignForm =
  | "minus"
  | "trailing minus"
  | "parentheses"
  | "plus and minus"
  | "suffix"
  | "credit suffix"
  | "none";

export interface GeneratedLayout {
  readonly name: string;
  readonly columns: readonly CellKind[];
  readonly signs: readonly SignForm[];
  readonly accounts: 1 | 2;
  /** What is owed is printed, and charges raise it. */
  readonly isCard: boolean;
  /** Charges have the minus. */
  readonly isInverted: boolean;
  readonly isNewestFirst: boolean;
  readonly hasYear: boolean;
  /** A date is printed in the first row of a day only, the balance in the last one. */
  readonly hasBlankDates: boolean;
  readonly hasHeadingOnce: boolean;
  /** Headings of two lines. */
  readonly isHeadingStacked: boolean;
  readonly hasSections: boolean;
  /** Opening and closing balance are rows of the table. */
  readonly hasBalanceRows: boolean;
  readonly summary: "list" | "side box" | "none";
  /** Most lines of a description. */
  readonly lines: number;
  readonly isAmountOnLastLine: boolean;
  /** "1,234.00Cr" */
  readonly hasBalanceSuffix: boolean;
  readonly rowsMin: number;
}

const PLAIN: Omit<GeneratedLayout, "name" | "columns"> = {
  signs: ["minus"],
  accounts: 1,
  isCard: false,
  isInverted: false,
  isNewestFirst: false,
  hasYear: true,
  hasBlankDates: false,
  hasHeadingOnce: false,
  isHeadingStacked: false,
  hasSections: false,
  hasBalanceRows: false,
  summary: "list",
  lines: 1,
  isAmountOnLastLine: false,
  hasBalanceSuffix: false,
  rowsMin: 6,
};

export const GENERATED_LAYOUTS: readonly GeneratedLayout[] = [
  {
    ...PLAIN,
    name: "running balance",
    columns: ["date", "description", "amount", "balance"],
    signs: ["minus", "trailing minus", "parentheses", "suffix", "credit suffix"],
    lines: 2,
  },
  {
    ...PLAIN,
    name: "two columns",
    columns: ["date", "description", "debit", "credit", "balance"],
    lines: 2,
  },
  {
    ...PLAIN,
    name: "sections without signs, checks in mini tables",
    columns: ["date", "description", "amount"],
    signs: ["none"],
    hasSections: true,
    rowsMin: 12,
  },
  {
    ...PLAIN,
    name: "card",
    columns: ["date", "value date", "description", "amount"],
    signs: ["minus", "credit suffix", "trailing minus"],
    isCard: true,
  },
  {
    ...PLAIN,
    name: "card, inverted signs",
    columns: ["date", "description", "amount"],
    signs: ["minus"],
    isCard: true,
    isInverted: true,
  },
  {
    ...PLAIN,
    name: "card, sections without signs",
    columns: ["date", "description", "reference", "amount"],
    signs: ["none"],
    isCard: true,
    hasSections: true,
    rowsMin: 8,
  },
  {
    ...PLAIN,
    name: "newest first",
    columns: ["date", "description", "amount", "balance"],
    signs: ["plus and minus", "minus"],
    isNewestFirst: true,
  },
  {
    ...PLAIN,
    name: "no year, over new year",
    columns: ["date", "description", "debit", "credit"],
    hasYear: false,
    lines: 2,
  },
  {
    ...PLAIN,
    name: "blank dates",
    columns: ["date", "description", "debit", "credit", "balance"],
    hasBlankDates: true,
    hasBalanceRows: true,
    summary: "none",
    lines: 2,
    rowsMin: 10,
  },
  {
    ...PLAIN,
    name: "two accounts",
    columns: ["date", "description", "amount", "balance"],
    signs: ["minus", "trailing minus"],
    accounts: 2,
  },
  {
    ...PLAIN,
    name: "page 2 without a heading",
    columns: ["date", "description", "reference", "debit", "credit", "balance"],
    hasHeadingOnce: true,
    rowsMin: 50,
  },
  {
    ...PLAIN,
    name: "value dates, long descriptions",
    columns: ["date", "value date", "description", "amount"],
    signs: ["trailing minus", "minus", "suffix"],
    lines: 4,
  },
  {
    ...PLAIN,
    name: "amount on the last line",
    columns: ["date", "description", "amount", "balance"],
    signs: ["minus", "suffix"],
    lines: 3,
    isAmountOnLastLine: true,
  },
  {
    ...PLAIN,
    name: "references, balance with Cr",
    columns: ["date", "description", "reference", "value date", "debit", "credit", "balance"],
    hasBalanceSuffix: true,
    hasBalanceRows: true,
    summary: "none",
  },
  {
    ...PLAIN,
    name: "type in a column",
    columns: ["date", "description", "amount", "type", "balance"],
    signs: ["none"],
  },
  {
    ...PLAIN,
    name: "summary box, headings of two lines",
    columns: ["date", "description", "credit", "debit", "balance"],
    isHeadingStacked: true,
    summary: "side box",
    lines: 2,
  },
];
