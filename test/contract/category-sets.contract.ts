// What every engine promises about the category sets of organizations.
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CATEGORY_SETS_MAX, type SeenCategorySet } from "../../src/model/category-set.ts";
import { createCategorySets } from "../../src/settings/category-sets.ts";
import {
  type CategorySetRepository,
  createCategorySetRepository,
} from "../../src/store/repositories/category-sets.ts";
import type { Store } from "../../src/store/collection.ts";
import { createOrganizationRepository } from "../../src/store/repositories/organizations.ts";
import { entryOf, setOf } from "./use-category-sets.ts";
import type { CategorySet } from "../../src/model/categories.ts";

const BY = { keyId: "k", requestId: "r" };
/** Three processes make twenty too many. */
const EACH = (CATEGORY_SETS_MAX + 20) / 3;

export function categorySetsContract(
  name: string,
  open: () => Promise<{ store: Store; close: () => Promise<void> }>,
): void {
  describe(`category sets contract: ${name}`, () => {
    let store: Store;
    let sets: CategorySetRepository;
    let close: () => Promise<void>;
    beforeEach(async () => {
      ({ store, close } = await open());
      sets = createCategorySetRepository(store);
    });
    afterEach(() => close());

    const versionOf = async (org: string): Promise<string | undefined> =>
      (await createOrganizationRepository(store).get(org))?.settingsVersion;
    const seenOf = async (id: string): Promise<SeenCategorySet> => {
      const seen = await sets.get("o", id);
      if (seen === null) throw new Error("The set should be there");
      return seen;
    };
    /** The sets of one process: its own queue, the same store. */
    const processOf = () =>
      createCategorySets({
        getSet: sets.get,
        putSet: sets.put,
        removeSet: sets.remove,
        changeOf: sets.changeOf,
        mapCategories: ({ outgoing }: CategorySet) =>
          Promise.resolve({ incoming: {}, outgoing: { groceries: outgoing[0] ?? null } }),
        nowMs: () => 1,
        newId: randomUUID,
      });

    it("a set comes back as it was, whatever its words and its id, with a version of the settings and an entry, for its organization alone", async () => {
      const id = "a/b $c.\u0000 constructor";
      const next = {
        ...setOf(id, "ÿ \u{1F600} $x.y"),
        corrected: { outgoing: { groceries: null } },
      };
      expect(await sets.put(null, next, "v1", entryOf("e1"))).toBe("stored");
      expect(await sets.get("o", id)).toEqual({ ...next, revision: 1 });
      expect(await sets.ofOrganization("o")).toEqual([{ ...next, revision: 1 }]);
      expect([await sets.get("p", id), await sets.ofOrganization("p")]).toEqual([null, []]);
      expect([await versionOf("o"), await versionOf("p")]).toEqual(["v1", undefined]);
      expect(await sets.changeOf("o", "e1")).toMatchObject(entryOf("e1"));
      expect(await sets.changeOf("p", "e1")).toBeNull();
    });

    it("a set that others have changed, made or removed since it was read is left alone, with the version and without an entry", async () => {
      await sets.put(null, setOf("s", "a"), "v1", entryOf("e1"));
      const before = await seenOf("s");
      await sets.put(before, setOf("s", "b"), "v2", entryOf("e2"));
      for (const stale of [null, before]) {
        expect(await sets.put(stale, setOf("s", "c"), "v3", entryOf("e3"))).toBe("overtaken");
      }
      expect(await sets.remove(before, "v3", entryOf("e3"))).toBe(false);
      expect((await seenOf("s")).outgoing).toEqual(["b"]);
      const seen = await seenOf("s");
      expect(await sets.remove(seen, "v4", entryOf("e4"))).toBe(true);
      expect(await sets.put(seen, setOf("s", "d"), "v5", entryOf("e5"))).toBe("overtaken");
      expect(await sets.remove(seen, "v5", entryOf("e5"))).toBe(false);
      expect(await sets.get("o", "s")).toBeNull();
      expect(await versionOf("o")).toBe("v4");
      const entries = await Promise.all(["e3", "e4", "e5"].map((id) => sets.changeOf("o", id)));
      expect(entries.map((entry) => entry?.id)).toEqual([undefined, "e4", undefined]);
    });

    it("another mapping is kept for the words it was made for alone, without a version or an entry", async () => {
      await sets.put(null, setOf("s", "a"), "v1", entryOf("e1"));
      const seen = await seenOf("s");
      const mapping = { incoming: {}, outgoing: { groceries: "a", pets: null } };
      await sets.keepMapping({ ...seen, mapping });
      expect(await sets.get("o", "s")).toEqual({ ...seen, mapping, revision: 2 });
      await sets.keepMapping(seen);
      expect((await seenOf("s")).mapping).toEqual(mapping);
      expect(await sets.put(seen, setOf("s", "b"), "v2", entryOf("e2"))).toBe("overtaken");
      expect(await versionOf("o")).toBe("v1");
    });

    it("an organization has no more sets than it may have, however many are made at once, and room again when one is gone", async () => {
      const outcomes = await Promise.all(
        [processOf(), processOf(), processOf()].flatMap((process, number) =>
          Array.from({ length: EACH }, (_, at) => {
            const set = { incoming: [], outgoing: [String(at)] };
            const id = `${String(number)} ${String(at)}`;
            return process.replace("o", id, set, BY, id);
          }),
        ),
      );
      const refused = outcomes.filter((outcome) => !outcome.ok);
      expect(refused).toEqual(Array.from({ length: 20 }, () => ({ ok: false, reason: "full" })));
      const ids = (await sets.ofOrganization("o")).map((set) => set.id);
      expect(ids).toHaveLength(CATEGORY_SETS_MAX);
      const gone = await seenOf(ids[7] ?? "");
      await sets.remove(gone, "v", entryOf("gone"));
      expect(await sets.put(null, setOf("new", "a"), "w", entryOf("new"))).toBe("stored");
      expect(await sets.put(null, setOf("more", "a"), "x", entryOf("more"))).toBe("full");
    });
  });
}
