// Layouts of statements drawn from a seed: locale, columns, signs, dates, order and extras are combined at random, so that
// there are more of them than anyone wrote rules for. Even seeds are for development, odd ones are holdout: they are measured
// and never looked at.
import type { StatementLayout } from "./statements.ts";

const STATEMENT_LOCALES = ["US", "UK", "EU", "CA", "AU", "IN", "ZA"] as const;
type StatementLocale = (typeof STATEMENT_LOCALES)[number];

export interface DrawnLayout extends StatementLayout {
  readonly locale: StatementLocale;
  readonly isHoldout: boolean;
}

interface Wording {
  readonly date: readonly string[];
  readonly text: readonly string[];
  readonly debit: readonly string[];
  readonly credit: readonly string[];
  readonly amount: readonly string[];
  readonly balance: readonly string[];
  readonly words: StatementLayout["words"];
}

const ENGLISH: Wording = {
  date: ["Date", "Posting Date", "Txn Date", "Transaction date"],
  text: ["Description", "Details", "Particulars", "Narrative", "Transaction"],
  debit: ["Withdrawals", "Debit", "Money out", "Paid out", "Debits (-)"],
  credit: ["Deposits", "Credit", "Money in", "Paid in", "Credits (+)"],
  amount: ["Amount", "Amount ($)", "Transaction amount"],
  balance: ["Balance", "Running balance", "Ending daily balance"],
  words: {
    opening: "Opening balance",
    closing: "Closing balance",
    account: "Account number:",
    period: "Statement period:",
    to: "to",
  },
};
const GERMAN: Wording = {
  date: ["Datum", "Buchungstag"],
  text: ["Verwendungszweck", "Buchungstext"],
  debit: ["Soll", "Belastung", "Lastschrift"],
  credit: ["Haben", "Gutschrift"],
  amount: ["Betrag", "Umsatz"],
  balance: ["Saldo", "Kontostand"],
  words: {
    opening: "Alter Kontostand",
    closing: "Neuer Kontostand",
    account: "Kontonummer",
    period: "Zeitraum",
    to: "bis",
  },
};
const SPANISH: Wording = {
  date: ["Fecha", "Fecha operación"],
  text: ["Concepto", "Descripción"],
  debit: ["Cargo", "Débito"],
  credit: ["Abono", "Crédito"],
  amount: ["Importe"],
  balance: ["Saldo"],
  words: {
    opening: "Saldo anterior",
    closing: "Saldo final",
    account: "Cuenta",
    period: "Periodo",
    to: "al",
  },
};

const LETTERS_OF_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const two = (value: number): string => String(value).padStart(2, "0");
const nameOf = (month: number): string => LETTERS_OF_MONTHS[month - 1] ?? "";

type DateText = StatementLayout["date"];
const DAY_FIRST: readonly DateText[] = [
  (year, month, day) => `${two(day)}/${two(month)}/${String(year)}`,
  (year, month, day) => `${two(day)} ${nameOf(month)} ${String(year)}`,
  (_, month, day) => `${two(day)} ${nameOf(month)}`,
  (year, month, day) => `${String(day)}-${nameOf(month)}-${two(year % 100)}`,
  (year, month, day) => `${two(day)} ${nameOf(month)} ${two(year % 100)}`,
];
const MONTH_FIRST: readonly DateText[] = [
  (_, month, day) => `${two(month)}/${two(day)}`,
  (year, month, day) => `${two(month)}/${two(day)}/${two(year % 100)}`,
  (_, month, day) => `${nameOf(month)} ${String(day)}`,
  (_, month, day) => `${nameOf(month).toUpperCase()}${two(day)}`,
];
const POINTS: readonly DateText[] = [
  (year, month, day) => `${two(day)}.${two(month)}.${String(year)}`,
  (_, month, day) => `${two(day)}.${two(month)}.`,
  (year, month, day) => `${String(year)}-${two(month)}-${two(day)}`,
];

const grouped = (units: number, mark: string, group: string, form: RegExp): string => {
  const digits = String(Math.abs(units)).padStart(3, "0");
  return digits.slice(0, -2).replaceAll(form, group) + mark + digits.slice(-2);
};
const THOUSANDS = /\B(?=(?:\d{3})+$)/gu;
const LAKHS = /\B(?=(?:\d{2})*\d{3}$)/gu;

type NumberText = (units: number) => string;
const POINT: NumberText = (units) => grouped(units, ".", ",", THOUSANDS);
const LOCALES: Readonly<
  Record<StatementLocale, { wording: Wording[]; dates: readonly DateText[]; numbers: NumberText[] }>
> = {
  US: { wording: [ENGLISH], dates: MONTH_FIRST, numbers: [POINT, (units) => `$${POINT(units)}`] },
  UK: { wording: [ENGLISH], dates: DAY_FIRST, numbers: [POINT, (units) => `£${POINT(units)}`] },
  EU: {
    wording: [GERMAN, SPANISH],
    dates: POINTS,
    numbers: [
      (units) => grouped(units, ",", ".", THOUSANDS),
      (units) => grouped(units, ",", " ", THOUSANDS),
      (units) => `${grouped(units, ",", ".", THOUSANDS)} €`,
    ],
  },
  CA: {
    wording: [ENGLISH],
    dates: [...MONTH_FIRST.slice(2), ...POINTS.slice(2)],
    numbers: [POINT, (units) => `$${POINT(units)}`],
  },
  AU: { wording: [ENGLISH], dates: DAY_FIRST, numbers: [POINT, (units) => `$${POINT(units)}`] },
  IN: {
    wording: [ENGLISH],
    dates: DAY_FIRST,
    numbers: [
      (units) => grouped(units, ".", ",", LAKHS),
      (units) => `Rs. ${grouped(units, ".", ",", LAKHS)}`,
    ],
  },
  ZA: {
    wording: [ENGLISH],
    dates: [...DAY_FIRST, (year, month, day) => `${String(year)}/${two(month)}/${two(day)}`],
    numbers: [POINT, (units) => grouped(units, ".", " ", THOUSANDS), (units) => `R${POINT(units)}`],
  },
};

const SIGNS: readonly NonNullable<StatementLayout["signed"]>[] = [
  (text, units) => (units < 0 ? `-${text}` : text),
  (text, units) => (units < 0 ? `${text}-` : text),
  (text, units) => (units < 0 ? `(${text})` : text),
  (text, units) => (units < 0 ? `${text} DR` : `${text} CR`),
  (text, units) => (units < 0 ? `-${text}` : `+${text}`),
  (text, units) => (units < 0 ? text : `${text} CR`),
];

/** The same numbers for the same seed. */
function createDraw(seed: number): <T>(from: readonly T[]) => T {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0;
  return (from) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const drawn = from[Math.floor((state / 4_294_967_296) * from.length)];
    if (drawn === undefined) throw new Error("There is nothing to draw from.");
    return drawn;
  };
}

/** A layout; the same for the same seed. */
export function drawLayout(seed: number): DrawnLayout {
  const draw = createDraw(seed);
  const locale = draw(STATEMENT_LOCALES);
  const { wording, dates, numbers } = LOCALES[locale];
  const words = draw(wording);
  const format = draw(numbers);
  const form = draw([
    "amount, balance",
    "two columns, balance",
    "two columns",
    "balance first",
    "sections",
  ]);
  const pair = [
    { cell: "debit", header: draw(words.debit) },
    { cell: "credit", header: draw(words.credit) },
  ] as const;
  const ordered = draw([pair, [pair[1], pair[0]]]);
  const amount = { cell: "amount", header: draw(words.amount) } as const;
  const balance = { cell: "balance", header: draw(words.balance) } as const;
  const cells: readonly { cell: "debit" | "credit" | "amount" | "balance"; header: string }[] =
    form === "amount, balance"
      ? [amount, balance]
      : form === "two columns, balance"
        ? [...ordered, balance]
        : form === "two columns"
          ? ordered
          : form === "balance first"
            ? [balance, amount]
            : [amount];
  const edges = { 1: [520], 2: [430, 540], 3: [400, 480, 560] }[cells.length] ?? [];
  return {
    name: `${locale}, ${form}`,
    ...{ locale, isHoldout: seed % 2 === 1 },
    columns: [
      { cell: "date", header: draw(words.date), at: 40 },
      { cell: "text", header: draw(words.text), at: 115 },
      ...cells.map((place, at) => ({ ...place, at: edges[at] ?? 0 })),
    ],
    date: draw(dates),
    number: (units) => (units < 0 ? `-${format(units)}` : format(units)),
    ...(form === "sections" ? {} : { signed: draw(SIGNS) }),
    words: words.words,
    start: draw([
      { year: 2025, month: 3, day: 1 },
      { year: 2024, month: 12, day: 14 },
      { year: 2023, month: 6, day: 28 },
    ]),
    accounts: draw([1, 1, 1, 2]),
    isNewestFirst: form !== "sections" && draw([false, false, false, true]),
    hasHeaderOnce: draw([false, false, true]),
    hasSections: form === "sections",
    hasBlankDates: form !== "sections" && draw([false, false, true]),
    hasSummary: draw([false, true]),
    hasPageFooter: draw([false, true]),
    hasHolder: true,
  };
}
