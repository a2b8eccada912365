// Digits of one number that a file gives in two places.
import { expect, it } from "vitest";
import { makePdf } from "../../test/support/pdf.ts";
import { readPdf } from "./read-pdf.ts";

/** Of a digit and of "v" in Helvetica, 10 points. */
const [DIGIT, LETTER] = [5.56, 5];
const SPACING = 300;

/**
 * The words of a line as Ghostscript may write it: the last letter of a word with the first digit of a number far behind it, then the rest of
 * the number, then what is between them.
 */
async function wordsOf(first: string, last: string, gap: number): Promise<readonly string[]> {
  const left = 70 + LETTER + SPACING;
  const texts = [
    { text: "03 No", x: 40, y: 700 },
    { text: `v${first}`, x: 70, y: 700, spacing: SPACING },
    { text: last, x: left + DIGIT + gap, y: 700 },
    { text: "Point of sale", x: 120, y: 700 },
  ];
  const read = await readPdf(makePdf([texts]), "");
  if ("fault" in read) throw new Error(read.fault);
  return read.words.map(({ text }) => text).filter((text) => /\d/u.test(text));
}

it.each([
  ["1", "32.44", "132.44"],
  ["1", ",983.40", "1,983.40"],
  ["1", "2,983.40", "12,983.40"],
])(
  "%s and %s that touch are one number, whatever stands between them in the file",
  async (a, b, whole) => {
    expect(await wordsOf(a, b, 0)).toEqual(["03", whole]);
  },
);

it.each([
  ["with a gap between them", "1", "32.44", 0.5],
  ["where the whole would be no amount", "1", "2,983.405", 0],
  ["where the second is a number without a point", "1", "132", 0],
])("two numbers stay two %s", async (_where, a, b, gap) => {
  expect(await wordsOf(a, b, gap)).toEqual(["03", a, b]);
});
