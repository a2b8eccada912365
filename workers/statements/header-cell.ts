// A heading of a column: what it names, and where it stands.
import type { StatementColumn } from "./lexicon.ts";

export interface HeaderCell {
  readonly role: StatementColumn;
  readonly left: number;
  readonly right: number;
}

const MONEY_ROLES: ReadonlySet<StatementColumn> = new Set(["debit", "credit", "balance", "amount"]);
export const isMoneyRole = (role: StatementColumn): boolean => MONEY_ROLES.has(role);

/** "Date  Service charge (-)  Waives and discounts (+)": fees, and nothing that they are taken from. */
export const areFeesAlone = (header: readonly HeaderCell[]): boolean =>
  header.some(({ role }) => role === "fee") &&
  !header.some(({ role }) => role === "amount" || role === "debit" || role === "balance");
