// Words of bank statements with one or two errors as text recognition makes them, drawn from a seed: digits that look like others,
// signs and marks that were lost, added or moved, words, numbers, rows and columns that were not found, rows in another order or twice.
import { toLines } from "../../workers/statements/lines.ts";
import type { PageWord } from "../../workers/statements/words.ts";
import { createRandom, type Random } from "./random.ts";

export interface MutatedWords {
  readonly words: readonly PageWord[];
  /** What was changed, for a report. */
  readonly change: string;
}

type Mutation = (words: readonly PageWord[], random: Random) => MutatedWords | null;

/** What each digit is most often taken for. */
const LIKE: Readonly<Record<string, string>> = {
  0: "689",
  1: "74",
  2: "73",
  3: "859",
  4: "91",
  5: "638",
  6: "850",
  7: "12",
  8: "3605",
  9: "483",
};
const AMOUNT = /\d[.,]\d{2}(?![\d.,])/u;
const NOT_AMOUNT = /^\d{1,4}([./-])\d{1,2}\1/u;
const DATE = /^\d{1,4}[./-]\d{1,2}(?:[./-]\d{2,4})?$|^\d{1,2}(?:st|nd|rd|th)?$/u;
const MINUS = /[-−–()+]|(?:CR|DR|Cr|Dr)$/gu;
/** Of words that were read rightly, 19 of 20 have more. */
const LEAST_CONFIDENCE = 0.82;
/** In points. */
const COLUMN_WIDTH = 4;
/** In heights of a line. */
const REPEATED_STEP = 1.4;
/** With a digit before it that is not the first. */
const MOVABLE_MARK = /(?<=\d)(\d)([.,])(?=\d{2}$)/u;

const isAmount = ({ text }: PageWord): boolean => AMOUNT.test(text) && !NOT_AMOUNT.test(text);

const pickOf = <T>(random: Random, values: readonly T[]): T | null =>
  values.length === 0 ? null : random.pick(values);

/** A word that was read wrongly has any confidence. */
function withText(
  words: readonly PageWord[],
  word: PageWord,
  text: string,
  random: Random,
): MutatedWords {
  const confidence = word.source === "ocr" ? 0.3 + random.next() * 0.68 : word.confidence;
  return {
    words: words.map((one) => (one === word ? { ...word, text, confidence } : one)),
    change: `${word.text} read as ${text}`,
  };
}

const without = (words: readonly PageWord[], lost: ReadonlySet<PageWord>): MutatedWords => ({
  words: words.filter((word) => !lost.has(word)),
  change: `lost ${[...lost].map(({ text }) => text).join(" ")}`,
});

/** One digit of a word that is chosen by `is`. */
const otherDigit =
  (is: (word: PageWord) => boolean): Mutation =>
  (words, random) => {
    const word = pickOf(random, words.filter(is));
    if (word === null) return null;
    const places = Array.from(word.text).flatMap((digit, at) => (digit in LIKE ? [at] : []));
    const at = pickOf(random, places);
    if (at === null) return null;
    const digit = random.pick(Array.from(LIKE[word.text[at] ?? ""] ?? "0"));
    return withText(words, word, word.text.slice(0, at) + digit + word.text.slice(at + 1), random);
  };

/** What `marks` finds in an amount is lost. */
const lostMark =
  (marks: RegExp): Mutation =>
  (words, random) => {
    const word = pickOf(
      random,
      words.filter((one) => isAmount(one) && one.text.replaceAll(marks, "") !== one.text),
    );
    return word === null ? null : withText(words, word, word.text.replaceAll(marks, ""), random);
  };

const lostSign: Mutation = (words, random) => {
  const single = words.filter(({ text }) => /^(?:[-−–+]|CR|DR)$/iu.test(text));
  if (single.length === 0 || random.chance(0.5)) return lostMark(MINUS)(words, random);
  return without(words, new Set([random.pick(single)]));
};

const lostDigit: Mutation = (words, random) => {
  const word = pickOf(random, words.filter(isAmount));
  if (word === null) return null;
  const places = Array.from(word.text).flatMap((digit, at) => (digit in LIKE ? [at] : []));
  const at = random.pick(places);
  return withText(words, word, word.text.slice(0, at) + word.text.slice(at + 1), random);
};

const lostWord =
  (is: (word: PageWord) => boolean): Mutation =>
  (words, random) => {
    const word = pickOf(random, words.filter(is));
    return word === null ? null : without(words, new Set([word]));
  };

const linesOf = (words: readonly PageWord[]): readonly (readonly PageWord[])[] =>
  toLines(words).map((line) => line.words.map((word) => word.printed ?? word));

const lostLine =
  (is: (line: readonly PageWord[]) => boolean): Mutation =>
  (words, random) => {
    const line = pickOf(random, linesOf(words).filter(is));
    return line === null ? null : without(words, new Set(line));
  };

const startsWithDate = (line: readonly PageWord[]): boolean =>
  line.slice(0, 2).some(({ text }) => /^\d/u.test(text));
const isRow = (line: readonly PageWord[]): boolean => line.some(isAmount) && startsWithDate(line);
const isFact = (line: readonly PageWord[]): boolean => line.some(isAmount) && !startsWithDate(line);

/** All that ends where one amount does: on its page, or everywhere. */
const lostColumn: Mutation = (words, random) => {
  const word = pickOf(random, words.filter(isAmount));
  if (word === null) return null;
  const isPage = random.chance(0.5);
  const lost = words.filter(
    (other) =>
      isAmount(other) &&
      Math.abs(other.right - word.right) < COLUMN_WIDTH &&
      (!isPage || other.page === word.page),
  );
  return without(words, new Set(lost));
};

const lostFact = lostLine(isFact);
const factDigit: Mutation = (words, random) => {
  const facts = new Set(linesOf(words).filter(isFact).flat());
  return otherDigit((word) => facts.has(word) && isAmount(word))(words, random);
};

/** The line with the next row below it. */
const swappedRows: Mutation = (words, random) => {
  const rows = linesOf(words).filter(isRow);
  const at = rows.length < 2 ? -1 : random.integer(0, rows.length - 2);
  const [one = [], other = []] = at < 0 ? [] : rows.slice(at, at + 2);
  const [a, b] = [one[0], other[0]];
  if (a === undefined || b === undefined || a.page !== b.page) return null;
  const step = b.top - a.top;
  const [up, down] = [new Set(other), new Set(one)];
  return {
    words: words.map((word) => movedBy(word, up.has(word) ? -step : down.has(word) ? step : 0)),
    change: `swapped ${textOf(one)} and ${textOf(other)}`,
  };
};

/** Once more below itself; all that stands below makes room. */
const repeatedRow: Mutation = (words, random) => {
  const row = pickOf(random, linesOf(words).filter(isRow));
  const [first] = row ?? [];
  if (row === null || first === undefined) return null;
  const step = (first.bottom - first.top) * REPEATED_STEP;
  const isBelow = (word: PageWord): boolean =>
    word.page === first.page && word.top > first.top + step / 2;
  return {
    words: [
      ...words.map((word) => movedBy(word, isBelow(word) ? step : 0)),
      ...row.map((word) => movedBy(word, step)),
    ],
    change: `repeated ${textOf(row)}`,
  };
};

const movedBy = (word: PageWord, step: number): PageWord =>
  step === 0 ? word : { ...word, top: word.top + step, bottom: word.bottom + step };

const textOf = (line: readonly PageWord[]): string => line.map(({ text }) => text).join(" ");

/** A speck in front of an amount that has no sign. */
const addedSign: Mutation = (words, random) => {
  const word = pickOf(
    random,
    words.filter((one) => isAmount(one) && one.text.replaceAll(MINUS, "") === one.text),
  );
  return word === null ? null : withText(words, word, `-${word.text}`, random);
};

const movedMark: Mutation = (words, random) => {
  const word = pickOf(
    random,
    words.filter(({ text }) => MOVABLE_MARK.test(text)),
  );
  return word === null
    ? null
    : withText(words, word, word.text.replace(MOVABLE_MARK, "$2$1"), random);
};

/** Of the last amount of a row, which is mostly the balance. */
const balanceDigit: Mutation = (words, random) => {
  const last = new Set(
    linesOf(words)
      .filter(isRow)
      .map((line) => line.findLast(isAmount)),
  );
  return otherDigit((word) => last.has(word))(words, random);
};

const both =
  (...mutations: readonly Mutation[]): Mutation =>
  (words, random) => {
    let all: MutatedWords = { words, change: "" };
    for (const mutation of mutations) {
      const next = mutation(all.words, random);
      if (next !== null)
        all = { words: next.words, change: [all.change, next.change].filter(Boolean).join("; ") };
    }
    return all.change === "" ? null : all;
  };

const amountDigit = otherDigit(isAmount);
const lostRow = lostLine(isRow);

export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  "digit of an amount": amountDigit,
  "digit of a fact": factDigit,
  "digit lost": lostDigit,
  "word lost": lostWord(() => true),
  "amount lost": lostWord(isAmount),
  "sign lost": lostSign,
  "point or comma lost": lostMark(/[.,]/gu),
  "row lost": lostRow,
  "column lost": lostColumn,
  "fact lost": lostFact,
  "digit of a date": otherDigit(({ text }) => DATE.test(text)),
  "fact lost, digit": both(lostFact, amountDigit),
  "facts lost, digit": both(lostFact, lostFact, amountDigit),
  "facts lost, row": both(lostFact, lostFact, lostRow),
  "facts lost, sign": both(lostFact, lostFact, lostSign),
  "facts lost, amount": both(lostFact, lostFact, lostWord(isAmount)),
  "two digits": both(amountDigit, amountDigit),
  "two rows lost": both(lostRow, lostRow),
  "rows swapped": swappedRows,
  "row repeated": repeatedRow,
  "sign added": addedSign,
  "two signs": both(lostSign, addedSign),
  "digit of a balance": balanceDigit,
  "mark moved": movedMark,
  "row lost, another repeated": both(lostRow, repeatedRow),
};

/** Words of a text layer as if they had been recognised, with the confidences that right words have. */
export function asRecognised(words: readonly PageWord[], seed: number): PageWord[] {
  const random = createRandom(seed);
  return words.map((word) => ({
    ...word,
    source: "ocr",
    confidence: LEAST_CONFIDENCE + random.next() * (1 - LEAST_CONFIDENCE),
  }));
}
