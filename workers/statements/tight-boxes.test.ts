// Digits of one width as browsers print them: each glyph with the character that it stands for next to it.
import { expect, it } from "vitest";
import { makePdf } from "../../test/support/pdf.ts";
import { readPdf } from "./read-pdf.ts";

it("numbers of replaced glyphs are whole, with their points and minus, and stand in one line", async () => {
  const numbers = ["-211.10", "1,111.11", "-0.01", "2012.20"];
  const texts = numbers.map((text, at) => ({ text, x: 60 + 90 * at, y: 700, isReplaced: true }));
  // PDFium puts glyphs of one line together where most of the page is in lines.
  const prose = Array.from({ length: 20 }, (_, at) => ({
    text: "The balance of the account follows from all payments of the month.",
    ...{ x: 60, y: 600 - 14 * at },
  }));
  const read = await readPdf(makePdf([[...texts, ...prose]]), "");
  if ("fault" in read) throw new Error(read.fault);
  const words = read.words.filter(({ text }) => /\d/u.test(text));
  expect(words.map(({ text }) => text)).toEqual(numbers);
  const lines = words.map(({ top, bottom }) => `${top.toFixed(1)} ${bottom.toFixed(1)}`);
  expect(new Set(lines).size).toBe(1);
});
