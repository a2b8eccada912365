// The gate of the recogniser: what it reached on lines that nobody tunes it on may not be lost again.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createExaminer } from "../../workers/recogniser/recogniser.ts";
import { readCases } from "./cases.ts";
import { type Figures, figuresOf, outcomeOf, percentOf } from "./measure.ts";
import { readKnowledge } from "./knowledge.ts";

/** Percent, as `npm run eval` printed them when they were reached last. */
type Reached = Readonly<Record<keyof Figures, number>>;

const LOSS_MAX_POINTS = 1;

const fileOf = (name: string): string => join(import.meta.dirname, name);
const reached = JSON.parse(readFileSync(fileOf("reached.json"), "utf8")) as Record<
  "all" | "usConsumer",
  Reached
>;
const examine = createExaminer(readKnowledge());
const outcomes = readCases(fileOf("sealed.csv")).map((one) => outcomeOf(one, examine(one.item)));

test.each([
  ["all", outcomes],
  [
    "usConsumer",
    outcomes.filter(
      ({ one: { item } }) => item.currency === "USD" && item.accountType === "consumer",
    ),
  ],
] as const)("on sealed lines (%s) no figure is a point worse than it was", (group, lines) => {
  const figures = figuresOf(lines);
  for (const [name, before] of Object.entries(reached[group])) {
    const ratio = figures[name as keyof Figures];
    const now = ratio === null ? 0 : percentOf(ratio);
    expect(now, name).toBeGreaterThan(before - LOSS_MAX_POINTS);
  }
});
