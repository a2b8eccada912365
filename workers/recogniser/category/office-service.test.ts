import { expect, it } from "vitest";
import { readKnowledge } from "../../../test/eval/knowledge.ts";
import { createRecogniser } from "../recogniser.ts";

const recognise = createRecogniser(readKnowledge());

const categoryOf = (description: string, entryType: "outgoing" | "incoming" = "outgoing") =>
  recognise({
    ...{ description, entryType, amount: 84.2, currency: "USD", accountType: "consumer" },
    ...{ rawAddress: null, country: null },
  }).categories?.general;

it.each([
  ["CITY OF ASHEBORO WATER BILL ASHEBORO NC", "utilities"],
  ["CITY OF LINCOLN UTILITY BILL LINCOLN NE", "utilities"],
  ["LANCASTER COUNTY PROPERTY TAX LINCOLN NE", "taxes"],
])("%s is for what the office is paid: %s", (line, category) => {
  expect(categoryOf(line)).toBe(category);
});

it.each(["CITY OF LINCOLN PARKING LINCOLN NE", "CITY OF OMAHA LIBRARY 12 WATER ST OMAHA NE"])(
  "%s is not a bill",
  (line) => {
    expect(["utilities", "taxes"]).not.toContain(categoryOf(line));
  },
);
