// "12 Dec 24": two digits behind a month are the year only if most dates of the document have them; else they begin the
// description ("12 Dec 24 HOUR SHOP").
import { monthOfName } from "./lexicon.ts";
import { makeLine, type TextLine } from "./lines.ts";

/** As a share of the lines that begin with a day and a month. */
const SHARE_MIN = 0.6;
const LINES_MIN = 2;
const YEARS_MAX = 2;

/** The same lines, with month and year as one word where the document prints years in this way. */
export function joinShortYears(lines: readonly TextLine[]): readonly TextLine[] {
  // A day alone may have its year in the next line of its cell.
  const dated = lines.filter((line) => monthAt(line) > 0 && line.words.length > 2);
  const years = dated.flatMap((line) => {
    const text = line.words[2]?.text ?? "";
    return /^\d{2}$/u.test(text) ? [text] : [];
  });
  const isPrinted =
    years.length >= LINES_MIN &&
    years.length >= dated.length * SHARE_MIN &&
    new Set(years).size <= YEARS_MAX;
  return isPrinted ? lines.map((line) => (monthAt(line) > 0 ? joinYear(line) : line)) : lines;
}

/** 1 where a line begins with a day and a month or a month and a day; 0: it does not. */
function monthAt({ words }: TextLine): number {
  const [first, second] = [words[0]?.text ?? "", words[1]?.text ?? ""];
  const isDayMonth = /^\d{1,2}$/u.test(first) && monthOfName(second) !== null;
  const isMonthDay = monthOfName(first) !== null && /^\d{1,2},?$/u.test(second);
  return isDayMonth || isMonthDay ? 1 : 0;
}

/** @param from the first word of a date whose year is the third one */
export function joinYear(line: TextLine, from = 0): TextLine {
  const [first, second, third, ...others] = line.words.slice(from);
  if (first === undefined || second === undefined || third === undefined) return line;
  if (!/^\d{2}$/u.test(third.text)) return line;
  const isDayMonth = /^\d/u.test(first.text);
  const text = `${second.text} ${third.text}`;
  const joined = {
    ...second,
    text: isDayMonth
      ? `${second.text.replace(/\.$/u, "")}-${third.text}`
      : `${second.text.replace(/,$/u, "")}/${third.text}`,
    right: third.right,
    printed: { ...second, text, right: third.right },
  };
  return makeLine([...line.words.slice(0, from), first, joined, ...others]);
}
