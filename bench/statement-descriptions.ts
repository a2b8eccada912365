// How much of the texts of transactions was read into the right rows: with the text of another row, enrichment finds another merchant.
import type { StatementTransaction } from "../src/model/bank-statement.ts";
import { type TrueRow, units } from "./statement-truth.ts";

export interface DescriptionScore {
  /** Rows whose day, amount and direction are right and whose true text is known. */
  readonly rows: number;
  /** The sum of their shares of right words, 0 to 1 each. */
  readonly right: number;
}

/** Words are compared without marks and in lower case, each once, whatever their order. */
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** F1 of the words, 0 to 1; 1 too where only the spaces differ. */
export function sharedWords(expected: string, given: string): number {
  const [all, left] = [wordsOf(expected), wordsOf(given)];
  if (all.join("") === left.join("")) return 1;
  const size = all.length + left.length;
  let found = 0;
  for (const word of all) {
    const at = left.indexOf(word);
    if (at < 0) continue;
    left.splice(at, 1);
    found += 1;
  }
  return (2 * found) / size;
}

const keyOf = (date: string | null, signed: number): string => `${date ?? ""} ${String(signed)}`;

/** The rows of an account against those of its truth; of several with one day and amount, in their order. */
export function scoreDescriptions(
  expected: readonly TrueRow[],
  read: readonly StatementTransaction[],
): DescriptionScore {
  const left = Map.groupBy([...read], ({ date, amount, direction }) =>
    keyOf(date, units(amount) * (direction === "debit" ? -1 : 1)),
  );
  const shares = expected.flatMap((row) => {
    const given = left.get(keyOf(row.date, row.units))?.shift();
    return given === undefined || row.description === null
      ? []
      : [sharedWords(row.description, given.description)];
  });
  return { rows: shares.length, right: shares.reduce((sum, share) => sum + share, 0) };
}
