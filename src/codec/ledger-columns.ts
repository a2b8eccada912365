// A ledger by column, for the thread that finds what recurs in it: some 25 bytes and the descriptor for each transaction, where
// objects would take several hundred, and arrays of numbers cross to the thread as blocks of memory.
import type { LedgerColumns, LedgerCounterparty, LedgerEntry } from "../model/recurrence.ts";

export interface LedgerColumnsBuilder {
  /** Appends a transaction: its place is the number of those before it. */
  add(entry: LedgerEntry): void;
  /** The columns of the transactions so far; what is added later is not in them. */
  columns(): LedgerColumns;
}

type Numbers = Int32Array | Float64Array | Uint8Array | Uint16Array | Int16Array;

const DAY_MS = 86_400_000;
/** Most ledgers have fewer transactions, and no column grows. */
const LENGTH_AT_FIRST = 512;
/** In place of a value that is not known. */
const NONE = -1;

export function createLedgerColumns(): LedgerColumnsBuilder {
  const days = createColumn((length) => new Int32Array(length));
  const amounts = createColumn((length) => new Float64Array(length));
  const incoming = createColumn((length) => new Uint8Array(length));
  const currencies = createColumn((length) => new Uint16Array(length));
  const counterparties = createColumn((length) => new Int32Array(length));
  const categories = createColumn((length) => new Int16Array(length));
  const descriptions: string[] = [];
  const currencyTable = createTable<string>((currency) => currency);
  const counterpartyTable = createTable(counterpartyKey);
  const categoryTable = createTable<string>((category) => category);
  return {
    add: (entry) => {
      const { counterparty, category } = entry;
      days.add(Date.parse(`${entry.date}T00:00:00Z`) / DAY_MS);
      amounts.add(entry.amount);
      incoming.add(entry.entryType === "incoming" ? 1 : 0);
      currencies.add(currencyTable.placeOf(entry.currency));
      counterparties.add(counterparty === null ? NONE : counterpartyTable.placeOf(counterparty));
      categories.add(category === null ? NONE : categoryTable.placeOf(category));
      descriptions.push(entry.description);
    },
    columns: () => ({
      days: days.values(),
      amounts: amounts.values(),
      incoming: incoming.values(),
      currencies: currencies.values(),
      counterparties: counterparties.values(),
      categories: categories.values(),
      descriptions: [...descriptions],
      currencyTable: currencyTable.values(),
      counterpartyTable: counterpartyTable.values(),
      categoryTable: categoryTable.values(),
    }),
  };
}

/** YYYY-MM-DD of a day of the columns. */
export const dateOfDay = (day: number): string =>
  new Date(day * DAY_MS).toISOString().slice(0, "YYYY-MM-DD".length);

const counterpartyKey = ({ id, name, website, type }: LedgerCounterparty): string =>
  JSON.stringify([id, name, website, type]);

/** Numbers that grow in blocks of memory, each twice as long as the one before it. */
function createColumn<Column extends Numbers>(create: (length: number) => Column) {
  let held = create(LENGTH_AT_FIRST);
  let length = 0;
  return {
    add: (value: number): void => {
      if (length === held.length) {
        const longer = create(length * 2);
        longer.set(held);
        held = longer;
      }
      held[length] = value;
      length += 1;
    },
    // A copy, because the whole memory behind what crosses is copied, however little of it is shown.
    values: (): Column => held.slice(0, length) as Column,
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
