// Sections that hold both amounts with a minus and amounts without a sign: the heading that stands above the others was not known,
// so the sign decides what a row of a card is, and not the section; elsewhere, where more balances follow then.
import type { AccountReading, AccountRows } from "./account-reading.ts";
import type { TableRow } from "./rows.ts";
import { exactness } from "./signs.ts";

/**
 * The reading in which the signs decide, unless the balances follow more often where the sections do: with all directions the wrong
 * ones, an account would be reconciled too.
 * @param read how rows are read
 */
export function readMixedSections(
  account: AccountRows,
  read: (account: AccountRows) => AccountReading,
): AccountReading {
  const bySection = read(account);
  const mixed = mixedSections(account.rows);
  if (mixed.length === 0) return bySection;
  const rows = account.rows.map((row) =>
    mixed.includes(row.section) ? { ...row, section: 0 as const } : row,
  );
  const bySign = read({ ...account, rows });
  const gain = exactness(bySign) - exactness(bySection);
  return gain > 0 || (gain === 0 && account.isCard) ? bySign : bySection;
}

function mixedSections(rows: readonly TableRow[]): number[] {
  return [1, -1].filter((section) => {
    const signs = rows
      .filter((row) => row.section === section)
      .flatMap(({ cells }) => [...cells.values()])
      .filter(({ isSignWord }) => !isSignWord)
      .map(({ sign }) => sign);
    return signs.includes(-1) && signs.includes(0);
  });
}
