import fc from "fast-check";
import { expect, test } from "vitest";
import type { RecogniserInput } from "../../src/model/transaction.ts";
import { sampleKnowledge } from "../../test/support/knowledge-sample.ts";
import { paidLine } from "../../test/support/recogniser-input.ts";
import { keepByText } from "./kept-lines.ts";
import { createReading } from "./read.ts";
import { createExaminer } from "./recogniser.ts";

const knowledge = await sampleKnowledge();

interface Asked {
  readonly description: string;
  readonly amount: number;
}

/** Counts how often it is asked. */
function counted() {
  let calls = 0;
  const answer = keepByText(
    ({ description, amount }: Asked) => (calls++, `${description} ${String(amount)}`),
    (one, other) => one.amount === other.amount,
    ({ amount }) => amount,
  );
  return { answer, calls: () => calls };
}

test("a line that came again is answered without being asked about again", () => {
  const { answer, calls } = counted();
  const shop = { description: "SHOP", amount: 1 };
  answer(shop);
  const again = answer(shop);
  expect([answer(shop), answer({ ...shop })]).toEqual([again, again]);
  expect(calls()).toBe(2);
  const other = { ...shop, amount: 2 };
  expect([answer(other), answer(shop)]).toEqual(["SHOP 2", again]);
  expect(calls()).toBe(3);
  expect([answer(other), answer(other)]).toEqual(["SHOP 2", "SHOP 2"]);
  expect(calls()).toBe(4);
});

test("what is kept is bounded, and long texts are not", () => {
  const { answer, calls } = counted();
  const other = (at: number): Asked => ({ description: `OTHER ${String(at)}`, amount: 0 });
  const shop = { description: "SHOP", amount: 1 };
  const asked = (lines: readonly Asked[]): number => {
    const before = calls();
    for (const line of lines) answer(line);
    return calls() - before;
  };
  expect(asked([shop, shop, shop])).toBe(2);
  const others = Array.from({ length: 2 * 1024 }, (_, at) => other(at));
  expect(asked(others.flatMap((one) => [one, one]))).toBe(2 * others.length);
  expect(asked([shop])).toBe(1);
  const long = { description: "X".repeat(129), amount: 0 };
  expect(asked([long, long, long])).toBe(3);
});

test("a line that is met between as many others as are kept stays kept", () => {
  const { answer, calls } = counted();
  const shop = { description: "SHOP", amount: 1 };
  answer(shop);
  for (let at = 0; at < 5_000; at++) {
    answer(shop);
    for (let time = 0; time < 2; time++) answer({ description: `OTHER ${String(at)}`, amount: 0 });
  }
  expect(calls()).toBe(2 + 2 * 5_000);
});

const TEXTS = [
  "SHELL OIL 57444124 AUSTIN TX",
  "ZELLE TO JOHN SMITH ON 01/23",
  "ZELLE TO JOHN SMITH ON 02/24",
  "SHELL OIL 57444123 AUSTIN TX",
  "SHELL",
  "MARKET SHELL",
  "INTEREST PAYMENT",
  "TESCO STORES LONDON",
  "BIRCHWOOD DENTAL GROUP AUSTIN TX",
  "ZELLE TO JOHN SMITH",
  "DOORDASH*WENDYS",
  "CRYSTAL LAKES GOLF CLUAUSTIN       TX",
];

const anyLine: fc.Arbitrary<RecogniserInput> = fc
  .record({
    amount: fc.constantFrom(0, 0.01, 9.5, 40, 41, 2_500, 9_000_000),
    entryType: fc.constantFrom("incoming", "outgoing"),
    currency: fc.constantFrom("USD", "GBP", "INR", "XAU"),
    country: fc.constantFrom(null, "US", "GB", "ZZ"),
    accountType: fc.constantFrom(null, "consumer", "business"),
    rawAddress: fc.constantFrom(null, "London"),
    mcc: fc.constantFrom(null, 5411),
  })
  .chain((over) => fc.constantFrom(...TEXTS).map((text) => paidLine(text, over)));

test("what was read before does not change how a line is read, whatever differs but its text", () => {
  const examine = createExaminer(knowledge);
  const read = createReading(knowledge);
  fc.assert(
    fc.property(anyLine, (line) => {
      expect(examine(line)).toEqual(createExaminer(knowledge)(line));
      expect(read(line)).toEqual(createReading(knowledge)(line));
    }),
    { numRuns: 300 },
  );
});
