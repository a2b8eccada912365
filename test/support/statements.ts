// Made bank statements as words with boxes, with their truth: what is tested is the understanding, so no PDF is needed.
import type { PageWord } from "../../workers/statements/words.ts";

export interface MadeTransaction {
  readonly date: string;
  readonly description: string;
  /** Minor units, below zero for a debit. */
  readonly units: number;
  readonly balance: number;
}

export interface MadeAccount {
  readonly number: string;
  readonly opening: number;
  readonly closing: number;
  readonly transactions: readonly MadeTransaction[];
}

export interface MadeStatement {
  readonly words: readonly PageWord[];
  readonly accounts: readonly MadeAccount[];
  readonly header: MadeHeader;
}

const HOLDERS = [
  { name: "MARIA LOPEZ", street: "12 Mill Street", place: "Springfield, IL 62704" },
  { name: "NORTHWIND TRADING LTD", street: "8 Harbour Road", place: "BRISTOL BS1 4ST" },
  { name: "Petra Beispiel", street: "Lindenweg 7", place: "53113 Bonn" },
  { name: "A KUMAR", street: "14 Temple Street", place: "MUMBAI 400001" },
] as const;
const INSTITUTIONS = [
  "FIRST EXAMPLE BANK",
  "Harbour Savings Bank",
  "Banco Ejemplo",
  "Cedar Credit Union",
];

type Cell = "date" | "text" | "amount" | "debit" | "credit" | "balance";

interface LayoutColumn {
  readonly cell: Cell;
  readonly header: string;
  /** Left edge of texts, right edge of amounts. */
  readonly at: number;
}

export interface StatementLayout {
  readonly name: string;
  readonly columns: readonly LayoutColumn[];
  readonly date: (year: number, month: number, day: number) => string;
  readonly number: (units: number) => string;
  /** How an amount in a single column shows its sign. */
  readonly signed?: (text: string, units: number) => string;
  readonly words: {
    readonly opening: string;
    readonly closing: string;
    readonly account: string;
    readonly period: string;
    readonly to: string;
  };
  readonly start: { readonly year: number; readonly month: number; readonly day: number };
  readonly accounts?: number;
  readonly isNewestFirst?: boolean;
  readonly hasHeaderOnce?: boolean;
  readonly hasSections?: boolean;
  /** A date is printed in the first row of a day only. */
  readonly hasBlankDates?: boolean;
  /** The balance is what is owed. */
  readonly isCard?: boolean;
  readonly extra?: readonly string[];
  /** Totals of credits and debits below the balances. */
  readonly hasSummary?: boolean;
  /** "Page 1" at the end of each page. */
  readonly hasPageFooter?: boolean;
  /** Name and address of the holder below the institution. */
  readonly hasHolder?: boolean;
}

/** What a made statement reports of its holder. */
export interface MadeHeader {
  readonly institution: string;
  readonly holder: { readonly name: string; readonly city: string; readonly postcode: string };
}

const CHARACTER = 5;
const HEIGHT = 10;
const LINE = 14;
const PAGE_BOTTOM = 780;
const ROWS = 24;
const TEXTS = [
  "COFFEE HOUSE 12",
  "CARD PURCHASE 4411 GROCERY MARKET",
  "SALARY ACME",
  "DIRECT DEBIT POWER COMPANY",
  "TRANSFER 88120 TO SAVINGS",
  "TOTAL FUEL STATION",
];

/** The same numbers for the same seed. */
function createRandom(seed: number): (below: number) => number {
  let state = (seed * 2_654_435_761 + 1) % 4_294_967_296;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * below);
  };
}

interface Pen {
  readonly words: PageWord[];
  line(
    cells: readonly { readonly text: string; readonly at: number; readonly isRight?: boolean }[],
  ): void;
  /** @returns whether a new page began */
  breakBefore(lines: number, hasFooter?: boolean): boolean;
}

function createPen(): Pen {
  const words: PageWord[] = [];
  let page = 1;
  let top = 40;
  const pen: Pen = {
    words,
    line: (cells) => {
      for (const { text, at, isRight = false } of cells) {
        let left = isRight ? at - text.length * CHARACTER : at;
        for (const word of text.split(" ")) {
          const right = left + word.length * CHARACTER;
          if (word !== "")
            words.push({ page, text: word, left, right, top, bottom: top + HEIGHT, confidence: 1 });
          left = right + CHARACTER;
        }
      }
      top += LINE;
    },
    breakBefore: (lines, hasFooter = false) => {
      if (top + lines * LINE < PAGE_BOTTOM) return false;
      if (hasFooter) {
        top += LINE;
        pen.line([{ text: `Page ${String(page)}`, at: 280 }]);
      }
      page += 1;
      top = 40;
      return true;
    },
  };
  return pen;
}

/** A statement of the layout, with other amounts for each seed. */
export function makeStatement(layout: StatementLayout, seed: number): MadeStatement {
  const random = createRandom(seed);
  const pen = createPen();
  const institution =
    layout.hasHolder === true
      ? (INSTITUTIONS[seed % INSTITUTIONS.length] ?? "")
      : "FIRST EXAMPLE BANK";
  const holder = HOLDERS[(seed >> 2) % HOLDERS.length] ?? HOLDERS[0];
  pen.line([{ text: institution, at: 40 }]);
  if (layout.hasHolder === true) {
    pen.line([]);
    for (const text of [holder.name, holder.street, holder.place]) pen.line([{ text, at: 40 }]);
    pen.line([]);
  }
  for (const text of layout.extra ?? []) pen.line([{ text, at: 40 }]);
  const accounts = Array.from({ length: layout.accounts ?? 1 }, (_, index) => {
    const account = makeAccount(layout, random, index);
    writeAccount(pen, layout, account);
    return account;
  });
  pen.line([{ text: "Please examine this statement and report errors within 60 days.", at: 40 }]);
  const postcode = /[A-Z]{2}\d \d[A-Z]{2}|\d{5,6}/u.exec(holder.place)?.[0] ?? "";
  const city = holder.place.replace(postcode, "").replace(/, IL/u, "").trim();
  return {
    words: pen.words,
    accounts,
    header: { institution, holder: { name: holder.name, city, postcode } },
  };
}

function makeAccount(
  layout: StatementLayout,
  random: (below: number) => number,
  index: number,
): MadeAccount {
  const opening = 100_000 + random(900_000);
  const { year, month, day } = layout.start;
  let at = Date.UTC(year, month - 1, day);
  let balance = opening;
  const transactions = Array.from({ length: ROWS }, (): MadeTransaction => {
    at += random(3) * 86_400_000;
    const units = random(3) === 0 ? 1 + random(200_000) : -1 - random(30_000);
    balance += layout.isCard === true ? -units : units;
    return {
      date: new Date(at).toISOString().slice(0, 10),
      description: `${TEXTS[random(TEXTS.length)] ?? ""} ${String(1_000 + random(9_000))}`,
      ...{ units, balance },
    };
  });
  return {
    number: `40001234${String(1_111 * (index + 1))}`,
    opening,
    closing: balance,
    transactions,
  };
}

function writeAccount(pen: Pen, layout: StatementLayout, account: MadeAccount): void {
  const { words, number } = layout;
  const { transactions } = account;
  const [first, last] = [transactions[0]?.date ?? "", transactions.at(-1)?.date ?? ""];
  const [start, end] = [first, last].map((iso) => dateText(layout, iso, true));
  pen.breakBefore(8);
  pen.line([{ text: `${words.account} ${account.number}`, at: 40 }]);
  pen.line([{ text: `${words.period} ${start ?? ""} ${words.to} ${end ?? ""}`, at: 40 }]);
  pen.line([{ text: `${words.opening} ${number(account.opening)}`, at: 40 }]);
  pen.line([{ text: `${words.closing} ${number(account.closing)}`, at: 40 }]);
  if (layout.hasSummary === true) {
    for (const [label, sign] of [
      ["Total credits", 1],
      ["Total debits", -1],
    ] as const) {
      const units = transactions.filter((row) => row.units * sign > 0);
      const total = units.reduce((sum, row) => sum + Math.abs(row.units), 0);
      pen.line([{ text: `${label} ${number(total)}`, at: 40 }]);
    }
    pen.line([]);
  }
  const ordered = layout.isNewestFirst === true ? transactions.toReversed() : transactions;
  const groups: readonly {
    readonly title: string | null;
    readonly rows: readonly MadeTransaction[];
  }[] =
    layout.hasSections === true
      ? [
          { title: "Deposits and other credits", rows: ordered.filter(({ units }) => units > 0) },
          { title: "Withdrawals and other debits", rows: ordered.filter(({ units }) => units < 0) },
        ]
      : [{ title: null, rows: ordered }];
  for (const { title, rows } of groups) {
    if (title !== null) pen.line([{ text: title, at: 40 }]);
    writeRows(pen, layout, rows);
    const total = number(rows.reduce((sum, { units }) => sum + Math.abs(units), 0));
    if (title !== null)
      pen.line([
        { text: `Total ${title}`, at: 40 },
        { text: total, at: 400, isRight: true },
      ]);
  }
}

function writeRows(pen: Pen, layout: StatementLayout, rows: readonly MadeTransaction[]): void {
  const { columns } = layout;
  const header = (): void => {
    pen.line(columns.map(({ cell, header: text, at }) => ({ text, at, isRight: isAmount(cell) })));
  };
  header();
  let before = "";
  for (const row of rows) {
    if (pen.breakBefore(3, layout.hasPageFooter === true) && layout.hasHeaderOnce !== true)
      header();
    const isShown = layout.hasBlankDates !== true || row.date !== before;
    const date = isShown ? dateText(layout, row.date, false) : "";
    pen.line(columns.map((place) => cellOf(layout, place, row, date)));
    const text = columns.find(({ cell }) => cell === "text")?.at ?? 0;
    pen.line([{ text: "REF 7781 LONDON", at: text }]);
    before = row.date;
  }
}

const isAmount = (cell: Cell): boolean => cell !== "date" && cell !== "text";

function dateText({ date }: StatementLayout, iso: string, isPeriod: boolean): string {
  const [year = 0, month = 0, day = 0] = iso.split("-").map(Number);
  return isPeriod
    ? `${String(day)} ${MONTHS[month - 1] ?? ""} ${String(year)}`
    : date(year, month, day);
}

const MONTHS =
  "January February March April May June July August September October November December".split(
    " ",
  );

function cellOf(
  layout: StatementLayout,
  { cell, at }: LayoutColumn,
  row: MadeTransaction,
  date: string,
): { text: string; at: number; isRight: boolean } {
  const { number, signed = (text: string): string => text } = layout;
  const amount = number(Math.abs(row.units));
  const texts: Readonly<Record<Cell, string>> = {
    date,
    text: row.description,
    amount: signed(amount, row.units),
    debit: row.units < 0 ? amount : "",
    credit: row.units > 0 ? amount : "",
    balance: number(row.balance),
  };
  return { text: texts[cell], at, isRight: isAmount(cell) };
}

const two = (value: number): string => String(value).padStart(2, "0");
const grouped = (units: number, mark: string, group: string): string => {
  const digits = String(Math.abs(units)).padStart(3, "0");
  const whole = digits.slice(0, -2).replaceAll(/\B(?=(?:\d{3})+$)/gu, group);
  return `${units < 0 ? "-" : ""}${whole}${mark}${digits.slice(-2)}`;
};
const english = (units: number): string => grouped(units, ".", ",");
const german = (units: number): string => grouped(units, ",", ".");
const french = (units: number): string => grouped(units, ",", " ");
const indian = (units: number): string => {
  const digits = String(Math.abs(units)).padStart(3, "0");
  const whole = digits.slice(0, -2);
  const last = whole.slice(-3);
  const front = whole.slice(0, -3).replaceAll(/\B(?=(?:\d{2})+$)/gu, ",");
  return `${units < 0 ? "-" : ""}${front === "" ? "" : `${front},`}${last}.${digits.slice(-2)}`;
};

const MONTH = (month: number): string => (MONTHS[month - 1] ?? "").slice(0, 3);
const EN = {
  opening: "Opening balance",
  closing: "Closing balance",
  account: "Account number:",
  period: "Statement period:",
  to: "to",
};
const START = { year: 2025, month: 3, day: 1 };
const column = (cell: Cell, header: string, at: number): LayoutColumn => ({ cell, header, at });
const DATE_TEXT = [column("date", "Date", 40), column("text", "Description", 110)];
const WITH_BALANCE = [
  ...DATE_TEXT,
  column("amount", "Amount", 430),
  column("balance", "Balance", 540),
];
const THREE = [
  ...DATE_TEXT,
  column("debit", "Withdrawals", 400),
  column("credit", "Deposits", 470),
  column("balance", "Balance", 550),
];

export const STATEMENT_LAYOUTS: readonly StatementLayout[] = [
  {
    name: "US, signed amounts, month first",
    columns: WITH_BALANCE,
    date: (year, month, day) => `${two(month)}/${two(day)}/${String(year)}`,
    number: (units) => (units < 0 ? `-$${english(-units)}` : `$${english(units)}`),
    signed: (text, units) => (units < 0 ? `-${text}` : text),
    words: { ...EN, opening: "Beginning balance", closing: "Ending balance" },
    start: START,
  },
  {
    name: "US, sections without signs, no balances",
    columns: [...DATE_TEXT, column("amount", "Amount", 430)],
    date: (_, month, day) => `${two(month)}/${two(day)}`,
    number: english,
    words: { ...EN, opening: "Beginning balance", closing: "Ending balance" },
    start: START,
    hasSections: true,
  },
  {
    name: "UK, money in and out, each date once",
    columns: [
      ...DATE_TEXT,
      column("credit", "Money in", 400),
      column("debit", "Money out", 470),
      column("balance", "Balance", 550),
    ],
    date: (_, month, day) => `${two(day)} ${MONTH(month)}`,
    number: english,
    words: EN,
    start: START,
    hasBlankDates: true,
  },
  {
    name: "Germany, Soll and Haben, no year, over new year",
    columns: [
      column("date", "Buchung", 40),
      column("text", "Vorgang", 110),
      column("debit", "Soll", 400),
      column("credit", "Haben", 470),
    ],
    date: (_, month, day) => `${two(day)}.${two(month)}.`,
    number: german,
    words: {
      opening: "Alter Kontostand",
      closing: "Neuer Kontostand",
      account: "Kontonummer",
      period: "Zeitraum",
      to: "bis",
    },
    start: { year: 2024, month: 12, day: 15 },
  },
  {
    name: "France, spaces between thousands",
    columns: [
      column("date", "Date", 40),
      column("text", "Libellé", 110),
      column("debit", "Débit", 400),
      column("credit", "Crédit", 470),
      column("balance", "Solde", 550),
    ],
    date: (year, month, day) => `${two(day)}/${two(month)}/${String(year)}`,
    number: french,
    words: {
      opening: "Ancien solde",
      closing: "Nouveau solde",
      account: "Numéro de compte",
      period: "Période",
      to: "au",
    },
    start: START,
  },
  {
    name: "Canada, header on the first page only",
    columns: THREE,
    date: (_, month, day) => `${MONTH(month)} ${String(day)}`,
    number: english,
    words: EN,
    start: START,
    hasHeaderOnce: true,
  },
  {
    name: "Australia, newest first",
    columns: WITH_BALANCE,
    date: (year, month, day) => `${two(day)}/${two(month)}/${String(year)}`,
    number: (units) => (units < 0 ? `-$${english(-units)}` : `$${english(units)}`),
    signed: (text, units) => (units < 0 ? `-${text}` : text),
    words: EN,
    start: START,
    isNewestFirst: true,
  },
  {
    name: "India, lakhs",
    columns: THREE,
    date: (year, month, day) => `${two(day)}-${MONTH(month)}-${String(year)}`,
    number: indian,
    words: EN,
    start: START,
  },
  {
    name: "South Africa, trailing CR",
    columns: WITH_BALANCE,
    date: (year, month, day) => `${String(year)}/${two(month)}/${two(day)}`,
    number: (units) => english(units),
    signed: (text, units) => (units < 0 ? text : `${text} CR`),
    words: EN,
    start: START,
  },
  {
    name: "amounts without any sign, decided by the balances",
    columns: WITH_BALANCE,
    date: (year, month, day) => `${String(year)}-${two(month)}-${two(day)}`,
    number: english,
    words: EN,
    start: START,
  },
  {
    name: "trailing minus, two accounts",
    columns: WITH_BALANCE,
    date: (year, month, day) => `${two(day)}.${two(month)}.${String(year)}`,
    number: german,
    signed: (text, units) => (units < 0 ? `${text}-` : text),
    words: EN,
    start: START,
    accounts: 2,
  },
  {
    name: "parentheses",
    columns: WITH_BALANCE,
    date: (year, month, day) => `${String(day)} ${MONTH(month)} ${String(year)}`,
    number: english,
    signed: (text, units) => (units < 0 ? `(${text})` : text),
    words: EN,
    start: START,
  },
  {
    name: "credit card: charges raise what is owed",
    columns: [...DATE_TEXT, column("amount", "Amount", 430)],
    date: (_, month, day) => `${two(month)}/${two(day)}`,
    number: english,
    signed: (text, units) => (units < 0 ? text : `-${text}`),
    words: { ...EN, opening: "Previous balance", closing: "New balance" },
    start: START,
    isCard: true,
    extra: ["Credit limit 9,000.00", "Minimum payment due 25.00", "Payment due date 04/25/2025"],
  },
];
