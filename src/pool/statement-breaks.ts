// Which parts of a recognised statement are worth another look: those where its balances do not follow.
import type {
  PrintedValue,
  StatementAccount,
  StatementResult,
  StatementTransaction,
} from "../model/bank-statement.ts";
import { balanceSteps, orderOfRows } from "./statement-chain.ts";

/** Pages that are recognised a second time: a statement that is wrong on more was not understood at all. */
const PAGES_AGAIN_MAX = 12;
/** Rows before and after a break whose numbers are recognised again. */
const ROWS_AROUND = 1;
/** Numbers of one document that are read again at once: each takes about 40 ms. */
const PLACES_MAX = 96;

const addsUp = ({ verdict }: StatementAccount): boolean => verdict.startsWith("reconciled");

/** @param recognised pages whose words were recognised, from 1 */
export function pagesToReadAgain(
  result: StatementResult,
  recognised: readonly number[],
): readonly number[] {
  if ("fault" in result)
    return result.fault === "no_transactions" ? recognised.slice(0, PAGES_AGAIN_MAX) : [];
  const wrong = result.accounts.filter(({ verdict }) => verdict === "not_reconciled");
  const pages = new Set(
    wrong.flatMap(({ transactions, firstBreak }) => [
      ...transactions.map(({ page }) => page),
      ...(firstBreak === null ? [] : [firstBreak.page]),
    ]),
  );
  return recognised.filter((page) => pages.has(page)).slice(0, PAGES_AGAIN_MAX);
}

/**
 * Where balances may be of which the labels alone were read: an account without one of them is not checkable.
 * @param recognised pages whose words were recognised, from 1
 */
export const pagesToSearchForEnds = (
  result: StatementResult,
  recognised: readonly number[],
): readonly number[] =>
  !("fault" in result) && result.accounts.some(({ verdict }) => verdict === "not_checkable")
    ? recognised.slice(0, PAGES_AGAIN_MAX)
    : [];

type PlaceOfNumber = Pick<PrintedValue, "page" | "box">;

/** The recognised numbers of the rows around breaks, as wide as their columns: of a torn number, only a part was found. */
export function numbersToReread(result: StatementResult): PlaceOfNumber[] {
  if ("fault" in result) return [];
  return result.accounts
    .flatMap(({ firstBreak, transactions }) => {
      const rows = new Set([
        ...breaksOf(firstBreak, transactions).flatMap((at) => around(at)),
        ...rowsOfEquation(firstBreak, transactions),
      ]);
      const columns = columnBoxesOf(transactions);
      return placesOfSome(
        transactions.filter((_, at) => rows.has(at)),
        (row) => [...placeOf("amount", row, columns), ...placeOf("balance", row, columns)],
      );
    })
    .slice(0, PLACES_MAX);
}

/** Those of the first rows alone: each row is compared with all others, and a statement may break in each. */
function placesOfSome<Row>(
  rows: Iterable<Row>,
  placesOf: (row: Row) => readonly PlaceOfNumber[],
): readonly PlaceOfNumber[] {
  const places: PlaceOfNumber[] = [];
  for (const row of rows) {
    places.push(...placesOf(row));
    if (places.length >= PLACES_MAX) break;
  }
  return places;
}

const around = (at: number): number[] =>
  Array.from({ length: 2 * ROWS_AROUND + 1 }, (_, index) => at + index - ROWS_AROUND);

/** Indexes of the rows of the first break and of all balances that do not follow. */
function breaksOf(
  firstBreak: StatementAccount["firstBreak"],
  rows: readonly StatementTransaction[],
): number[] {
  if (firstBreak === null) return [];
  const first = rows.findIndex(({ row }) => row === firstBreak.row);
  return [...new Set([...(first < 0 ? [] : [first]), ...balanceSteps(rows).broken])];
}

/** Indexes of the rows without a balance next to that of the first break, on either side: one equation holds all of them. */
function rowsOfEquation(
  firstBreak: StatementAccount["firstBreak"],
  rows: readonly StatementTransaction[],
): number[] {
  const first = rows.findIndex(({ row }) => row === firstBreak?.row);
  if (firstBreak === null || first < 0) return [];
  const hasBalance = (at: number): boolean => (rows[at]?.balance ?? null) !== null;
  const found: number[] = [];
  for (const step of [-1, 1])
    for (let at = first + step; at >= 0 && at < rows.length && !hasBalance(at); at += step)
      found.push(at);
  return found;
}

function placeOf(
  field: "amount" | "balance",
  { evidence }: StatementTransaction,
  columns: ColumnBoxes,
): PlaceOfNumber[] {
  const value = evidence[field];
  if (value?.source !== "ocr") return [];
  const [left, top, right, bottom] = value.box;
  const column = columns(field, value.page).filter((box) => box[0] < right && box[2] > left);
  const box = [
    Math.min(...column.map((other) => other[0])),
    top,
    Math.max(...column.map((other) => other[2])),
    bottom,
  ] as const;
  return [{ page: value.page, box }];
}

/** The boxes of the amounts or the balances of a page. */
type ColumnBoxes = (field: "amount" | "balance", page: number) => readonly PrintedValue["box"][];

/** Each is found once: many numbers of a page are compared with all others of their column. */
function columnBoxesOf(rows: readonly StatementTransaction[]): ColumnBoxes {
  const found = new Map<string, readonly PrintedValue["box"][]>();
  return (field, page) => {
    const key = `${field} ${String(page)}`;
    const known = found.get(key);
    if (known !== undefined) return known;
    const boxes = rows.flatMap(({ evidence }) => {
      const value = evidence[field];
      return value?.page === page ? [value.box] : [];
    });
    found.set(key, boxes);
    return boxes;
  };
}

/** The recognised amounts up to the first balance of an account that adds up without an opening balance: no sum contains them. */
export function amountsInNoSum({
  verdict,
  unproven,
  transactions,
}: StatementAccount): readonly PlaceOfNumber[] {
  if (!verdict.startsWith("reconciled") || !unproven.includes("opening_balance")) return [];
  const order = orderOfRows(transactions);
  const rows = new Set([
    ...(order === "newest" ? [] : untilBalance(transactions)),
    ...(order === "oldest" ? [] : untilBalance(transactions.toReversed())),
  ]);
  const columns = columnBoxesOf(transactions);
  return placesOfSome(rows, (row) => placeOf("amount", row, columns));
}

/** Those up to the first with a balance, and that one. */
const untilBalance = (rows: readonly StatementTransaction[]): readonly StatementTransaction[] =>
  rows.slice(0, rows.findIndex(({ balance }) => balance !== null) + 1);

/** In heights of a number: between the rows before and after a lost one there is at least so much paper. */
const LOST_ROW_GAP_MIN = 1;

/**
 * The places of amounts that were not found at all: half-way between the row of a break and the one before it, in the column
 * of the amounts; and those of balances, at the height of their amount.
 */
export function lostNumbers(result: StatementResult): PlaceOfNumber[] {
  if ("fault" in result) return [];
  return result.accounts
    .flatMap(({ firstBreak, transactions }) => {
      if (firstBreak === null) return [];
      const columns = columnBoxesOf(transactions);
      return [
        ...placesOfSome(breaksOf(firstBreak, transactions), (at) =>
          lostAmount(transactions, at, columns),
        ),
        ...placesOfSome(balanceSteps(transactions).withoutBalance, (at) =>
          lostBalance(transactions, at, columns),
        ),
      ];
    })
    .slice(0, PLACES_MAX);
}

function lostAmount(
  rows: readonly StatementTransaction[],
  at: number,
  columns: ColumnBoxes,
): PlaceOfNumber[] {
  const [before, after] = [rows[at - 1], rows[at]].map((row) => row?.evidence.amount ?? null);
  if (before?.source !== "ocr" || after?.source !== "ocr" || before.page !== after.page) return [];
  const [, top, , bottom] = before.box;
  const [, nextTop, , nextBottom] = after.box;
  if (nextTop - bottom < (bottom - top) * LOST_ROW_GAP_MIN) return [];
  const column = columns("amount", after.page);
  const left = Math.min(...column.map((box) => box[0]));
  const right = Math.max(...column.map((box) => box[2]));
  const box = [left, (top + nextTop) / 2, right, (bottom + nextBottom) / 2] as const;
  return [{ page: after.page, box }];
}

function lostBalance(
  rows: readonly StatementTransaction[],
  at: number,
  columns: ColumnBoxes,
): PlaceOfNumber[] {
  const amount = rows[at]?.evidence.amount;
  if (amount?.source !== "ocr") return [];
  const column = columns("balance", amount.page);
  if (column.length === 0) return [];
  const left = Math.min(...column.map((box) => box[0]));
  const right = Math.max(...column.map((box) => box[2]));
  return [{ page: amount.page, box: [left, amount.box[1], right, amount.box[3]] }];
}

/**
 * Whether a statement adds up better: fewer accounts that do not, then more that do, then more balances that follow, then a
 * later first break. With fewer accounts it only does where one account had been divided, so that all rows are still there: an account that
 * does not add up is not mended where it is lost.
 */
export function isBetter(next: StatementResult, before: StatementResult): boolean {
  if ("fault" in next) return false;
  if ("fault" in before) return true;
  if (next.accounts.length < before.accounts.length && !hasAllRows(next, before)) return false;
  const [a, b] = [measure(next), measure(before)];
  const at = a.findIndex((value, index) => value !== b[index]);
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0);
}

interface WithAccounts {
  readonly accounts: readonly StatementAccount[];
}

/** An account without rows would be lost unseen. */
function hasAllRows(next: WithAccounts, before: WithAccounts): boolean {
  const counts = before.accounts.map(({ transactions }) => transactions.length);
  const rows = next.accounts.reduce((sum, { transactions }) => sum + transactions.length, 0);
  return (
    counts.every((count) => count > 0) && rows >= counts.reduce((sum, count) => sum + count, 0)
  );
}

/** Larger is better, the first difference decides. */
function measure({ accounts }: WithAccounts): number[] {
  const broken = accounts.filter(({ verdict }) => verdict === "not_reconciled").length;
  const reconciled = accounts.filter(addsUp).length;
  const firstBreak = accounts.reduce(
    (sum, { firstBreak: at, transactions }) => sum + (at?.row ?? transactions.length),
    0,
  );
  const fitting = accounts.reduce(
    (sum, { transactions }) => sum + balanceSteps(transactions).fitting,
    0,
  );
  return [-broken, reconciled, fitting, firstBreak];
}

/**
 * Whether an opening or closing balance that was found late makes an account exact that was not checkable, with the same rows, and no
 * account worse: a wrong balance would not fit them.
 */
export function hasProvenEnds(next: StatementResult, before: StatementResult): boolean {
  if ("fault" in next || "fault" in before) return false;
  if (amountsOf(next.accounts) !== amountsOf(before.accounts)) return false;
  const pairs = next.accounts.map((account, at) => [account, before.accounts[at]] as const);
  return (
    pairs.every(([account, old]) => addsUp(account) || account.verdict === old?.verdict) &&
    pairs.some(([account, old]) => addsUp(account) && old?.verdict === "not_checkable")
  );
}

const amountsOf = (accounts: readonly StatementAccount[]): string =>
  JSON.stringify(
    accounts.map(({ transactions }) =>
      transactions.map(({ amount, direction, balance }) => [amount, direction, balance]),
    ),
  );
