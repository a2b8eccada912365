// Regression test of the recogniser: no figure of a block falls by more than its interval, and no block changes its lines.
import { expect, test } from "vitest";
import { createExaminer } from "../../workers/recogniser/recogniser.ts";
import { comparedBlocks, readBaselines } from "./baseline.ts";
import { FIGURE_NAMES, FIGURES, outcomeOf, percentOf, ratioOf } from "./measure.ts";
import { readKnowledge } from "./knowledge.ts";

const blocks = comparedBlocks();
const examine = createExaminer(readKnowledge());

test.for(Object.entries(readBaselines()))(
  "%s: no figure falls below the interval of the baseline",
  ([name, { lines, figures }], { skip }) => {
    const cases = blocks.get(name);
    if (cases === undefined) return skip("the files of the real lines are not found");
    expect(cases).toHaveLength(lines);
    const outcomes = cases.map((one) => outcomeOf(one, examine(one.item)));
    for (const figure of FIGURE_NAMES) {
      const before = figures[figure];
      if (before === undefined) continue;
      const ratio = ratioOf(outcomes, FIGURES[figure]);
      expect(ratio === null ? 0 : percentOf(ratio), figure).toBeGreaterThanOrEqual(before.low);
    }
  },
);
