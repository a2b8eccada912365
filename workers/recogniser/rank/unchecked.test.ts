// Merchants of public sets: they were not checked, so they need more than others to be meant.
import { expect, test } from "vitest";
import type { RecogniserInput } from "../../../src/model/transaction.ts";
import { sampleKnowledge } from "../../../test/support/knowledge-sample.ts";
import { paidLine } from "../../../test/support/recogniser-input.ts";
import { createParser } from "../parser.ts";
import { candidatesOf } from "./candidates.ts";

const knowledge = await sampleKnowledge();
const parse = createParser(knowledge);

/** The class in which the hospital is a candidate, null when it is not one. */
function classOf(description: string, over: Partial<RecogniserInput> = {}): string | null {
  const parsed = parse(paidLine(description, { country: "US", ...over }));
  const found = candidatesOf(parsed, knowledge).find(
    ({ merchant }) =>
      merchant >= 0 &&
      knowledge.text(knowledge.merchants.name[merchant] ?? 0) === "Hazelgrove Quillmoor Hospital",
  );
  return found?.class ?? null;
}

test("an unchecked merchant is found by its whole name, as a brand", () => {
  expect(classOf("HAZELGROVE QUILLMOOR HOSPITAL")).toBe("brand");
});

test("an unchecked merchant is found by a name that a field cut off inside a word", () => {
  expect(classOf("HAZELGROVE QUILLMO")).toBe("brand");
});

test("a short or complete beginning may be another company's name", () => {
  expect(classOf("HAZELGROVE")).toBeNull();
  expect(classOf("HAZELGROVE QU")).toBeNull();
});

test("an unchecked merchant of another country or state is not meant by its name", () => {
  expect(classOf("HAZELGROVE QUILLMOOR HOSPITAL", { country: "GB", currency: "GBP" })).toBeNull();
});

test("an unchecked merchant is found by its address everywhere, as certain as the address", () => {
  expect(classOf("WWW.HAZELGROVEQUILLMOOR.ORG")).toBe("address");
  expect(classOf("WWW.HAZELGROVEQUILLMOOR.ORG", { country: "GB", currency: "GBP" })).toBe(
    "address",
  );
});
