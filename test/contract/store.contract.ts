// What every store promises the repositories. Each engine's own test file opens it and runs this suite.
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Collection, CollectionSpec, Store } from "../../src/store/collection.ts";

interface Note {
  readonly org: string;
  readonly id: string;
  readonly rank: number | null;
  readonly order: string;
  readonly body: string | null;
  readonly blob: Uint8Array | null;
  readonly free: unknown;
}

const noteSpec: CollectionSpec<Note> = {
  name: "notes",
  fields: { org: "text", id: "text", rank: "integer", order: "text", body: "json", blob: "bytes" },
  key: ["org", "id"],
  indexes: [{ name: "rank", fields: ["org", "rank", "id"] }],
};

interface Sale {
  readonly org: string;
  readonly id: string;
  readonly shop: string | null;
  readonly at: number;
  readonly day: string;
  readonly price: number;
  readonly free: string;
}

const saleSpec: CollectionSpec<Sale> = {
  name: "sales",
  fields: { org: "text", id: "text", shop: "text", at: "integer", day: "text", price: "real" },
  key: ["org", "id"],
  indexes: [{ name: "shop", fields: ["org", "shop", "at", "day", "price", "id"] }],
};

interface Slot {
  readonly org: string;
  readonly slot: number;
  readonly name: string;
}

const slotSpec: CollectionSpec<Slot> = {
  name: "slots",
  fields: { org: "text", slot: "integer", name: "text" },
  key: ["org", "slot"],
  indexes: [{ name: "name", fields: ["name"], unique: true }],
};

interface Named {
  readonly org: string;
  readonly id: number;
  readonly name: string | null;
}

const namedSpec: CollectionSpec<Named> = {
  name: "named",
  fields: { org: "text", id: "integer", name: "text" },
  key: ["org", "id"],
  indexes: [],
};

function note(id: string, fields: Partial<Note> = {}): Note {
  return { org: "o", id, rank: 0, order: "0", body: null, blob: null, free: null, ...fields };
}

function sale(id: string, fields: Partial<Sale> = {}): Sale {
  const where = { shop: "a", at: 0, day: "2026-01-01" };
  return { org: "o", id, ...where, price: 1, free: "", ...fields };
}

type Place = Pick<Note, "rank" | "id">;

/** Order of a number, or of a text by its bytes in UTF-8. */
function byBytes(a: string | number | null, b: string | number | null): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

function within(
  rank: number,
  { gte, lt, lte }: Partial<Record<"gte" | "lt" | "lte", number | undefined>>,
  only: number | undefined,
): boolean {
  if (only !== undefined) return rank === only;
  return rank >= (gte ?? -Infinity) && rank < (lt ?? Infinity) && rank <= (lte ?? Infinity);
}

export function storeContract(
  name: string,
  open: () => Promise<{ store: Store; close: () => Promise<void> }>,
): void {
  describe(`store contract: ${name}`, () => {
    let store: Store;
    let notes: Collection<Note>;
    let slots: Collection<Slot>;
    let named: Collection<Named>;
    let close: () => Promise<void>;

    beforeEach(async () => {
      ({ store, close } = await open());
      notes = store.collection(noteSpec);
      slots = store.collection(slotSpec);
      named = store.collection(namedSpec);
    });
    afterEach(() => close());

    const ids = async (where: Parameters<typeof notes.find>[0]["where"]): Promise<string[]> =>
      (await notes.find({ where, order: { fields: ["id"], direction: "asc" }, limit: 1000 })).map(
        (row) => row.id,
      );

    it("a row comes back as it was stored, declared fields and the rest", async () => {
      const row = note("a/b é\u0000\u{1F600}", {
        rank: 7,
        body: '{"x":1}',
        free: { list: [1, "two", null] },
      });
      await store.write([notes.insert(row, "fail")]);
      expect(await notes.get({ org: "o", id: row.id })).toEqual(row);
      expect(await notes.get({ org: "other", id: row.id })).toBeNull();
    });

    it("any text survives, also as a key", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
          fc.string({ unit: "binary-ascii" }),
          async (id, free) => {
            await store.write([notes.delete({ org: "p" })]);
            const row = note(id, { org: "p", free });
            await store.write([notes.insert(row, "fail")]);
            expect(await notes.get({ org: "p", id })).toEqual(row);
          },
        ),
        { numRuns: 50 },
      );
    });

    it("inserting a key twice fails the whole write, or keeps the first with `ignore`", async () => {
      await store.write([notes.insert(note("a", { rank: 1 }), "fail")]);
      const failed = await store.write([
        notes.insert(note("b"), "fail"),
        notes.insert(note("a", { rank: 2 }), "fail"),
      ]);
      expect(failed).toEqual({ ok: false, step: 1, reason: "exists" });
      expect(await notes.get({ org: "o", id: "b" })).toBeNull();
      const ignored = await store.write([notes.insert(note("a", { rank: 3 }), "ignore")]);
      expect(ignored).toEqual({ ok: true, changed: [0] });
      expect((await notes.get({ org: "o", id: "a" }))?.rank).toBe(1);
    });

    it("of two inserts of one key at once exactly one wins", async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, rank) =>
          store.write([notes.insert(note("a", { rank }), "fail")]),
        ),
      );
      expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1);
      const winner = outcomes.findIndex((outcome) => outcome.ok);
      expect((await notes.get({ org: "o", id: "a" }))?.rank).toBe(winner);
    });

    it("of several that claim at once each row goes to one, and comes back as it is then", async () => {
      const rows = Array.from({ length: 40 }, (_, rank) => note(`n${String(rank)}`, { rank }));
      await store.apply(rows.map((row) => notes.insert(row, "ignore")));
      const due = {
        where: { org: "o", rank: { lte: 29 } },
        order: { fields: ["rank"], direction: "asc" },
        limit: 7,
      } as const;
      const claims = await Promise.all(
        Array.from({ length: 9 }, (_, who) =>
          notes.claim(due, { rank: 1000, body: `"${String(who)}"` }),
        ),
      );
      for (const [who, claimed] of claims.entries())
        for (const row of claimed)
          expect(row).toMatchObject({ rank: 1000, body: `"${String(who)}"`, free: null });
      const taken = claims.flat().map((row) => row.id);
      expect(new Set(taken).size).toBe(taken.length);
      // Callers that met each other may come back with less; the next call gets the rest.
      for (let more = 1; more > 0; ) {
        const claimed = await notes.claim(due, { rank: 1000, body: '"last"' });
        more = claimed.length;
        taken.push(...claimed.map((row) => row.id));
      }
      expect(taken.toSorted()).toEqual(
        rows
          .slice(0, 30)
          .map((row) => row.id)
          .toSorted(),
      );
    });

    it("changes of many rows, and two of one row, are applied in their order", async () => {
      const rows = Array.from({ length: 30 }, (_, rank) => note(`n${String(rank)}`, { rank }));
      await store.apply(rows.map((row) => notes.insert(row, "ignore")));
      await store.apply([
        ...rows.map(({ id }) => notes.update({ org: "o", id }, { body: "1" }, "ignore")),
        notes.update({ org: "o", id: "n3", body: "1" }, { body: "2" }, "ignore"),
        notes.update({ org: "o", id: "n3", body: "1" }, { body: "3" }, "ignore"),
        notes.update({ org: "o", id: "absent" }, { body: "4" }, "ignore"),
      ]);
      const all = await notes.find({ where: { org: "o" }, limit: 100 });
      expect(all.map((row) => row.body).filter((body) => body === "1")).toHaveLength(29);
      expect((await notes.get({ org: "o", id: "n3" }))?.body).toBe("2");
      expect(all).toHaveLength(30);
    });

    it("a unique index refuses a second row of its value", async () => {
      await store.write([slots.insert({ org: "o", slot: 1, name: "n" }, "fail")]);
      expect(
        await store.write([slots.insert({ org: "o", slot: 2, name: "n" }, "fail")]),
      ).toMatchObject({ ok: false });
    });

    it("upserts keep the row of the greatest guard, whatever order they come in", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 0, max: 99 }), { minLength: 1, maxLength: 12 }),
          async (orders) => {
            await store.write([notes.delete({ org: "o" })]);
            for (const order of orders) {
              const text = String(order).padStart(2, "0");
              await store.write([
                notes.upsertMany([note("a", { order: text, free: text })], "order"),
              ]);
            }
            const last = String(Math.max(...orders)).padStart(2, "0");
            expect(await notes.get({ org: "o", id: "a" })).toMatchObject({
              order: last,
              free: last,
            });
          },
        ),
        { numRuns: 40 },
      );
    });

    it("an upsert of the same guard changes nothing: a repeated delivery is harmless", async () => {
      await store.write([notes.upsertMany([note("a", { order: "5", free: "first" })], "order")]);
      const outcome = await store.write([
        notes.upsertMany([note("a", { order: "5", free: "again" })], "order"),
      ]);
      expect(outcome).toEqual({ ok: true, changed: [0] });
      expect(await notes.get({ org: "o", id: "a" })).toMatchObject({ free: "first" });
    });

    it("an update changes what matches; one that must match and does not undoes the whole write", async () => {
      await store.write([
        notes.insert(note("a", { rank: 1 }), "fail"),
        notes.insert(note("b", { rank: 2 }), "fail"),
      ]);
      expect(await store.write([notes.update({ org: "o", rank: 1 }, { rank: 9 }, "fail")])).toEqual(
        { ok: true, changed: [1] },
      );
      const failed = await store.write([
        notes.update({ org: "o", id: "b" }, { rank: 8 }, "fail"),
        notes.update({ org: "o", id: "none" }, { rank: 8 }, "fail"),
      ]);
      expect(failed).toEqual({ ok: false, step: 1, reason: "unmet" });
      expect((await notes.get({ org: "o", id: "b" }))?.rank).toBe(2);
      expect((await notes.get({ org: "o", id: "a" }))?.rank).toBe(9);
    });

    it("a requirement that does not hold undoes the whole write", async () => {
      await store.write([notes.insert(note("a"), "fail")]);
      const outcome = await store.write([
        notes.insert(note("b"), "fail"),
        notes.require({ org: "o", id: "a", order: "1" }, 1),
      ]);
      expect(outcome).toEqual({ ok: false, step: 1, reason: "unmet" });
      expect(await ids({ org: "o" })).toEqual(["a"]);
      expect(
        await store.write([notes.require({ org: "o", id: "a", order: "0" }, 1)]),
      ).toMatchObject({ ok: true });
    });

    it("filters: equality, null, in, ranges, not equal", async () => {
      const rows = [
        note("a", { rank: 1 }),
        note("b", { rank: 2 }),
        note("c", { rank: null }),
        note("d", { rank: 4, org: "x" }),
      ];
      await store.write(rows.map((row) => notes.insert(row, "fail")));
      expect(await ids({ org: "o" })).toEqual(["a", "b", "c"]);
      expect(await ids({ org: "o", rank: null })).toEqual(["c"]);
      expect(await ids({ org: "o", id: { in: ["a", "c", "zz"] } })).toEqual(["a", "c"]);
      expect(await ids({ org: "o", id: { in: [] } })).toEqual([]);
      expect(await ids({ org: "o", rank: { gte: 1, lt: 2 } })).toEqual(["a"]);
      expect(await ids({ org: "o", rank: { lte: 2 } })).toEqual(["a", "b"]);
      expect(await ids({ org: "o", rank: { ne: 1 } })).toEqual(["b", "c"]);
    });

    it("pages by tuple in both directions neither repeat nor skip", async () => {
      const rows = Array.from({ length: 57 }, (_, index) =>
        note(`n${String(index).padStart(2, "0")}`, { rank: index % 5 }),
      );
      await store.write(rows.map((row) => notes.insert(row, "fail")));
      for (const direction of ["asc", "desc"] as const) {
        const seen: string[] = [];
        let after: [number, string] | undefined;
        for (;;) {
          const page = await notes.find({
            where: { org: "o" },
            order: { fields: ["rank", "id"], direction },
            ...(after === undefined ? {} : { after }),
            limit: 10,
          });
          const last = page.at(-1);
          if (last === undefined) break;
          seen.push(...page.map((row) => row.id));
          after = [last.rank ?? 0, last.id];
        }
        const sorted = rows
          .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || (a.id < b.id ? -1 : 1))
          .map((row) => row.id);
        expect(seen).toEqual(direction === "asc" ? sorted : sorted.toReversed());
      }
    });

    it("keys come in any order, by pages, and nothing of the rows with them", async () => {
      const sales = store.collection(saleSpec);
      const prices = [3, 0.5, 1e300, 2, 2, 0];
      const rows = prices.map((price, at) => sale(`s${String(at)}`, { price, at, shop: "a" }));
      const others = [sale("t", { shop: null }), sale("u", { shop: "b" }), sale("v", { org: "p" })];
      await store.write([...rows, ...others].map((row) => sales.insert(row, "fail")));
      const keysOf = (direction: "asc" | "desc", offset: number, limit: number) =>
        sales.keys({
          where: { org: "o", shop: "a" },
          order: { fields: ["price", "at"], direction },
          offset,
          limit,
        });
      const key = (id: string): object => ({ org: "o", id });
      expect(await keysOf("desc", 0, 3)).toEqual(["s2", "s0", "s4"].map(key));
      expect(await keysOf("desc", 3, 9)).toEqual(["s3", "s1", "s5"].map(key));
      expect(await keysOf("asc", 0, 2)).toEqual(["s5", "s1"].map(key));
      expect(await keysOf("asc", 6, 2)).toEqual([]);
      // A field that no index has.
      const free = await sales.keys({
        where: { org: "o", shop: null },
        order: { fields: ["id"], direction: "asc" },
        limit: 9,
      });
      expect(free).toEqual([key("t")]);
    });

    it("values of fields are those of the rows that the query finds, in the order that is asked for", async () => {
      await store.apply([
        notes.insert(note("a", { rank: 3, body: '{"a":1}' }), "ignore"),
        notes.insert(note("b", { rank: 1, body: null }), "ignore"),
        notes.insert(note("c", { rank: 2, org: "p" }), "ignore"),
      ]);
      const query = {
        where: { org: "o" },
        order: { fields: ["rank", "id"] as const, direction: "asc" as const },
        limit: 5,
      };
      expect(await notes.values(query, ["id", "body", "rank"])).toEqual([
        ["b", null, 1],
        ["a", '{"a":1}', 3],
      ]);
      expect(await notes.values({ ...query, after: [1, "b"] }, ["id"])).toEqual([["a"]]);
      expect(await notes.values({ ...query, where: { org: "none" } }, ["id"])).toEqual([]);
    });

    it("groups are those of the same rows added up one by one, also of more rows than are read at a time", async () => {
      const sales = store.collection(saleSpec);
      const days = ["2026-01-01", "2026-01-02", "2026-01-03"];
      const rows = Array.from({ length: 20_500 }, (_, index) =>
        sale(`s${String(index)}`, {
          // Some have the same place, also where one part ends.
          at: index - (index % 3),
          day: days[index % 3] ?? "",
          shop: index % 7 === 0 ? "b" : "a",
          price: (index % 11) / 10,
        }),
      );
      for (let from = 0; from < rows.length; from += 2_000)
        await store.apply([sales.upsertMany(rows.slice(from, from + 2_000), "at")]);
      await store.apply([sales.insert(sale("x", { org: "p", price: 9 }), "ignore")]);
      const inShop = rows.filter(({ shop }) => shop === "a");
      const groupsOf = (day: object, by: readonly ("day" | "price")[]) =>
        sales.groups({ where: { org: "o", shop: "a", ...day }, by, of: "price" });
      const [all, ...more] = await groupsOf({}, []);
      expect(more).toEqual([]);
      expect(all).toMatchObject({ values: [], count: inShop.length, min: 0, max: 1 });
      const sumOf = (of: readonly Sale[], value: (row: Sale) => number): number =>
        of.reduce((sum, row) => sum + value(row), 0);
      expect(all?.sum).toBeCloseTo(
        sumOf(inShop, ({ price }) => price),
        6,
      );
      const mean = sumOf(inShop, ({ price }) => price) / inShop.length;
      expect(all?.squaredDistances).toBeCloseTo(
        sumOf(inShop, ({ price }) => (price - mean) ** 2),
        6,
      );
      const byDay = await groupsOf({ day: { gte: "2026-01-02", lte: "2026-01-02" } }, ["day"]);
      const ofDay = inShop.filter(({ day }) => day === "2026-01-02");
      expect(byDay).toMatchObject([{ values: ["2026-01-02"], count: ofDay.length }]);
      const both = await groupsOf({ day: { lt: "2026-01-03" } }, ["day", "price"]);
      expect(both).toHaveLength(22);
      expect(both.reduce((count, group) => count + group.count, 0)).toBe(
        inShop.filter(({ day }) => day < "2026-01-03").length,
      );
      expect(await groupsOf({ day: "2026-02-01" }, ["day"])).toEqual([]);
      expect(await sales.groups({ where: { org: "q", shop: "a" }, by: [], of: "price" })).toEqual(
        [],
      );
    });

    it("groups by a field that no index has are refused: they would read every row", async () => {
      const sales = store.collection(saleSpec);
      const query = { where: { org: "o", shop: "a" }, by: ["free"], of: "price" } as const;
      await expect(sales.groups(query)).rejects.toThrow("no index has all fields of the groups");
    });

    it("rows are skipped by number, after the place to go on from", async () => {
      const rows = Array.from({ length: 7 }, (_, rank) => note(`n${String(rank)}`, { rank }));
      await store.apply(rows.map((row) => notes.insert(row, "ignore")));
      const skipped = async (
        offset: number,
        after?: readonly [number, string],
      ): Promise<string[]> => {
        const found = await notes.find({
          where: { org: "o" },
          order: { fields: ["rank", "id"], direction: "desc" },
          ...(after === undefined ? {} : { after }),
          offset,
          limit: 2,
        });
        return found.map((row) => row.id);
      };
      expect(await skipped(0)).toEqual(["n6", "n5"]);
      expect(await skipped(3)).toEqual(["n3", "n2"]);
      expect(await skipped(6)).toEqual(["n0"]);
      expect(await skipped(7)).toEqual([]);
      expect(await skipped(1, [5, "n5"])).toEqual(["n3", "n2"]);
      expect(await skipped(1_000_000_000)).toEqual([]);
    });

    it("finds a part of a text as it is: no letter has a meaning, null contains nothing", async () => {
      const bodies = ["a.c", "abc", "A.C", "$body", "%_%", "é\u{1F600}", "x\u0000y", "", null];
      await store.apply(
        bodies.map((order, rank) => named.insert({ org: "o", id: rank, name: order }, "ignore")),
      );
      const found = async (contains: string): Promise<unknown[]> => {
        const where = { org: "o", name: { contains } };
        const order = { fields: ["id"], direction: "asc" } as const;
        return (await named.find({ where, order, limit: 20 })).map((row) => row.name);
      };
      expect(await found("a.c")).toEqual(["a.c"]);
      expect(await found(".")).toEqual(["a.c", "A.C"]);
      expect(await found("$body")).toEqual(["$body"]);
      expect(await found("%")).toEqual(["%_%"]);
      expect(await found("\u{1F600}")).toEqual(["é\u{1F600}"]);
      expect(await found("\u0000")).toEqual(["x\u0000y"]);
      expect(await found("")).toEqual(bodies.filter((body) => body !== null));
      expect(await found("zz")).toEqual([]);
      const both = { contains: "b", ne: "abc", gte: "$" } as const;
      const rest = await named.find({ where: { org: "o", name: both }, limit: 20 });
      expect(rest.map((row) => row.name)).toEqual(["$body"]);
      expect(await named.find({ where: { org: "p", name: both }, limit: 20 })).toEqual([]);
    });

    it("what contains a text can be counted, changed and deleted", async () => {
      await store.apply(
        ["one", "two", "three"].map((name, id) => named.insert({ org: "o", id, name }, "ignore")),
      );
      const where = { org: "o", name: { contains: "o" } };
      expect((await named.aggregate(where, "id", "id")).count).toBe(2);
      expect(await store.write([named.update(where, { name: "mooo" }, "fail")])).toEqual({
        ok: true,
        changed: [2],
      });
      expect(await store.write([named.delete(where)])).toEqual({ ok: true, changed: [2] });
      expect((await named.find({ where: { org: "o" }, limit: 9 })).map((row) => row.name)).toEqual([
        "three",
      ]);
    });

    it("deletes what matches, at most `limit` rows", async () => {
      await store.write(["a", "b", "c"].map((id) => notes.insert(note(id), "fail")));
      expect(await store.write([notes.delete({ org: "o" }, 2)])).toEqual({
        ok: true,
        changed: [2],
      });
      expect(await ids({ org: "o" })).toHaveLength(1);
      expect(await store.write([notes.delete({ org: "o", id: "none" })])).toEqual({
        ok: true,
        changed: [0],
      });
    });

    it("aggregates count, sum and maximum", async () => {
      await store.write(
        [3, 9, 5].map((rank) => notes.insert(note(`n${String(rank)}`, { rank }), "fail")),
      );
      expect(await notes.aggregate({ org: "o" }, "rank", "rank")).toEqual({
        count: 3,
        sum: 17,
        max: 9,
      });
      expect(await notes.aggregate({ org: "none" }, "rank", "rank")).toEqual({
        count: 0,
        sum: 0,
        max: null,
      });
    });

    it("steps that are applied are done in their order, and again without harm", async () => {
      const steps = [
        notes.insert(note("a", { rank: 1 }), "ignore"),
        notes.upsertMany([note("a", { order: "1", rank: 2 }), note("b", { order: "1" })], "order"),
        notes.update({ org: "o", id: "b" }, { rank: 7 }, "ignore"),
        notes.delete({ org: "o", id: "c" }),
      ];
      await store.apply(steps);
      await store.apply(steps);
      expect((await notes.get({ org: "o", id: "a" }))?.rank).toBe(2);
      expect((await notes.get({ org: "o", id: "b" }))?.rank).toBe(7);
      await expect(store.apply([notes.insert(note("d"), "fail")])).rejects.toThrow(/use write/);
    });

    it("a requirement that does not hold ends the steps that are applied: none behind it is done", async () => {
      const steps = (count: number) => [
        notes.upsertMany([note("a", { order: "1" })], "order"),
        notes.require({ org: "o", id: { in: ["a", "b"] } }, count),
        notes.insert(note("c"), "ignore"),
      ];
      expect(await store.apply(steps(0))).toBe(false);
      expect(await notes.get({ org: "o", id: "c" })).toBeNull();
      expect(await store.apply(steps(1))).toBe(true);
      expect(await notes.get({ org: "o", id: "c" })).not.toBeNull();
      expect(await store.apply([])).toBe(true);
    });

    it("a row that is kept is replaced by no upsert that keeps such rows, alone, among others and in a write", async () => {
      const ranksOf = async (): Promise<unknown[]> =>
        Promise.all(
          ["kept", "free", "new"].map(async (id) => (await notes.get({ org: "o", id }))?.order),
        );
      await store.apply([
        notes.upsertMany(
          [note("kept", { order: "1", rank: 1 }), note("free", { order: "1" })],
          "order",
        ),
      ]);
      const all = (order: string, ...ids: readonly string[]) =>
        notes.upsertMany(
          ids.map((id) => note(id, { order })),
          "order",
          "rank",
        );
      await store.apply([all("2", "kept")]);
      await store.apply([all("2", "kept", "free", "new")]);
      expect(await ranksOf()).toEqual(["1", "2", "2"]);
      const outcome = await store.write([
        notes.require({ org: "o", id: "kept" }, 1),
        all("3", "kept", "free", "new"),
      ]);
      expect(outcome.ok).toBe(true);
      expect(await ranksOf()).toEqual(["1", "3", "3"]);
      await store.apply([notes.upsertMany([note("kept", { order: "4" })], "order")]);
      expect(await ranksOf()).toEqual(["4", "3", "3"]);
    });

    it("of many writes at once that require a row as it was and change it, exactly one succeeds", async () => {
      await store.write([notes.insert(note("a", { order: "0" }), "fail")]);
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          store.write([
            notes.require({ org: "o", id: "a", order: "0" }, 1),
            notes.upsertMany([note("a", { order: "1", rank: index })], "order"),
          ]),
        ),
      );
      expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1);
      const winner = outcomes.findIndex((outcome) => outcome.ok);
      expect((await notes.get({ org: "o", id: "a" }))?.rank).toBe(winner);
    });

    it("of two writes that each rely on what the other one changes, one succeeds", async () => {
      const relyOn = [
        (id: string) => notes.require({ org: "o", id, order: "0" }, 1),
        // Sets what is there already.
        (id: string) => notes.update({ org: "o", id, order: "0" }, { rank: 0 }, "fail"),
      ];
      for (const [round, rely] of [...relyOn, ...relyOn, ...relyOn, ...relyOn].entries()) {
        const [a, b] = [`a${String(round)}`, `b${String(round)}`] as const;
        await store.apply([notes.insert(note(a), "ignore"), notes.insert(note(b), "ignore")]);
        const swap = (on: string, changed: string): ReturnType<Store["write"]> =>
          store.write([rely(on), notes.upsertMany([note(changed, { order: "1" })], "order")]);
        const outcomes = await Promise.all([swap(a, b), swap(b, a)]);
        expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1);
      }
    });

    it("upserts of one row that come at once leave the greatest guard", async () => {
      await Promise.all(
        ["3", "9", "1", "7", "5"].map((order) =>
          store.apply([
            notes.upsertMany([note("a", { order, free: order }), note("b", { order })], "order"),
          ]),
        ),
      );
      expect(await notes.get({ org: "o", id: "a" })).toMatchObject({ order: "9", free: "9" });
      expect(await notes.get({ org: "o", id: "b" })).toMatchObject({ order: "9" });
    });

    it("bytes come back as they were stored, also none", async () => {
      const blob = Uint8Array.from({ length: 300 }, (_, index) => index % 256);
      await store.write([notes.insert(note("a", { blob }), "fail")]);
      await store.apply([notes.insert(note("b", { blob: new Uint8Array() }), "ignore")]);
      expect((await notes.get({ org: "o", id: "a" }))?.blob).toStrictEqual(blob);
      expect((await notes.get({ org: "o", id: "b" }))?.blob).toStrictEqual(new Uint8Array());
    });

    it("every step tells how many rows it changed, and sees what the steps before it did", async () => {
      await store.write([notes.insert(note("a"), "fail"), notes.insert(note("b"), "fail")]);
      const outcome = await store.write([
        notes.insert(note("a", { rank: 5 }), "ignore"),
        notes.insert(note("c"), "ignore"),
        notes.upsertMany(
          [note("a", { order: "2" }), note("a", { order: "1" }), note("d"), note("d")],
          "order",
        ),
        notes.upsertMany([note("e", { order: "1" }), note("e", { order: "2" })], "order"),
        notes.update({ org: "o", rank: 0 }, { rank: 0 }, "fail"),
        notes.require({ org: "o", id: "a", order: "2" }, 1),
        notes.require({ org: "o", id: "e", order: "2" }, 1),
        notes.delete({ org: "o", id: { in: ["b", "c", "none"] } }),
        notes.delete({ org: "o", id: { in: [] } }),
        notes.insert(note("b", { rank: 6 }), "fail"),
      ]);
      expect(outcome).toEqual({ ok: true, changed: [0, 1, 2, 2, 5, 0, 0, 2, 0, 1] });
      expect(await ids({ org: "o" })).toEqual(["a", "b", "d", "e"]);
      expect((await notes.get({ org: "o", id: "b" }))?.rank).toBe(6);
    });

    it("of several requirements the first that does not hold is named", async () => {
      await store.write(["a", "b", "c"].map((id) => notes.insert(note(id), "fail")));
      const requireAll = (orders: readonly string[]): ReturnType<Store["write"]> =>
        store.write([
          notes.insert(note("x"), "ignore"),
          ...["a", "b", "c"].map((id, at) =>
            notes.require({ org: "o", id, order: orders[at] ?? "" }, 1),
          ),
        ]);
      expect(await requireAll(["0", "1", "1"])).toEqual({ ok: false, step: 2, reason: "unmet" });
      expect(await notes.get({ org: "o", id: "x" })).toBeNull();
      expect(await requireAll(["0", "0", "0"])).toMatchObject({ ok: true });
      expect(await notes.get({ org: "o", id: "b" })).toEqual(note("b"));
    });

    it("with `ignore`, a row that a unique index refuses is skipped: alone, among others and applied", async () => {
      const slot = (slot: number, name: string): Slot => ({ org: "o", slot, name });
      await store.write([slots.insert(slot(1, "n"), "ignore")]);
      expect(await store.write([slots.insert(slot(2, "n"), "ignore")])).toEqual({
        ok: true,
        changed: [0],
      });
      expect(
        await store.write([
          slots.insert(slot(3, "n"), "ignore"),
          slots.insert(slot(4, "m"), "ignore"),
        ]),
      ).toEqual({ ok: true, changed: [0, 1] });
      await store.apply([
        slots.insert(slot(5, "p"), "ignore"),
        slots.insert(slot(6, "p"), "ignore"),
        slots.delete({ org: "o", slot: 4 }),
      ]);
      const there = await slots.find({ where: { org: "o" }, limit: 10 });
      expect(there.map((row) => row.slot).toSorted()).toEqual([1, 5]);
      expect(
        await store.write([
          slots.insert(slot(7, "q"), "ignore"),
          slots.insert(slot(8, "p"), "fail"),
        ]),
      ).toEqual({ ok: false, step: 1, reason: "exists" });
    });

    it("a page is what a walk over all rows in the order of their bytes gives", async () => {
      const names = ["", "a", "a\u0000", "ab", "é", "\uFFFD", "\u{1F600}", "\u{1F600}a"];
      const rows = Array.from({ length: 64 }, (_, index) =>
        note(`${names[index % 8] ?? ""}${String(index >> 4)}`, {
          org: `o${String((index >> 3) % 2)}`,
          rank: (index >> 4) % 4,
        }),
      );
      await store.write(rows.map((row) => notes.insert(row, "fail")));
      const order = fc.constantFrom(["rank", "id"] as const, ["id"] as const);
      const rank = fc.option(fc.integer({ min: -1, max: 5 }), { nil: undefined });
      const search = fc.record({
        order,
        direction: fc.constantFrom("asc" as const, "desc" as const),
        after: fc.option(
          fc.record({
            rank: fc.integer({ min: -1, max: 5 }),
            id: fc.constantFrom(...rows.map((row) => row.id)),
          }),
          { nil: undefined },
        ),
        bounds: fc.record({ gte: rank, lt: rank, lte: rank }),
        only: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
        limit: fc.integer({ min: 1, max: 9 }),
      });
      await fc.assert(
        fc.asyncProperty(search, async ({ order, direction, after, bounds, only, limit }) => {
          const { gte, lt, lte } = bounds;
          const range = {
            ...(gte === undefined ? {} : { gte }),
            ...(lt === undefined ? {} : { lt }),
            ...(lte === undefined ? {} : { lte }),
          };
          const place = after === undefined ? undefined : order.map((field) => after[field]);
          const found = await notes.find({
            where: { org: "o1", rank: only ?? range },
            order: { fields: order, direction },
            ...(place === undefined ? {} : { after: place }),
            limit,
          });
          const sign = direction === "asc" ? 1 : -1;
          const compare = (a: Place, b: Place): number =>
            sign *
            order.reduce((found, field) => (found === 0 ? byBytes(a[field], b[field]) : found), 0);
          const expected = rows
            .filter((row) => row.org === "o1" && within(row.rank ?? 0, bounds, only))
            .filter((row) => after === undefined || compare(row, after) > 0)
            .toSorted(compare)
            .slice(0, limit);
          expect(found).toEqual(expected);
        }),
        { numRuns: 300 },
      );
    });

    it("a write that throws half way leaves nothing behind, and its neighbours in the same commit stand", async () => {
      const bad = { kind: "insert", collection: "nowhere", row: {}, ifExists: "fail" } as const;
      const outcomes = await Promise.allSettled([
        store.write([notes.insert(note("before"), "fail")]),
        store.write([notes.insert(note("lost"), "fail"), bad]),
        store.write([notes.insert(note("after"), "fail")]),
      ]);
      expect(outcomes.map((outcome) => outcome.status)).toEqual([
        "fulfilled",
        "rejected",
        "fulfilled",
      ]);
      expect(await ids({ org: "o" })).toEqual(["after", "before"]);
    });
  });
}
