// Headings of a table whose direction depends on the headings next to them.
import type { TextLine } from "./lines.ts";
import type { HeaderCell } from "./header-cell.ts";

/**
 * "Withdrawals  Deposits  Balance  DR/CR": behind the balance, a second heading of debits or credits is that of the marks of the
 * balance.
 */
export function withMarkColumn(cells: HeaderCell[]): HeaderCell[] {
  const balance = cells.findIndex(({ role }) => role === "balance");
  return cells.map((cell, at) => {
    const { role } = cell;
    const isMark =
      (role === "debit" || role === "credit") &&
      balance >= 0 &&
      at > balance &&
      cells.slice(0, balance).some((other) => other.role === role);
    return isMark ? { ...cell, role: "type" } : cell;
  });
}

const PAYMENTS = /^payments?$/u;

/** "Payment  Deposit  Balance": next to the credits of an account, payments are its debits. On a card they are credits. */
export function withPayments(line: TextLine, cells: HeaderCell[]): HeaderCell[] {
  const roles = cells.map(({ role }) => role);
  const word = line.words.find(
    ({ left, right }, at) =>
      PAYMENTS.test(line.plain[at] ?? "") &&
      cells.every((cell) => cell.left >= right || cell.right <= left),
  );
  if (word === undefined || !roles.includes("credit") || roles.includes("debit")) return cells;
  const { left, right } = word;
  return [...cells, { role: "debit" as const, left, right }].sort((a, b) => a.left - b.left);
}

const CHARGES = /^charges?$/u;

/** "Charges  Payments  Amount owed": next to the charges of a loan or a card, payments are its credits. */
export function withCharges(line: TextLine, cells: HeaderCell[]): HeaderCell[] {
  const isOf = ({ left, right }: HeaderCell, heading: RegExp): boolean =>
    line.words.some(
      (word, at) => heading.test(line.plain[at] ?? "") && word.left < right && word.right > left,
    );
  const debits = cells.filter(({ role }) => role === "debit");
  const payments = debits.filter((cell) => isOf(cell, PAYMENTS) && !isOf(cell, CHARGES));
  const charges = debits.filter((cell) => isOf(cell, CHARGES) && !isOf(cell, PAYMENTS));
  if (debits.length !== 2 || payments.length !== 1 || charges.length !== 1) return cells;
  return cells.map((cell) => (cell === payments[0] ? { ...cell, role: "credit" } : cell));
}
