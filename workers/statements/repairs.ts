// Repairs of values that text recognition read wrongly: only where the balances become exact by it, in exactly one way, and
// the printed text differs from the repaired one as readings do (a lost minus, a lost or wrong mark, one digit of low confidence).
// In a balance of low confidence that the rows before and those behind it give alike, more may be wrong: two digits, or lost ones.
// What was read with confidence stays, because some documents do not add up.
import type { StatementRepair } from "../../src/model/bank-statement.ts";
import { type ChainResult, type ChainRow, type ClosingBalances, followChain } from "./chain.ts";
import type { Money } from "./money.ts";

export interface RepairInput {
  /** From the oldest to the newest. */
  readonly rows: readonly ChainRow[];
  readonly cells: readonly RowMoney[];
  readonly opening: number | null;
  readonly closings: ClosingBalances;
  readonly sense: -1 | 1;
  readonly chain: ChainResult;
}

interface RowMoney {
  readonly amount: Money;
  readonly balance: Money | null;
}

export interface ValueRepair {
  /** Index of the row. */
  readonly index: number;
  readonly field: StatementRepair["field"];
  /** Minor units; null: nothing was read in the place of a balance. Of a direction: 1 for a credit, -1 for a debit. */
  readonly from: number | null;
  readonly to: number;
  /** Of a row that is printed again. Left out: that of the row. */
  readonly page?: number;
}

export interface RepairedChain {
  readonly rows: readonly ChainRow[];
  readonly chain: ChainResult;
  readonly repairs: readonly ValueRepair[];
}

/** Below, a digit may be another one. */
const CONFIDENCE_LOW = 0.9;
/** Pairs of digits that look alike in print. */
const CONFUSED_DIGITS: ReadonlySet<string> = new Set(
  "06 08 09 14 17 23 27 35 38 39 49 56 58 59 68 69 89".split(" "),
);
/** Digits that look like a dollar. */
const DOLLAR_LIKE: ReadonlySet<string> = new Set("58");
/** Of an equation: a difference of one digit fits some amount of many by chance. */
const ROWS_OF_DIGIT_MAX = 2;
/** Of one account; a document with more was read too badly to be trusted. */
const REPAIRS_MAX = 8;

/** The chain after all repairs; the same chain where there are none, or where they do not make all of it exact. */
export function repairChain(input: RepairInput): RepairedChain {
  const unchanged: RepairedChain = { rows: input.rows, chain: input.chain, repairs: [] };
  let best = unchanged;
  while (best.chain.breaks.length > 0 && best.repairs.length < REPAIRS_MAX) {
    const next = oneRepair(input, best);
    if (next === null) return unchanged;
    best = next;
  }
  return best.chain.breaks.length === 0 ? best : unchanged;
}

/**
 * The repair that leaves the fewest breaks; null: there is none, two are equally good, or an opening or closing balance that was
 * read wrongly would be as good: those are never repaired by a digit, but explain a break as well as an amount next to them.
 */
function oneRepair(input: RepairInput, before: RepairedChain): RepairedChain | null {
  const found: Map<number, RepairedChain[]> = new Map();
  const [first] = before.chain.breaks;
  const end = before.rows.findIndex(({ row, page }) => row === first?.row && page === first.page);
  if (first === undefined || end < 0) return null;
  if (isOtherEndWrong(input, before, end, first.difference)) return null;
  for (const { breaksMin, ...repair } of candidatesAt(input, before, end, first.difference)) {
    const rows = before.rows.map((row, index) =>
      index === repair.index ? applied(row, repair) : row,
    );
    const chain = followChain(rows, input.opening, input.closings, input.sense);
    const count = chain.breaks.length;
    if (before.chain.breaks.length - count < breaksMin) continue;
    found.set(count, [
      ...(found.get(count) ?? []),
      { rows, chain, repairs: [...before.repairs, repair] },
    ]);
  }
  const least = found.get(Math.min(...found.keys())) ?? [];
  const [only] = least;
  if (only === undefined || least.length > 1) return null;
  return isOtherAmountWrong(input, before, end, only) ? null : only;
}

/**
 * Whether a digit of another amount of the same equation explains its break as well, however surely it was read: a digit that was read
 * wrongly may look as sure as a right one. What was read in another view too is not only a guess.
 */
function isOtherAmountWrong(
  { cells, sense }: RepairInput,
  { rows, chain }: RepairedChain,
  end: number,
  { repairs }: RepairedChain,
): boolean {
  const last = repairs.at(-1);
  const [first] = chain.breaks;
  if (last?.field !== "amount" || first === undefined) return false;
  if (last.from === null || !isDigitApart(last.from, last.to)) return false;
  const repaired = cells[last.index]?.amount;
  if (repaired !== undefined && isOtherReading(repaired, last.to)) return false;
  return equationOf(rows, end).some((index) => {
    const units = rows[index]?.units ?? 0;
    const printed = cells[index]?.amount;
    const isOther = index !== last.index && printed !== undefined && isRecognised(printed);
    const sign = (chain.signs[index] ?? -1) * sense;
    return isOther && isDigitApart(units, units + sign * first.difference);
  });
}

/** The rows between the balance before and the row of a break. */
function equationOf(rows: readonly ChainRow[], end: number): number[] {
  const start = rows.slice(0, end).findLastIndex((row) => row.balance !== null) + 1;
  return Array.from({ length: end - start + 1 }, (_, at) => start + at);
}

/** Whether the equation of a break has a printed opening or closing balance that differs by one digit from what would be exact. */
function isOtherEndWrong(
  { opening }: RepairInput,
  { rows, chain }: RepairedChain,
  end: number,
  difference: number,
): boolean {
  const isFirst = rows.slice(0, end).every(({ balance }) => balance === null);
  if (isFirst && opening !== null && isDigitApart(opening, opening + difference)) return true;
  const isLast = rows[end]?.balance === null;
  return (
    isLast && chain.closing !== null && isDigitApart(chain.closing, chain.closing - difference)
  );
}

function applied(row: ChainRow, { field, to }: ValueRepair): ChainRow {
  if (field === "direction") return { ...row, sign: to < 0 ? -1 : 1 };
  return field === "amount" ? { ...row, units: to } : { ...row, balance: to };
}

interface RepairCandidate extends ValueRepair {
  /** Breaks that must be gone with it. */
  readonly breaksMin: 1 | 2;
}

function candidatesAt(
  { cells, sense }: RepairInput,
  { rows, chain, repairs }: RepairedChain,
  end: number,
  difference: number,
): RepairCandidate[] {
  const candidates: RepairCandidate[] = [];
  const equation = equationOf(rows, end);
  const hasSignWords = cells.some(({ amount }) => amount.isSignWord);
  const areFew = equation.length <= ROWS_OF_DIGIT_MAX;
  // Among many numbers, some other reading of one that was read with confidence fits by chance too.
  const isError = (printed: Money, from: number, to: number): boolean =>
    isReadingError(printed, from, to, areFew) ||
    (hasSignWords && isSignLetter(printed, to)) ||
    ((areFew || printed.confidence < CONFIDENCE_LOW) && isOtherReading(printed, to));
  const isTaken = (index: number): boolean => repairs.some((repair) => repair.index === index);
  const consider = (index: number, field: "amount" | "balance", from: number, to: number): void => {
    const printed = field === "amount" ? cells[index]?.amount : cells[index]?.balance;
    if (printed == null || isTaken(index) || !isRecognised(printed) || from === to) return;
    if (isError(printed, from, to)) candidates.push({ index, field, from, to, breaksMin: 1 });
    else if (field === "balance" && printed.confidence < CONFIDENCE_LOW && isAlike(from, to))
      candidates.push({ index, field, from, to, breaksMin: 2 });
  };
  const turn = (index: number, from: number): void => {
    const amount = cells[index]?.amount;
    if (amount !== undefined && amount.sign === 0 && isRecognised(amount) && !isTaken(index))
      candidates.push({ index, field: "direction", from, to: -from, breaksMin: 1 });
  };
  const balance = rows[end]?.balance ?? null;
  if (balance !== null) consider(end, "balance", balance, balance - difference);
  // A sign is lost only where others are printed.
  const hasSigns = cells.some(({ amount }) => amount.sign !== 0 && !amount.isSignWord);
  for (const index of equation) {
    const units = rows[index]?.units ?? 0;
    const sign = (chain.signs[index] ?? -1) * sense;
    // A wrong digit does not turn the sign too: that would rather hide a row that is missing.
    const signed = units + sign * difference;
    if (signed > 0) consider(index, "amount", units, signed);
    if (signed === -units && hasSigns) turn(index, chain.signs[index] ?? -1);
  }
  return candidates;
}

/** What a text layer holds is never doubted. */
const isRecognised = ({ words }: Money): boolean => words.some(({ source }) => source === "ocr");

/** Whether text recognition makes such an error; one of a digit only counts where few amounts are in the equation. */
function isReadingError(printed: Money, from: number, to: number, areFew: boolean): boolean {
  if (from === -to) return true;
  const [a, b] = [String(Math.abs(from)), String(Math.abs(to))];
  if (Math.sign(from) !== Math.sign(to) && from !== 0 && to !== 0) return false;
  // A mark that was lost, or was taken for one between thousands: the digits are the same. "10,93" has its mark: as 109,30 it would only
  // hide rows that are missing.
  if (a.replace(/0+$/u, "") === b.replace(/0+$/u, "")) return !HAS_MARK.test(printed.text);
  if (!areFew || printed.confidence >= CONFIDENCE_LOW) return false;
  return isDollar(printed, a, b) || isOneDigit(a, b);
}

const HAS_MARK = /[.,]\d\d(?!\d)/u;

/** Whether the number was read so too, when it was looked at again. */
const isOtherReading = ({ words }: Money, to: number): boolean =>
  words.some(({ others = [] }) =>
    others.some((text) => Number(text.replaceAll(/\D/gu, "")) === Math.abs(to)),
  );

/** "11,69S" read as "11,698". */
const isSignLetter = ({ text }: Money, to: number): boolean =>
  /[.,]\d\d[58]$/u.test(text) && text.replaceAll(/\D/gu, "").slice(0, -1) === String(to);

/** "$7,771.70" read as "87,771.70". */
const isDollar = ({ text }: Money, a: string, b: string): boolean =>
  !/\p{Sc}/u.test(text) && DOLLAR_LIKE.has(a[0] ?? "") && a.slice(1) === b;

/** Of the digits of a number, so many may be lost, or others. */
const DIGITS_WRONG_MAX = 2;

function isAlike(from: number, to: number): boolean {
  if (from === 0 || to === 0 || Math.sign(from) !== Math.sign(to)) return false;
  const [short = "", long = ""] = [from, to]
    .map((value) => String(Math.abs(value)))
    .sort((a, b) => a.length - b.length);
  if (long.length > short.length + DIGITS_WRONG_MAX) return false;
  if (long.length > short.length) return long.startsWith(short) || long.endsWith(short);
  return Array.from(short).filter((digit, at) => digit !== long[at]).length <= DIGITS_WRONG_MAX;
}

const isDigitApart = (from: number, to: number): boolean =>
  Math.sign(from) === Math.sign(to) && isOneDigit(String(Math.abs(from)), String(Math.abs(to)));

function isOneDigit(a: string, b: string): boolean {
  const different = Array.from(a).flatMap((digit, at) =>
    digit === b[at] ? [] : [[digit, b[at] ?? ""].sort().join("")],
  );
  const [pair = ""] = different;
  return a.length === b.length && different.length === 1 && CONFUSED_DIGITS.has(pair);
}
