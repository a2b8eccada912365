// Regression test of the recogniser: no figure of a block falls by more than its interval, and no block changes its lines.
import { expect, test } from "vitest";
import { createExaminer } from "../../workers/recogniser/recogniser.ts";
import { baselinesOf, comparedBlocks, lossesOf, ownCases, readBaselines } from "./baseline.ts";
import { type Outcome, outcomeOf } from "./measure.ts";
import { readKnowledge } from "./knowledge.ts";

const blocks = comparedBlocks();
const examine = createExaminer(readKnowledge());

test.for(Object.entries(readBaselines()))(
  "%s: no figure falls below the interval of the baseline",
  ([name, baseline], { skip }) => {
    const cases = blocks.get(name);
    if (cases === undefined) return skip("the files of the real lines are not found");
    const outcomes = cases.map((one) => outcomeOf(one, examine(one.item)));
    expect(lossesOf(outcomes, baseline)).toEqual([]);
  },
);

test("a loss is reported for each figure below its interval, and for other lines", () => {
  const right = ownCases("development")
    .slice(0, 200)
    .map((one) => outcomeOf(one, examine(one.item)));
  const baseline = baselinesOf([["own", right]])["own"] ?? expect.fail();
  const wrong: Outcome[] = right.map((one) => ({ ...one, website: "elsewhere.example" }));
  expect(lossesOf(right, baseline)).toEqual([]);
  expect(lossesOf(wrong, baseline)).toEqual([expect.stringMatching(/^website is 0\.0 %/u)]);
  expect(lossesOf(right.slice(1), baseline)).toEqual([
    "199 lines are measured, the baseline has 200.",
  ]);
});
