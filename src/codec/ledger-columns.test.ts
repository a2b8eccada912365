import { serialize } from "node:v8";
import { describe, expect, it } from "vitest";
import { LEDGER_LENGTH_MAX } from "../model/ledger-group.ts";
import type { LedgerCounterparty, LedgerEntry } from "../model/recurrence.ts";
import { createLedgerColumns, dateOfDay, timeOrder } from "./ledger-columns.ts";
import { idNumber } from "./ledger-lines.ts";

const netflix: LedgerCounterparty = {
  id: "n",
  name: "Netflix",
  website: "netflix.com",
  type: "organization",
};

const entry = (fields: Partial<LedgerEntry> = {}): LedgerEntry => ({
  id: "t",
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
    entry({ id: "a" }),
    entry({
      ...{ id: "b", date: "1970-01-01", entryType: "incoming", currency: "EUR" },
      ...{ counterparty: person, description: "FROM ADA" },
    }),
    entry({ id: "c", amount: 0, counterparty: null, category: null, description: "ACME DDR 1" }),
  );
  expect(columns).toEqual({
    ids: Float64Array.of(idNumber("a"), idNumber("b"), idNumber("c")),
    days: Int32Array.of(20_484, 0, 20_484),
    amounts: Float64Array.of(15.49, 15.49, 0),
    parties: Int32Array.of(0, 1, 2),
    categories: Int16Array.of(0, 0, -1),
    mandates: Uint8Array.of(0, 0, 1),
    partyTable: [
      {
        ...{ counterparty: 0, entryType: "outgoing", currency: "USD" },
        ...{ first: -1, firstLine: "", latestLine: "" },
      },
      {
        ...{ counterparty: 1, entryType: "incoming", currency: "EUR" },
        ...{ first: -1, firstLine: "", latestLine: "FROM ADA" },
      },
      {
        ...{ counterparty: -1, entryType: "outgoing", currency: "USD" },
        ...{ first: 2, firstLine: "ACME DDR 1", latestLine: "" },
      },
    ],
    counterpartyTable: [netflix, person],
    categoryTable: ["media"],
  });
});

it("equal counterparties have one place, those that differ in any field have others", () => {
  const { parties, counterpartyTable } = columnsOf(
    entry(),
    entry({ counterparty: { ...netflix } }),
    entry({ counterparty: { ...netflix, id: null } }),
    entry({ counterparty: { ...netflix, website: null } }),
    entry({ counterparty: { ...netflix, type: "person" } }),
    entry({ counterparty: { ...netflix, name: "Netflix Inc." } }),
  );
  expect([...parties]).toEqual([0, 0, 1, 2, 3, 4]);
  expect(counterpartyTable).toHaveLength(5);
});

describe("of lines without a counterparty that differ in references alone", () => {
  const line = (date: string, description: string, isIncoming = false): LedgerEntry =>
    entry({
      date,
      description,
      counterparty: null,
      entryType: isIncoming ? "incoming" : "outgoing",
    });

  it("the text of the earliest is kept, and of incoming ones that of the latest too", () => {
    const lines = [
      line("2026-02-05", "ACME 2"),
      line("2026-01-05", "ACME 1"),
      line("2026-02-05", "ACME 12", true),
      line("2026-03-05", "ACME 13", true),
      line("2026-01-05", "ACME 11", true),
    ];
    const { parties, partyTable } = columnsOf(...lines);
    expect([...parties]).toEqual([0, 0, 1, 1, 1]);
    expect(partyTable).toMatchObject([
      { first: 1, firstLine: "ACME 1", latestLine: "" },
      { first: 4, firstLine: "ACME 11", latestLine: "ACME 13" },
    ]);
  });
});

it("a ledger that is longer than the first block of memory keeps every value", () => {
  const length = 10_000;
  const builder = createLedgerColumns();
  for (let i = 0; i < length; i += 1) builder.add(entry({ amount: i, id: String(i) }));
  expect(builder.length()).toBe(length);
  const columns = builder.columns();
  const places = Array.from({ length }, (_, i) => i);
  expect([...columns.amounts]).toEqual(places);
  expect([...columns.ids]).toEqual(places.map((place) => idNumber(String(place))));
});

describe("the memory of a transaction", () => {
  /** What crosses to a thread, in bytes. */
  function bytesOf(length: number, isNamed: boolean): number {
    const builder = createLedgerColumns();
    for (let at = 0; at < length; at += 1) {
      const { name, ...others } = netflix;
      const payee = `${name} ${String(at % 50)}`;
      builder.add(
        entry({
          id: `a long id of a transaction ${String(at)}`,
          description: `A LONG TEXT OF A BANK WITH REFERENCE ${String(at)} FOR A CUSTOMER ${String(at)}`,
          entryType: at % 3 === 0 ? "incoming" : "outgoing",
          counterparty: isNamed ? { ...others, name: payee } : null,
        }),
      );
    }
    return serialize(builder.columns()).byteLength;
  }

  it.each([
    ["with counterparties", true],
    ["of which nothing is recognised", false],
  ])("%s is 27 bytes, however long its id and its text are", (_, isNamed) => {
    const added = 20_000;
    const grown = bytesOf(5_000 + added, isNamed) - bytesOf(5_000, isNamed);
    expect(grown / added).toBeCloseTo(27, 1);
  });
});

it("no more transactions are taken than a ledger may have", () => {
  const builder = createLedgerColumns();
  const one = entry();
  for (let at = 0; at < LEDGER_LENGTH_MAX; at += 1) builder.add(one);
  expect(() => {
    builder.add(one);
  }).toThrow(RangeError);
});

it("transactions are in the order of their days, amounts and ids", () => {
  const later = entry({ date: "2026-02-01", amount: 1 });
  const [one, other] = ["x", "y"].toSorted((a, b) => idNumber(a) - idNumber(b));
  const columns = columnsOf(
    later,
    entry({ id: other ?? "" }),
    entry({ id: one ?? "" }),
    entry({ amount: 3 }),
  );
  expect([0, 1, 2, 3].toSorted(timeOrder(columns))).toEqual([3, 2, 1, 0]);
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
