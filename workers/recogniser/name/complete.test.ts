import { expect, test } from "vitest";
import { sampleKnowledge } from "../../../test/support/knowledge-sample.ts";
import type { Line } from "../line.ts";
import { tokenise } from "../text/tokenise.ts";
import { completeName } from "./complete.ts";
import { displayName } from "./display-name.ts";

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
  ["TWO BROTHERS HEATING & AI", "Two Brothers Heating & Air"],
  ["GULF BREEZE BAIT & TAC", "Gulf Breeze Bait & Tackle"],
  ["LITTLE SPROUTS LEARNING C", "Little Sprouts Learning Center"],
  ["CHESTERFIELD PARTS AUT", "Chesterfield Parts Auto"],
])("%j was cut off and is %j", (written, name) => {
  expect(shown(written)).toBe(name);
});

test("what is too short to tell is left out", () => {
  expect(shown("TWO BROTHERS PAVING OF SP")).toBe("Two Brothers Paving");
});

test("a full field ends in the rest of a word, unless the words before it need it", () => {
  expect(shown("JUNIPER & WILD SAGE ZQUOT")).toBe("Juniper & Wild Sage");
  expect(shown("TORTILLERIA GRANDE EL MAZ")).toBe("Tortilleria Grande El Maz");
  // A longer one that no known word begins with is as likely a name of its own: `THE LITTLE DIPPER`.
  expect(shown("JUNIPER & WILD SAGE ZQUOTS")).toBe("Juniper & Wild Sage Zquots");
  expect(shown("JUNIPER & WILD SAGE ZQUOTTER")).toBe("Juniper & Wild Sage Zquotter");
});

test("a word that many names hold completes its beginning, and not where it is as likely another", () => {
  expect(shown("MILL CREEK FUN AND KAYAKI")).toBe("Mill Creek Fun and Kayaking");
  // 24 letters: no card field ends there.
  expect(shown("MILL CREEK FUN AND KAYAK")).toBe("Mill Creek Fun and Kayak");
  expect(shown("MILL CREEK FUN AND A PADD")).toBe("Mill Creek Fun and A Padd");
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
