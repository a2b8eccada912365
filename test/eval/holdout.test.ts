// Regression test of the recogniser: its figures on the holdout must not fall below the baseline.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createExaminer } from "../../workers/recogniser/recogniser.ts";
import { readCases } from "./cases.ts";
import { type Figures, figuresOf, outcomeOf, percentOf } from "./measure.ts";
import { readKnowledge } from "./knowledge.ts";

/** Percent, as `npm run eval` printed them when the baseline was stored. */
type Baseline = Readonly<Record<keyof Figures, number>>;

const LOSS_MAX_POINTS = 1;

const fileOf = (name: string): string => join(import.meta.dirname, name);
const baseline = JSON.parse(readFileSync(fileOf("baseline.json"), "utf8")) as Record<
  "all" | "usConsumer",
  Baseline
>;
const examine = createExaminer(readKnowledge());
const outcomes = readCases(fileOf("holdout.csv")).map((one) => outcomeOf(one, examine(one.item)));

test.each([
  ["all", outcomes],
  [
    "usConsumer",
    outcomes.filter(
      ({ one: { item } }) => item.currency === "USD" && item.accountType === "consumer",
    ),
  ],
] as const)("on the holdout (%s) no figure is a point below the baseline", (group, lines) => {
  const figures = figuresOf(lines);
  for (const [name, before] of Object.entries(baseline[group])) {
    const ratio = figures[name as keyof Figures];
    const now = ratio === null ? 0 : percentOf(ratio);
    expect(now, name).toBeGreaterThan(before - LOSS_MAX_POINTS);
  }
});
