// What text recognition writes for something else, where only one reading is possible. The balances decide the rest.
import { monthOfName } from "./lexicon.ts";

/** Borders of a table that were read as letters. */
const BORDERS = /^[|[\]{}_¦]+|[|[\]{}_¦]+$/gu;
/** A minus that was read as another stroke. */
const MINUS = /^([$€£]?)[~—–_](?=[$€£]?\s?\d)/u;
/** A number with letters that look like digits: it has two digits, a separator, and ends in two places. */
const NUMBER = /^[-+(]?[$€£]?[\dOoIlS]{1,3}(?:[.,]?[\dOoIlS]{3})*[.,][\dOoIlS]{2}[-)]?(?:CR|DR)?$/u;
const DATE = /^[\dOoIl]{1,4}([./-])[\dOoIl]{1,2}\1[\dOoIl]{2,4}$/u;
/** "2024-01:16" for "2024-01-16": the year is at one end. */
const DATE_WITH_STAIN = /^(\d{4})([./-])(\d{2})[:;'](\d{2})$|^(\d{2})([./-])(\d{2})[:;'](\d{4})$/u;
/** "15,.2025" for "15,2025": a day and a year. */
const YEAR_WITH_STAIN = /^(\d{1,2})(?:,[.:;'’]|[.:;'’],)((?:19|20)\d{2})$/u;
/** "0ct" and "N0v": a nought among letters. */
const NAME_WITH_NOUGHT =
  /(?<![\p{L}\d])(?=[\p{L}0]*0)(?=[\p{L}0]*\p{L})[\p{L}0]{3,10}(?![\p{L}\d])/gu;
/** "OCTO04" and "OCTO4" for "OCT04", "MAROS" for "MAR05". */
const DAY_WITH_O = /^(\p{L}{3})[Oo](\d{1,2}|[SGBZ])$/u;
const DAY_DIGITS = 2;
const DIGITS_MIN = 2;
const LETTERS: Readonly<Record<string, string>> = { O: "0", o: "0", I: "1", l: "1", S: "5" };
/** Of a day only: elsewhere such a letter may be one. */
const DAY_LETTERS: Readonly<Record<string, string>> = { S: "5", G: "6", B: "8", Z: "2" };

/** Empty: nothing of it is text. */
export function correctReading(text: string): string {
  const word = text
    .replaceAll(BORDERS, "")
    .replace(MINUS, "$1-")
    .replace(DATE_WITH_STAIN, "$1$2$3$2$4$5$6$7$6$8")
    .replace(YEAR_WITH_STAIN, "$1,$2")
    .replaceAll(NAME_WITH_NOUGHT, monthOrSame)
    .replace(DAY_WITH_O, dayOrSame);
  const digits = word.match(/\d/gu)?.length ?? 0;
  if (digits < DIGITS_MIN || !(NUMBER.test(word) || DATE.test(word))) return word;
  const end = /(?:CR|DR)$/u.exec(word)?.[0] ?? "";
  const number = word.slice(0, word.length - end.length);
  return number.replaceAll(/[OoIlS]/gu, (letter) => LETTERS[letter] ?? letter) + end;
}

/** With letters for noughts where that makes it the name of a month. */
function monthOrSame(name: string): string {
  const letters = name.replace(/^0/u, "O").replaceAll("0", "o");
  return monthOfName(letters) === null ? name : letters;
}

/** Without the letter behind the name of a month, which was read for a nought or in addition to one. */
const dayOrSame = (text: string, month: string, day: string): string =>
  monthOfName(month) === null ? text : month + (DAY_LETTERS[day] ?? day).padStart(DAY_DIGITS, "0");
