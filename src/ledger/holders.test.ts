import { expect, it } from "vitest";
import { COMMAND_LINE } from "../model/audit.ts";
import type { HolderRemoval } from "../model/account-holder.ts";
import { createHolders, type HolderPorts } from "./holders.ts";

const unused = (): never => {
  throw new Error("Not expected here");
};

/** Everything that is done to the store, in order. */
function setUp(
  begun: HolderRemoval[] = [],
  overrides: Partial<HolderPorts> = {},
): {
  holders: ReturnType<typeof createHolders>;
  done: string[];
} {
  const done: string[] = [];
  let ids = 0;
  let left = 2;
  const ports: HolderPorts = {
    insertHolder: unused,
    insertMissing: unused,
    getHolder: unused,
    getHolders: unused,
    listHolders: unused,
    searchHolders: unused,
    changeHolder: unused,
    countTransactions: unused,
    meanConfidence: unused,
    markDeleting: (org, id, { action, subject }) => {
      done.push(`hidden, ${action} ${subject}`);
      return Promise.resolve(id === "h" ? { org, id, since: "1" } : null);
    },
    listDeleting: () => Promise.resolve({ removals: begun.splice(0), more: false }),
    removeTransactionsOfHolder: () => {
      done.push("emptied");
      left = Math.max(0, left - 1);
      return Promise.resolve(left);
    },
    removalFailed: () => {
      done.push("failed");
    },
    erasures: [
      () => {
        done.push("erased");
        return Promise.resolve();
      },
    ],
    removeHolder: ({ id }) => {
      done.push(`removed ${id}`);
      return Promise.resolve();
    },
    holderRemoved: (org, version) => {
      done.push(`announced ${org} ${version}`);
      return Promise.resolve();
    },
    newId: () => {
      ids += 1;
      return `v${String(ids)}`;
    },
    writeTombstones: unused,
    endOrder: unused,
    doneOrder: () => "0",
    nowMs: () => 0,
  };
  return { holders: createHolders({ ...ports, ...overrides }), done };
}

it("a holder is hidden, then its removal announced, then its transactions removed", async () => {
  const { holders, done } = setUp();
  expect(await holders.delete("o", "h", COMMAND_LINE)).toBe(true);
  expect(done).toEqual([
    "hidden, account_holder.deleted h",
    "announced o v2",
    "emptied",
    "emptied",
    "erased",
    "removed h",
  ]);
});

it("a removal after a crash is announced again, with a version of its own", async () => {
  const { holders, done } = setUp(["a", "b"].map((id) => ({ org: "o", id, since: "1" })));
  await holders.resumeDeletions();
  const announced = done.filter((one) => one.startsWith("announced"));
  expect(announced).toEqual(["announced o v1", "announced o v2"]);
  expect(done[0]).toBe(announced[0]);
});

it("a removal that fails stops neither the others nor the start", async () => {
  const begun = [
    { org: "o", id: "damaged", since: "1" },
    { org: "o", id: "good", since: "1" },
  ];
  const { holders, done } = setUp([], {
    listDeleting: () => Promise.resolve({ removals: [...begun], more: true }),
    erasures: [
      ({ id }) => (id === "damaged" ? Promise.reject(new Error("damaged")) : Promise.resolve()),
    ],
    removeHolder: ({ id }) => {
      begun.splice(
        begun.findIndex((one) => one.id === id),
        1,
      );
      return Promise.resolve();
    },
  });
  await holders.resumeDeletions();
  expect(begun.map(({ id }) => id)).toEqual(["damaged"]);
  expect(done.filter((one) => one === "failed")).toHaveLength(1);
});

it("deletions that others go on beginning hold no start up", async () => {
  let count = 0;
  const { holders, done } = setUp([], {
    listDeleting: () => {
      count += 1;
      return Promise.resolve({
        removals: [{ org: "o", id: `busy ${String(count)}`, since: "1" }],
        more: false,
      });
    },
  });
  await holders.resumeDeletions();
  expect(done.filter((one) => one.startsWith("removed"))).toEqual(["removed busy 1"]);
});

it("nothing is announced about a holder that does not exist", async () => {
  const { holders, done } = setUp();
  expect(await holders.delete("o", "unknown", COMMAND_LINE)).toBe(false);
  expect(done).toEqual(["hidden, account_holder.deleted unknown"]);
});

it("wanted holders are created at once: with the order of the log's end, and the types of both APIs", async () => {
  const inserted: unknown[] = [];
  const { holders } = setUp([], {
    endOrder: () => Promise.resolve("7"),
    nowMs: () => 5,
    insertMissing: (created, since) => {
      inserted.push({ created, since });
      return Promise.resolve();
    },
  });
  await holders.ensure("o", []);
  expect(inserted).toEqual([]);
  await holders.ensure("o", [
    { id: "a", statedType: "consumer", name: null },
    { id: "b", statedType: "freelance", name: "B" },
  ]);
  const both = { org: "o", categoryId: null, createdAt: 5 };
  const created = [
    { ...both, id: "a", type: "consumer", name: null },
    { ...both, id: "b", type: "business", statedType: "freelance", name: "B" },
  ];
  expect(inserted).toEqual([{ created, since: "7" }]);
});

it("the ids that no holder has come back in the order asked for", async () => {
  const there = { org: "o", type: "consumer", name: null, categoryId: null, createdAt: 1 } as const;
  const { holders } = setUp([], {
    getHolders: (_, ids) =>
      Promise.resolve(
        ids
          .filter((id) => id === "a" || id === "c")
          .map((id) => ({ holder: { ...there, id }, since: "0" })),
      ),
  });
  expect(await holders.missing("o", ["d", "c", "b", "a"])).toEqual(["d", "b"]);
});

it("a replacement and a new name each make a version of their own, and null or false for an unknown holder", async () => {
  const changes: unknown[] = [];
  const changed = {
    org: "o",
    id: "h",
    type: "business",
    name: "N",
    categoryId: null,
    createdAt: 1,
  } as const;
  const { holders } = setUp([], {
    changeHolder: (...change) => {
      changes.push(change);
      return Promise.resolve(change[1] === "h");
    },
    getHolder: () => Promise.resolve(changed),
  });
  const replacement = { type: "business", name: "N" } as const;
  expect(await holders.replace("o", "h", replacement)).toBe(changed);
  expect(await holders.rename("o", "h", "M")).toBe(true);
  expect(await holders.replace("o", "none", replacement)).toBeNull();
  expect(await holders.rename("o", "none", "M")).toBe(false);
  expect(changes).toEqual([
    ["o", "h", replacement, "v1"],
    ["o", "h", { name: "M" }, "v2"],
    ["o", "none", replacement, "v3"],
    ["o", "none", { name: "M" }, "v4"],
  ]);
});
