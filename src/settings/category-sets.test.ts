import { describe, expect, it } from "vitest";
import type { Actor, AuditEntry } from "../model/audit.ts";
import { businessCategories, consumerCategories, type CategorySet } from "../model/categories.ts";
import { CATEGORY_SET_BYTES_MAX } from "../model/category-set.ts";
import { type CategorySetPorts, createCategorySets } from "./category-sets.ts";

type Seen = NonNullable<Awaited<ReturnType<CategorySetPorts["getSet"]>>>;

const BY: Actor = { keyId: "k", requestId: "r" };
const SET: CategorySet = { incoming: ["Pay"], outgoing: ["Food", "Home"] };

/** Sets over a store in memory, where groceries map to the first name; `before` runs before every write. */
function setUp(before: () => void = () => undefined) {
  const stored = new Map<string, Seen>();
  const entries = new Map<string, AuditEntry>();
  const versions: string[] = [];
  let ids = 0;
  let mapped = 0;
  const commit = (version: string, entry: AuditEntry): void => {
    versions.push(version);
    entries.set(entry.id, entry);
  };
  const ports: CategorySetPorts = {
    getSet: (org, id) => Promise.resolve(stored.get(`${org} ${id}`) ?? null),
    putSet: async (seen, next, version, entry) => {
      await Promise.resolve();
      before();
      const key = `${next.org} ${next.id}`;
      const revision = seen?.revision ?? 0;
      if ((stored.get(key)?.revision ?? 0) !== revision) return "overtaken";
      if (stored.size === 3 && !stored.has(key)) return "full";
      stored.set(key, { ...next, revision: revision + 1 });
      commit(version, entry);
      return "stored";
    },
    removeSet: (seen, version, entry) => {
      before();
      const key = `${seen.org} ${seen.id}`;
      if (stored.get(key)?.revision !== seen.revision) return Promise.resolve(false);
      stored.delete(key);
      commit(version, entry);
      return Promise.resolve(true);
    },
    changeOf: (_org, id) => Promise.resolve(entries.get(id) ?? null),
    mapCategories: ({ incoming, outgoing }) => {
      mapped += 1;
      return Promise.resolve({
        incoming: { paycheck: incoming[0] ?? null },
        outgoing: { groceries: outgoing[0] ?? null, pets: null },
      });
    },
    nowMs: () => 7,
    newId: () => `id${String((ids += 1))}`,
  };
  const sets = createCategorySets(ports);
  return { sets, stored, entries, versions, mappedTimes: () => mapped };
}

describe("category sets", () => {
  it("the default sets always exist with their own names; no other set does", async () => {
    const { sets, versions } = setUp();
    for (const [id, own] of [
      ["consumer", consumerCategories],
      ["business", businessCategories],
    ] as const) {
      expect(await sets.get("o", id)).toEqual(own);
      const mapping = await sets.mapping("o", id);
      expect(Object.entries(mapping?.outgoing ?? {})).toEqual(own.outgoing.map((w) => [w, w]));
    }
    for (const id of ["Consumer", "mine", "constructor", "__proto__"]) {
      expect([id, await sets.get("o", id), await sets.mapping("o", id)]).toEqual([id, null, null]);
      expect(await sets.patchMapping("o", id, {}, BY)).toBeNull();
      expect(await sets.reset("o", id, BY, id)).toEqual({ ok: true, set: null });
    }
    expect(versions).toEqual([]);
  });

  it("a set has its own names until it is reset, for its organization alone", async () => {
    const { sets } = setUp();
    for (const id of ["mine", "consumer"]) {
      expect(await sets.replace("o", id, SET, BY, `put ${id}`)).toEqual({ ok: true, set: SET });
      expect(await sets.get("o", id)).toEqual(SET);
      expect((await sets.mapping("o", id))?.outgoing).toEqual({ groceries: "Food", pets: null });
    }
    expect(await sets.get("other", "mine")).toBeNull();
    expect(await sets.get("other", "consumer")).toEqual(consumerCategories);
    expect(await sets.reset("o", "mine", BY, "1")).toEqual({ ok: true, set: null });
    expect(await sets.reset("o", "consumer", BY, "2")).toEqual({
      ok: true,
      set: consumerCategories,
    });
    expect(await sets.get("o", "mine")).toBeNull();
    expect(await sets.get("o", "consumer")).toEqual(consumerCategories);
  });

  it("a change of the mapping stays over the next words where it still can", async () => {
    const { sets } = setUp();
    await sets.replace("o", "s", SET, BY, "1");
    const patch = { incoming: { paycheck: null }, outgoing: { Pets: "Home", groceries: null } };
    expect(await sets.patchMapping("o", "s", patch, BY)).toEqual({
      ok: true,
      mapping: { incoming: { paycheck: null }, outgoing: { groceries: null, pets: "Home" } },
    });
    const again = { incoming: ["Pay"], outgoing: ["Home", "Food"] };
    await sets.replace("o", "s", again, BY, "2");
    expect((await sets.mapping("o", "s"))?.outgoing).toEqual({ groceries: null, pets: "Home" });
    // The added name may be the one that was missing, so "none fits" is not kept.
    await sets.replace("o", "s", { incoming: ["Pay"], outgoing: ["Meals", "Home"] }, BY, "3");
    expect(await sets.mapping("o", "s")).toEqual({
      incoming: { paycheck: null },
      outgoing: { groceries: "Meals", pets: "Home" },
    });
    await sets.replace("o", "s", { incoming: [], outgoing: ["Meals"] }, BY, "4");
    await sets.replace("o", "s", SET, BY, "5");
    expect(await sets.mapping("o", "s")).toEqual({
      incoming: { paycheck: "Pay" },
      outgoing: { groceries: "Food", pets: null },
    });
  });

  it("a category that is younger than a set has its word, also where the mapping is changed", async () => {
    const { sets, stored } = setUp();
    const mapping = { incoming: {}, outgoing: { pets: "Home" } };
    stored.set("o s", { org: "o", id: "s", ...SET, mapping, corrected: {}, revision: 1 });
    const whole = { incoming: { paycheck: "Pay" }, outgoing: { groceries: "Food", pets: "Home" } };
    expect(await sets.mapping("o", "s")).toEqual(whole);
    expect(await sets.patchMapping("o", "s", {}, BY)).toEqual({ ok: true, mapping: whole });
    await sets.patchMapping("o", "s", { outgoing: { pets: null } }, BY);
    expect(stored.get("o s")?.mapping).toEqual({
      ...whole,
      outgoing: { groceries: "Food", pets: null },
    });
  });

  it("a default set whose mapping is changed is the organization's from then on, and a reset brings it back", async () => {
    const { sets } = setUp();
    const patch = { outgoing: { pets: "gifts" } };
    expect(await sets.patchMapping("o", "consumer", patch, BY)).toMatchObject({ ok: true });
    expect(await sets.get("o", "consumer")).toEqual(consumerCategories);
    expect((await sets.mapping("o", "consumer"))?.outgoing).toMatchObject({ pets: "gifts" });
    await sets.reset("o", "consumer", BY, "1");
    expect((await sets.mapping("o", "consumer"))?.outgoing).toMatchObject({ pets: "pets" });
  });

  it("a patch with unknown categories or names changes nothing, and lists them all", async () => {
    const { sets, versions } = setUp();
    await sets.replace("o", "s", SET, BY, "1");
    const patch = {
      incoming: { groceries: "Pay", paycheck: "Food" },
      outgoing: { groceries: "Food", pets: "food", __proto__: null, constructor: "Food" },
    };
    expect(await sets.patchMapping("o", "s", patch, BY)).toEqual({
      ok: false,
      reason: "invalid",
      problems: [
        { direction: "incoming", category: "groceries", problem: "unknown_category" },
        { direction: "incoming", category: "paycheck", problem: "not_in_set" },
        { direction: "outgoing", category: "pets", problem: "not_in_set" },
        { direction: "outgoing", category: "constructor", problem: "unknown_category" },
      ],
    });
    expect(await sets.patchMapping("o", "s", { outgoing: {} }, BY)).toMatchObject({ ok: true });
    expect(versions).toHaveLength(1);
  });

  it("a set with its mapping may have the bytes of the limit, and not one more", async () => {
    const { sets, stored, versions, mappedTimes } = setUp();
    const bytesOf = (word: string): number =>
      Buffer.byteLength(
        JSON.stringify({
          ...{ incoming: [], outgoing: ["é", word] },
          mapping: { incoming: { paycheck: null }, outgoing: { groceries: "é", pets: null } },
        }),
      );
    const longest = "x".repeat(CATEGORY_SET_BYTES_MAX - bytesOf(""));
    const full = { incoming: [], outgoing: ["é", longest] };
    expect(await sets.replace("o", "s", full, BY, "1")).toMatchObject({ ok: true });
    const refused = { ok: false, reason: "too_large" };
    const larger = { incoming: [], outgoing: ["é", `${longest}x`] };
    expect(await sets.replace("o", "s", larger, BY, "2")).toEqual(refused);
    const wider = { outgoing: { pets: longest } };
    expect(await sets.patchMapping("o", "s", wider, BY)).toEqual(refused);
    // A set that is too large by itself takes no thread time.
    const before = mappedTimes();
    const huge = { incoming: [], outgoing: ["x".repeat(CATEGORY_SET_BYTES_MAX)] };
    expect(await sets.replace("o", "s", huge, BY, "3")).toEqual(refused);
    expect(mappedTimes()).toBe(before);
    expect(stored.get("o s")).toMatchObject(full);
    expect(versions).toHaveLength(1);
  });

  it("more sets than an organization may have are refused; what is there can still be replaced", async () => {
    const { sets, versions } = setUp();
    for (const id of ["a", "b", "consumer"]) await sets.replace("o", id, SET, BY, id);
    const refused = { ok: false, reason: "full" };
    expect(await sets.replace("o", "c", SET, BY, "c")).toEqual(refused);
    expect(await sets.patchMapping("o", "business", { outgoing: { goods: null } }, BY)).toEqual(
      refused,
    );
    expect(await sets.replace("o", "a", SET, BY, "d")).toMatchObject({ ok: true });
    expect(versions).toHaveLength(4);
  });

  it("every change creates a settings version and an audit entry without content", async () => {
    const { sets, entries, versions } = setUp();
    await sets.replace("o", "s", SET, BY, "c1");
    await sets.patchMapping("o", "s", { outgoing: { pets: "Home", groceries: null } }, BY);
    await sets.reset("o", "s", BY, "c3");
    expect(new Set(versions).size).toBe(3);
    const common = { ...BY, org: "o", subject: "s", createdAt: 7 };
    expect([...entries.values()]).toMatchObject([
      { ...common, action: "categories.replaced", details: { incoming: 1, outgoing: 2 } },
      { ...common, action: "categories.mapped", details: { changes: 2 } },
      { ...common, action: "categories.reset", details: {} },
    ]);
    expect(JSON.stringify([...entries.values()])).not.toMatch(/Food|Home|Pay/);
  });

  it("a change that is repeated changes nothing, whatever came in between", async () => {
    const { sets, versions } = setUp();
    await sets.replace("o", "s", SET, BY, "c1");
    await sets.replace("o", "s", { incoming: [], outgoing: ["Other"] }, BY, "c2");
    expect(await sets.replace("o", "s", SET, BY, "c1")).toEqual({ ok: true, set: SET });
    expect((await sets.get("o", "s"))?.outgoing).toEqual(["Other"]);
    await sets.reset("o", "s", BY, "c3");
    await sets.replace("o", "s", SET, BY, "c4");
    expect(await sets.reset("o", "s", BY, "c3")).toEqual({ ok: true, set: null });
    expect(await sets.get("o", "s")).toEqual(SET);
    expect(versions).toHaveLength(4);
  });

  it("a conflicting change retries, maps the names once, and fails after its retries", async () => {
    let rivals = 2;
    const rival = (): void => {
      if (rivals <= 0) return;
      rivals -= 1;
      const { revision } = setting.stored.get("o s") ?? { revision: 0 };
      const next = {
        org: "o",
        id: "s",
        ...SET,
        mapping: { incoming: {}, outgoing: {} },
        corrected: {},
      };
      setting.stored.set("o s", { ...next, revision: revision + 1 });
    };
    const setting = setUp(rival);
    const set = { incoming: [], outgoing: ["Mine"] };
    expect(await setting.sets.replace("o", "s", set, BY, "1")).toEqual({ ok: true, set });
    expect([setting.mappedTimes(), setting.stored.get("o s")?.revision]).toEqual([1, 3]);
    rivals = Infinity;
    const busy = { ok: false, reason: "busy" };
    expect(await setting.sets.replace("o", "s", SET, BY, "2")).toEqual(busy);
    expect(await setting.sets.patchMapping("o", "s", { outgoing: { pets: null } }, BY)).toEqual(
      busy,
    );
    expect(await setting.sets.reset("o", "s", BY, "3")).toEqual(busy);
  });
});
