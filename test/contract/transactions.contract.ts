// What every engine promises about deleted transactions and submissions that are still on their way.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { afterRecord, itemOrder, recordOrder } from "../../src/domain/acceptance-order.ts";
import type { LedgerTransaction } from "../../src/domain/ledger-transaction.ts";
import type { Store } from "../../src/store/collection.ts";
import {
  createTransactionRepository,
  type TransactionRepository,
} from "../../src/store/transactions.ts";

function accepted(offset: number, accountHolderId: string | null): LedgerTransaction {
  return {
    org: "o",
    input: {
      id: "t",
      description: "",
      date: "2024-01-01",
      amount: offset,
      entryType: "outgoing",
      currency: "USD",
      accountHolderId,
      location: null,
    },
    createdAt: offset,
    order: itemOrder(recordOrder(offset), 0),
    facts: "{}",
    error: null,
  };
}

export function transactionsContract(
  name: string,
  open: () => Promise<{ store: Store; close: () => Promise<void> }>,
): void {
  describe(`transactions contract: ${name}`, () => {
    let store: Store;
    let transactions: TransactionRepository;
    let close: () => Promise<void>;
    beforeEach(async () => {
      ({ store, close } = await open());
      transactions = createTransactionRepository(store);
    });
    afterEach(() => close());

    const arrive = (offset: number, holder: string | null): Promise<unknown> =>
      store.write(transactions.upsertSteps([accepted(offset, holder)]));
    const bury = (offset: number, holder: string | null): Promise<void> =>
      transactions.bury(
        "o",
        ["t"],
        afterRecord(recordOrder(offset)),
        { accountHolderId: holder },
        true,
      );
    const amount = async (): Promise<number | null> =>
      (await transactions.get("o", "t"))?.input.amount ?? null;

    it("a deletion reaches what was accepted before it and arrives after it, also for an id deleted before", async () => {
      await bury(2, "h");
      await arrive(1, "h");
      expect(await amount()).toBeNull();
      await bury(4, "h");
      await arrive(3, "h");
      expect(await amount()).toBeNull();
      await arrive(5, "h");
      expect(await amount()).toBe(5);
    });

    it("a deletion for one holder leaves what is another's", async () => {
      await arrive(1, "other");
      await bury(2, "h");
      expect(await amount()).toBe(1);
    });

    it("a holder's removal keeps older submissions from coming back and lets later ones through", async () => {
      await arrive(3, "h");
      expect(await transactions.removeOfHolder("o", "h", recordOrder(0), 10)).toBe(1);
      expect(await transactions.removeOfHolder("o", "h", recordOrder(0), 10)).toBe(0);
      await arrive(2, null);
      expect(await amount()).toBeNull();
      await arrive(4, null);
      expect(await amount()).toBe(4);
    });

    it("tombstones go when the log is past them, and never take a living transaction along", async () => {
      await bury(2, null);
      expect(await transactions.removeTombstones(recordOrder(2), 10)).toBe(0);
      expect(await transactions.removeTombstones(recordOrder(3), 10)).toBe(1);
      await bury(4, null);
      await arrive(5, null);
      expect(await transactions.removeTombstones(recordOrder(9), 10)).toBe(1);
      expect(await amount()).toBe(5);
    });
  });
}
