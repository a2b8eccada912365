// How one generated statement prints its amounts and dates: chosen once, the same on all its pages.
import type { Random } from "../random.ts";
import type { Country } from "./countries.ts";
import type { DateForm } from "./forms.ts";
import type { Labels } from "./labels.ts";
import type { GeneratedLayout, SignForm } from "./layouts.ts";
import type { LedgerEntry } from "./ledger.ts";

export interface StatementFormat {
  /** Of a column of debits or credits, or without a sign. */
  amount(units: number): string;
  /** With the sign that the layout prints. */
  signed(units: number): string;
  balance(units: number): string;
  /** In the summary, with the mark of the currency. */
  total(units: number): string;
  date(iso: string): string;
  /** With a year. */
  fullDate(iso: string): string;
  type(entry: LedgerEntry): string;
  /** One of the words that a statement may print. */
  word(words: readonly string[]): string;
}

const BEHIND = new Set(["€", "EUR"]);
const SYMBOL_IN_ROWS = 0.35;

export function chooseFormat(
  random: Random,
  country: Country,
  layout: GeneratedLayout,
  labels: Labels,
): StatementFormat {
  const number = random.pick(country.numbers);
  const symbol = random.pick(country.symbols);
  const inRows = random.chance(SYMBOL_IN_ROWS) ? symbol : "";
  const sign = random.pick(layout.signs);
  const full = random.pick(country.dates);
  const date = layout.hasYear ? full : random.pick(country.datesWithoutYear);
  // A statement names the same thing by the same word on all its pages.
  const words = new Map<readonly string[], string>();
  const types = (labels.type[0] ?? "").split("/");
  const withSymbol = (units: number, mark: string): string => {
    const text = number(Math.abs(units));
    if (mark === "") return text;
    if (BEHIND.has(mark)) return `${text} ${mark}`;
    return mark.endsWith(".") ? `${mark} ${text}` : `${mark}${text}`;
  };
  const balance = (units: number, mark: string): string => {
    const text = withSymbol(units, mark);
    if (layout.hasBalanceSuffix) return `${text}${units < 0 ? "Dr" : "Cr"}`;
    return units < 0 ? below(text, sign) : text;
  };
  return {
    amount: (units) => withSymbol(units, inRows),
    signed: (units) =>
      signed(withSymbol(units, inRows), layout.isCard ? -units : units, sign, layout),
    balance: (units) => balance(units, inRows),
    total: (units) => balance(units, symbol),
    date: (iso) => apply(date, iso),
    fullDate: (iso) => apply(full, iso),
    type: ({ units }) => types[units < 0 ? 0 : 1] ?? "",
    word: (choices) => {
      const word = words.get(choices) ?? random.pick(choices);
      words.set(choices, word);
      return word;
    },
  };
}

/** @param raises above zero: the row raises the balance */
function signed(text: string, raises: number, sign: SignForm, layout: GeneratedLayout): string {
  // On a card a row below zero is a payment, unless its signs are inverted.
  const isMinus = raises < 0 !== layout.isInverted;
  switch (sign) {
    case "none":
      return text;
    case "credit suffix":
      return layout.isCard === raises < 0 ? `${text} CR` : text;
    case "plus and minus":
      return isMinus ? `-${text}` : `+${text}`;
    case "suffix":
      return isMinus ? `${text} DR` : `${text} CR`;
    case "minus":
    case "trailing minus":
    case "parentheses":
      return isMinus ? below(text, sign) : text;
  }
}

/** A number below zero. */
function below(text: string, sign: SignForm): string {
  if (sign === "trailing minus") return `${text}-`;
  if (sign === "parentheses") return `(${text})`;
  return sign === "suffix" || sign === "credit suffix" ? `${text} DR` : `-${text}`;
}

function apply(form: DateForm, iso: string): string {
  const [year = 0, month = 0, day = 0] = iso.split("-").map(Number);
  return form(year, month, day);
}
