import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRandom } from "../../support/random.ts";
import { columnsOf, detectByEngine } from "../../../bench/recurrence/engine.ts";
import {
  DEVELOPMENT_SEEDS,
  generateLedger,
  generateLedgers,
} from "../../../bench/recurrence/ledgers.ts";
import { readDifficultLedgers } from "../../../bench/recurrence/difficult-ledgers.ts";
import type { LabelledLedger, LedgerTransactionSample } from "../../../bench/recurrence/samples.ts";
import { scoreLedger } from "../../../bench/recurrence/score.ts";
import { summarize } from "../../../bench/recurrence/summary.ts";
import { findRecurrence } from "../../../workers/recurrence/recurrence.ts";

type Entries = readonly LedgerTransactionSample[];

/** Of the ledgers that rules were set on. */
const anySeed = fc.integer({
  min: DEVELOPMENT_SEEDS.first,
  max: DEVELOPMENT_SEEDS.first + DEVELOPMENT_SEEDS.count - 1,
});
const entriesOf = (seed: number): Entries => generateLedger(seed, "realistic").entries;
const RUNS = { numRuns: 15 };

const groupsOf = (entries: Entries): string[] =>
  findRecurrence(columnsOf(entries))
    .groups.map(({ members, periodicity, totalAmount }) =>
      JSON.stringify([members.map((member) => entries[member]?.id), periodicity, totalAmount]),
    )
    .sort();

const firstIds = (entries: Entries): ReadonlySet<string> =>
  new Set(
    findRecurrence(columnsOf(entries)).groups.map(
      ({ members }) => entries[members[0] ?? 0]?.id ?? "",
    ),
  );

/** Of rows of one day with one amount and text, any can be the one that is in a group. */
const withoutRepeated = (entries: Entries): Entries => [
  ...new Map(
    entries.map((row) => [JSON.stringify([row.date, row.amount, row.description]), row]),
  ).values(),
];

/** In random order (Fisher and Yates 1938). */
function shuffled(entries: Entries, seed: number): Entries {
  const random = createRandom(seed);
  const rows = [...entries];
  for (let at = rows.length - 1; at > 0; at--) {
    const other = random.integer(0, at);
    const [a, b] = [rows[at], rows[other]];
    if (a !== undefined && b !== undefined) [rows[at], rows[other]] = [b, a];
  }
  return rows;
}

describe("for every ledger", () => {
  it("the order of its transactions does not matter", () => {
    fc.assert(
      fc.property(anySeed, fc.nat(), (seed, order) => {
        const rows = withoutRepeated(entriesOf(seed));
        expect(groupsOf(shuffled(rows, order))).toEqual(groupsOf(rows));
      }),
      RUNS,
    );
  });

  it("a purchase elsewhere changes no group, however far away", () => {
    const elsewhere = (date: string): LedgerTransactionSample => ({
      ...{ id: "elsewhere", date, amount: 3.21, entryType: "outgoing", currency: "USD" },
      ...{ description: "QUARRY HARDWARE 12", category: "gifts", intermediary: null },
      counterparty: { id: null, name: "Quarry Hardware", website: null, type: "organization" },
    });
    fc.assert(
      fc.property(
        anySeed,
        fc.constantFrom("1971-03-04", "2024-05-06", "2098-07-08"),
        (seed, date) => {
          const entries = entriesOf(seed);
          expect(groupsOf([...entries, elsewhere(date)])).toEqual(groupsOf(entries));
        },
      ),
      // A weekly box whose last payment no series has, which a far later end of the ledger made a new subscription.
      { ...RUNS, examples: [[1138, "2098-07-08"]] },
    );
  });

  it("no transaction is in two groups, and every sum is that of its members in minor units", () => {
    fc.assert(
      fc.property(anySeed, (seed) => {
        const entries = entriesOf(seed);
        const { groups } = findRecurrence(columnsOf(entries));
        const members = groups.flatMap((group) => group.members);
        expect(new Set(members).size).toBe(members.length);
        for (const group of groups) {
          const cents = group.members.reduce(
            (sum, member) => sum + Math.round((entries[member]?.amount ?? 0) * 100),
            0,
          );
          expect(Math.round(group.totalAmount * 100)).toBe(cents);
        }
      }),
      RUNS,
    );
  });

  it("a payment that comes when it is expected joins its group, and every group keeps its id", () => {
    const perLedgerMax = 4;
    fc.assert(
      fc.property(anySeed, (seed) => {
        const entries = entriesOf(seed);
        const { groups } = findRecurrence(columnsOf(entries));
        const before = firstIds(entries);
        const expecting = groups.filter(({ next, members }) => next !== null && members.length > 2);
        for (const { next, members } of expecting.slice(0, perLedgerMax)) {
          const last = entries[members.at(-1) ?? 0];
          if (next === null || last === undefined) throw new Error("The group has no payment");
          const more = [...entries, { ...last, id: "next", date: next.date, amount: next.amount }];
          const after = findRecurrence(columnsOf(more)).groups;
          const joined = after.find((group) => group.members.includes(entries.length));
          expect(joined?.members[0]).toBe(members[0]);
          const kept = new Set(after.map((group) => more[group.members[0] ?? 0]?.id));
          expect([...before].filter((id) => !kept.has(id))).toEqual([]);
        }
      }),
      // Four of 29 visits at one price, which were called a payment of every two months until the next visit.
      { ...RUNS, examples: [[1111]] },
    );
  });

  it("groups keep their first transaction, and so their id, when the ledger grows", () => {
    let kept = 0;
    let all = 0;
    fc.assert(
      fc.property(anySeed, (seed) => {
        const entries = entriesOf(seed);
        const before = firstIds(entries.slice(0, Math.floor(entries.length * 0.9)));
        const after = firstIds(entries);
        all += before.size;
        kept += [...before].filter((id) => after.has(id)).length;
      }),
      RUNS,
    );
    // The rest are groups that more payments join with another one, or show to be none.
    expect(kept / all).toBeGreaterThan(0.97);
  });
});

function summaryOf(ledgers: readonly LabelledLedger[]) {
  return summarize(
    ledgers.map((one) => scoreLedger(one, detectByEngine(one.entries, one.asOf), true)),
  );
}

describe("measured quality does not fall", () => {
  it.each([
    ["clean", 0.98, 0.98],
    ["realistic", 0.98, 0.98],
    ["hard", 0.95, 0.96],
  ] as const)("on %s ledgers: precision %d, recall %d", (level, precision, recall) => {
    const summary = summaryOf(generateLedgers({ ...DEVELOPMENT_SEEDS, count: 60 }, level));
    expect(summary.precision.share).toBeGreaterThanOrEqual(precision);
    expect(summary.recall.share).toBeGreaterThanOrEqual(recall);
    // Intervals are to hold the next payment in 8 of 10 cases.
    expect(summary.dateHeld.share).toBeGreaterThanOrEqual(0.85);
    expect(summary.varyingAmountHeld.share).toBeGreaterThanOrEqual(0.77);
  });

  it("on series that are difficult to judge", () => {
    const summary = summaryOf(readDifficultLedgers());
    expect(summary.precision.share).toBeGreaterThanOrEqual(0.95);
    expect(summary.recall.share).toBeGreaterThanOrEqual(0.97);
    expect(summary.exactRecall.share).toBeGreaterThanOrEqual(0.97);
  });
});
