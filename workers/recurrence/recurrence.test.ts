import { describe, expect, it } from "vitest";
import { createLedgerColumns } from "../../src/codec/ledger-columns.ts";
import type { LedgerEntry, Recurrence, RecurringGroup } from "../../src/model/recurrence.ts";
import { findRecurrence } from "./recurrence.ts";

const netflix: Omit<LedgerEntry, "date" | "id"> = {
  ...{ amount: 15.49, entryType: "outgoing", currency: "USD", description: "NETFLIX.COM" },
  counterparty: { id: "n", name: "Netflix", website: "netflix.com", type: "organization" },
  category: "media",
};
const payee = (name: string, category: string | null, website: string | null = null) => ({
  ...{ description: name.toUpperCase(), category },
  counterparty: { id: null, name, website, type: "organization" as const },
});

type Entry = Partial<LedgerEntry> & { readonly date: string };

function find(entries: readonly Entry[], base = netflix): Recurrence {
  const builder = createLedgerColumns();
  for (const [at, entry] of entries.entries()) builder.add({ id: String(at), ...base, ...entry });
  return findRecurrence(builder.columns());
}

const groupsOf = (
  dates: readonly string[],
  base: Partial<LedgerEntry> = {},
): readonly RecurringGroup[] =>
  find(
    dates.map((date) => ({ date })),
    { ...netflix, ...base },
  ).groups;

const months = (count: number, day = "05"): readonly string[] =>
  Array.from({ length: count }, (_, index) => {
    const month = index + 1;
    return `${String(2024 + Math.floor(index / 12))}-${String(((month - 1) % 12) + 1).padStart(2, "0")}-${day}`;
  });

describe("what a ledger may hold", () => {
  it("nothing has no groups", () => {
    expect(find([])).toEqual({ groups: [], income: [] });
  });

  it("one payment to a service that sells subscriptions is a group of low confidence", () => {
    const [group] = groupsOf(["2026-01-05"]);
    expect(group).toMatchObject({ members: [0], periodicity: "monthly", periodDays: 30 });
    expect(group?.confidence).toBe(0.5);
    const [longer] = groupsOf(months(6));
    expect(longer?.confidence).toBeGreaterThan(0.9);
  });

  it("one payment to another payee is not a group", () => {
    expect(groupsOf(["2026-01-05"], payee("Corner Cafe", "cafes and coffee shops"))).toEqual([]);
  });

  it("ten thousand payments on one day are not a group", () => {
    const day = Array.from({ length: 10_000 }, () => "2026-01-05");
    expect(groupsOf(day, payee("Acme", null))).toEqual([]);
  });

  it.each([1e200, 1e305, 1e308, Number.MAX_VALUE])(
    "amounts of %s have groups of numbers",
    (amount) => {
      const salary = { entryType: "incoming", category: "paycheck" } as const;
      const found = [
        find(months(1).map((date) => ({ date, amount }))),
        find(months(7).map((date) => ({ date, amount }))),
        find(
          months(12).map((date, at) => ({ ...salary, date, amount: at % 2 === 0 ? amount : 1 })),
        ),
      ];
      expect(found.map(({ groups, income }) => [groups.length, income.length])).toEqual([
        [1, 0],
        [1, 0],
        [1, 1],
      ]);
      for (const { groups, income } of found)
        for (const { totalAmount, next } of [...groups, ...income]) {
          const { lowestAmount = 0, highestAmount = 0 } = next ?? {};
          expect(
            [totalAmount, next?.amount, lowestAmount, highestAmount].every(Number.isFinite),
          ).toBe(true);
        }
      const [one, seven] = found.map(({ groups: [group] }) => group);
      expect([one?.totalAmount, one?.averageAmount, one?.next?.amount]).toEqual([
        amount,
        amount,
        amount,
      ]);
      expect(seven?.totalAmount).toBeGreaterThan(amount / 2);
    },
  );

  it("payments in 1970 and 2099 have the groups that others have", () => {
    const [early] = groupsOf(["1970-01-05", "1970-02-05", "1970-03-05", "1970-04-05"]);
    expect(early).toMatchObject({ periodicity: "monthly", members: [0, 1, 2, 3] });
    const [late] = groupsOf(["2099-08-31", "2099-09-30", "2099-10-31", "2099-11-30"]);
    expect(late?.next?.date).toBe("2099-12-31");
  });

  it("a payment behind the last date that there is is not expected", () => {
    const dates = months(12, "28").map((date) => date.replace("2024", "9999"));
    expect(groupsOf(dates)).toMatchObject([{ isActive: true, next: null }]);
    expect(groupsOf(["9999-12-31"])).toMatchObject([{ isActive: true, next: null }]);
    const [group] = groupsOf(dates.slice(0, -1));
    expect(group?.next?.date).toBe("9999-12-28");
    expect(String(group?.next?.latestDate) <= "9999-12-31").toBe(true);
  });

  it("payments in two currencies, and in two directions, are groups of their own", () => {
    const dates = months(4);
    const { groups } = find([
      ...dates.map((date) => ({ date })),
      ...dates.map((date) => ({ date, currency: "EUR" })),
      ...dates.map((date) => ({ date, entryType: "incoming" as const, category: "paycheck" })),
    ]);
    // Those that begin on one day with one amount have no order.
    expect(groups.map(({ members }) => members).sort(([a = 0], [b = 0]) => a - b)).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
      [8, 9, 10, 11],
    ]);
  });

  it("transactions that nothing is known of are grouped by the words of their line", () => {
    const nothing = { counterparty: null, category: null };
    const lines = ["HARBOUR GYM 4711 DDR", "HARBOUR GYM 4822 DDR", "HARBOUR GYM 99 DDR"];
    const { groups } = find([
      ...lines.map((description, index) => ({
        ...nothing,
        description,
        date: months(3)[index] ?? "",
      })),
      { ...nothing, description: "BAKERY 12", date: "2024-02-09" },
    ]);
    expect(groups.map(({ members }) => members)).toEqual([[0, 1, 2]]);
  });
});

describe("a transaction that was replaced while the ledger was read", () => {
  it("counts once, as it is now", () => {
    const entries: readonly Entry[] = months(4).map((date) => ({ date, id: date }));
    const moved = { id: "2024-03-05", date: "2024-03-06", amount: 17.99 };
    const { groups } = find([...entries, moved]);
    expect(groups).toMatchObject([{ members: [0, 1, 4, 3], totalAmount: 64.46 }]);
  });
});

it("of equal payments on one day, the same one is in the group in any order", () => {
  const dates = ["2024-01-05", "2024-02-05", "2024-03-05", "2024-03-05", "2024-04-05"];
  const entries = dates.map((date, at) => ({ date, id: `t${String(at)}` }));
  const idsOf = (list: readonly Entry[]): readonly (readonly (string | undefined)[])[] =>
    find(list).groups.map(({ members }) => members.map((place) => list[place]?.id));
  const found = idsOf(entries);
  expect(found).toHaveLength(1);
  expect(idsOf(entries.toReversed())).toEqual(found);
});

describe("sums", () => {
  it("are exact where adding numbers is not", () => {
    const [group] = groupsOf(months(24), { amount: 0.1 });
    expect(group?.totalAmount).toBe(2.4);
    expect(group?.averageAmount).toBe(0.1);
  });

  it("keep the decimals of currencies that have more than two", () => {
    const [group] = groupsOf(months(3), { amount: 1.234, currency: "KWD" });
    expect(group?.totalAmount).toBe(3.702);
  });

  it("of amounts as large as a number holds do not overflow", () => {
    const [group] = groupsOf(months(3), { amount: 1e11 });
    expect(group?.totalAmount).toBe(3e11);
  });
});

describe("what comes next", () => {
  it("the end of a month stays the end of a month", () => {
    const [group] = groupsOf(["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30"]);
    expect(group?.next).toMatchObject({ date: "2026-05-31", amount: 15.49 });
  });

  it("a debit that falls on a weekend comes on the next bank day", () => {
    // 1 February, 1 March and 1 June 2026 are Sundays, 1 August is a Saturday.
    const dates = [
      "2026-02-02",
      "2026-03-02",
      "2026-04-01",
      "2026-05-01",
      "2026-06-01",
      "2026-07-01",
    ];
    const [group] = groupsOf(dates, { ...payee("Meadow Insurance", "insurance"), currency: "GBP" });
    expect(group?.next?.date).toBe("2026-08-03");
  });

  it("pay on a holiday comes before it", () => {
    const pay = { entryType: "incoming" as const, ...payee("Kestrel Foods", "paycheck") };
    const dates = ["2026-10-16", "2026-10-30", "2026-11-13", "2026-11-27", "2026-12-11"];
    const [group] = groupsOf(dates, pay);
    // A fortnight after is Christmas Day.
    expect(group?.next?.date).toBe("2026-12-24");
    expect(group?.incomeType).toBe("salary");
  });

  it("an interval of days and amounts holds the expected ones", () => {
    const amounts = [80, 95, 70, 110, 88, 92, 101, 79];
    const { groups } = find(
      amounts.map((amount, index) => ({ amount, date: months(8)[index] ?? "" })),
      { ...netflix, ...payee("Con Edison", "utilities") },
    );
    const { next } = groups[0] ?? {};
    expect(next?.lowestAmount).toBeLessThan(next?.amount ?? 0);
    expect(next?.highestAmount).toBeGreaterThan(next?.amount ?? 0);
    expect([next?.earliestDate, next?.date, next?.latestDate].sort()).toEqual([
      next?.earliestDate,
      next?.date,
      next?.latestDate,
    ]);
  });

  it("nothing comes after a series whose payment is late by a third of its period", () => {
    const { groups } = find([
      ...months(4).map((date) => ({ date })),
      { date: "2024-05-14", ...payee("Corner Cafe", null) },
    ]);
    expect(groups[0]).toMatchObject({ isActive: true });
    const later = find([
      ...months(4).map((date) => ({ date })),
      { date: "2024-05-16", ...payee("Corner Cafe", null) },
    ]);
    expect(later.groups[0]).toMatchObject({ isActive: false, next: null });
  });
});

describe("what kind of payment it is", () => {
  it.each([
    ["utilities", "bill", true],
    ["media", "subscription", false],
    ["saas tools", "subscription", false],
    ["loan repayment", "bill", true],
    ["bank fee", "bill", false],
  ] as const)("%s is a %s, essential: %s", (category, kind, isEssential) => {
    const [group] = groupsOf(months(5), payee("Acme", category));
    expect(group).toMatchObject({ kind, isEssential });
  });

  it("a shop that is visited every Saturday sends no bills", () => {
    const saturdays = ["03-07", "03-14", "03-21", "03-28", "04-04", "04-11", "04-18", "04-25"];
    const shop = payee("Kroger", "groceries", "kroger.com");
    expect(
      groupsOf(
        saturdays.map((day) => `2026-${day}`),
        { ...shop, amount: 60 },
      ),
    ).toEqual([]);
  });
});

describe("income", () => {
  const incoming = { entryType: "incoming" as const };
  it("irregular income of a platform is one group without a frequency", () => {
    const dates = ["2026-01-03", "2026-01-05", "2026-01-12", "2026-02-20", "2026-02-22"];
    const { income, groups } = find(
      dates.map((date, index) => ({ date, amount: 30 + 7 * index })),
      { ...netflix, ...incoming, ...payee("Uber", "rideshare and delivery income") },
    );
    expect(groups).toEqual([]);
    expect(income).toMatchObject([
      { incomeType: "rideshare and delivery", payFrequency: null, members: [0, 1, 2, 3, 4] },
    ]);
  });

  it.each([
    "refund",
    "inter account transfer",
    "loans",
    "cash back and rewards",
    "peer to peer transfer",
  ])("a regular %s is not income", (category) => {
    const { income, groups } = find(
      months(6).map((date) => ({ date })),
      { ...netflix, ...incoming, ...payee("Acme", category) },
    );
    expect(income).toEqual([]);
    expect(groups.every(({ incomeType }) => incomeType === null)).toBe(true);
  });

  it("a rhythm of a person's money without a category is to be verified", () => {
    const person = { id: null, name: "Priya Raman", website: null, type: "person" as const };
    const { income } = find(
      months(6).map((date) => ({ date })),
      { ...netflix, ...incoming, counterparty: person, category: null, description: "FROM PRIYA" },
    );
    expect(income).toMatchObject([{ incomeType: "possible income - please verify" }]);
  });
});
