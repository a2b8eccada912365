import { describe, expect, it } from "vitest";
import { bootstrapInterval, shareOf, wilsonInterval } from "../../../bench/recurrence/intervals.ts";
import type {
  DetectedGroup,
  LabelledLedger,
  TrueSeries,
} from "../../../bench/recurrence/samples.ts";
import { jaccardOf, scoreLedger } from "../../../bench/recurrence/score.ts";
import { quantilesOf, summarize, summarizeCases } from "../../../bench/recurrence/summary.ts";

const series = (
  id: string,
  transactionIds: string[],
  more: Partial<TrueSeries> = {},
): TrueSeries => ({
  ...{ id, case: `case ${id}`, periodicity: "monthly", transactionIds, runs: [] },
  ...{ isRequired: true, isActive: true, next: { date: "2025-07-01", amount: 10 } },
  ...{ incomeType: null, ...more },
});

const group = (transactionIds: string[], more: Partial<DetectedGroup> = {}): DetectedGroup => ({
  ...{ transactionIds, periodicity: "monthly", nextDate: "2025-07-01", nextAmount: 10 },
  ...{ isActive: true, confidence: 1, ...more },
});

/** Rows t1 to t20; t1 to t4 are series A, t5 to t7 series B, and the others a habit, where `truths` does not differ. */
function ledger(truths: readonly TrueSeries[], ignored: readonly string[] = []): LabelledLedger {
  const ids = Array.from({ length: 20 }, (_, index) => `t${String(index + 1)}`);
  const caseOf = (id: string): string =>
    truths.find((one) => one.transactionIds.includes(id))?.case ?? "habit";
  return {
    ...{ id: "one", level: "clean", asOf: "2025-06-15", entries: [], series: truths },
    cases: new Map(ids.map((id) => [id, caseOf(id)])),
    ignored: new Set(ignored),
  };
}

const A = series("A", ["t1", "t2", "t3", "t4"]);
const B = series("B", ["t5", "t6", "t7"]);

describe("groups", () => {
  it("Jaccard is the shared part of all members", () => {
    expect(jaccardOf(new Set(["a", "b", "c"]), new Set(["b", "c", "d"]))).toBe(0.5);
    expect(jaccardOf(new Set(), new Set())).toBe(0);
  });

  it("precision, recall and members are those counted by hand", () => {
    // A: 3 of 4 members and one row of the habit, Jaccard 3/5. B: 1 of 3, Jaccard 1/3. One group of the habit.
    const score = scoreLedger(ledger([A, B]), [
      group(["t1", "t2", "t3", "t9"]),
      group(["t5"]),
      group(["t10", "t11", "t12"]),
    ]);
    const { precision, recall, memberPrecision, memberRecall } = summarize([score]);
    expect(precision).toMatchObject({ share: 1 / 3, of: 3 });
    expect(recall).toMatchObject({ share: 1 / 2, of: 2 });
    expect(memberPrecision).toMatchObject({ share: 3 / 8, of: 8 });
    expect(memberRecall).toMatchObject({ share: 3 / 7, of: 7 });
  });

  it("the better of two groups has the series, the other is wrong", () => {
    const { groups, series: found } = scoreLedger(ledger([A]), [
      group(["t1", "t2"]),
      group(["t1", "t2", "t3"]),
    ]);
    expect(groups.map(({ isRight }) => isRight)).toEqual([false, true]);
    expect(found[0]?.membersFound).toBe(3);
  });

  it("a group with another periodicity is right, but not exact", () => {
    const [found] = [
      scoreLedger(ledger([A]), [group(A.transactionIds.slice(), { periodicity: "other" })]),
    ];
    const { precision, exactPrecision, recall, exactRecall } = summarize([found]);
    expect([precision.share, exactPrecision.share]).toEqual([1, 0]);
    expect([recall.share, exactRecall.share]).toEqual([1, 0]);
  });

  it("optional series and rows in the ledger twice count neither way", () => {
    const optional = { ...B, isRequired: false };
    const score = scoreLedger(ledger([A, optional], ["t20"]), [
      group(["t1", "t2", "t3", "t4", "t20"]),
      group(["t5", "t6", "t7"]),
      group(["t20"]),
    ]);
    expect(score.groups).toHaveLength(1);
    expect(score.groups[0]).toMatchObject({ isRight: true, members: 4, membersRight: 4 });
    expect(summarize([score]).recall).toMatchObject({ share: 1, of: 1 });
    const part = scoreLedger(ledger([A, optional]), [group(["t5"])]);
    expect(part.groups).toEqual([]);
  });

  it("a series that began again is right as a whole, and as its last run", () => {
    const runs = [
      ["t1", "t2"],
      ["t3", "t4"],
    ];
    const truth = { ...A, runs };
    const whole = scoreLedger(ledger([truth]), [group(["t1", "t2", "t3", "t4"])]);
    const apart = scoreLedger(ledger([truth]), [group(["t1", "t2"]), group(["t3", "t4"])]);
    for (const score of [whole, apart]) {
      const { precision, recall, memberRecall } = summarize([score]);
      expect([precision.share, recall.share, memberRecall.share]).toEqual([1, 1, 1]);
    }
  });
});

describe("next payment, activity and income", () => {
  it("errors are days and a share of the true amount", () => {
    const score = scoreLedger(ledger([A, B]), [
      group(["t1", "t2", "t3", "t4"], { nextDate: "2025-06-28", nextAmount: 12 }),
      group(["t5", "t6", "t7"], { nextDate: null, nextAmount: null, isActive: false }),
    ]);
    expect(score.series.map(({ nextDays }) => nextDays)).toEqual([3, null]);
    expect(score.series[0]?.nextAmountError).toBeCloseTo(0.2, 10);
    expect(summarize([score]).activity).toMatchObject({ share: 0.5, of: 2 });
  });

  it("an interval holds the next payment or not; that of one amount is not a varying one", () => {
    const heldBy = (lowestAmount: number, latestDate: string) => {
      const nextInterval = {
        earliestDate: "2025-06-30",
        latestDate,
        lowestAmount,
        highestAmount: 10,
      };
      const score = scoreLedger(ledger([A]), [group(["t1", "t2", "t3", "t4"], { nextInterval })]);
      const { dateHeld, amountHeld, varyingAmountHeld } = summarize([score]);
      return [dateHeld.share, amountHeld.share, varyingAmountHeld.of];
    };
    expect(heldBy(10, "2025-07-01")).toEqual([1, 1, 0]);
    expect(heldBy(9, "2025-06-30")).toEqual([0, 1, 1]);
    const score = scoreLedger(ledger([A]), [group(["t1", "t2", "t3", "t4"])]);
    expect(summarize([score]).dateHeld.share).toBeNull();
  });

  it("an end that the ledger cannot show is not measured", () => {
    const truth = { ...A, isActive: null, next: null };
    const score = scoreLedger(ledger([truth]), [group(["t1", "t2", "t3", "t4"])]);
    expect(score.series[0]).toMatchObject({ isActivityRight: null, nextDays: null });
  });

  it("income counts missed sources, wrong types and what is not income", () => {
    const pay = { ...A, incomeType: "salary" as const };
    const gig = {
      ...{ ...B, incomeType: "rideshare and delivery" as const, isRequired: false },
      periodicity: "other" as const,
    };
    const missed = { ...series("C", ["t8", "t9", "t10"]), incomeType: "child support" as const };
    const score = scoreLedger(
      ledger([pay, gig, missed]),
      [
        group(["t1", "t2", "t3", "t4"], { incomeType: "salary", periodicity: "bi-weekly" }),
        group(["t5", "t6", "t7"], { incomeType: "rideshare and delivery", periodicity: "other" }),
        group(["t15", "t16"], { incomeType: "freelance" }),
        group(["t17", "t18"], { incomeType: "possible income - please verify" }),
      ],
      true,
    );
    const { incomePrecision, incomeType, incomeFrequency } = summarize([score]);
    expect(incomePrecision).toMatchObject({ share: 2 / 3, of: 3 });
    expect(incomeType).toMatchObject({ share: 2 / 3, of: 3 });
    expect(incomeFrequency).toMatchObject({ share: 1 / 2, of: 2 });
  });

  it("a detector without income types is not measured for them", () => {
    const pay = { ...A, incomeType: "salary" as const };
    const { incomeType } = summarize([scoreLedger(ledger([pay]), [])]);
    expect(incomeType).toMatchObject({ share: null, of: 0, interval: null });
  });
});

describe("summaries", () => {
  it("quantiles are the nearest rank", () => {
    expect(quantilesOf([5, null, 1, 2, 9, 3])).toEqual({ median: 3, p90: 9 });
    expect(quantilesOf([0, 0, 0, 0, 0, 0, 0, 0, 1, 50])).toEqual({ median: 0, p90: 1 });
    expect(quantilesOf([null])).toEqual({ median: null, p90: null });
  });

  it("wrong groups belong to the case of most of their rows", () => {
    const score = scoreLedger(ledger([A, B]), [
      group(["t1", "t2", "t3", "t4"]),
      group(["t10", "t11", "t5"]),
    ]);
    const cases = summarizeCases([score]);
    expect(cases.map((one) => [one.case, one.recall.share, one.wrongGroups])).toEqual([
      ["case A", 1, 0],
      ["case B", 0, 0],
      ["habit", null, 1],
    ]);
    expect(cases.map(({ precision }) => precision.share)).toEqual([1, null, 0]);
  });

  it("Wilson intervals are those of the paper's formula", () => {
    const eight = wilsonInterval({ right: 8, of: 10 });
    expect(eight?.low).toBeCloseTo(0.4902, 4);
    expect(eight?.high).toBeCloseTo(0.9433, 4);
    expect(wilsonInterval({ right: 0, of: 10 })?.low).toBe(0);
    expect(wilsonInterval({ right: 0, of: 10 })?.high).toBeCloseTo(0.2775, 4);
    expect(wilsonInterval({ right: 0, of: 0 })).toBeNull();
  });

  it("the bootstrap draws whole ledgers: equal ones have no spread", () => {
    const equal = Array.from({ length: 9 }, () => ({ right: 3, of: 4 }));
    expect(bootstrapInterval(equal)).toEqual({ low: 0.75, high: 0.75 });
    const spread = bootstrapInterval([...equal, { right: 0, of: 40 }, { right: 0, of: 0 }]);
    expect(spread?.low).toBeLessThan(0.3);
    expect(spread?.high).toBe(0.75);
    expect(bootstrapInterval([{ right: 0, of: 0 }])).toBeNull();
    expect(shareOf({ right: 1, of: 4 })).toBe(0.25);
  });
});
