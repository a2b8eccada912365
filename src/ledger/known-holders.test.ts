import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { HolderSince } from "../model/account-holder.ts";
import type { AccountType } from "../model/transaction.ts";
import { createKnownHolders, type KnownHolders } from "./known-holders.ts";

const holderOf = (org: string, id: string, type: AccountType = "consumer"): HolderSince => ({
  holder: { org, id, type, name: null, categoryId: null, createdAt: 1 },
  since: "0",
});

interface Stored {
  readonly known: KnownHolders;
  /** The ids that were read, one entry for each read. */
  readonly reads: (readonly string[])[];
  readonly there: Set<string>;
  hide(id: string): void;
  /** What a removal does when the holder is hidden. */
  say(): void;
  remove(id: string): void;
  /** Replaces the type of the holder, in one write with the version. */
  change(id: string, type: AccountType): void;
}

function setUp(ids: readonly string[], rememberedMax?: number): Stored {
  const there = new Set(ids);
  const types = new Map<string, AccountType>();
  const reads: (readonly string[])[] = [];
  let version = 0;
  const say = (): void => {
    version += 1;
  };
  const hide = (id: string): void => {
    there.delete(id);
  };
  const ports = {
    versionOf: () => Promise.resolve(String(version)),
    getHolders: (org: string, asked: readonly string[]) => {
      reads.push(asked);
      return Promise.resolve(
        asked.filter((id) => there.has(id)).map((id) => holderOf(org, id, types.get(id))),
      );
    },
  };
  return {
    known: createKnownHolders(ports, rememberedMax),
    reads,
    there,
    hide,
    say,
    remove: (id) => {
      hide(id);
      say();
    },
    change: (id, type) => {
      types.set(id, type);
      say();
    },
  };
}

const idsOf = (found: readonly HolderSince[]): string[] =>
  found.map(({ holder }) => holder.id).sort();

describe("known holders", () => {
  it("are read once, those that are not there every time", async () => {
    const { known, reads, there } = setUp(["a", "b"]);
    expect(idsOf(await known.find("o", ["a", "gone"]))).toEqual(["a"]);
    expect(idsOf(await known.find("o", ["a", "b", "gone"]))).toEqual(["a", "b"]);
    expect(idsOf(await known.find("o", ["b", "a"]))).toEqual(["a", "b"]);
    expect(reads).toEqual([
      ["a", "gone"],
      ["b", "gone"],
    ]);
    there.add("gone");
    expect(idsOf(await known.find("o", ["gone"]))).toEqual(["gone"]);
  });

  it("are dropped when any of them is removed", async () => {
    const { known, reads, remove } = setUp(["a", "b"]);
    await known.find("o", ["a", "b"]);
    remove("b");
    expect(idsOf(await known.find("o", ["a", "b"]))).toEqual(["a"]);
    expect(reads).toHaveLength(2);
  });

  it("are read again after a change of any of them, so that a new type counts for what comes next", async () => {
    const { known, change } = setUp(["a", "b"]);
    await known.find("o", ["a", "b"]);
    change("b", "business");
    const found = await known.find("o", ["a", "b"]);
    const types = found.map(({ holder }) => [holder.id, holder.type]);
    expect(types.sort()).toEqual([
      ["a", "consumer"],
      ["b", "business"],
    ]);
  });

  it("of one organization are not those of another", async () => {
    const { known, reads } = setUp(["a"]);
    await known.find("o", ["a"]);
    const [found] = await known.find("other", ["a"]);
    expect(found?.holder.org).toBe("other");
    expect(reads).toHaveLength(2);
  });

  it("without any that is named nothing is read", async () => {
    const { known, reads } = setUp(["a"]);
    expect(await known.find("o", [])).toEqual([]);
    expect(reads).toEqual([]);
  });

  it("are as many as there is room for; of the organization that was used last the others go", async () => {
    const { known, reads } = setUp(["a", "b", "c"], 2);
    await known.find("old", ["a"]);
    await known.find("o", ["a", "b"]);
    await known.find("o", ["a", "b"]);
    expect(reads).toHaveLength(2);
    await known.find("old", ["a"]);
    expect(reads).toHaveLength(3);
    await known.find("old", ["a", "b", "c"]);
    await known.find("old", ["b", "c"]);
    expect(reads).toEqual([["a"], ["a", "b"], ["a"], ["b", "c"]]);
  });

  it("in any interleaving: after the announced removal no process finds a holder, until it is hidden all do", async () => {
    const ids = ["a", "b", "c"];
    const step = fc.tuple(fc.constantFrom("find", "hide", "say", "create"), fc.subarray(ids));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { known, there, hide, say } = setUp(ids, 2);
        /**
         * Hidden, but the version is not changed yet: a lookup may find such a holder or not, and it cannot be created again.
         */
        const leaving = new Set<string>();
        const settled = (asked: readonly string[]): string[] =>
          asked.filter((id) => !leaving.has(id)).sort();
        for (const [kind, asked] of steps) {
          if (kind === "say") {
            say();
            leaving.clear();
          } else if (kind === "hide") {
            asked.forEach(hide);
            for (const id of asked) leaving.add(id);
          } else if (kind === "create") {
            for (const id of settled(asked)) there.add(id);
          } else {
            const found = idsOf(await known.find("o", asked));
            expect(settled(found)).toEqual(settled(asked).filter((id) => there.has(id)));
          }
        }
      }),
    );
  });

  it("a holder that was read while it was removed is not remembered under the version that came after", async () => {
    const { there, hide } = setUp(["a"]);
    let version = "1";
    const waiting: (() => void)[] = [];
    const known = createKnownHolders({
      versionOf: () => Promise.resolve(version),
      getHolders: (org, ids) => {
        const found = ids.filter((id) => there.has(id)).map((id) => holderOf(org, id));
        return new Promise((resolve) => {
          waiting.push(() => {
            resolve(found);
          });
        });
      },
    });
    const slow = known.find("o", ["a"]);
    await Promise.resolve();
    hide("a");
    version = "2";
    const after = known.find("o", ["a"]);
    await Promise.resolve();
    for (const answer of waiting) answer();
    expect(idsOf(await slow)).toEqual(["a"]);
    expect(idsOf(await after)).toEqual([]);
    const again = known.find("o", ["a"]);
    await Promise.resolve();
    for (const answer of waiting) answer();
    expect(idsOf(await again)).toEqual([]);
  });
});
