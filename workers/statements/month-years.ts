// The year of rows that print none, from a month with its year: "Statement for March 2026", or "2026 Dec 1" in front of the first row.
import type { PageLine } from "./layout.ts";
import { monthOfName } from "./lexicon.ts";
import { isDated } from "./rows.ts";

const YEAR = /^(?:19|20)\d{2}$/u;

/**
 * The latest that stands above the rows with a month of theirs, or as the heading of their days ("2026" above "Nov 1"); null: none.
 * Other months with a year may be those of a tariff.
 */
export function yearOfMonths(lines: readonly PageLine[]): number | null {
  const first = lines.findIndex(isDated);
  const months = new Set(lines.flatMap(({ dates }) => dates.map(({ month }) => month)));
  const years = lines
    .slice(0, first + 1)
    .flatMap((line) => [...yearsOfMonths(line, months), ...yearOfHeading(line)]);
  return years.length === 0 ? null : Math.max(...years);
}

const yearsOfMonths = ({ plain }: PageLine, months: ReadonlySet<number>): number[] =>
  plain.flatMap((word, at) => {
    const isOfRows = [plain[at - 1], plain[at + 1]].some((other) =>
      months.has(monthOfName(other ?? "") ?? 0),
    );
    return YEAR.test(word) && isOfRows ? [Number(word)] : [];
  });

const yearOfHeading = ({ header, plain }: PageLine): number[] =>
  header !== null && YEAR.test(plain[0] ?? "") ? [Number(plain[0])] : [];
