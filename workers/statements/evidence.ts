// Where values are printed, carried from the words that they were read from.
import type { PrintedValue } from "../../src/model/bank-statement.ts";
import type { PageWord } from "./words.ts";

/** Rounded, because a hundredth of a point is below what any printer shows. */
const round = (length: number): number => Math.round(length * 100) / 100;

/**
 * The place of words that stand next to each other, in the coordinates of the words.
 * @returns null: there are no words
 */
export function printedValue(words: readonly PageWord[]): PrintedValue | null {
  const printed = words.map((word) => word.printed ?? word);
  const [first] = printed;
  if (first === undefined) return null;
  return {
    page: first.page,
    box: [
      round(Math.min(...printed.map(({ left }) => left))),
      round(Math.min(...printed.map(({ top }) => top))),
      round(Math.max(...printed.map(({ right }) => right))),
      round(Math.max(...printed.map(({ bottom }) => bottom))),
    ],
    text: printed.map(({ text }) => text).join(" "),
    confidence: Math.min(...printed.map(({ confidence }) => confidence)),
    source: printed.some(({ source }) => source === "ocr") ? "ocr" : "text",
  };
}
