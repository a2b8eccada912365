import { expect, it } from "vitest";
import { readKnowledge } from "../../../test/eval/knowledge.ts";
import { createRecogniser } from "../recogniser.ts";

const recognise = createRecogniser(readKnowledge());

const factsOf = (description: string, entryType: "outgoing" | "incoming" = "outgoing") =>
  recognise({
    ...{ description, entryType, amount: 42.5, currency: "USD", accountType: "consumer" },
    ...{ rawAddress: null, country: null },
  });

it.each([
  ["SAFEWAY FUEL 0123 BOISE ID", "Safeway"],
  ["HEB GAS #123 AUSTIN TX", "H-E-B"],
  ["MEIJER GAS 220 FORT WAYNE IN", "Meijer"],
])("%s is fuel, paid to %s", (line, name) => {
  const { categories, entities } = factsOf(line);
  expect(categories?.general).toBe("fuel");
  expect(entities?.counterparty?.name).toBe(name);
});

it.each([
  ["SAFEWAY 0123 BOISE ID", "groceries"],
  ["MEIJER 220 GAS CITY IN", "groceries"],
])("without a word of fuel in front of the place, %s is %s", (line, category) => {
  expect(factsOf(line).categories?.general).toBe(category);
});

it("money back from the pumps of a shop is a refund", () => {
  expect(factsOf("SAFEWAY FUEL 0123 BOISE ID", "incoming").categories?.general).toBe("refund");
});
