// Headings of a table whose direction depends on the headings next to them.
import type { HeaderCell } from "./header-cell.ts";
import { PRINCIPAL } from "./lexicon.ts";
import { type LinePiece, linePieces } from "./line-pieces.ts";
import type { TextLine } from "./lines.ts";

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

const JOINING_WORD = /^(?:and|&|\/|und|et|y|e)$/iu;

/**
 * "DATE  PAYMENTS AND CREDITS  AMOUNT": both words in one heading, next to that of the amounts, name the section whose texts stand
 * below them.
 */
export function withSectionAsText(line: TextLine, cells: HeaderCell[]): HeaderCell[] {
  const pieces = linePieces(line);
  const pieceOf = ({ left, right }: HeaderCell): LinePiece | undefined =>
    pieces.find((piece) => left >= piece.left && right <= piece.right);
  const directions = cells.filter(({ role }) => role === "debit" || role === "credit");
  const [one, other] = directions;
  const piece = one === undefined ? undefined : pieceOf(one);
  const isSection =
    directions.length === 2 &&
    one?.role !== other?.role &&
    other !== undefined &&
    piece !== undefined &&
    pieceOf(other) === piece &&
    piece.words.some(({ text }) => JOINING_WORD.test(text)) &&
    cells.some(({ role }) => role === "amount") &&
    cells.every(({ role }) => role !== "description");
  if (!isSection) return cells;
  const { left, right } = piece;
  const text = { role: "description" as const, left, right };
  return cells.flatMap((cell) => (cell === one ? [text] : directions.includes(cell) ? [] : [cell]));
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

const ISSUED = /^(?:issued|advanced|advances|drawdowns?)$/u;

/** "Loan issued  Repaid  Interest  Principal": what is issued raises a loan, and of each payment the principal lowers it. */
export function withLoanColumns(line: TextLine, cells: HeaderCell[]): HeaderCell[] {
  const isNamed = cells.some(({ role }) => role === "debit" || role === "credit");
  const issued = line.words.find((_, at) => ISSUED.test(line.plain[at] ?? ""));
  const principal = line.words[PRINCIPAL.find(line.plain)?.from ?? -1];
  if (isNamed || issued === undefined || principal === undefined) return cells;
  const [from, to] = [line.words.indexOf(issued), line.words.indexOf(principal)];
  const ownRoles: Readonly<Record<number, HeaderCell["role"]>> = {
    [from]: "debit",
    [to]: "credit",
  };
  // What is paid, and the interest in it, stand between the two.
  const loan = line.words.slice(from, to + 1).map(
    ({ left, right }, at): HeaderCell => ({
      role: ownRoles[from + at] ?? "reference",
      left,
      right,
    }),
  );
  const others = cells.filter((cell) =>
    loan.every((own) => cell.left >= own.right || cell.right <= own.left),
  );
  return [...others, ...loan].sort((one, other) => one.left - other.left);
}
