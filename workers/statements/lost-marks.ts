// "5,881 10": text recognition loses decimal marks of small print, and takes what is behind them for another word.
import { makeLine, type TextLine } from "./lines.ts";
import type { PageWord } from "./words.ts";

const WHOLE = /^[-+(]?(?:\p{Sc}|R|Rs\.?)?[-+]?\d{1,3}(?:[,.'’]?\d{3})*[.,]?$/u;
const PLACES = /^(\d{2})([-)]?(?:cr|dr)?)[.,:;']?$/iu;
/** A column of dates may hold "02 28". */
const MONTH = /^(?:0[1-9]|1[0-2])$/u;
const DAY = /^(?:0[1-9]|[12]\d|3[01])$/u;
/** In heights of a letter: of a type whose letters all have one width, a mark takes as much as a digit. */
const NUMBER_GAP_MAX = 1.2;
const COLUMN_GAP_MIN = 1.5;

/**
 * The same lines, with each recognised number that stands alone and is followed by two digits as one word.
 * @param mark between units and hundredths in the document
 */
export const joinLostMarks = (lines: readonly TextLine[], mark: "." | ","): readonly TextLine[] =>
  lines.map((line) => {
    const at = line.words.findIndex((_, index) => isTorn(line.words, index, mark));
    return at < 0 ? line : makeLine(joinWords(line.words, mark));
  });

function joinWords(words: readonly PageWord[], mark: string): readonly PageWord[] {
  const joined: PageWord[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const [word, next] = [words[at], words[at + 1]];
    if (word === undefined) break;
    if (next === undefined || !isTorn(words, at, mark)) {
      joined.push(word);
      continue;
    }
    const [, places = "", end = ""] = PLACES.exec(next.text) ?? [];
    const whole = {
      ...word,
      right: next.right,
      confidence: Math.min(word.confidence, next.confidence),
    };
    joined.push({
      ...whole,
      text: `${word.text.replace(/[.,]$/u, "")}${mark}${places}${end}`,
      printed: { ...whole, text: `${word.text} ${next.text}` },
    });
    at += 1;
  }
  return joined;
}

/** Whether a word and the next one are one number: near each other, and far from all others. */
function isTorn(words: readonly PageWord[], at: number, mark: string): boolean {
  const [before, word, next, after] = [words[at - 1], words[at], words[at + 1], words[at + 2]];
  if (word?.source !== "ocr" || next?.source !== "ocr") return false;
  if (!WHOLE.test(word.text) || !PLACES.test(next.text)) return false;
  if (MONTH.test(word.text) && DAY.test(next.text)) return false;
  // The mark of the document is not between thousands.
  if (word.text.slice(0, -1).includes(mark)) return false;
  const height = word.bottom - word.top;
  const isAlone =
    (before === undefined || word.left - before.right > height * COLUMN_GAP_MIN) &&
    (after === undefined || after.left - next.right > height * COLUMN_GAP_MIN);
  return isAlone && next.left - word.right < height * NUMBER_GAP_MAX;
}
