// What is read of a line is what is read of it alone, whatever lines with other numbers came before.
import fc from "fast-check";
import { expect, test } from "vitest";
import { sampleKnowledge } from "../../test/support/knowledge-sample.ts";
import { paidLine } from "../../test/support/recogniser-input.ts";
import { hintsOf } from "./hints.ts";
import { keepReadings } from "./kept-readings.ts";
import { createReading } from "./read.ts";

const knowledge = await sampleKnowledge();

/** Reads, and counts how often a line had to be read anew. */
function counted() {
  const readOf = createReading(knowledge);
  let calls = 0;
  const kept = keepReadings(({ item }) => (calls++, readOf(item)), knowledge);
  const read = (text: string) => {
    const item = paidLine(text);
    return kept({ item, hints: hintsOf(item, knowledge) });
  };
  return { read, calls: () => calls };
}

/** How many of the last lines are read anew, when the first came twice. */
function readAnew(first: string, ...others: readonly string[]): number {
  const { read, calls } = counted();
  for (const text of [first, first]) read(text);
  const before = calls();
  for (const text of others) expect(read(text)).toEqual(createReading(knowledge)(paidLine(text)));
  return calls() - before;
}

test("a line that differs in the number of a shop, a day or a reference is not read anew", () => {
  expect(readAnew("TESCO STORES 6440 LONDON", "TESCO STORES 6441 LONDON")).toBe(0);
  expect(
    readAnew("ZELLE TO JOHN SMITH ON 01/23 REF 12345", "ZELLE TO JOHN SMITH ON 02/28 REF 54321"),
  ).toBe(0);
});

test("a line that differs in a reference of letters and digits is not read anew", () => {
  expect(
    readAnew("AMZN MKTP US*2K4LM8AB9 AMZN.COM/BILL WA", "AMZN MKTP US*T47Q1XZ35 AMZN.COM/BILL WA"),
  ).toBe(0);
  expect(
    readAnew(
      "ZELLE TO JOHN SMITH ON 01/23 REF PP0ABC123",
      "ZELLE TO JOHN SMITH ON 11/20 REF QX8ZZY415",
    ),
  ).toBe(0);
});

test("a line whose reference is of another length, or no reference, is read anew", () => {
  const first = "AMZN MKTP US*2K4LM8AB9 AMZN.COM/BILL WA";
  expect(
    readAnew(
      first,
      "AMZN MKTP US*2K4LM8AB9C AMZN.COM/BILL WA",
      "AMZN MKTP US*KITCHENER AMZN.COM/BILL WA",
      "AMZN MKTP US*KITCHEN24 AMZN.COM/BILL WA",
      "AMZN MKTP US*RYANA224A AMZN.COM/BILL WA",
    ),
  ).toBe(4);
});

test("a line that differs in more is read anew", () => {
  expect(
    readAnew(
      "TESCO STORES 6440 LONDON",
      "TESCO STORES 64401 LONDON",
      "TESCO STORES A440 LONDON",
      "TESCO  STORES 6440 LONDON",
      "TESCO STORES 6440 LEEDSX",
    ),
  ).toBe(4);
});

test("a number in a web address, a name or a postcode is read", () => {
  expect(readAnew("KETTLE.CO.UK/1234", "KETTLE.CO.UK/1235")).toBe(1);
  expect(readAnew("WWW.KETTLE-12.CO.UK", "WWW.KETTLE-13.CO.UK")).toBe(1);
  expect(readAnew("SHELL AUSTIN TX 78701", "SHELL AUSTIN TX 78702")).toBe(1);
});

const WORDS = [
  "SHELL",
  "TESCO STORES",
  "7-ELEVEN",
  "STUDIO",
  "ON",
  "PAYPAL",
  "REF",
  "WWW.KETTLE.CO.UK",
  "COM",
  "PAY IN",
  "LONDON",
  "AUSTIN TX",
  "100 MILE HOUSE BC",
  "JOHN SMITH",
];
const JOINTS = [" ", "  ", "-", "/", ".", " #", "*", ""];
/** Numbers that tables hold, and others. */
const NUMBERS = [
  "1",
  "4",
  "7",
  "11",
  "24",
  "65",
  "99",
  "310",
  "401",
  "360",
  "1234",
  "78701",
  "8005550100",
];

/** Stands for a reference. */
const REFERENCE = "§";
const piece = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.constantFrom(...NUMBERS),
  fc.constant(REFERENCE),
);
const text = fc
  .array(fc.tuple(piece, fc.constantFrom(...JOINTS)), { minLength: 2, maxLength: 7 })
  .map((pieces) => pieces.flat().join(""));

const SIGNS = "0123456789ABCDEFGHJKLMNPRSTUVWZ".split("");
const reference = fc
  .tuple(
    fc.constantFrom("A1B", "2K4", "PP0A", "9Z9", "12JAN20"),
    fc.array(fc.constantFrom(...SIGNS), { minLength: 3, maxLength: 6 }),
  )
  .map(([start, signs]) => start + signs.join(""));
const references = fc.array(reference, { minLength: 3, maxLength: 3 });

/** The text with these references in it, each again and again. */
function withReferences(line: string, all: readonly string[]): string {
  let at = 0;
  return line.replaceAll(REFERENCE, () => all[at++ % all.length] ?? "");
}

test("numbers and references never change how a line with others is read", () => {
  const used = createReading(knowledge);
  const withOthers = fc.tuple(
    text,
    fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 5, maxLength: 5 }),
    references,
    references,
  );
  fc.assert(
    fc.property(withOthers, ([line, digits, own, others]) => {
      let at = 0;
      const first = withReferences(line, own);
      const numbered = line.replace(/\d/gu, () => String(digits[at++ % digits.length]));
      for (const one of [first, first]) used(paidLine(one));
      const item = paidLine(withReferences(numbered, others));
      expect(used(item)).toEqual(createReading(knowledge)(item));
    }),
    { numRuns: 300 },
  );
});
