// Understanding works on pages whose lines are level; what it reports is shown on the page as the reader sees it.
import type {
  BankStatement,
  PrintedValue,
  TransactionEvidence,
} from "../../src/model/bank-statement.ts";
import { type Affine, type Box, IDENTITY, moveBox } from "./affine.ts";
import { projectBox } from "./perspective.ts";
import type { ReadPage } from "./read-page.ts";

/** The same statement with all boxes in the coordinates of its pages as they are seen. */
export function showOnPages(statement: BankStatement, pages: readonly ReadPage[]): BankStatement {
  const byPage = new Map(pages.map((page) => [page.page, page]));
  const isSeen = pages.every(
    ({ toSeen, perspective }) => isIdentity(toSeen) && perspective === undefined,
  );
  if (isSeen) return statement;
  const seen = (box: Box, page: number): Box => {
    const { toSeen = IDENTITY, perspective } = byPage.get(page) ?? {};
    const moved = moveBox(box, toSeen);
    return perspective === undefined ? moved : projectBox(perspective, moved);
  };
  const show = (value: PrintedValue | null): PrintedValue | null => value && shown(value);
  const shown = (value: PrintedValue): PrintedValue => ({
    ...value,
    box: seen(value.box, value.page),
  });
  const showAll = ({ date, description, amount, balance }: TransactionEvidence) => ({
    date: show(date),
    description: description.map(shown),
    amount: show(amount),
    balance: show(balance),
  });
  return {
    ...statement,
    accounts: statement.accounts.map((account) => ({
      ...account,
      transactions: account.transactions.map((transaction) => ({
        ...transaction,
        evidence: showAll(transaction.evidence),
      })),
    })),
    signals: statement.signals.map((signal) => ({
      ...signal,
      box: signal.box === null || signal.page === null ? signal.box : seen(signal.box, signal.page),
    })),
  };
}

const isIdentity = (affine: Affine): boolean =>
  affine.every((value, index) => Math.abs(value - (IDENTITY[index] ?? 0)) < Number.EPSILON);
