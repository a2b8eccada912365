// The truth of public samples of bank statements, in the forms of their sources, and the verdict that arithmetic gives.
import { readFileSync } from "node:fs";
import type { StatementAccount } from "../src/model/bank-statement.ts";

export interface TrueRow {
  readonly date: string;
  /** Minor units, below zero for a debit. */
  readonly units: number;
  /** null: not printed. */
  readonly balance: number | null;
  /** null: the truth has none. */
  readonly description: string | null;
}

export interface TrueAccount {
  readonly opening: number | null;
  readonly closing: number | null;
  readonly rows: readonly TrueRow[];
  /** null: arithmetic on the rows gives it. */
  readonly verdict: StatementAccount["verdict"] | null;
}

const HUNDRED = 100;
export const units = (text: string): number => Math.round(Number(text) * HUNDRED);

interface JsonRow {
  readonly date: string;
  readonly description?: string;
  readonly amount: string;
  readonly direction: string;
  readonly balance?: string | null;
  readonly balance_after?: string | null;
}

const trueRow = (row: JsonRow): TrueRow => {
  const balance = row.balance ?? row.balance_after ?? null;
  const isCredit = ["credit", "IN"].includes(row.direction);
  return {
    date: row.date,
    units: units(row.amount) * (isCredit ? 1 : -1),
    balance: balance === null ? null : units(balance),
    description: row.description ?? null,
  };
};

interface JsonAccount {
  readonly openingBalance: string | null;
  readonly closingBalance: string | null;
  readonly transactions: readonly JsonRow[];
  /** Of generated statements only. */
  readonly verdict?: StatementAccount["verdict"];
}

/** Of the four sources of samples, each in its form. */
interface JsonTruth {
  readonly accounts?: readonly JsonAccount[];
  readonly statement?: { readonly opening_balance: string; readonly closing_balance: string };
  readonly events?: readonly JsonRow[];
  readonly statements?: readonly { readonly transactions: readonly SignedRow[] }[];
  readonly bookings?: readonly Booking[];
  readonly balanceOld?: number;
  readonly balanceNew?: number;
}

interface Booking {
  readonly postDate: string;
  readonly amount: number;
  /** A line of the description each. */
  readonly info: readonly string[];
}

interface SignedRow {
  /** dd/mm/yyyy */
  readonly date: string;
  readonly amount: number;
  readonly balance: number;
  readonly description: string;
}

const optionalUnits = (text: string | number | null | undefined): number | null =>
  text == null ? null : units(String(text));

/** null: the truth has another form. */
export const readTruth = (path: string): TrueAccount[] | null =>
  trueAccountsOf(JSON.parse(readFileSync(path, "utf8")));

/**
 * @param json a truth in one of the forms of the sources
 * @returns null: it has another form
 */
export function trueAccountsOf(json: unknown): TrueAccount[] | null {
  const truth = json as JsonTruth;
  const { accounts, statement, events, statements, bookings } = truth;
  if (accounts !== undefined)
    return accounts.map(({ openingBalance, closingBalance, transactions, verdict = null }) => ({
      verdict,
      opening: optionalUnits(openingBalance),
      closing: optionalUnits(closingBalance),
      rows: transactions.map(trueRow),
    }));
  if (statements !== undefined)
    return statements.map(({ transactions }) => ({
      ...{ opening: null, closing: null, verdict: null },
      rows: transactions.map(({ date, amount, balance, description }) => ({
        description,
        date: date.split("/").toReversed().join("-"),
        units: units(String(amount)),
        balance: units(String(balance)),
      })),
    }));
  if (bookings !== undefined)
    return [
      {
        verdict: null,
        opening: optionalUnits(truth.balanceOld),
        closing: optionalUnits(truth.balanceNew),
        rows: bookings.map(({ postDate, amount, info }) => ({
          ...{ date: postDate, units: units(String(amount)), balance: null },
          description: info.join(" "),
        })),
      },
    ];
  if (statement === undefined || events === undefined) return null;
  return [
    {
      verdict: null,
      opening: units(statement.opening_balance),
      closing: units(statement.closing_balance),
      rows: events.map(trueRow),
    },
  ];
}

/** What the truth or arithmetic on its rows gives. */
export function trueVerdict(account: TrueAccount): StatementAccount["verdict"] {
  const { opening, closing, rows } = account;
  if (account.verdict !== null) return account.verdict;
  let balance = opening;
  let links = 0;
  for (const row of rows) {
    const next: number | null = balance === null ? row.balance : balance + row.units;
    if (balance !== null && row.balance !== null) {
      if (next !== row.balance) return "not_reconciled";
      links += 1;
    }
    balance = next;
  }
  if (closing !== null && balance !== null) {
    if (closing !== balance) return "not_reconciled";
    links += opening === null && rows.every((row) => row.balance === null) ? 0 : 1;
  }
  return links > 0 ? "reconciled" : "not_checkable";
}
