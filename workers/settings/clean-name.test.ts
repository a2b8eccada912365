import fc from "fast-check";
import { expect, it } from "vitest";
import type { RecogniserInput } from "../../src/model/transaction.ts";
import { readKnowledge } from "../../test/eval/knowledge.ts";
import { paidLine } from "../../test/support/recogniser-input.ts";
import { createExaminer } from "../recogniser/recogniser.ts";
import { cleanName } from "./clean-name.ts";

const examine = createExaminer(readKnowledge());

const nameOf = (description: string, over: Partial<RecogniserInput> = {}): string =>
  cleanName(examine(paidLine(description, { amount: 1, ...over })).reading);

it("lines of one shop have one name, whatever their store, reference, date and place", () => {
  for (const line of [
    "WAL-MART #1234 AUSTIN TX",
    "POS DEBIT WAL-MART #987 PORTLAND OR",
    "PURCHASE AUTHORIZED ON 01/23 WAL-MART 33421 AUSTIN TX S123456789012345 CARD 1082",
    "wal-mart f12345",
  ])
    expect([line, nameOf(line)]).toEqual([line, "WAL MART"]);
});

it("the name is all that stands there, not who was recognised in it", () => {
  expect(nameOf("BLUE HERON DENTAL 12 PORTLAND OR")).toBe("BLUE HERON DENTAL");
  expect(nameOf("BLUE 123 AUSTIN TX")).toBe("BLUE");
  expect(nameOf("NETFLIX DVD RENTALS AUSTIN TX")).toBe("NETFLIX DVD RENTALS");
});

it("marks of those it went through are left out, so that it is the same shop through another terminal", () => {
  expect(nameOf("SQ *BIRCHWOOD DENTAL 88123 PORTLAND OR")).toBe("BIRCHWOOD DENTAL");
  expect(nameOf("BIRCHWOOD DENTAL 4 PORTLAND OR")).toBe("BIRCHWOOD DENTAL");
});

it("figures that belong to a name stay in it", () => {
  expect(nameOf("7-ELEVEN 33421 AUSTIN TX")).toBe("7 ELEVEN");
  expect(nameOf("O2 UK 12345")).toBe("O2 UK");
});

it("capitals, accents and apostrophes make no difference", () => {
  expect(nameOf("Birchwood D'ental")).toBe("BIRCHWOOD DENTAL");
  expect(nameOf("BÏRCHWÖOD DENTAL")).toBe("BIRCHWOOD DENTAL");
});

it("a line of numbers and blanked values has none", () => {
  for (const line of ["", "   ", "12345 67890", "XXXXXX1234", "#1234", "7"])
    expect([line, nameOf(line)]).toEqual([line, ""]);
});

it("a mark of which nothing is left adds no space", () => {
  expect(nameOf("↚ ಥ", { entryType: "incoming" })).toBe("ಥ");
});

it("any line has a name, which is short, trimmed and the same each time", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 200 }),
      fc.constantFrom("incoming", "outgoing"),
      (line, entryType) => {
        const name = nameOf(line, { entryType });
        expect(nameOf(line, { entryType })).toBe(name);
        expect(name).toBe(name.trim());
        expect(name).not.toMatch(/\s{2}|\d{3}/);
      },
    ),
  );
});
