import { printable } from "../values/printable.ts";
import type { DecimalGuess } from "./decimals.ts";
import type { FileLayout } from "./layout.ts";
import type { DatePlan, MoneyPlan, ReadPlan } from "./plan.ts";

const DELIMITER_NAMES = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar" } as const;

/** What was guessed, in a few lines for the user; names of columns are made safe for a terminal. */
export function explainPlan(layout: FileLayout, plan: ReadPlan): string[] {
  const name = (index: number): string => `'${printable(plan.columns[index] ?? "")}'`;
  const names = (indexes: readonly number[]): string => indexes.map(name).join(" + ");
  const lines = [
    `layout: ${explainLayout(layout)}`,
    `date: ${plan.date === null ? "no column found; today's date is used" : `column ${name(plan.date.column)} ${explainDate(plan.date)}`}`,
    `amount: ${explainMoney(plan.money, name)}`,
    `numbers: ${explainDecimals(plan.decimals)}`,
    `description: ${explainDescription(plan, name, names)}`,
    `currency: ${plan.currency.code} (${plan.currency.column === null ? "" : `column ${name(plan.currency.column)}; `}${printable(plan.currency.reason, 80)})`,
  ];
  const places = [
    ...(plan.country.column === null ? [] : [`country ${name(plan.country.column)}`]),
    ...(plan.country.code === null ? [] : [`country ${plan.country.code} (as given)`]),
    ...(plan.address.length === 0 ? [] : [`address ${names(plan.address)}`]),
  ];
  if (places.length > 0) lines.push(`place: ${places.join(", ")}`);
  const bank = (["status", "kind", "category", "id", "account"] as const).flatMap((key) => {
    const at = plan.bank[key];
    return at === null ? [] : [`${key} ${name(at)}`];
  });
  if (bank.length > 0) lines.push(`bank: ${bank.join(", ")}`);
  if (plan.balance !== null) lines.push(`ignored: balance ${name(plan.balance)}`);
  return lines;
}

function explainDescription(
  plan: ReadPlan,
  name: (index: number) => string,
  names: (indexes: readonly number[]) => string,
): string {
  if (plan.cleanName === null) return names(plan.description);
  const others = plan.description.filter((index) => index !== plan.cleanName);
  return `${name(plan.cleanName)} (clean names); ${names(others)} where it is empty or has more, and both where it resolves no merchant`;
}

const MARK_NAMES = { ".": "point", ",": "comma" } as const;

function explainDecimals({ mark, certainty, shownBy, example }: DecimalGuess): string {
  const format = mark === "." ? "1,234.56" : "1.234,56";
  const text = `decimal ${MARK_NAMES[mark]} (${format}`;
  switch (certainty) {
    case "given":
      return `${text}; as given)`;
    case "certain":
      return `${text}; no amount of the sample can be read another way)`;
    case "shown":
      return `${text}; ${String(shownBy)} ${shownBy === 1 ? "number shows" : "numbers show"} it)`;
    case "assumed": {
      const other = MARK_NAMES[mark === "." ? "," : "."];
      return `${text}; AMBIGUOUS: '${printable(example ?? "")}' is read with thousands, as money rarely has three decimals; --decimal ${other} turns it)`;
    }
  }
}

function explainLayout(layout: FileLayout): string {
  const header = layout.hasHeader
    ? "with a header"
    : "no header; columns are named column_1, column_2, …";
  const above =
    layout.preamble.length === 0
      ? ""
      : `, ${String(layout.preamble.length)} lines above it left out`;
  const quotes = layout.dialect.quotes ? "" : ", quotation marks are part of the text";
  return `${DELIMITER_NAMES[layout.dialect.delimiter]}-separated, ${header}${above}${quotes}`;
}

function explainDate(date: DatePlan): string {
  const format = { DMY: "DD/MM/YYYY", MDY: "MM/DD/YYYY", YMD: "YY/MM/DD" }[date.order];
  const other = date.order === "DMY" ? "mdy" : "dmy";
  switch (date.decidedBy) {
    case "fixed":
      return "(year, month and day are unmistakable)";
    case "sample":
      return `(${format}; days above 12 show it)`;
    case "map":
      return `(${format}; as given)`;
    case "assumed":
      return `(${format} assumed by the currency: every date in the sample can be read both ways; --date-format ${other} turns it)`;
  }
}

function explainMoney(money: MoneyPlan, name: (index: number) => string): string {
  switch (money.kind) {
    case "split": {
      const out = money.debit === null ? "none" : name(money.debit.column);
      return `${out} (money leaving) and ${money.credit === null ? "none" : name(money.credit.column)} (money arriving)`;
    }
    case "direction":
      return `${name(money.column)}, direction from ${name(money.direction)}`;
    case "marked":
      return `${name(money.column)} (CR/DR behind the number; without it: money ${money.unmarked === "outgoing" ? "leaving" : "arriving"})`;
    case "signed": {
      const other = money.outflow === "negative" ? "positive" : "negative";
      return `${name(money.column)} (${money.outflow} = money leaving: ${money.reason}; --map outflow=${other} turns it)`;
    }
  }
}
