// What every engine promises about account holders.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AccountHolder, holderTypes } from "../../src/model/account-holder.ts";
import type { HolderQuery } from "../../src/model/account-holder.ts";
import { HOLDER_TYPES } from "../../src/model/transaction.ts";
import { createKnownHolders } from "../../src/ledger/known-holders.ts";
import type { Store } from "../../src/store/collection.ts";
import {
  createHolderRepository,
  type HolderRepository,
} from "../../src/store/repositories/holders.ts";
import { createOrganizationRepository } from "../../src/store/repositories/organizations.ts";
import { HOLDER_SORTS } from "./use-holders.ts";

const holder = (id: string, fields: Partial<AccountHolder> = {}): AccountHolder => ({
  ...{ org: "o", id, type: "consumer", name: null, categoryId: null, createdAt: 1 },
  ...fields,
});

const ALL: HolderQuery = {
  ...{ search: null, isNamed: false, sortBy: "createdAt", direction: "desc" },
  ...{ offset: 0, limit: 100 },
};

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

    const insert = async (...all: readonly AccountHolder[]): Promise<void> => {
      await holders.insertMissing(all, "1");
    };
    const idsOf = async (query: Partial<HolderQuery>, org = "o"): Promise<string[]> =>
      (await holders.search(org, { ...ALL, ...query })).map(({ id }) => id);

    it("a page by number is that part of the whole order: of each sort, in both directions, of one organization", async () => {
      const types = [...HOLDER_TYPES, ...HOLDER_TYPES, ...HOLDER_TYPES];
      const all = types.map((type, index) =>
        holder(`h${String((index * 5) % 12).padStart(2, "0")}`, {
          ...holderTypes(type),
          name: index % 3 === 0 ? null : `N${String(index % 4)}`,
          createdAt: Math.floor(index / 2),
        }),
      );
      await insert(...all, ...all.map((one) => ({ ...one, org: "p", id: `p${one.id}` })));
      const keys = {
        createdAt: (one: AccountHolder) => String(one.createdAt),
        id: (one: AccountHolder) => one.id,
        name: (one: AccountHolder) => one.name ?? "",
        statedType: (one: AccountHolder) => one.statedType ?? one.type,
      };
      for (const sortBy of HOLDER_SORTS) {
        const place = (one: AccountHolder): string => `${keys[sortBy](one)} ${one.id}`;
        const sorted = all.toSorted((a, b) => (place(a) < place(b) ? -1 : 1)).map(({ id }) => id);
        for (const direction of ["asc", "desc"] as const) {
          const expected = direction === "asc" ? sorted : sorted.toReversed();
          const walked: string[] = [];
          for (let offset = 0; offset < 15; offset += 5)
            walked.push(...(await idsOf({ sortBy, direction, offset, limit: 5 })));
          expect([sortBy, walked]).toEqual([sortBy, expected]);
        }
      }
      expect(await idsOf({ offset: 12 })).toEqual([]);
    });

    it("a search finds a part of the id or the name in any letter case, and nothing else", async () => {
      await insert(
        holder("Acme-1", { createdAt: 5 }),
        holder("h2", { name: "The ACME 100% Ltd", createdAt: 4 }),
        holder("h3", { name: "Ünal & Söhne", createdAt: 3 }),
        holder("h4", { createdAt: 2, details: { industry: "acme", website: null, company: null } }),
        holder("acme-2", { org: "p" }),
      );
      expect(await idsOf({ search: "acme" })).toEqual(["Acme-1", "h2"]);
      expect(await idsOf({ search: "acme", isNamed: true })).toEqual(["h2"]);
      expect(await idsOf({ search: "acme", sortBy: "id", direction: "asc", offset: 1 })).toEqual([
        "h2",
      ]);
      expect(await idsOf({ search: "ÜNAL" })).toEqual(["h3"]);
      expect(await idsOf({ search: "100%" })).toEqual(["h2"]);
      expect(await idsOf({ search: "%" })).toEqual(["h2"]);
      expect(await idsOf({ search: "." })).toEqual([]);
      expect(await idsOf({ search: "" })).toEqual(["Acme-1", "h2", "h3", "h4"]);
      expect(await idsOf({ isNamed: true })).toEqual(["h2", "h3"]);
      expect(await idsOf({ search: "acme" }, "p")).toEqual(["acme-2"]);
    });

    it("a holder that is being removed is not listed, and cannot be changed", async () => {
      await insert(holder("h", { name: "first" }));
      await holders.markDeleting("o", "h");
      expect(await idsOf({})).toEqual([]);
      expect(await holders.change("o", "h", { name: "second" }, "v")).toBe(false);
    });

    it("a replacement takes the place of the holder's own fields; the rest, and other holders, stay", async () => {
      const details = {
        ...{ industry: "Bakery", website: "HTTP://Example.com/a" },
        company: { loanState: "done" as const, logo: null },
      };
      const kept = holder("h", { name: "first", categoryId: "set", createdAt: 7 });
      const stored = { ...kept, details };
      await insert(stored, holder("other", { name: "Other" }), holder("h", { org: "p" }));
      expect(await holders.get("o", "h")).toStrictEqual(stored);
      const change = { ...holderTypes("freelance"), name: "Second" };
      expect(await holders.change("o", "h", change, "v")).toBe(true);
      expect(await holders.get("o", "h")).toStrictEqual({ ...kept, ...change });
      expect(await idsOf({ search: "second" })).toEqual(["h"]);
      expect(await idsOf({ search: "first" })).toEqual([]);
      expect(await holders.get("o", "other")).toStrictEqual(holder("other", { name: "Other" }));
      expect(await holders.get("p", "h")).toStrictEqual(holder("h", { org: "p" }));
      const [found] = await holders.getMany("o", ["h"]);
      expect([found?.since, found?.holder.type]).toEqual(["1", "business"]);
    });

    it("a new name is found and the rest stays, also the type that v3 does not have", async () => {
      const stored = holder("h", { ...holderTypes("unknown"), name: "first", categoryId: "set" });
      await insert(stored);
      expect(await holders.change("o", "h", { name: "Second" }, "v")).toBe(true);
      expect(await holders.get("o", "h")).toStrictEqual({ ...stored, name: "Second" });
      expect(await idsOf({ search: "SECOND" })).toEqual(["h"]);
      expect(await holders.change("p", "h", { name: "of another" }, "v")).toBe(false);
    });

    it("each change of a holder is a new version of its organization's holders; of none that is not there", async () => {
      const organizations = createOrganizationRepository(store);
      const versions = (): Promise<string[]> =>
        Promise.all(["o", "p"].map((org) => organizations.holdersVersion(org)));
      await insert(holder("h"));
      const [before, other] = await versions();
      await holders.change("o", "none", { name: "n" }, "v1");
      expect(await versions()).toEqual([before, other]);
      await holders.change("o", "h", { name: "n" }, "v2");
      expect(await versions()).toEqual(["v2", other]);
      await holders.change("o", "h", { ...holderTypes("business"), name: null }, "v3");
      expect(await versions()).toEqual(["v3", other]);
      expect(await organizations.get("o")).toBeNull();
    });

    it("another process that cached a holder reads a changed one anew, and not one of another organization", async () => {
      const organizations = createOrganizationRepository(store);
      const reads: (readonly string[])[] = [];
      const { find } = createKnownHolders({
        versionOf: organizations.holdersVersion,
        getHolders: (org, ids) => {
          reads.push(ids);
          return holders.getMany(org, ids);
        },
      });
      const typeOf = async (org: string): Promise<unknown> =>
        (await find(org, ["h"])).map(({ holder: found }) => [found.type, found.name]);
      await insert(holder("h"), holder("h", { org: "p" }));
      for (const org of ["o", "o", "p", "p"])
        expect(await typeOf(org)).toEqual([["consumer", null]]);
      expect(reads).toHaveLength(2);
      await holders.change("o", "h", { ...holderTypes("freelance"), name: null }, "v1");
      expect(await typeOf("o")).toEqual([["business", null]]);
      await holders.change("o", "h", { name: "New" }, "v2");
      expect(await typeOf("o")).toEqual([["business", "New"]]);
      expect(await typeOf("p")).toEqual([["consumer", null]]);
      expect(reads).toHaveLength(4);
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
