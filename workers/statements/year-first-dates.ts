// "26.05.03": the year in two digits stands first where all such days of a document fit the years that it prints in full, and the last
// numbers do not.
import { isCalendarDay } from "./dates.ts";
import { makeLine, type TextLine } from "./lines.ts";

const SHORT = /^(\d{2})[-/.](\d{2})[-/.](\d{2})$/u;
/** "2026.05.01": the year first, as in the short ones. */
const WHOLE = /^((?:19|20)\d{2})[-/.]\d{1,2}[-/.]\d{1,2}\.?$/u;
const DATES_MIN = 3;

/** The same lines with "2026-05-03" for such days. */
export function writeOutYears(lines: readonly TextLine[]): readonly TextLine[] {
  const texts = lines.flatMap(({ words }) => words.map(({ text }) => text));
  const years = new Set(texts.flatMap((text) => WHOLE.exec(text)?.[1]?.slice(2) ?? []));
  const short = texts.flatMap((text) => {
    const [, first = "", , last = ""] = SHORT.exec(text) ?? [];
    return first === "" ? [] : [{ text, first, last }];
  });
  const areYears =
    short.length >= DATES_MIN &&
    short.every(({ text, first }) => years.has(first) && isCalendarDay(writtenOut(text))) &&
    short.some(({ last }) => !years.has(last));
  if (!areYears) return lines;
  return lines.map((line) =>
    line.words.some(({ text }) => SHORT.test(text))
      ? makeLine(
          line.words.map((word) =>
            SHORT.test(word.text)
              ? { ...word, text: writtenOut(word.text), printed: word.printed ?? word }
              : word,
          ),
        )
      : line,
  );
}

const writtenOut = (text: string): string => text.replace(SHORT, "20$1-$2-$3");
