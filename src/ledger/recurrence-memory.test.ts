// What stays of a ledger while what recurs in it is found, however long it is.
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import type { WalkedTransaction } from "../model/ledger-transaction.ts";
import { createRecurrence } from "./recurrence.ts";

setFlagsFromString("--expose_gc");
const collectGarbage = runInNewContext("gc") as () => void;

const PAGES = 20;

/** What of these is still reachable. */
async function reachable(seen: readonly WeakRef<object>[]): Promise<number> {
  // What a WeakRef was asked for stays until the turn ends.
  await nextTurn();
  collectGarbage();
  return seen.filter((one) => one.deref() !== undefined).length;
}

it("no transaction is held but those of the page that is read, and no page of ids", async () => {
  const seen: WeakRef<object>[] = [];
  const held: number[] = [];
  const row = (id: string): WalkedTransaction => ({
    ...{ id, date: "2026-01-31", amount: 15.49, entryType: "outgoing", currency: "USD" },
    ...{ description: `LINE ${id}`, facts: null, label: null, isCorrected: false },
  });
  const idsOf = (page: number, size: number): string[] =>
    Array.from({ length: size }, (_, at) => `${String(page)}-${String(at)}`);
  async function* pagesOf<Page extends object>(make: (page: number) => Page): AsyncGenerator<Page> {
    const before = seen.length;
    for (let page = 0; page < PAGES; page += 1) {
      if (page === PAGES - 1) held.push(await reachable(seen.slice(before)));
      const made = make(page);
      seen.push(new WeakRef(made));
      yield made;
    }
  }
  const recurrence = createRecurrence({
    getHolder: (org, id) =>
      Promise.resolve({ org, id, type: "consumer", name: null, categoryId: null, createdAt: 0 }),
    ledgerVersion: () => Promise.resolve("1"),
    walkLedger: (_org, _id, size) => pagesOf((page) => idsOf(page, size).map(row)),
    walkIds: (_org, _id, size) => pagesOf((page) => idsOf(page, size)),
    getTransactions: () => Promise.resolve([]),
    findRecurrence: async (_org, { ids }) => {
      held.push(await reachable(seen));
      const members = [0, ids.length - 1];
      return {
        groups: [],
        income: [
          {
            ...{ members, incomeType: "salary", payFrequency: null, totalAmount: 1, next: null },
            isActive: true,
          },
        ],
      };
    },
  });
  const found = await recurrence.groups("o", "h");
  expect(found.ok && found.income[0]?.transactionIds).toEqual(["0-0", "19-499"]);
  const [rows = NaN, beforeThread = NaN, ids = NaN] = held;
  expect(Math.max(rows, ids)).toBeLessThanOrEqual(1);
  expect(beforeThread).toBe(0);
});
