// The rows of a statement cross from the child process in parts: the service would do nothing else while thousands of them are cloned.
import type {
  StatementHeaderResult,
  StatementResult,
  StatementTransaction,
} from "../model/bank-statement.ts";

/** Rows of one account, in front of the answer. */
export interface RowsPart {
  readonly kind: "rows";
  /** Of the call. */
  readonly id: number;
  /** Index of the account. */
  readonly account: number;
  /** In their order. */
  readonly rows: readonly StatementTransaction[];
}

export type ReadingAnswer = StatementResult | StatementHeaderResult;

/** The service takes 1 ms for as many. */
const PART_ROWS_MAX = 250;

const hasRows = (answer: ReadingAnswer): answer is Exclude<StatementResult, { fault: unknown }> =>
  !("fault" in answer) && "signals" in answer;

/** The rows of an answer, in parts. */
export function rowsPartsOf(id: number, answer: ReadingAnswer): RowsPart[] {
  if (!hasRows(answer)) return [];
  return answer.accounts.flatMap(({ transactions }, account) =>
    Array.from({ length: Math.ceil(transactions.length / PART_ROWS_MAX) }, (_, part): RowsPart => {
      const from = part * PART_ROWS_MAX;
      const rows = transactions.slice(from, from + PART_ROWS_MAX);
      return { kind: "rows", id, account, rows };
    }),
  );
}

/** What is left of an answer without them. */
export const withoutRows = (answer: ReadingAnswer): ReadingAnswer =>
  hasRows(answer)
    ? { ...answer, accounts: answer.accounts.map((one) => ({ ...one, transactions: [] })) }
    : answer;

/** The answer again. */
export function withRowsAgain(answer: ReadingAnswer, parts: readonly RowsPart[]): ReadingAnswer {
  if (!hasRows(answer)) return answer;
  const accounts = answer.accounts.map((one, account) => {
    const transactions = parts.flatMap((part) => (part.account === account ? part.rows : []));
    return { ...one, transactions };
  });
  return { ...answer, accounts };
}
