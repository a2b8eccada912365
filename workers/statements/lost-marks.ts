// "5,881 10", "2 766,13", "8, 007 42", "1,43917", "2:51", "‘R18.86": text recognition loses marks of small print, and takes what is
// behind them for another word or for more of the same number, takes a point for a colon, and a stain for a mark.
import { makeLine, type TextLine } from "./lines.ts";
import type { PageWord } from "./words.ts";

const WHOLE = /^[-+(]?(?:\p{Sc}|R|Rs\.?)?[-+]?\d{1,3}(?:[,.'’]?\d{3})*[.,]?$/u;
const PLACES = /^[.,]?(\d{2})([-+)]?(?:cr|dr|[sh])?)[.,:;']?$/iu;
/** The thousands of a number, and what is behind their mark. */
const THOUSANDS = /^[-+(]?(?:\p{Sc}|R|Rs\.?)?[-+]?[1-9]\d{0,2}[.,]?$/u;
const HUNDREDS = /^\d{3}(?:[.,'’]\d{3})*([.,])\d{2}[-+)]?(?:cr|dr)?$/iu;
const GROUP = /^\d{3}[.,]?$/u;
/** Millions, thousands, hundreds and hundredths. */
const TORN_WORDS_MAX = 4;
/** "2:51" for "2.51". Of a time, the first number may begin with 0. */
const COLON = /^(=?[-+(]?(?:[1-9]\d{0,6}(?:[.,'’]\d{3})*|0)):(\d{2}[-+)]?)$/u;
/** "204°99Cr" for "204.99Cr". */
const RAISED = /(?<=\d)[°*](?=\d{2}[-+)]?(?:cr|dr)?$)/iu;
/** "1,43917" for "1,439.17"; "1.43917" may be a rate. */
const GLUED = /^([-+(]?(?:\p{Sc}|R|Rs\.?)?[-+]?[1-9]\d{0,2}(?:([.,])\d{3})+)(\d{2}[-+)]?)$/u;
/** "383.320D" for "383.32OD". */
const OVERDRAWN = /(?<=[.,]\d{2}) ?[0O]D$/u;
const STAIN = /^[‘’“”'"`*]+(?=[-+(]?(?:\p{Sc}|R|Rs\.?)?\d)/u;
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
  lines.map((printed) => {
    const line = withoutStains(printed, mark);
    const isChanged = line.words.some(
      (_, at) =>
        tornWords(line.words, at, mark) > 0 ||
        hasColon(line.words, at) ||
        isGlued(line.words, at, mark),
    );
    return isChanged ? makeLine(joinWords(line.words, mark)) : line;
  });

function withoutStains(line: TextLine, mark: "." | ","): TextLine {
  const cleaned = ({ text }: PageWord): string =>
    text.replace(STAIN, "").replace(RAISED, mark).replace(OVERDRAWN, "OD");
  const isStained = (word: PageWord): boolean =>
    word.source === "ocr" && cleaned(word) !== word.text;
  if (!line.words.some(isStained)) return line;
  return makeLine(
    line.words.map((word) =>
      isStained(word) ? { ...word, text: cleaned(word), printed: word.printed ?? word } : word,
    ),
  );
}

function joinWords(words: readonly PageWord[], mark: "." | ","): readonly PageWord[] {
  const joined: PageWord[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    const count = tornWords(words, at, mark);
    if (count > 0) {
      const parts = words.slice(at, at + count);
      const whole = {
        ...word,
        right: parts.at(-1)?.right ?? word.right,
        confidence: Math.min(...parts.map(({ confidence }) => confidence)),
      };
      const texts = parts.map(({ text }) => text);
      joined.push({ ...whole, text: numberOf(texts, mark), printed: printedWhole(parts) });
      at += count - 1;
    } else if (hasColon(words, at))
      joined.push({
        ...word,
        text: word.text.replace(COLON, `$1${mark}$2`),
        printed: word.printed ?? word,
      });
    else if (isGlued(words, at, mark))
      joined.push({
        ...word,
        text: word.text.replace(GLUED, `$1${mark}$3`),
        printed: word.printed ?? word,
      });
    else joined.push(word);
  }
  return joined;
}

/** Where and how the words are printed, of which some may have been moved. */
function printedWhole(parts: readonly PageWord[]): PageWord {
  const printed = parts.map((word) => word.printed ?? word);
  const [first] = printed;
  if (first === undefined) throw new Error("A number has a word.");
  return {
    ...first,
    text: parts.map(({ text }) => text).join(" "),
    left: Math.min(...printed.map(({ left }) => left)),
    top: Math.min(...printed.map(({ top }) => top)),
    right: Math.max(...printed.map(({ right }) => right)),
    bottom: Math.max(...printed.map(({ bottom }) => bottom)),
    confidence: Math.min(...printed.map(({ confidence }) => confidence)),
  };
}

/** The number that was printed for all texts. */
function numberOf(texts: readonly string[], mark: "." | ","): string {
  const last = texts.at(-1) ?? "";
  const first = texts
    .slice(0, -1)
    .map((text) => text.replace(/[.,]$/u, ""))
    .join(mark === "." ? "," : ".");
  const [, places, end = ""] = PLACES.exec(last) ?? [];
  return places === undefined
    ? `${first}${mark === "." ? "," : "."}${last}`
    : `${first}${mark}${places}${end}`;
}

/** How many words from one on are one number: near each other, and far from all others. 0: it is whole, or no number. */
function tornWords(words: readonly PageWord[], at: number, mark: string): number {
  for (let count = TORN_WORDS_MAX; count >= 2; count -= 1) {
    const parts = words.slice(at, at + count);
    const height = (parts[0]?.bottom ?? 0) - (parts[0]?.top ?? 0);
    const isNear = parts.every(
      ({ source, left }, index) =>
        source === "ocr" &&
        (index === 0 || left - (parts[index - 1]?.right ?? 0) < height * NUMBER_GAP_MAX),
    );
    if (parts.length < count || !isNear || !isAlone(words, at, at + count - 1, height)) continue;
    const texts = parts.map(({ text }) => text);
    if (count === 2 ? isTornText(texts[0] ?? "", texts[1] ?? "", mark) : areGroups(texts))
      return count;
  }
  return 0;
}

/** "$8," "007" "42": thousands, hundreds, and what is behind the decimal mark. */
function areGroups(texts: readonly string[]): boolean {
  const [first = "", ...others] = texts;
  const last = others.pop() ?? "";
  return (
    THOUSANDS.test(first) &&
    others.every((text) => GROUP.test(text)) &&
    (PLACES.test(last) || HUNDREDS.test(last))
  );
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

function isGlued(words: readonly PageWord[], at: number, mark: string): boolean {
  const word = words[at];
  const between = GLUED.exec(word?.text ?? "")?.[2];
  if (word?.source !== "ocr" || between === undefined || between === mark) return false;
  return isAlone(words, at, at, word.bottom - word.top);
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
