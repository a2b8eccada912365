import { expect, test } from "vitest";
import type { ParsedRow, ParsedTransaction } from "../enrich/parsed-file.ts";
import { type CollectedTransactions, collect } from "./transactions.ts";

const COFFEE: ParsedTransaction = {
  date: "2024-05-17",
  amount: "-4.50",
  entryType: "outgoing",
  currency: "USD",
  description: "COFFEE",
  counterparty: null,
  id: null,
  account: "1",
  bankType: null,
  bankCategory: null,
  unknownStatus: null,
  joinedDescription: null,
  status: "booked",
  country: null,
  address: null,
};

async function collected(
  changes: readonly Partial<ParsedTransaction>[],
  holder = "h",
): Promise<CollectedTransactions> {
  async function* rows(): AsyncGenerator<ParsedRow, void> {
    for (const [at, change] of changes.entries()) {
      const transaction = { ...COFFEE, ...change };
      yield await Promise.resolve({ line: at + 1, cells: [], reading: { ok: true, transaction } });
    }
  }
  return collect(rows(), holder);
}

const idOf = async (change: Partial<ParsedTransaction>, holder?: string): Promise<string> =>
  (await collected([change], holder)).transactions[0]?.id ?? "";

test("equal entries differ by position, and keep their ids in a longer file", async () => {
  const short = await collected([{}, {}]);
  const long = await collected([{ date: "2024-05-16" }, {}, {}, {}]);
  const ids = long.transactions.map(({ id }) => id);
  expect(new Set(ids).size).toBe(4);
  expect(short.transactions.map(({ id }) => id)).toEqual(ids.slice(1, 3));
});

test("what makes another transaction makes another id", async () => {
  const same = await idOf({});
  expect(await idOf({ amount: "-4.5" })).toBe(same);
  expect(await idOf({ id: "F1" })).toBe(await idOf({ id: "F1", description: "Coffee Bar" }));
  const others = [
    { date: "2024-05-18" },
    { amount: "-45.0" },
    { amount: "4.50" },
    { currency: "EUR" },
  ];
  const changed = [
    ...others,
    { account: "2" },
    { description: "TEA" },
    { id: "F1" },
    { id: "COFFEE" },
  ];
  for (const change of changed) expect(await idOf(change)).not.toBe(same);
  expect(await idOf({}, "other")).not.toBe(same);
});

test("what is not booked is counted and not sent", async () => {
  const { transactions, notBooked } = await collected([
    { status: "pending" },
    { status: "information" },
    {},
  ]);
  expect([transactions.length, notBooked]).toEqual([1, 2]);
});
