// "1012" in a column of "10 12": text recognition loses the space between the month and the day, and the number means something
// else in other places.
import { monthAndDayAt } from "./dates.ts";
import { makeLine, type TextLine } from "./lines.ts";
import type { PageWord } from "./words.ts";

const JOINED = /^(\d{2})(\d{2})$/u;
const LINES_MIN = 5;
/** In points: both edges of a date lie where those of the column do. */
const EDGE_TOLERANCE = 4;

/** The same lines, with "10 12" for a recognised "1012" that stands exactly where more lines have a month and a day as two words. */
export function splitJoinedDates(lines: readonly TextLine[]): readonly TextLine[] {
  const joined = lines.flatMap(({ words }) => words.filter(isJoined));
  if (joined.length === 0) return lines;
  const dates = lines.flatMap((line) =>
    line.words.flatMap((_, from) => monthAndDayAt(line, from)?.words ?? []),
  );
  const inColumn = new Set(joined.filter((word) => isAmong(word, dates)));
  if (inColumn.size === 0) return lines;
  return lines.map((line) =>
    line.words.some((word) => inColumn.has(word))
      ? makeLine(line.words.flatMap((word) => (inColumn.has(word) ? split(word) : [word])))
      : line,
  );
}

const isJoined = ({ text, source }: PageWord): boolean => source === "ocr" && JOINED.test(text);

/** @param dates the words of the month and of the day of each date, one behind the other */
function isAmong(word: PageWord, dates: readonly PageWord[]): boolean {
  const isNear = (edge: number, other: number): boolean => Math.abs(edge - other) < EDGE_TOLERANCE;
  const around = dates.filter(
    (month, at) =>
      at % 2 === 0 &&
      isNear(month.left, word.left) &&
      isNear(dates[at + 1]?.right ?? 0, word.right),
  );
  return around.length >= LINES_MIN;
}

function split(word: PageWord): readonly PageWord[] {
  const [, month = "", day = ""] = JOINED.exec(word.text) ?? [];
  const middle = (word.left + word.right) / 2;
  const printed = word.printed ?? word;
  return [
    { ...word, text: month, right: middle, printed },
    { ...word, text: day, left: middle, printed },
  ];
}
