import { expect, it } from "vitest";
import type { LedgerCounterparty, LedgerEntry } from "../model/recurrence.ts";
import { createLedgerColumns, dateOfDay } from "./ledger-columns.ts";

const netflix: LedgerCounterparty = {
  id: "n",
  name: "Netflix",
  website: "netflix.com",
  type: "organization",
};

const entry = (fields: Partial<LedgerEntry> = {}): LedgerEntry => ({
  date: "2026-01-31",
  amount: 15.49,
  entryType: "outgoing",
  currency: "USD",
  description: "NETFLIX.COM",
  counterparty: netflix,
  category: "media",
  ...fields,
});

const columnsOf = (...entries: readonly LedgerEntry[]) => {
  const builder = createLedgerColumns();
  for (const one of entries) builder.add(one);
  return builder.columns();
};

it("every field of a transaction is in its column, at the place of the transaction", () => {
  const person = { id: null, name: "Ada", website: null, type: "person" } as const;
  const columns = columnsOf(
    entry(),
    entry({ date: "1970-01-01", entryType: "incoming", currency: "EUR", counterparty: person }),
    entry({ amount: 0, counterparty: null, category: null, description: "" }),
  );
  expect(columns).toEqual({
    days: Int32Array.of(20_484, 0, 20_484),
    amounts: Float64Array.of(15.49, 15.49, 0),
    incoming: Uint8Array.of(0, 1, 0),
    currencies: Uint16Array.of(0, 1, 0),
    counterparties: Int32Array.of(0, 1, -1),
    categories: Int16Array.of(0, 0, -1),
    descriptions: ["NETFLIX.COM", "NETFLIX.COM", ""],
    currencyTable: ["USD", "EUR"],
    counterpartyTable: [netflix, person],
    categoryTable: ["media"],
  });
});

it("equal counterparties have one place, those that differ in any field have others", () => {
  const { counterparties, counterpartyTable } = columnsOf(
    entry(),
    entry({ counterparty: { ...netflix } }),
    entry({ counterparty: { ...netflix, id: null } }),
    entry({ counterparty: { ...netflix, website: null } }),
    entry({ counterparty: { ...netflix, type: "person" } }),
    entry({ counterparty: { ...netflix, name: "Netflix Inc." } }),
  );
  expect([...counterparties]).toEqual([0, 0, 1, 2, 3, 4]);
  expect(counterpartyTable).toHaveLength(5);
});

it("a ledger that is longer than the first block of memory keeps every value", () => {
  const length = 5_000;
  const builder = createLedgerColumns();
  for (let i = 0; i < length; i += 1) builder.add(entry({ amount: i, description: String(i) }));
  const columns = builder.columns();
  const places = Array.from({ length }, (_, i) => i);
  expect([...columns.amounts]).toEqual(places);
  expect(columns.descriptions).toEqual(places.map(String));
});

it("columns hold no more memory than their transactions, and do not change later", () => {
  const builder = createLedgerColumns();
  builder.add(entry());
  const columns = builder.columns();
  builder.add(entry({ currency: "EUR" }));
  expect(columns.days.buffer.byteLength).toBe(Int32Array.BYTES_PER_ELEMENT);
  expect([columns.amounts.length, columns.descriptions.length]).toEqual([1, 1]);
  expect(columns.currencyTable).toEqual(["USD"]);
  expect(builder.columns().currencyTable).toEqual(["USD", "EUR"]);
});

it.each(["0001-01-01", "0099-12-31", "1969-12-31", "1970-01-01", "2024-02-29", "2099-12-31"])(
  "the date %s comes back from its column",
  (date) => {
    const { days } = columnsOf(entry({ date }));
    expect(dateOfDay(days[0] ?? NaN)).toBe(date);
  },
);

it("an empty ledger has empty columns", () => {
  const columns = columnsOf();
  for (const column of Object.values(columns)) expect(column).toHaveLength(0);
});
