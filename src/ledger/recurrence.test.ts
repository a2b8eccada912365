import { validate } from "uuid";
import { describe, expect, it } from "vitest";
import {
  groupOfAll,
  monthlyGroup,
  namedFacts,
  openRecurrenceWorld,
  paidRow,
  type RecurrenceWorld,
} from "../../test/support/recurrence-world.ts";

describe("the groups of a holder", () => {
  it("have dates, ids and direction of their transactions, and facts of the latest one", async () => {
    const rows = [
      paidRow(
        "a",
        { date: "2026-03-31" },
        namedFacts("Netflix Inc.", "entertainment and recreation"),
      ),
      paidRow("b", { date: "2026-01-31", entryType: "incoming" }),
      paidRow("c", { date: "2026-02-28" }),
    ];
    const { world, groups } = openRecurrenceWorld(rows);
    world.find = () => ({ groups: [monthlyGroup(2, 0), monthlyGroup(1)], income: [] });
    const answered = await groups();
    expect(answered).toMatchObject([
      {
        ...{ startDate: "2026-02-28", endDate: "2026-03-31", entryType: "outgoing" },
        ...{ transactionIds: ["c", "a"], periodicity: "monthly", totalAmount: 30.98 },
        counterparty: { name: "Netflix Inc." },
        categories: { general: "entertainment and recreation" },
      },
      { startDate: "2026-01-31", endDate: "2026-01-31", entryType: "incoming" },
    ]);
    expect(answered).not.toHaveProperty("0.members");
  });

  it("keep their ids when transactions are added; other holders and groups have others", async () => {
    const { world, groups } = openRecurrenceWorld([paidRow("a"), paidRow("b")]);
    const ids = async (id = "h"): Promise<readonly string[]> => {
      const all = await groups("o", id);
      return typeof all === "string" ? [] : all.map((one) => one.id);
    };
    const [before = ""] = await ids();
    expect(validate(before)).toBe(true);
    world.rows.push(paidRow("c"));
    world.version += 1;
    expect(await ids()).toEqual([before]);
    world.holderIds.push("h2");
    world.find = () => ({ groups: [monthlyGroup(0), monthlyGroup(1)], income: [] });
    const all = [before, ...(await ids("h2"))];
    expect(new Set(all).size).toBe(3);
  });

  it("have no counterparty and no categories where the latest transaction has no facts", async () => {
    const { groups } = openRecurrenceWorld([paidRow("a"), paidRow("b", {}, null)]);
    expect(await groups()).toMatchObject([{ counterparty: null, categories: null }]);
  });

  it("are missing from an empty ledger, and may have one transaction", async () => {
    const { world, idsOf } = openRecurrenceWorld();
    expect(await idsOf()).toEqual([]);
    world.rows.push(paidRow("a"));
    world.version += 1;
    expect(await idsOf()).toEqual([["a"]]);
  });

  it("of an unknown holder, or one of another organization, do not exist", async () => {
    const { world, groups } = openRecurrenceWorld([paidRow("a")]);
    expect(await groups("o", "unknown")).toBe("account_holder_not_found");
    expect(await groups("p", "h")).toBe("account_holder_not_found");
    expect(await groups()).toHaveLength(1);
    world.holderIds.pop();
    expect(await groups()).toBe("account_holder_not_found");
  });
});

describe("a transaction of a group that has left the ledger since it was read", () => {
  it("is not among its transactions, and a group of nothing else is left out", async () => {
    const { world, groups } = openRecurrenceWorld([
      paidRow("a"),
      paidRow("b"),
      paidRow("c", { date: "2026-03-31" }),
    ]);
    world.find = () => {
      world.rows = world.rows.filter(({ input }) => input.id !== "a");
      return { groups: [monthlyGroup(0, 1, 2), monthlyGroup(0)], income: [] };
    };
    expect(await groups()).toMatchObject([{ transactionIds: ["b", "c"], endDate: "2026-03-31" }]);
  });
});

it("nothing of a holder that is removed stays in memory", async () => {
  const { found, groups, recurrence } = openRecurrenceWorld([paidRow("a")]);
  await groups();
  recurrence.drop("o", "h");
  // The same version again shows whether its result is still there.
  expect(await groups()).toHaveLength(1);
  expect(found).toHaveLength(2);
  recurrence.drop("p", "h");
  await groups();
  expect(found).toHaveLength(2);
});

describe("what the threads get", () => {
  it("is every transaction with its currency, and without facts its input alone", async () => {
    const { found, groups } = openRecurrenceWorld([
      paidRow("a"),
      paidRow("b", { currency: "EUR", date: "1970-01-01" }),
      paidRow("c", { entryType: "incoming", amount: 0, date: "2099-12-31" }, null),
    ]);
    await groups();
    const payee = { counterparty: 0, first: -1, firstLine: "" };
    expect(found).toMatchObject([
      {
        days: Int32Array.of(20_484, 0, 47_481),
        amounts: Float64Array.of(15.49, 15.49, 0),
        parties: Int32Array.of(0, 1, 2),
        categories: Int16Array.of(0, 0, -1),
        partyTable: [
          { ...payee, entryType: "outgoing", currency: "USD", latestLine: "" },
          { ...payee, entryType: "outgoing", currency: "EUR", latestLine: "" },
          {
            ...{ counterparty: -1, entryType: "incoming", currency: "USD" },
            ...{ first: 2, firstLine: "NETFLIX c", latestLine: "NETFLIX c" },
          },
        ],
        counterpartyTable: [{ id: "n", name: "Netflix", website: null, type: "organization" }],
        categoryTable: ["media"],
      },
    ]);
  });

  it.each([
    ["outgoing", "media", ["media"]],
    ["incoming", "media", []],
    ["incoming", "paycheck", ["paycheck"]],
    ["outgoing", "a name of the customer", []],
    ["outgoing", null, []],
  ] as const)(
    "of %s money the category %j is passed on as %j",
    async (entryType, general, table) => {
      const { found, groups } = openRecurrenceWorld([
        paidRow("a", { entryType }, namedFacts("Netflix", general)),
      ]);
      await groups();
      expect(found[0]?.categoryTable).toEqual(table);
    },
  );

  it("has a counterparty only where it has a name", async () => {
    const { found, groups } = openRecurrenceWorld([paidRow("a", {}, namedFacts(null, null))]);
    await groups();
    expect(found[0]?.counterpartyTable).toEqual([]);
  });

  it("is a ledger of several pages completely", async () => {
    const rows = Array.from({ length: 1_234 }, (_, number) => paidRow(String(number)));
    const { idsOf } = openRecurrenceWorld(rows);
    expect(await idsOf()).toEqual([rows.map(({ input }) => input.id)]);
  });

  it("is not a ledger beyond the limit", async () => {
    const rows = [paidRow("a"), paidRow("b"), paidRow("c")];
    const { world, found, idsOf } = openRecurrenceWorld(rows, { ledgerLengthMax: 2 });
    expect(await idsOf()).toBe("ledger_too_large");
    expect(found).toEqual([]);
    rows.pop();
    world.version += 1;
    expect(await idsOf()).toEqual([["a", "b"]]);
  });
});

describe("the cache", () => {
  it("answers until the ledger has another version", async () => {
    const { world, found, idsOf } = openRecurrenceWorld([paidRow("a")]);
    for (let call = 0; call < 3; call += 1) expect(await idsOf()).toEqual([["a"]]);
    expect(found).toHaveLength(1);
    world.rows.push(paidRow("b"));
    world.version += 1;
    expect(await idsOf()).toEqual([["a", "b"]]);
    expect(found).toHaveLength(2);
  });

  it("lets calls at the same time read the ledger once", async () => {
    const { found, idsOf } = openRecurrenceWorld([paidRow("a")]);
    const answers = await Promise.all([idsOf(), idsOf(), idsOf()]);
    expect(answers).toEqual([[["a"]], [["a"]], [["a"]]]);
    expect(found).toHaveLength(1);
  });

  it("does not let a call read with one that began before the ledger changed", async () => {
    const { world, found, idsOf } = openRecurrenceWorld([paidRow("a")]);
    const { promise: stopped, resolve: go } = Promise.withResolvers<undefined>();
    const { promise: reading, resolve: began } = Promise.withResolvers<undefined>();
    world.onPage = () => {
      began(undefined);
      return stopped;
    };
    const early = idsOf();
    await reading;
    world.rows = [paidRow("a"), paidRow("b")];
    world.version += 1;
    const late = idsOf();
    await new Promise(setImmediate);
    go(undefined);
    expect(await Promise.all([early, late])).toEqual([[["a", "b"]], [["a", "b"]]]);
    // The early call shared the reading of the late one when it found that the ledger had changed.
    expect(found).toHaveLength(2);
  });

  it("does not keep what was read while the ledger changed: it is read again", async () => {
    const { world, found, idsOf } = openRecurrenceWorld([paidRow("a")]);
    world.onPage = () => {
      if (world.rows.length > 1) return;
      world.rows = [paidRow("a"), paidRow("b")];
      world.version += 1;
    };
    expect(await idsOf()).toEqual([["a", "b"]]);
    expect(found).toHaveLength(2);
    expect(await idsOf()).toEqual([["a", "b"]]);
    expect(found).toHaveLength(2);
  });

  it("reads a ledger that changes all the time three times, and keeps nothing of it", async () => {
    const { world, found, idsOf } = openRecurrenceWorld([paidRow("a")]);
    world.onPage = () => {
      world.version += 1;
    };
    expect(await idsOf()).toEqual([["a"]]);
    expect(found).toHaveLength(3);
    world.onPage = () => undefined;
    await idsOf();
    expect(found).toHaveLength(4);
  });

  it("holds no more than its limit: the holder that was read least recently is evicted", async () => {
    const { world, found, groups } = openRecurrenceWorld([paidRow("a")], { cacheBytesMax: 10_000 });
    world.holderIds = ["h1", "h2", "h3"];
    for (const id of ["h1", "h2", "h1", "h3", "h1", "h3"]) await groups("o", id);
    expect(found).toHaveLength(3);
    await groups("o", "h2");
    expect(found).toHaveLength(4);
  });

  it("does not keep a result that is larger than all of it", async () => {
    const { found, groups } = openRecurrenceWorld([paidRow("a")], { cacheBytesMax: 100 });
    await groups();
    await groups();
    expect(found).toHaveLength(2);
  });

  it("a failure of the threads is not kept, and fails all calls that waited for it", async () => {
    const { world, idsOf } = openRecurrenceWorld([paidRow("a")]);
    world.find = () => {
      throw new Error("lost");
    };
    const outcomes = await Promise.allSettled([idsOf(), idsOf()]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    world.find = groupOfAll;
    expect(await idsOf()).toEqual([["a"]]);
  });
});

describe("of three calls at the same time", () => {
  /** The most that were done at once of what calls `doing`. */
  async function mostAtOnce(watch: (world: RecurrenceWorld, doing: () => Promise<void>) => void) {
    const { world, groups } = openRecurrenceWorld([paidRow("a")]);
    world.holderIds = ["h1", "h2", "h3"];
    let running = 0;
    let most = 0;
    watch(world, async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
    });
    await Promise.all(world.holderIds.map((id) => groups("o", id)));
    return most;
  }

  it("two read their ledgers", async () => {
    const most = await mostAtOnce((world, doing) => {
      world.onPage = doing;
    });
    expect(most).toBe(2);
  });

  it("one has a thread", async () => {
    const most = await mostAtOnce((world, doing) => {
      world.find = async (columns) => {
        await doing();
        return groupOfAll(columns);
      };
    });
    expect(most).toBe(1);
  });
});
