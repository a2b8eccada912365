// Marks inside of words that are written in one way for all that reads them: dots that lead to the next word, dashes in dates and in place of a minus.
import type { PageWord } from "./words.ts";

/** The words, each in its parts and with plain dashes; most are as they are. */
export const withPlainMarks = (words: readonly PageWord[]): readonly PageWord[] =>
  words.some(({ text }) => LEADER.test(text) || DATE_DASH.test(text) || HYPHEN_SIGN.test(text))
    ? words.flatMap((word) => (LEADER.test(word.text) ? partsOf(word) : [withHyphens(word)]))
    : words;

/** "28−02−2025": a minus or another dash between the numbers of a date. */
const DATE_DASH =
  /(?<=^\d{1,4}|[\u2010-\u2013\u2212]\d\d?)[\u2010-\u2013\u2212](?=\d{1,4}(?:[\u2010-\u2013\u2212]|$))/u;

/** A hyphen of Unicode that stands alone or next to an amount, in place of a minus. */
const HYPHEN_SIGN = /^[\u2010\u2011](?=\D{0,3}\d|$)|(?<=\d)[\u2010\u2011]$/u;

const withHyphens = (word: PageWord): PageWord =>
  DATE_DASH.test(word.text) || HYPHEN_SIGN.test(word.text)
    ? { ...word, text: word.text.replaceAll(/[\u2010-\u2013\u2212]/gu, "-") }
    : word;

/** "DATE.....DESCRIPTION..........AMOUNT" are three words, "#..DATE" two. */
const LEADER = /(?<=[^.]{2})\.{3,}(?=[^.])|(?<=[\p{L}#])\.{2}(?=\p{Lu}{3})/u;
const LEADERS = /\.{2,}/gu;

/** Placed as if all characters were as wide. */
function partsOf(word: PageWord): PageWord[] {
  const width = (word.right - word.left) / word.text.length;
  let from = 0;
  return word.text.split(LEADERS).flatMap((text) => {
    const at = word.text.indexOf(text, from);
    from = at + text.length;
    const left = word.left + at * width;
    return text === "" ? [] : [{ ...word, text, left, right: left + text.length * width }];
  });
}
