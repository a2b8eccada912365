import type { ColumnRole } from "./header-words.ts";
import type { Profile } from "./profile.ts";

/** Columns in which the bank classifies the transaction; null: the file has no such column. */
export interface BankColumns {
  readonly status: number | null;
  /** "Card payment", "Direct debit". */
  readonly kind: number | null;
  readonly category: number | null;
  readonly id: number | null;
  readonly account: number | null;
}

/** "State" is also a part of an address: its cells must be words of a status. */
const STATUS_SHARE_MIN = 0.5;

/**
 * @param taken indexes of columns with another meaning
 * @param direction column of the direction, one of `taken`; "ATM" and "Fee" are types as well
 */
export function guessBankColumns(
  candidates: (role: ColumnRole, passes: (profile: Profile) => boolean) => Profile[],
  taken: ReadonlySet<number | undefined>,
  direction: Profile | undefined,
): BankColumns {
  const isFree = (role: ColumnRole, index: number): boolean =>
    !taken.has(index) || (role === "kind" && index === direction?.index);
  const first = (role: ColumnRole, passes: (p: Profile) => boolean): number | null =>
    candidates(role, (p) => p.filled > 0 && isFree(role, p.index) && passes(p))[0]?.index ?? null;
  const isText = (p: Profile): boolean => p.wordiness > 0 && p.amountShare < 0.5;
  const status = first("status", (p) => p.statusShare >= STATUS_SHARE_MIN);
  const free = (p: Profile): boolean => p.index !== status;
  return {
    status,
    // A column that holds the direction alone tells nothing more of the transaction.
    kind: first("kind", (p) => free(p) && isText(p) && !isDirectionOnly(p)),
    category: first("category", (p) => free(p) && isText(p)),
    id: first("id", (p) => free(p) && distinct(p) === p.filled),
    account: first("account", (p) => free(p) && (p.filled < 4 || distinct(p) * 2 <= p.filled)),
  };
}

const distinct = (p: Profile): number => new Set(p.values.filter((value) => value !== "")).size;

const isDirectionOnly = (p: Profile): boolean => p.directionShare === 1 && distinct(p) <= 2;
