// What every engine promises about the statistics of ledgers whose transactions are corrected, assigned and deleted.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  afterRecord,
  itemOrder,
  nextRevision,
  recordOrder,
} from "../../src/model/acceptance-order.ts";
import type { AmountStatistics } from "../../src/model/ledger-page.ts";
import type { LedgerTransaction } from "../../src/model/ledger-transaction.ts";
import { createLedgerPages, type LedgerPages } from "../../src/ledger/ledger-pages.ts";
import type { Store } from "../../src/store/collection.ts";
import { createBatchRepository } from "../../src/store/repositories/batches.ts";
import { createEventRepository } from "../../src/store/repositories/events.ts";
import { createHolderRepository } from "../../src/store/repositories/holders.ts";
import { createLedgerPageRepository } from "../../src/store/repositories/ledger-pages.ts";
import { createOrganizationRepository } from "../../src/store/repositories/organizations.ts";
import {
  createTransactionRepository,
  type TransactionRepository,
} from "../../src/store/repositories/transactions.ts";
import { createLedgerWrites, type LedgerWrites } from "../../src/store/repositories/writes.ts";
import { createRandom } from "../support/random.ts";

const HOLDERS = ["g", "h"] as const;
const LABELS = ["rent", "pets", "pets || travel"] as const;
const ALL_DATES = { from: null, until: null };

const factsOf = (general: string): string =>
  JSON.stringify({
    entities: { counterparty: null, intermediaries: [] },
    categories: { general, accounting: null },
    location: null,
  });

/** What the statistics are compared with: amounts in whole cents. */
interface Expected {
  readonly holder: string;
  readonly cents: number;
  readonly label: string;
}

export function statisticsContract(
  name: string,
  open: () => Promise<{ store: Store; close: () => Promise<void> }>,
): void {
  describe(`statistics contract: ${name}`, () => {
    let transactions: TransactionRepository;
    let writes: LedgerWrites;
    let pages: LedgerPages;
    let store: Store;
    let close: () => Promise<void>;
    let offset = 0;
    beforeEach(async () => {
      ({ store, close } = await open());
      offset = 0;
      transactions = createTransactionRepository(store);
      const holders = createHolderRepository(store);
      writes = createLedgerWrites(store, {
        ...{ holders, transactions },
        batches: createBatchRepository(store),
        events: createEventRepository(store),
        organizations: createOrganizationRepository(store),
      });
      const rows = createLedgerPageRepository(store);
      pages = createLedgerPages({
        getHolder: holders.get,
        countTransactions: transactions.countOfHolder,
        pageIds: rows.ids,
        getTransactions: transactions.getMany,
        transactionsAmong: rows.among,
        amounts: rows.amounts,
      });
      for (const id of HOLDERS)
        await holders.insert(
          { org: "o", id, type: "consumer", name: null, categoryId: null, createdAt: 1 },
          "0",
        );
    });
    afterEach(() => close());

    const nextOrder = (): string => itemOrder(recordOrder((offset += 1)), 0);
    const submit = async (id: string, { holder, cents, label }: Expected): Promise<void> => {
      const row: LedgerTransaction = {
        ...{ org: "o", createdAt: offset + 1, order: nextOrder() },
        ...{ facts: factsOf(label), error: null, override: null },
        input: {
          ...{ id, description: "", date: "2026-01-02", amount: cents / 100 },
          ...{ entryType: "outgoing", currency: "USD", accountHolderId: holder, location: null },
        },
      };
      await store.apply(transactions.upsertSteps([row]));
    };
    /** Replaces the transaction as it is now, as an assignment and a correction do. */
    const revise = async (
      id: string,
      change: (row: LedgerTransaction) => Partial<LedgerTransaction>,
    ): Promise<void> => {
      const row = await transactions.get("o", id);
      if (row === null) throw new Error("The transaction does not exist");
      const revised = { ...row, order: nextRevision(row.order), ...change(row) };
      const basedOn = { id, order: row.order };
      const outcome = await writes.storeChunk({
        ...{ org: "o", transactions: [revised], basedOn, seen: [], read: null, batch: null },
      });
      if (outcome !== "stored") throw new Error(`It is ${outcome}`);
    };
    const correct = (id: string, label: string): Promise<void> =>
      revise(id, () => ({
        facts: factsOf(label),
        override: { categories: { general: label, accounting: null } },
      }));
    const assign = (id: string, holder: string): Promise<void> =>
      revise(id, ({ input }) => ({ input: { ...input, accountHolderId: holder } }));
    const remove = (id: string): Promise<void> => {
      const order = afterRecord(recordOrder((offset += 1)));
      return transactions.writeTombstones("o", [id], order, { accountHolderId: null }, false);
    };

    /** Number and sum of what was paid, by label, and of all under `*`. */
    const shown = async (holder: string): Promise<Record<string, unknown>> => {
      const found = await pages.statistics("o", holder, ALL_DATES, new Set(["overall", "label"]));
      if (found?.overall == null || found.byLabel === null)
        throw new Error("The account holder does not exist");
      const paid = ({ outgoing }: AmountStatistics): unknown => {
        const { count = 0, sum = 0, min = 0, max = 0 } = outgoing.get("USD") ?? {};
        return [count, sum, min, max];
      };
      const byLabel = [...found.byLabel].map(([label, sides]) => [label, paid(sides)]);
      return { "*": paid(found.overall), ...(Object.fromEntries(byLabel) as object) };
    };
    const expectedOf = (holder: string, all: Iterable<Expected>): Record<string, unknown> => {
      const amounts = new Map<string, number[]>([["*", []]]);
      for (const { holder: owner, cents, label } of all)
        for (const key of owner === holder ? ["*", ...label.split(" || ")] : [])
          amounts.set(key, [...(amounts.get(key) ?? []), cents]);
      return Object.fromEntries(
        [...amounts].map(([key, cents]) => [
          key,
          cents.length === 0
            ? [0, 0, 0, 0]
            : [
                cents.length,
                cents.reduce((sum, one) => sum + one, 0) / 100,
                Math.min(...cents) / 100,
                Math.max(...cents) / 100,
              ],
        ]),
      );
    };

    it("a corrected label takes its amount along, an assigned transaction leaves the old ledger, a deleted one is gone", async () => {
      // 0.1 + 0.2 is 0.30000000000000004 in binary fractions.
      for (const [id, cents] of [
        ["a", 10],
        ["b", 20],
        ["c", 1_549],
      ] as const)
        await submit(id, { holder: "h", cents, label: "pets" });
      const none = { "*": [0, 0, 0, 0] };
      expect(await shown("h")).toEqual({
        "*": [3, 15.79, 0.1, 15.49],
        pets: [3, 15.79, 0.1, 15.49],
      });
      await correct("c", "rent");
      expect(await shown("h")).toEqual({
        "*": [3, 15.79, 0.1, 15.49],
        pets: [2, 0.3, 0.1, 0.2],
        rent: [1, 15.49, 15.49, 15.49],
      });
      expect(await shown("g")).toEqual(none);
      await assign("c", "g");
      await assign("a", "g");
      expect(await shown("h")).toEqual({ "*": [1, 0.2, 0.2, 0.2], pets: [1, 0.2, 0.2, 0.2] });
      expect(await shown("g")).toEqual({
        "*": [2, 15.59, 0.1, 15.49],
        pets: [1, 0.1, 0.1, 0.1],
        rent: [1, 15.49, 15.49, 15.49],
      });
      await correct("a", "pets || travel");
      expect(await shown("g")).toMatchObject({
        "*": [2, 15.59, 0.1, 15.49],
        pets: [1, 0.1, 0.1, 0.1],
        travel: [1, 0.1, 0.1, 0.1],
      });
      for (const id of ["b", "c", "a"]) await remove(id);
      expect([await shown("h"), await shown("g")]).toEqual([none, none]);
    });

    it("after any submissions, corrections, assignments and deletions sums are exact to the cent", async () => {
      const random = createRandom(20_261_126);
      const all = new Map<string, Expected>();
      for (let step = 0; step < 150; step += 1) {
        const id = `t${String(random.integer(0, 24))}`;
        const before = all.get(id);
        const kind =
          before === undefined ? "submit" : random.pick(["correct", "assign", "delete", "submit"]);
        const cents = random.integer(0, 999_999);
        if (before === undefined || kind === "submit") {
          const one = { holder: random.pick(HOLDERS), cents, label: random.pick(LABELS) };
          // A correction is kept until the transaction is deleted: what replaces it is read from it elsewhere.
          if (before !== undefined) await remove(id);
          await submit(id, one);
          all.set(id, one);
        } else if (kind === "correct") {
          const label = random.pick(LABELS);
          await correct(id, label);
          all.set(id, { ...before, label });
        } else if (kind === "assign") {
          const holder = random.pick(HOLDERS);
          await assign(id, holder);
          all.set(id, { ...before, holder });
        } else {
          await remove(id);
          all.delete(id);
        }
      }
      for (const holder of HOLDERS)
        expect(await shown(holder)).toEqual(expectedOf(holder, all.values()));
      expect(all.size).toBeGreaterThan(10);
    });
  });
}
