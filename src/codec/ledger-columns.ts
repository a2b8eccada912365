// A ledger by column, for the thread that finds what recurs in it: 27 bytes for each transaction, whatever its id and its text
// are, and what payees have in common once for each. Arrays of numbers cross to the thread as blocks of memory.
import { LEDGER_LENGTH_MAX } from "../model/ledger-group.ts";
import type {
  LedgerColumns,
  LedgerCounterparty,
  LedgerEntry,
  LedgerParty,
} from "../model/recurrence.ts";
import { idNumber, isByMandate, lineKey } from "./ledger-lines.ts";

export interface LedgerColumnsBuilder {
  /**
   * Appends a transaction: its place is the number of those before it.
   * @throws RangeError beyond LEDGER_LENGTH_MAX
   */
  add(entry: LedgerEntry): void;
  /** Transactions so far. */
  length(): number;
  /** The columns, with no more memory than they need. They are the builder's own: nothing may be added any more. */
  columns(): LedgerColumns;
}

const DAY_MS = 86_400_000;
/** Transactions by which columns grow. */
const STEP_LENGTH = 4_096;
/** In place of a value that is not known. */
const NONE = -1;

export function createLedgerColumns(): LedgerColumnsBuilder {
  const ids = createColumn(Float64Array);
  const days = createColumn(Int32Array);
  const amounts = createColumn(Float64Array);
  const parties = createColumn(Int32Array);
  const categories = createColumn(Int16Array);
  const mandates = createColumn(Uint8Array);
  const counterpartyTable = createTable(counterpartyKey);
  const categoryTable = createTable<string>((category) => category);
  const dayOf = createDayReader();
  const inTime = timeOrder({ ids: ids.values, days: days.values, amounts: amounts.values });
  const partyTable = createParties(inTime);
  return {
    length: () => days.length(),
    add: (entry) => {
      const { counterparty, category, description } = entry;
      ids.add(idNumber(entry.id));
      days.add(dayOf(entry.date));
      amounts.add(entry.amount);
      categories.add(category === null ? NONE : categoryTable.placeOf(category));
      mandates.add(isByMandate(description) ? 1 : 0);
      const payee = counterparty === null ? NONE : counterpartyTable.placeOf(counterparty);
      parties.add(partyTable.placeOf(entry, payee, days.length() - 1));
    },
    columns: () => ({
      ids: ids.trimmed(),
      days: days.trimmed(),
      amounts: amounts.trimmed(),
      parties: parties.trimmed(),
      categories: categories.trimmed(),
      mandates: mandates.trimmed(),
      partyTable: partyTable.values(),
      counterpartyTable: counterpartyTable.values(),
      categoryTable: categoryTable.values(),
    }),
  };
}

/** Compares places: by day, of one day by amount, then in an order that does not depend on when transactions were added. */
export const timeOrder =
  ({ ids, days, amounts }: Pick<LedgerColumns, "ids" | "days" | "amounts">) =>
  (a: number, b: number): number =>
    (days[a] ?? 0) - (days[b] ?? 0) ||
    (amounts[a] ?? 0) - (amounts[b] ?? 0) ||
    (ids[a] ?? 0) - (ids[b] ?? 0) ||
    a - b;

/** YYYY-MM-DD of a day of the columns. */
export const dateOfDay = (day: number): string =>
  new Date(day * DAY_MS).toISOString().slice(0, "YYYY-MM-DD".length);

const counterpartyKey = ({ id, name, website, type }: LedgerCounterparty): string =>
  JSON.stringify([id, name, website, type]);

interface NumbersOf<Column> {
  readonly BYTES_PER_ELEMENT: number;
  new (memory: ArrayBuffer): Column;
}

/** Numbers in one block of memory, which grows where it is: no copy is made, and what is not used yet is not there yet. */
function createColumn<Column extends { length: number; [place: number]: number }>(
  numbers: NumbersOf<Column>,
) {
  const bytesOf = (count: number): number => count * numbers.BYTES_PER_ELEMENT;
  const memory = new ArrayBuffer(0, { maxByteLength: bytesOf(LEDGER_LENGTH_MAX) });
  const values = new numbers(memory);
  let length = 0;
  return {
    values,
    length: () => length,
    add: (value: number): void => {
      if (length === LEDGER_LENGTH_MAX) throw new RangeError("The ledger is too long");
      if (length === values.length)
        memory.resize(bytesOf(Math.min(LEDGER_LENGTH_MAX, length + STEP_LENGTH)));
      values[length] = value;
      length += 1;
    },
    // The whole memory behind what crosses is copied, however little of it is used.
    trimmed: (): Column => {
      memory.resize(bytesOf(length));
      return values;
    },
  };
}

/** Values that are equal by their key have one place. */
function createTable<Value>(keyOf: (value: Value) => string) {
  const places = new Map<string, number>();
  // The very values in the table, most of which come again: a key is not made for them.
  const same = new Map<Value, number>();
  const held: Value[] = [];
  return {
    placeOf: (value: Value): number => {
      const seen = same.get(value);
      if (seen !== undefined) return seen;
      const key = keyOf(value);
      const known = places.get(key);
      if (known !== undefined) return known;
      places.set(key, held.length);
      same.set(value, held.length);
      return held.push(value) - 1;
    },
    values: (): readonly Value[] => [...held],
  };
}

/** Returns what numbers texts, equal ones alike, from 0. */
function createNumbering(): (text: string) => number {
  const numbers = new Map<string, number>();
  return (text) => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    numbers.set(text, numbers.size);
    return numbers.size - 1;
  };
}

/** More than twenty-five years of them. */
const DAYS_KNOWN_MAX = 10_000;

/** Returns what reads dates. Those of a ledger are few, and most come again: each is parsed once. */
function createDayReader(): (date: string) => number {
  const known = new Map<string, number>();
  return (date) => {
    let day = known.get(date);
    if (day === undefined) {
      day = Date.parse(`${date}T00:00:00Z`) / DAY_MS;
      if (known.size >= DAYS_KNOWN_MAX) known.clear();
      known.set(date, day);
    }
    return day;
  };
}

interface OpenParty {
  party: LedgerParty;
  /** Place of its latest transaction. */
  latest: number;
}

/** More than there are codes of three letters. */
const CURRENCIES_MAX = 2 ** 15;

/** Parties by numbers: making a text for each transaction would take longer than all else. */
function createParties(inTime: (a: number, b: number) => number) {
  const lines = createNumbering();
  const currencies = createNumbering();
  const places = new Map<number, number>();
  const held: OpenParty[] = [];

  function keyOf({ description, currency, entryType }: LedgerEntry, payee: number): number {
    const ofWhom = payee === NONE ? 2 * lines(lineKey(description)) + 1 : 2 * payee;
    const direction = entryType === "incoming" ? 1 : 0;
    return (2 * ofWhom + direction) * CURRENCIES_MAX + currencies(currency);
  }

  function created(
    { description, currency, entryType }: LedgerEntry,
    counterparty: number,
    place: number,
  ): OpenParty {
    const isLine = counterparty === NONE;
    const first = isLine ? place : NONE;
    const firstLine = isLine ? description : "";
    const latestLine = entryType === "incoming" ? description : "";
    const party = { counterparty, entryType, currency, first, firstLine, latestLine };
    return { party, latest: place };
  }

  function extend(open: OpenParty, { description, entryType }: LedgerEntry, at: number): void {
    const { party, latest } = open;
    if (party.counterparty === NONE && inTime(at, party.first) < 0)
      open.party = { ...open.party, first: at, firstLine: description };
    if (entryType === "incoming" && inTime(at, latest) > 0) {
      open.party = { ...open.party, latestLine: description };
      open.latest = at;
    }
  }

  return {
    placeOf: (entry: LedgerEntry, payee: number, place: number): number => {
      const key = keyOf(entry, payee);
      const known = places.get(key);
      if (known === undefined) {
        places.set(key, held.length);
        return held.push(created(entry, payee, place)) - 1;
      }
      const open = held[known];
      if (open !== undefined) extend(open, entry, place);
      return known;
    },
    values: (): readonly LedgerParty[] => held.map(({ party }) => party),
  };
}
