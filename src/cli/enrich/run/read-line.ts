import type { EntryType } from "../../../model/transaction.ts";
import { isNameEnough } from "../guess/clean-name.ts";
import type { MoneyPlan, MoneySide, ReadPlan, Readers } from "../guess/plan.ts";
import type { ParsedTransaction, RowReading } from "../parsed-file.ts";
import { type DecimalMark, type ParsedAmount, parseAmount } from "../values/amount.ts";
import { parseDate } from "../values/calendar-date.ts";
import { directionOf } from "../values/direction.ts";
import { printable } from "../values/printable.ts";
import { statusOf } from "../values/status.ts";

type FailedRow = Extract<RowReading, { ok: false }>;
/** `amount`: decimal text without a sign. */
type AmountReading = { readonly amount: string; readonly entryType: EntryType };

/** Its domain may be the name of a town. */
const EMAIL = /\S+@\S+/gu;
const FIRST = { DMY: "day", MDY: "month", YMD: "year" } as const;
/** No bank writes a longer one; it bounds what one line can cost the recogniser. */
const DESCRIPTION_CHARACTERS_MAX = 2000;

/**
 * Returns the function that turns the cells of a record into a transaction. It never throws, whatever the cells.
 * @param today YYYY-MM-DD, for files without dates
 */
export function createLineReader(
  plan: ReadPlan,
  today: string,
  { currencies, countryOf }: Pick<Readers, "currencies" | "countryOf">,
): (cells: readonly string[]) => RowReading {
  const readDate = createDateReader(plan, today);
  const reach =
    1 + Math.max(...plan.description, ...moneyColumns(plan.money), plan.date?.column ?? 0);
  const inColumns = ({ reason }: FailedRow, columns: readonly number[]): FailedRow => {
    const names = columns.map((index) => `'${printable(plan.columns[index] ?? "")}'`);
    return rowFailure(`${reason} (column ${names.join(" or ")})`);
  };
  return (cells) => {
    const width = checkWidth(cells, plan.columns.length, reach);
    if (width !== null) return width;
    const cell = (index: number | null): string =>
      index === null ? "" : (cells[index] ?? "").trim();
    const { description, joinedDescription } = describe(plan, cell);
    if (description === "")
      return inColumns(rowFailure("the description is empty"), plan.description);
    const date = readDate(cell(plan.date?.column ?? null));
    if (typeof date !== "string") return inColumns(date, [plan.date?.column ?? 0]);
    const money = readMoney(plan.money, cell);
    if ("ok" in money) return inColumns(money, cellsOfMoney(plan.money));
    const country = cell(plan.country.column);
    return {
      ok: true,
      transaction: {
        ...{ date, entryType: money.entryType, amount: signed(money) },
        ...{ description, joinedDescription },
        currency: currencies.code(cell(plan.currency.column)) ?? plan.currency.code,
        country: plan.country.code ?? (country === "" ? null : countryOf(country)),
        address: readAddress(joinCells(plan.address.map(cell))),
        ...readBankFields(plan, cell),
      },
    };
  };
}

function signed({ amount, entryType }: AmountReading): string {
  return entryType === "outgoing" && Number(amount) !== 0 ? `-${amount}` : amount;
}

/** Empty cells behind the last column are common and harmless; filled ones mean that a delimiter was not quoted. */
function checkWidth(cells: readonly string[], width: number, reach: number): FailedRow | null {
  const surplus = cells.slice(width).some((cell) => cell.trim() !== "");
  if (!surplus && cells.length >= reach) return null;
  return rowFailure(`${String(cells.length)} fields where ${String(width)} are expected`);
}

/** Null for a cell without words: card exports put telephone numbers and e-mail addresses where the city should be. */
function readAddress(text: string): string | null {
  const address = text.replaceAll(EMAIL, " ").trim();
  return /\p{L}{2}/u.test(address) ? address.slice(0, DESCRIPTION_CHARACTERS_MAX) : null;
}

function readBankFields(
  { payee, bank }: ReadPlan,
  cell: (index: number | null) => string,
): Pick<
  ParsedTransaction,
  "counterparty" | "id" | "account" | "bankType" | "bankCategory" | "status" | "unknownStatus"
> {
  const statusText = cell(bank.status);
  const status = statusOf(statusText);
  return {
    counterparty: cell(payee) || null,
    id: cell(bank.id) || null,
    account: cell(bank.account) || null,
    bankType: cell(bank.kind) || null,
    bankCategory: cell(bank.category) || null,
    status: status ?? "booked",
    unknownStatus: status === null && statusText !== "" ? statusText : null,
  };
}

/** The clean name alone, where there is one and the rest does not contain it with more behind it. */
function describe(
  plan: ReadPlan,
  cell: (index: number | null) => string,
): Pick<ParsedTransaction, "description" | "joinedDescription"> {
  const cut = (text: string): string => text.slice(0, DESCRIPTION_CHARACTERS_MAX);
  const whole = cut(joinCells(plan.description.map(cell)));
  const name = cell(plan.cleanName).replaceAll(/\s+/gu, " ");
  if (plan.cleanName === null || !isNameEnough(name))
    return { description: whole, joinedDescription: null };
  const others = joinCells(plan.description.filter((at) => at !== plan.cleanName).map(cell));
  if (others.toLowerCase().includes(name.toLowerCase()))
    return { description: cut(others), joinedDescription: null };
  return { description: name, joinedDescription: others === "" ? null : whole };
}

function createDateReader(plan: ReadPlan, today: string): (text: string) => string | FailedRow {
  const { date } = plan;
  if (date === null) return () => today;
  // Exports are sorted by day: remembering the last one saves most of the parsing.
  let lastText = "";
  let lastDate: string | null = null;
  return (text) => {
    if (text !== lastText) {
      lastText = text;
      lastDate = parseDate(text, date.order);
    }
    if (lastDate !== null) return lastDate;
    if (text === "") return rowFailure("the date is empty");
    const expected = date.decidedBy === "fixed" ? "" : ` (${FIRST[date.order]} first)`;
    return rowFailure(`'${printable(text)}' is not a date${expected}`);
  };
}

function readMoney(plan: MoneyPlan, cell: (index: number) => string): AmountReading | FailedRow {
  switch (plan.kind) {
    case "split":
      return readSplit(plan.debit, plan.credit, cell);
    case "direction": {
      const parsed = readAmount(cell(plan.column), plan.mark);
      if ("ok" in parsed) return parsed;
      const word = cell(plan.direction);
      const direction = directionOf(word);
      if (direction === null) return rowFailure(`'${printable(word)}' is neither debit nor credit`);
      return { amount: parsed.size, entryType: direction };
    }
    case "marked":
    case "signed": {
      const parsed = readAmount(cell(plan.column), plan.mark);
      if ("ok" in parsed) return parsed;
      const entryType =
        plan.kind === "marked" ? byMarker(parsed, plan.unmarked) : bySign(parsed, plan.outflow);
      return { amount: parsed.size, entryType };
    }
  }
}

function byMarker(parsed: ParsedAmount, unmarked: EntryType): EntryType {
  const written =
    parsed.marker === null ? unmarked : parsed.marker === "debit" ? "outgoing" : "incoming";
  return parsed.value < 0 ? opposite(written) : written;
}

function bySign(parsed: ParsedAmount, outflow: "negative" | "positive"): EntryType {
  if (parsed.marker !== null) return parsed.marker === "debit" ? "outgoing" : "incoming";
  return parsed.value < 0 === (outflow === "negative") ? "outgoing" : "incoming";
}

/** The filled side decides; zero counts as empty when the other side has a value. */
function readSplit(
  debit: MoneySide | null,
  credit: MoneySide | null,
  cell: (index: number) => string,
): AmountReading | FailedRow {
  const found: AmountReading[] = [];
  for (const [side, direction] of [
    [debit, "outgoing"],
    [credit, "incoming"],
  ] as const) {
    const text = side === null ? "" : cell(side.column);
    if (side === null || text === "" || /^[-–]$/u.test(text)) continue;
    const parsed = readAmount(text, side.mark);
    if ("ok" in parsed) return parsed;
    const isUsual = parsed.value === 0 || Math.sign(parsed.value) === side.usualSign;
    found.push({
      amount: parsed.size,
      entryType: isUsual ? direction : opposite(direction),
    });
  }
  const [first, ...others] = found.filter((money) => Number(money.amount) !== 0);
  if (others.length > 0) return rowFailure("both the debit and the credit column are filled");
  return first ?? found[0] ?? rowFailure("the amount is empty");
}

function readAmount(text: string, mark: DecimalMark): ParsedAmount | FailedRow {
  if (text === "") return rowFailure("the amount is empty");
  return parseAmount(text, mark) ?? rowFailure(`'${printable(text)}' is not an amount`);
}

function opposite(entryType: EntryType): EntryType {
  return entryType === "outgoing" ? "incoming" : "outgoing";
}

function cellsOfMoney(money: MoneyPlan): number[] {
  if (money.kind !== "split") return moneyColumns(money);
  return [money.debit, money.credit].flatMap((side) => side?.column ?? []);
}

function moneyColumns(money: MoneyPlan): number[] {
  switch (money.kind) {
    case "split":
      // One side is enough: exports leave out the empty cells at the end of a line.
      return [Math.min(money.debit?.column ?? Infinity, money.credit?.column ?? Infinity)];
    case "direction":
      return [money.column, money.direction];
    case "marked":
    case "signed":
      return [money.column];
  }
}

/** Joined by spaces; a part that an other part already contains is left out (payee repeated in the memo). */
function joinCells(parts: readonly string[]): string {
  const flat = parts.map((part) => part.replaceAll(/\s+/gu, " "));
  const isRepeated = (part: string, at: number): boolean =>
    flat.some((other, index) => {
      if (index === at || !other.toLowerCase().includes(part.toLowerCase())) return false;
      return other.length > part.length || index < at;
    });
  return flat.filter((part, at) => part !== "" && !isRepeated(part, at)).join(" ");
}

function rowFailure(reason: string): FailedRow {
  return { ok: false, reason };
}
