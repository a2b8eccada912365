// "5,881 10", "2 766,13", "2:51": text recognition loses marks of small print, and takes what is behind them for another word, or
// takes a point for a colon.
import { makeLine, type TextLine } from "./lines.ts";
import type { PageWord } from "./words.ts";

const WHOLE = /^[-+(]?(?:\p{Sc}|R|Rs\.?)?[-+]?\d{1,3}(?:[,.'’]?\d{3})*[.,]?$/u;
const PLACES = /^(\d{2})([-)]?(?:cr|dr)?)[.,:;']?$/iu;
/** The thousands of a number, and what is behind their mark. */
const THOUSANDS = /^[-+(]?(?:\p{Sc}|R|Rs\.?)?[-+]?[1-9]\d{0,2}[.,]?$/u;
const HUNDREDS = /^\d{3}(?:[.,'’]\d{3})*([.,])\d{2}[-)]?(?:cr|dr)?$/iu;
/** "2:51" for "2.51". Of a time, the first number may begin with 0. */
const COLON = /^([-+(]?(?:[1-9]\d{0,6}(?:[.,'’]\d{3})*|0)):(\d{2}[-)]?)$/u;
/** A column of dates may hold "02 28". */
const MONTH = /^(?:0[1-9]|1[0-2])$/u;
const DAY = /^(?:0[1-9]|[12]\d|3[01])$/u;
/** In heights of a letter: of a type whose letters all have one width, a mark takes as much as a digit. */
const NUMBER_GAP_MAX = 1.2;
const COLUMN_GAP_MIN = 1.5;

/**
 * The same lines, with each recognised number that stands alone and whose mark was lost as one word, with the mark.
 * @param mark between units and hundredths in the document
 */
export const joinLostMarks = (lines: readonly TextLine[], mark: "." | ","): readonly TextLine[] =>
  lines.map((line) => {
    const isChanged = line.words.some(
      (_, at) => isTorn(line.words, at, mark) || hasColon(line.words, at),
    );
    return isChanged ? makeLine(joinWords(line.words, mark)) : line;
  });

function joinWords(words: readonly PageWord[], mark: "." | ","): readonly PageWord[] {
  const joined: PageWord[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const [word, next] = [words[at], words[at + 1]];
    if (word === undefined) break;
    if (next !== undefined && isTorn(words, at, mark)) {
      const whole = {
        ...word,
        right: next.right,
        confidence: Math.min(word.confidence, next.confidence),
      };
      joined.push({
        ...whole,
        text: numberOf(word.text.replace(/[.,]$/u, ""), next.text, mark),
        printed: { ...whole, text: `${word.text} ${next.text}` },
      });
      at += 1;
    } else if (hasColon(words, at))
      joined.push({
        ...word,
        text: word.text.replace(COLON, `$1${mark}$2`),
        printed: word.printed ?? word,
      });
    else joined.push(word);
  }
  return joined;
}

/** The number that was printed for both texts. */
function numberOf(first: string, second: string, mark: "." | ","): string {
  const [, places, end = ""] = PLACES.exec(second) ?? [];
  return places === undefined
    ? `${first}${mark === "." ? "," : "."}${second}`
    : `${first}${mark}${places}${end}`;
}

/** Whether a word and the next one are one number: near each other, and far from all others. */
function isTorn(words: readonly PageWord[], at: number, mark: string): boolean {
  const [word, next] = [words[at], words[at + 1]];
  if (word?.source !== "ocr" || next?.source !== "ocr") return false;
  if (!isTornText(word.text, next.text, mark)) return false;
  const height = word.bottom - word.top;
  return isAlone(words, at, at + 1, height) && next.left - word.right < height * NUMBER_GAP_MAX;
}

function isTornText(first: string, second: string, mark: string): boolean {
  if (THOUSANDS.test(first) && HUNDREDS.exec(second)?.[1] === mark) return true;
  if (!WHOLE.test(first) || !PLACES.test(second)) return false;
  // The mark of the document is not between thousands.
  return !(MONTH.test(first) && DAY.test(second)) && !first.slice(0, -1).includes(mark);
}

function hasColon(words: readonly PageWord[], at: number): boolean {
  const word = words[at];
  if (word?.source !== "ocr" || !COLON.test(word.text)) return false;
  // A column of times is not the last one.
  return at === words.length - 1 && isAlone(words, at, at, word.bottom - word.top);
}

/** Whether the words of a line from one to another are far from all others. */
function isAlone(words: readonly PageWord[], from: number, to: number, height: number): boolean {
  const [before, first, last, after] = [words[from - 1], words[from], words[to], words[to + 1]];
  if (first === undefined || last === undefined) return false;
  return (
    (before === undefined || first.left - before.right > height * COLUMN_GAP_MIN) &&
    (after === undefined || after.left - last.right > height * COLUMN_GAP_MIN)
  );
}
