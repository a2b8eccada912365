// Where a row and its text begin, which tells whether a line below continues it.
import { beginsWithText, type PageLine } from "./layout.ts";

export const leftAt = ({ words }: PageLine, at: number): number => words[at]?.left ?? 0;

/** Where the text of a row begins. */
export const textLeftOf = (line: PageLine): number => leftAt(line, line.dates.at(-1)?.to ?? 0);

const BRACKETED_DAY = /^\(\d{1,2}[-/.]\d{1,2}(?:[-/.]\d{2,4}|\.)?\)$/u;

/** "(07-03)  IBAN: …": below its day, a row may have the one of its value, with more of its text. */
export const isBehindDay = (line: PageLine, textLeft: number): boolean =>
  BRACKETED_DAY.test(line.words[0]?.text ?? "") &&
  Math.abs(leftAt(line, 1) - textLeft) < line.bottom - line.top;

/** What continues a row is right of its date, or anywhere below a text that stands left of it. */
export const leftOfRow = (line: PageLine): number =>
  beginsWithText(line) ? Number.NEGATIVE_INFINITY : leftAt(line, 0);

/** Whether nothing of a table begins or ends in it. */
export const isTextLine = ({ header, facts, heading }: PageLine): boolean =>
  header === null && facts.length === 0 && heading === null;
