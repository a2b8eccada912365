// What every engine promises about account holders.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AccountHolder, holderTypes } from "../../src/model/account-holder.ts";
import { HOLDER_TYPES } from "../../src/model/transaction.ts";
import type { Store } from "../../src/store/collection.ts";
import {
  createHolderRepository,
  type HolderRepository,
} from "../../src/store/repositories/holders.ts";

const holder = (id: string, fields: Partial<AccountHolder> = {}): AccountHolder => ({
  ...{ org: "o", id, type: "consumer", name: null, categoryId: null, createdAt: 1 },
  ...fields,
});

export function holdersContract(
  name: string,
  open: () => Promise<{ store: Store; close: () => Promise<void> }>,
): void {
  describe(`holders contract: ${name}`, () => {
    let store: Store;
    let holders: HolderRepository;
    let close: () => Promise<void>;
    beforeEach(async () => {
      ({ store, close } = await open());
      holders = createHolderRepository(store);
    });
    afterEach(() => close());

    it("a holder comes back with the type of both APIs, also the types that v3 does not have", async () => {
      for (const type of HOLDER_TYPES) {
        const stored = holder(`h-${type}`, holderTypes(type));
        expect(await holders.insert(stored, "1")).toBe(true);
        expect(await holders.get("o", stored.id)).toStrictEqual(stored);
      }
      expect(await holders.get("o", "h-business")).not.toHaveProperty("statedType");
    });

    it("of many wanted holders those that are missing are inserted, and those that are there stay", async () => {
      await holders.insert(holder("h7", { name: "first" }), "1");
      await holders.insert(holder("h8", { org: "p", name: "of another" }), "1");
      const ids = Array.from({ length: 1_203 }, (_, index) => `h${String(index)}`);
      const wanted = ids.map((id) => holder(id, { ...holderTypes("unknown"), name: "wanted" }));
      await holders.insertMissing([...wanted, holder("h3", { name: "again" })], "2");
      const found = await holders.getMany("o", [...ids, "none"]);
      expect(found).toHaveLength(ids.length);
      const sinceOf = new Map(found.map((one) => [one.holder.id, one.since]));
      expect([sinceOf.get("h7"), sinceOf.get("h8")]).toEqual(["1", "2"]);
      expect(await holders.get("o", "h7")).toStrictEqual(holder("h7", { name: "first" }));
      expect(await holders.get("o", "h3")).toStrictEqual(wanted[3]);
      expect((await holders.get("p", "h8"))?.name).toBe("of another");
      expect(await holders.getMany("p", ids)).toHaveLength(1);
    });

    it("a holder that is being removed is not brought back", async () => {
      await holders.insert(holder("h"), "1");
      const removal = await holders.markDeleting("o", "h");
      await holders.insertMissing([holder("h", { name: "again" })], "2");
      expect(await holders.get("o", "h")).toBeNull();
      expect(await holders.getMany("o", ["h"])).toEqual([]);
      if (removal === null) throw new Error("The holder should be there");
      await holders.remove(removal);
      await holders.insertMissing([holder("h", { name: "again" })], "2");
      expect((await holders.get("o", "h"))?.name).toBe("again");
    });
  });
}
