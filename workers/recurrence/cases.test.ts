// What payments do in life, a test for each: plans, prices, days, breaks, calendars. Figures over many of them: `bench/recurrence`.
import { describe, expect, it } from "vitest";
import { createLedgerColumns } from "../../src/codec/ledger-columns.ts";
import type { LedgerEntry, RecurringGroup } from "../../src/model/recurrence.ts";
import { findRecurrence } from "./recurrence.ts";

type Payee = Pick<LedgerEntry, "category" | "currency" | "entryType" | "counterparty">;

const payee = (
  name: string,
  category: string | null,
  other: { currency?: string; website?: string; isIncoming?: boolean; isPerson?: boolean } = {},
): Payee => ({
  category,
  currency: other.currency ?? "USD",
  entryType: other.isIncoming === true ? "incoming" : "outgoing",
  counterparty: {
    ...{ id: null, name, website: other.website ?? null },
    type: other.isPerson === true ? "person" : "organization",
  },
});
const netflix = payee("Netflix", "media", { website: "netflix.com" });
const gym = payee("Harbour Gym", "sport and fitness");

type Payment = Omit<LedgerEntry, "id">;

/** `2025-01-05 15.49, 02-05 15.49`: the year and the amount stay until others come. */
function entriesOf(text: string, of: Payee): readonly Payment[] {
  let year = "";
  let amount = 0;
  return text.split(", ").map((one): Payment => {
    const [day = "", sum] = one.split(" ");
    if (day.length > 5) year = day.slice(0, 5);
    if (sum !== undefined) amount = Number(sum);
    const date = `${year}${day.slice(-5)}`;
    return { ...of, date, amount, description: of.counterparty?.name ?? "LINE" };
  });
}

function find(...parts: readonly (readonly Payment[])[]): readonly RecurringGroup[] {
  const builder = createLedgerColumns();
  for (const [at, entry] of parts.flat().entries()) builder.add({ id: String(at), ...entry });
  return findRecurrence(builder.columns()).groups;
}

const groupsOf = (text: string, of: Payee): readonly RecurringGroup[] => find(entriesOf(text, of));

/** Lengths, periodicities and next days. */
const shown = (groups: readonly RecurringGroup[]): readonly string[] =>
  groups.map(
    ({ members, periodicity, next }) =>
      `${String(members.length)} ${periodicity} ${next?.date ?? "ended"}`,
  );

describe("subscriptions of one merchant", () => {
  it("with two prices are two groups", () => {
    const found = find(
      entriesOf("2025-01-05 15.49, 02-05, 03-05, 04-05", netflix),
      entriesOf("2025-01-19 6.99, 02-19, 03-19, 04-19", netflix),
    );
    expect(shown(found)).toEqual(["4 monthly 2025-05-05", "4 monthly 2025-05-19"]);
  });

  it("with one price on two days of the month are two groups, not one twice a month", () => {
    const text = "2025-01-05 15.49, 01-20, 02-05, 02-20, 03-05, 03-20, 04-05, 04-20";
    expect(shown(groupsOf(text, netflix))).toEqual([
      "4 monthly 2025-05-05",
      "4 monthly 2025-05-20",
    ]);
  });

  it("stay one group when the price or the plan changes", () => {
    const [group, ...others] = groupsOf(
      "2025-01-11 15.49, 02-11, 03-11, 04-11 17.99, 05-11, 06-11 24.99, 07-11",
      netflix,
    );
    expect(others).toEqual([]);
    expect(group).toMatchObject({
      totalAmount: 132.43,
      next: { date: "2025-08-11", amount: 24.99 },
    });
  });
});

describe("one or two payments to a service", () => {
  it("are expected again a month later, the second one with more confidence", () => {
    const [first] = groupsOf("2025-01-31 15.49", netflix);
    expect(first).toMatchObject({
      ...{ confidence: 0.5, isActive: true, kind: "subscription" },
      next: { date: "2025-02-28", amount: 15.49 },
    });
    const [second, ...others] = groupsOf("2025-01-31 15.49, 02-28 17.99", netflix);
    expect(others).toEqual([]);
    expect(second).toMatchObject({
      members: [0, 1],
      confidence: 0.7,
      next: { date: "2025-03-31" },
    });
    expect(second?.next?.lowestAmount).toBeLessThan(17.99);
  });

  it("that stopped are not expected", () => {
    const later = entriesOf("2025-03-20 4.2", payee("Corner Cafe", "cafes and coffee shops"));
    expect(shown(find(entriesOf("2025-01-05 15.49", netflix), later))).toEqual(["1 monthly ended"]);
  });

  it("after a series that ended are a new start", () => {
    const found = groupsOf("2024-01-05 15.49, 02-05, 03-05, 04-05, 2025-06-09 17.99", netflix);
    expect(shown(found)).toEqual(["4 monthly ended", "1 monthly 2025-07-09"]);
  });

  it("within a month, or more of them without a rhythm, are purchases", () => {
    const store = payee("Xbox", "entertainment and recreation", { website: "xbox.com" });
    expect(groupsOf("2025-01-05 19.99, 01-11 4.99", store)).toEqual([]);
    expect(groupsOf("2025-01-05 19.99, 01-11 4.99, 04-02 59.99", store)).toEqual([]);
  });
});

describe("a series whose days change", () => {
  it("goes on from the new day once two payments came on it", () => {
    const text = "2025-01-15 2100, 02-14, 03-14, 04-15, 05-15, 06-30, 07-31, 08-29";
    const pay = payee("Kestrel Foods", "paycheck", { isIncoming: true });
    expect(shown(groupsOf(text, pay))).toEqual(["8 monthly 2025-09-30"]);
  });

  it("with a month left out, or paid twice, is one series", () => {
    expect(shown(groupsOf("2025-01-03 30, 02-03, 04-03, 05-03, 06-03", gym))).toEqual([
      "5 monthly 2025-07-03",
    ]);
    expect(shown(groupsOf("2025-01-03 30, 02-03, 02-05, 03-03, 04-03, 05-03", gym))).toEqual([
      "6 monthly 2025-06-03",
    ]);
  });

  it("that ends and begins again after more than three periods is two groups", () => {
    const loan = payee("Nelnet", "student loan repayment");
    const text =
      "2025-01-15 212.4, 02-18, 03-17, 04-15, 05-15, 09-15, 10-15, 11-17, 12-15, 2026-01-15, 02-17";
    expect(shown(groupsOf(text, loan))).toEqual(["5 monthly ended", "6 monthly 2026-03-16"]);
  });
});

describe("weekends and holidays", () => {
  it.each([
    ["USD", "2025-01-02 95, 02-03, 03-03, 04-01, 05-01, 06-02, 07-01, 08-01", "2025-09-02"],
    ["GBP", "2024-09-02 95, 10-01, 11-01, 12-02, 2025-01-02, 02-03, 03-03, 04-01", "2025-05-01"],
    ["EUR", "2024-11-04 95, 12-02, 2025-01-02, 02-03, 03-03, 04-01", "2025-05-02"],
  ])("a debit in %s due on the 1st comes on the next bank day", (currency, text, next) => {
    const [group] = groupsOf(text, payee("Meadow Insurance", "insurance", { currency }));
    expect(group).toMatchObject({ periodicity: "monthly", next: { date: next } });
  });

  it("pay on the last bank day stays there, and so does pay on the first", () => {
    const pay = payee("Northgate Trust", "paycheck", { currency: "GBP", isIncoming: true });
    expect(shown(groupsOf("2025-01-31 2400, 02-28, 03-31, 04-30, 05-30, 06-30", pay))).toEqual([
      "6 monthly 2025-07-31",
    ]);
    const benefit = payee("VA Benefits", "government benefits", { isIncoming: true });
    expect(shown(groupsOf("2025-01-02 1759, 02-03, 03-03, 04-01, 05-01, 06-02", benefit))).toEqual([
      "6 monthly 2025-07-01",
    ]);
  });
});

describe("periods", () => {
  const pay = payee("Initech", "paycheck", { isIncoming: true });
  it.each([
    ["weekly", "2025-01-03 400, 01-10, 01-17, 01-24, 01-31, 02-07", "2025-02-14"],
    ["bi-weekly", "2025-01-03 900, 01-17, 01-31, 02-14, 02-28, 03-14", "2025-03-28"],
    ["semi-monthly", "2025-01-15 900, 01-31, 02-14, 02-28, 03-14, 03-31, 04-15", "2025-04-30"],
    ["semi-monthly", "2025-01-15 900, 01-31, 02-14, 02-28, 03-14, 04-01, 04-15", "2025-05-01"],
    ["other", "2025-01-06 884, 02-03, 03-03, 03-31, 04-28, 05-26", "2025-06-23"],
  ])("pay is %s", (periodicity, text, next) => {
    const [group, ...others] = groupsOf(text, pay);
    expect(others).toEqual([]);
    expect(group?.periodicity).toBe(periodicity);
    // The 1st and the 15th, and the 15th and the last, are the same days when a weekend is between.
    if (periodicity !== "semi-monthly") expect(group?.next?.date).toBe(next);
  });

  it.each([
    ["bi-monthly", "2024-09-10 61, 11-12, 2025-01-10, 03-10, 05-12", "2025-07-10"],
    ["quarterly", "2024-02-15 55.08, 05-15, 08-15, 11-15, 2025-02-17", "2025-05-15"],
    ["semi-yearly", "2023-10-02 212, 2024-04-02, 10-02, 2025-04-02", "2025-10-02"],
    ["yearly", "2023-03-12 640.2, 2024-03-12 661, 2025-03-12 688.9", "2026-03-12"],
  ])("a bill is %s", (periodicity, text, next) => {
    const found = groupsOf(text, payee("Meadow Insurance", "insurance"));
    expect(found).toMatchObject([{ periodicity, next: { date: next } }]);
  });

  it("two yearly payments are enough for a subscription and what is billed by the year", () => {
    const prime = payee("Amazon Prime", "ecommerce purchase");
    for (const one of [prime, payee("Meadow Insurance", "insurance")])
      expect(shown(groupsOf("2024-03-12 139, 2025-03-12", one))).toEqual(["2 yearly 2026-03-12"]);
    expect(groupsOf("2024-03-12 139, 2025-03-12", payee("Best Buy", "electronics"))).toEqual([]);
  });

  it("council tax in ten instalments goes on in April", () => {
    const council = payee("Lewisham Council", "council tax", { currency: "GBP" });
    const later = entriesOf("2026-02-20 4.2", payee("Corner Cafe", "food and drink"));
    const text =
      "2025-04-01 178, 05-01, 06-02, 07-01, 08-01, 09-01, 10-01, 11-03, 12-01, 2026-01-02";
    const [group] = find(entriesOf(text, council), later);
    expect(group).toMatchObject({ isActive: true, next: { date: "2026-04-01" } });
  });
});

describe("amounts that differ", () => {
  it("of bills and cards recur by the calendar", () => {
    const text =
      "2025-01-22 412.9, 02-24 733.05, 03-24 588.67, 04-22 951.2, 05-22 305.44, 06-23 640";
    const [group] = groupsOf(text, payee("Chase", "credit card bill"));
    expect(group).toMatchObject({ periodicity: "monthly", next: { date: "2025-07-22" } });
    const { lowestAmount = 0, highestAmount = 0 } = group?.next ?? {};
    expect(lowestAmount).toBeLessThan(400);
    expect(highestAmount).toBeGreaterThan(800);
  });
});

it("a purchase paid in four is paid off by the fourth payment", () => {
  const plan = payee("Klarna", "buy now, pay later", { website: "klarna.com" });
  expect(shown(groupsOf("2025-01-06 62.5, 01-20, 02-03", plan))).toEqual([
    "3 bi-weekly 2025-02-17",
  ]);
  expect(shown(groupsOf("2025-01-06 62.5, 01-20, 02-03, 02-17", plan))).toEqual([
    "4 bi-weekly ended",
  ]);
});

describe("habits", () => {
  it.each([
    [
      "Starbucks",
      "cafes and coffee shops",
      "2025-01-06 4.75, 01-07, 01-08, 01-10, 01-13, 01-14, 01-15",
    ],
    [
      "Kroger",
      "groceries",
      "2025-01-04 81.2, 01-11 96.3, 01-18 77.9, 01-25 102.6, 02-01 88, 02-08 91",
    ],
    ["Shell", "fuel", "2025-01-06 50, 01-13, 01-20, 01-27, 02-03, 02-10, 02-17"],
    [
      "Uber",
      "ridesharing and taxis",
      "2025-01-03 12.4, 01-10 12.4, 01-17 13.1, 01-24 12.4, 01-31 11.9",
    ],
    ["ATM", "atm/bank withdrawal", "2025-01-06 60, 01-13, 01-20, 01-27, 02-03, 02-10, 02-17"],
  ])("%s is not a schedule, however regular", (name, category, text) => {
    expect(groupsOf(text, payee(name, category))).toEqual([]);
  });
});

describe("passes", () => {
  const transit = payee("City Transit", "public transport");
  const renewals =
    "2025-01-02 132, 02-03, 03-05, 04-04, 05-05, 06-04, 07-07, 08-06, 09-05, 10-06, 11-05, 12-05";

  it("bought when the last one ended are a series, also where single fares are bought too", () => {
    const fares = entriesOf("2025-01-11 2.9, 02-22, 05-09, 05-10, 09-27", transit);
    const [group, ...others] = find(entriesOf(renewals, transit), fares);
    expect(others).toEqual([]);
    expect(group).toMatchObject({ periodicity: "monthly", isActive: true });
    expect(group?.members).toHaveLength(12);
    expect(["2026-01-04", "2026-01-05"]).toContain(group?.next?.date);
  });

  it("of a few months are taken for a habit", () => {
    expect(groupsOf("2025-01-02 132, 02-03, 03-05", transit)).toEqual([]);
  });

  it("are not what is bought again when a balance is used up", () => {
    const text =
      "2025-01-02 40, 02-06, 03-03, 04-11, 05-07, 06-12, 07-09, 08-18, 09-12, 10-20, 11-13, 12-22";
    expect(groupsOf(text, transit)).toEqual([]);
  });
});

describe("what is subscribed to", () => {
  const months = "2025-01-02 300, 02-03, 03-03, 04-01, 05-01";
  it.each([
    ["intra account transfer", "bill"],
    ["peer to peer transfer", "bill"],
    ["donation", "bill"],
    ["not enough information", "bill"],
    ["contractors", "bill"],
    ["cloud infrastructure", "bill"],
    ["media", "subscription"],
    ["sport and fitness", "subscription"],
  ])("%s: %s", (category, kind) => {
    expect(groupsOf(months, payee("Acme", category))).toMatchObject([{ kind }]);
  });

  it("a meal box is, though it is groceries", () => {
    const box = payee("HelloFresh", "groceries", { website: "hellofresh.com" });
    const weeks = "2025-01-06 59.9, 01-13, 01-20, 01-27, 02-03, 02-10, 02-17";
    expect(groupsOf(weeks, box)).toMatchObject([{ kind: "subscription", isEssential: true }]);
  });
});
