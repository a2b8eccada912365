import { expect, test } from "vitest";
import { sampleKnowledge } from "../../test/support/knowledge-sample.ts";
import type { RecogniserInput } from "../../src/model/transaction.ts";
import { createParser } from "./parser.ts";

const knowledge = await sampleKnowledge();

const itemOf = (description: string, over: Partial<RecogniserInput> = {}): RecogniserInput => ({
  description,
  amount: 12.5,
  entryType: "outgoing",
  currency: "USD",
  accountType: "consumer",
  rawAddress: null,
  country: null,
  ...over,
});

const GLUED = "CRYSTAL LAKES GOLF CLUAUSTIN       TX";

test("what was parsed before does not change how a line is parsed", () => {
  const used = createParser(knowledge);
  for (let index = 0; index < 3_000; index++) used(itemOf(`SHOP ${String(index)} AUSTIN TX`));
  const items = [
    itemOf("SHOP 17 AUSTIN TX"),
    itemOf("SHOP 17 AUSTIN TX", { amount: 99, country: "US" }),
    itemOf(GLUED, { country: "US" }),
    itemOf(GLUED, { country: "GB", currency: "GBP" }),
    itemOf("INTEREST PAYMENT", { entryType: "incoming" }),
    itemOf("INTEREST PAYMENT", { entryType: "outgoing" }),
    itemOf(`SHOP ${"17 ".repeat(60)}`),
  ];
  for (const item of [...items, ...items])
    expect(used(item)).toEqual(createParser(knowledge)(item));
});

test("a kept line has the amount of the transaction that is asked about", () => {
  const parse = createParser(knowledge);
  const sizeOf = (amount: number): number => parse(itemOf("SHOP 17", { amount })).hints.size;
  expect([sizeOf(1), sizeOf(Math.E), sizeOf(1)]).toEqual([0, 1, 0]);
});
