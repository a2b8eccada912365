import { expect, test } from "vitest";
import { sampleKnowledge } from "../knowledge/builder/sample.ts";
import type { Line } from "../line.ts";
import { tokenise } from "../text/tokenise.ts";
import { completeName } from "./complete.ts";
import { displayName } from "./name.ts";

const knowledge = await sampleKnowledge();
const lineOf = (text: string): Line => ({ text, tokens: tokenise(text) });

/** The name as it would be shown; the field begins with the line, the name at `from`. */
const shown = (text: string, from = 0): string => {
  const line = lineOf(text);
  const { span, lastWord } = completeName(line, { from, to: line.tokens.length }, 0, knowledge);
  return displayName(line, span, lastWord, knowledge.abbreviations);
};

test.each([
  ["MAMA ROSAS GRAND PIZZERI", "Mama Rosas Grand Pizzeria"],
  ["WHITEWATER RIVER OUTFITTE", "Whitewater River Outfitters"],
  ["Hands On Massage Ther", "Hands On Massage Therapy"],
])("%j was cut off and is %j", (written, name) => {
  expect(shown(written)).toBe(name);
});

test("what is too short to tell is left out", () => {
  expect(shown("TWO BROTHERS HEATING & AI")).toBe("Two Brothers Heating");
});

test("a name that did not fill its field is as it was written, whatever its last word", () => {
  expect(shown("ROSAS PIZZERI")).toBe("Rosas Pizzeri");
});

test("a processor's mark stands in the field of the name", () => {
  expect(shown("SQ ROSAS OLD PIZZERI", 1)).toBe("Rosas Old Pizzeria");
});

test("abbreviations of words that names end with are spelled out", () => {
  expect(shown("BIRCHWOOD DNTL")).toBe("Birchwood Dental");
});
