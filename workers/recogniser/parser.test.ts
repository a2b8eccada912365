import { expect, test } from "vitest";
import { sampleKnowledge } from "../../test/support/knowledge-sample.ts";
import { paidLine } from "../../test/support/recogniser-input.ts";
import { createParser } from "./parser.ts";

const knowledge = await sampleKnowledge();

const GLUED = "CRYSTAL LAKES GOLF CLUAUSTIN       TX";

test("what was parsed before does not change how a line is parsed", () => {
  const used = createParser(knowledge);
  for (let index = 0; index < 3_000; index++) used(paidLine(`SHOP ${String(index)} AUSTIN TX`));
  const items = [
    paidLine("SHOP 17 AUSTIN TX"),
    paidLine("SHOP 17 AUSTIN TX", { amount: 99, country: "US" }),
    paidLine(GLUED, { country: "US" }),
    paidLine(GLUED, { country: "GB", currency: "GBP" }),
    paidLine("INTEREST PAYMENT", { entryType: "incoming" }),
    paidLine("INTEREST PAYMENT", { entryType: "outgoing" }),
    paidLine(`SHOP ${"17 ".repeat(60)}`),
  ];
  for (const item of [...items, ...items])
    expect(used(item)).toEqual(createParser(knowledge)(item));
});
