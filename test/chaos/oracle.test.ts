// What the oracle allows where an order is not known, and what it does not.
import { expect, it } from "vitest";
import type { WireTransaction } from "../support/lines.ts";
import { createOracle, type Oracle, type State } from "./oracle.ts";

function transaction(description: string): WireTransaction {
  return {
    id: "t",
    description,
    date: "2026-01-02",
    amount: 1,
    entry_type: "outgoing",
    currency: "USD",
  };
}

function statesOf(oracle: Oracle): readonly State[] {
  return oracle.possible().get("t") ?? [];
}

it("a submission in flight comes before an assignment of its id or replaces it, and is never lost", () => {
  const oracle = createOracle();
  oracle.submitted([transaction("FIRST")], true, null);
  oracle.submitted([transaction("SECOND")], true, "batch");
  oracle.assigned("t", "holder", true);
  expect(new Set(statesOf(oracle))).toEqual(
    new Set([
      { holder: "holder", description: "SECOND" },
      { holder: null, description: "SECOND" },
    ]),
  );
});

it("a submission that was seen done is not done once more after an assignment", () => {
  const oracle = createOracle();
  oracle.submitted([transaction("FIRST")], true, null);
  oracle.submitted([transaction("SECOND")], true, "batch");
  oracle.batchCompleted("batch");
  oracle.assigned("t", "holder", true);
  expect(statesOf(oracle)).toEqual([{ holder: "holder", description: "SECOND" }]);
});
