// What every engine promises about applying settings to stored transactions, and about whether settings have changed.
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { itemOrder, nextRevision, recordOrder } from "../../src/model/acceptance-order.ts";
import type { LedgerTransaction } from "../../src/model/ledger-transaction.ts";
import { COMMAND_LINE } from "../../src/model/audit.ts";
import { REAPPLICATION_KEPT_MS, type StoredReapplication } from "../../src/model/reapplication.ts";
import type { Store } from "../../src/store/collection.ts";
import { createOrganizationRepository } from "../../src/store/repositories/organizations.ts";
import { createAuditRepository } from "../../src/store/repositories/audit.ts";
import {
  createReapplicationRepository,
  type ReapplicationRepository,
} from "../../src/store/repositories/reapplications.ts";
import { createTransactionRepository } from "../../src/store/repositories/transactions.ts";

const begun = (org: string, id: string): StoredReapplication => ({
  org,
  id,
  createdAt: 10,
  updatedAt: 10,
  status: "running",
  total: 3,
  progress: 0,
  changed: 0,
  after: null,
});

const transaction = (id: string, offset: number): LedgerTransaction => ({
  org: "o",
  input: {
    id,
    description: "",
    date: "2024-01-01",
    amount: 1,
    entryType: "outgoing",
    currency: "USD",
    accountHolderId: null,
    location: null,
  },
  createdAt: offset,
  order: itemOrder(recordOrder(offset), 0),
  facts: '{"b":1,"a":[true,null,"ü"]}',
  error: null,
  override: null,
});

export function reapplicationsContract(
  name: string,
  open: () => Promise<{ store: Store; close: () => Promise<void> }>,
): void {
  describe(`reapplications contract: ${name}`, () => {
    let store: Store;
    let reapplications: ReapplicationRepository;
    let close: () => Promise<void>;
    beforeEach(async () => {
      ({ store, close } = await open());
      reapplications = createReapplicationRepository(store);
    });
    afterEach(() => close());

    const insert = (one: StoredReapplication): Promise<boolean> =>
      reapplications.insert(one, {
        ...{ ...COMMAND_LINE, org: one.org, id: randomUUID(), createdAt: one.createdAt },
        ...{ action: "reapplication.created", subject: one.id, details: {} },
      });

    it("an organization has one running job, under parallel calls too", async () => {
      const ids = ["a", "b", "c", "d", "e"];
      const outcomes = await Promise.all(ids.map((id) => insert(begun("o", id))));
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      const id = ids[outcomes.indexOf(true)] ?? "";
      expect(await insert(begun("o", id))).toBe(true);
      expect(await insert(begun("other", "x"))).toBe(true);
      const page = { limit: 10, createdAfter: null, createdBefore: null, after: null };
      const entries = await createAuditRepository(store).list("o", { action: null }, page);
      expect(entries.rows).toMatchObject([{ action: "reapplication.created", subject: id }]);
      expect(await reapplications.get("o", id)).toEqual(begun("o", id));
      expect(await reapplications.get("other", id)).toBeNull();
      expect(await reapplications.running("o")).toEqual(begun("o", id));
      expect(await reapplications.running("unknown")).toBeNull();
      await reapplications.claim("me", 100, 200);
      await reapplications.claim("me", 100, 200);
      const ended = { ...begun("o", id), status: "completed" } as const;
      await store.write([reapplications.progressStep(ended, "me", 300)]);
      expect(await reapplications.running("o")).toBeNull();
      expect(await insert(begun("o", "next"))).toBe(true);
    });

    it("each goes to one worker at a time, to another when the first is silent, and never when it has ended", async () => {
      await insert(begun("o", "a"));
      const claims = await Promise.all(
        ["one", "two", "three"].map((holder) => reapplications.claim(holder, 100, 200)),
      );
      expect(claims.filter((claimed) => claimed !== null)).toEqual([begun("o", "a")]);
      expect(await reapplications.claim("late", 199, 300)).toBeNull();
      expect(await reapplications.claim("late", 200, 300)).toEqual(begun("o", "a"));
      const next = {
        ...begun("o", "a"),
        progress: 2,
        changed: 1,
        after: { createdAt: 5, tie: "x" },
      };
      for (const holder of ["one", "two", "three"]) {
        const stolen = await store.write([reapplications.progressStep(next, holder, 400)]);
        expect(stolen.ok).toBe(false);
      }
      expect((await store.write([reapplications.progressStep(next, "late", 400)])).ok).toBe(true);
      expect(await reapplications.get("o", "a")).toEqual(next);
      // Released: the next caller gets the next page.
      expect(await reapplications.claim("other", 400, 500)).toEqual(next);
      expect((await store.write([reapplications.progressStep(next, "late", 410)])).ok).toBe(false);
      const ended = { ...next, status: "completed" } as const;
      expect((await store.write([reapplications.progressStep(ended, "other", 500)])).ok).toBe(true);
      expect(await reapplications.claim("late", 10_000, 20_000)).toBeNull();
      expect(await reapplications.get("o", "a")).toEqual(ended);
    });

    it("a claim that its holder renews is held for longer, and one of another holder is not renewed", async () => {
      const one = begun("o", "a");
      await insert(one);
      await reapplications.claim("me", 100, 200);
      expect(await reapplications.renew(one, "me", 300)).toBe(true);
      expect(await reapplications.claim("other", 250, 350)).toBeNull();
      expect(await reapplications.claim("other", 300, 400)).toEqual(one);
      expect(await reapplications.renew(one, "me", 900)).toBe(false);
      expect(await reapplications.claim("me", 400, 500)).toEqual(one);
    });

    it("those of several organizations get their turn, the one that has waited longest first", async () => {
      for (const org of ["a", "b", "c"]) await insert(begun(org, `r-${org}`));
      const turns: string[] = [];
      for (let nowMs = 100; nowMs < 106; nowMs += 1) {
        const claimed = await reapplications.claim("me", nowMs, nowMs + 50);
        if (claimed === null) throw new Error("nothing to do");
        turns.push(claimed.org);
        await store.write([reapplications.progressStep(claimed, "me", nowMs)]);
      }
      expect(turns.slice(0, 3).sort()).toEqual(["a", "b", "c"]);
      expect(turns.slice(3)).toEqual(turns.slice(0, 3));
    });

    it("what another process had is free after a release, of all organizations, and what has ended is not begun anew", async () => {
      for (const org of ["a", "b", "c"]) await insert(begun(org, `r-${org}`));
      const held = [await reapplications.claim("dead", 1, 9_000)];
      held.push(await reapplications.claim("dead", 1, 9_000));
      const [over] = held;
      if (over == null) throw new Error("nothing to do");
      await store.write([reapplications.progressStep({ ...over, status: "completed" }, "dead", 2)]);
      await reapplications.release();
      const claimed = [
        await reapplications.claim("new", 3, 50),
        await reapplications.claim("new", 3, 50),
        await reapplications.claim("new", 3, 50),
      ].map((one) => one?.org ?? null);
      const others = ["a", "b", "c"].filter((org) => org !== over.org);
      expect(claimed.sort()).toEqual([...others, null].sort());
    });

    it("they are listed newest first, and those that ended long ago are removed", async () => {
      const ends = [10, 20, 30];
      for (const endMs of ends) {
        const one = { ...begun("o", `r${String(endMs)}`), createdAt: endMs };
        await insert(one);
        await reapplications.claim("me", endMs, endMs + 1);
        const ended = { ...one, status: "completed", updatedAt: endMs } as const;
        await store.write([reapplications.progressStep(ended, "me", endMs)]);
      }
      await insert({ ...begun("o", "running"), createdAt: 5 });
      const listed = async (org: string) => {
        const page = { createdAfter: null, createdBefore: null, after: null, limit: 10 };
        return (await reapplications.list(org, page)).rows.map(({ id }) => id);
      };
      expect(await listed("o")).toEqual(["r30", "r20", "r10", "running"]);
      expect(await listed("other")).toEqual([]);
      expect(await reapplications.removeExpired(REAPPLICATION_KEPT_MS + 30, 1)).toBe(1);
      expect(await reapplications.removeExpired(REAPPLICATION_KEPT_MS + 30, 10)).toBe(1);
      expect(await reapplications.removeExpired(REAPPLICATION_KEPT_MS + 30, 10)).toBe(0);
      expect(await listed("o")).toEqual(["r30", "running"]);
    });

    it("facts are replaced for the order that was seen, and read back as the very text", async () => {
      const transactions = createTransactionRepository(store);
      const [a, b] = [transaction("a", 5), transaction("b", 6)];
      const assigned = { ...b, order: nextRevision(b.order) };
      await store.apply(transactions.upsertSteps([a, assigned]));
      const facts = '{"z":1,"a":{"y":[1.5,"é"]}}';
      await store.apply(
        transactions.factsSteps(
          "o",
          [
            { id: "a", order: a.order },
            { id: "b", order: b.order },
            { id: "gone", order: a.order },
          ].map((one) => ({ ...one, facts, entryType: "outgoing", currency: "USD" })),
        ),
      );
      expect((await transactions.get("o", "a"))?.facts).toBe(facts);
      expect((await transactions.get("o", "b"))?.facts).toBe(b.facts);
      expect(await transactions.get("o", "gone")).toBeNull();
    });

    it("transactions are counted without tombstones and without those of others", async () => {
      const transactions = createTransactionRepository(store);
      const rows = [1, 2, 3].map((offset) => transaction(`t${String(offset)}`, offset));
      await store.apply(transactions.upsertSteps(rows));
      await store.apply(transactions.upsertSteps([{ ...transaction("x", 1), org: "other" }]));
      await transactions.writeTombstones(
        "o",
        ["t1"],
        recordOrder(9),
        { accountHolderId: null },
        false,
      );
      expect(await transactions.count("o")).toBe(2);
      expect(await transactions.count("unknown")).toBe(0);
    });

    it("an organization's settings have the version of one of the changes that were made at once, and no other's", async () => {
      const organizations = createOrganizationRepository(store);
      expect(await organizations.get("o")).toBeNull();
      await Promise.all(
        ["v1", "v2"].map((version) =>
          store.write(organizations.settingsChangedSteps("o", version)),
        ),
      );
      expect(["v1", "v2"]).toContain((await organizations.get("o"))?.settingsVersion);
      expect(await organizations.get("other")).toBeNull();
    });
  });
}
