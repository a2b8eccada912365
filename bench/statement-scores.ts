// How well statements were read: rows against their truth, verdicts, and the same of a simple open tool.
import type { StatementAccount } from "../src/model/bank-statement.ts";
import type { PageWord } from "../workers/statements/words.ts";
import { readBaseline } from "./statement-baseline.ts";
import { type DescriptionScore, scoreDescriptions } from "./statement-descriptions.ts";
import { type TrueAccount, type TrueRow, trueVerdict, units } from "./statement-truth.ts";

export interface StatementScore {
  readonly name: string;
  readonly rows: number;
  readonly found: number;
  readonly extra: number;
  readonly isExact: boolean;
  readonly isVerdictRight: boolean;
  readonly verdicts: string;
  readonly ms: number;
  readonly descriptions: DescriptionScore;
  /** Rows that the simple tool reads rightly, and whether all of them. */
  readonly baselineFound: number;
  readonly isBaselineExact: boolean;
}

export interface ReadForScore {
  readonly truth: readonly TrueAccount[];
  readonly read: readonly StatementAccount[];
  /** What the simple tool reads. */
  readonly words: readonly PageWord[];
  readonly ms: number;
}

/** How many of the expected rows are among the given ones, and how many of those are left. */
export function matchRows(
  expected: readonly string[],
  given: readonly string[],
): { readonly found: number; readonly extra: number } {
  const left = [...given];
  for (const row of expected) {
    const at = left.indexOf(row);
    if (at >= 0) left.splice(at, 1);
  }
  return { found: given.length - left.length, extra: left.length };
}

const keyOf = (row: TrueRow, hasBalance: boolean): string =>
  [row.date, row.units, hasBalance ? row.balance : ""].join(" ");

/** A row as it was read, in the form of the truth. */
export const rowOf = ({
  date,
  amount,
  direction,
  balance,
  description,
}: StatementAccount["transactions"][number]): TrueRow => ({
  description,
  date: date ?? "",
  units: units(amount) * (direction === "debit" ? -1 : 1),
  balance: balance === null ? null : units(balance),
});

export function scoreStatement(
  name: string,
  { truth, read, words, ms }: ReadForScore,
): StatementScore {
  const matched = truth.map((account, index) => {
    const hasBalance = hasBalances([account]);
    const given = (read[index]?.transactions ?? []).map((row) => keyOf(rowOf(row), hasBalance));
    return matchRows(
      account.rows.map((row) => keyOf(row, hasBalance)),
      given,
    );
  });
  const rows = totalOf(truth, (account) => account.rows.length);
  const found = totalOf(matched, (match) => match.found);
  const extra = totalOf(matched, (match) => match.extra);
  const baseline = scoreBaseline(truth, words);
  const texts = truth.map((account, index) =>
    scoreDescriptions(account.rows, read[index]?.transactions ?? []),
  );
  const verdicts = truth.map((account, index) => [trueVerdict(account), read[index]?.verdict]);
  return {
    ...{ name, rows, found, extra, ms },
    descriptions: {
      rows: totalOf(texts, (one) => one.rows),
      right: totalOf(texts, (one) => one.right),
    },
    baselineFound: baseline.found,
    isBaselineExact: baseline.found === rows && baseline.extra === 0,
    isExact: found === rows && extra === 0 && truth.length === read.length,
    isVerdictRight: verdicts.every(([right, given]) =>
      right === "reconciled" ? given?.startsWith("reconciled") === true : right === given,
    ),
    verdicts: read.map(({ verdict }) => verdict).join(", "),
  };
}

const hasBalances = (accounts: readonly TrueAccount[]): boolean =>
  accounts.some(({ rows }) => rows.some(({ balance }) => balance !== null));

/** All accounts as one, because the simple tool has no accounts. */
function scoreBaseline(
  truth: readonly TrueAccount[],
  words: readonly PageWord[],
): { readonly found: number; readonly extra: number } {
  const hasBalance = hasBalances(truth);
  return matchRows(
    truth.flatMap(({ rows }) => rows).map((row) => keyOf(row, hasBalance)),
    readBaseline(words).map((row) =>
      keyOf({ ...row, date: row.date ?? "", description: null }, hasBalance),
    ),
  );
}

export const totalOf = <Of>(all: readonly Of[], of: (one: Of) => number): number =>
  all.reduce((sum, one) => sum + of(one), 0);
export const shareOf = <Of>(all: readonly Of[], is: (one: Of) => boolean): string =>
  `${String(all.filter(is).length)}/${String(all.length)}`;

export const SCORE_HEADER = [
  "statements",
  "rows right",
  "invented",
  "exact",
  "verdict right",
  "words of texts",
  "ms each",
  "simple tool: rows, exact",
];

const shareOfWords = (scores: readonly StatementScore[]): string => {
  const rows = totalOf(scores, ({ descriptions }) => descriptions.rows);
  return rows === 0 ? "-" : (totalOf(scores, (one) => one.descriptions.right) / rows).toFixed(3);
};

/** A line of a table of scores. */
export function scoreLine(name: string, scores: readonly StatementScore[]): string[] {
  return [
    name,
    `${String(totalOf(scores, ({ found }) => found))}/${String(totalOf(scores, ({ rows }) => rows))}`,
    String(totalOf(scores, ({ extra }) => extra)),
    shareOf(scores, ({ isExact }) => isExact),
    shareOf(scores, ({ isVerdictRight }) => isVerdictRight),
    shareOfWords(scores),
    scores.length === 0 ? "-" : (totalOf(scores, ({ ms }) => ms) / scores.length).toFixed(1),
    `${String(totalOf(scores, ({ baselineFound }) => baselineFound))}, ${shareOf(scores, ({ isBaselineExact }) => isBaselineExact)}`,
  ];
}
