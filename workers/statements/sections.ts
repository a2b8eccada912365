// Which section the tables of a statement stand in: rows below "Withdrawals" are debits until another section, a balance or the name of
// another holder comes.
import type { PageLine } from "./layout.ts";
import type { Fact } from "./line-facts.ts";
import type { SectionHeading } from "./section-heading.ts";

/** Of an opening or a closing balance. */
export const isBalanceFact = ({ kind }: Fact): boolean =>
  kind === "opening" || kind === "closing" || kind === "weak closing";

export interface SectionTracker {
  /** Of a table that begins here; null: of no section. */
  heading(): SectionHeading | null;
  /** @param isRow whether the line is a row of a table */
  add(line: PageLine, isRow: boolean): void;
  /** Where another account begins. */
  end(): void;
}

export function createSectionTracker(): SectionTracker {
  let heading: SectionHeading | null = null;
  /** The last total line, which may end a section. */
  let total: PageLine | null = null;
  let isNext = false;
  return {
    heading: () => heading,
    add: (line, isRow) => {
      // A summary names the sections too: with their sums lost, only the balance behind them tells that no rows follow.
      heading = line.heading ?? (line.facts.some(isBalanceFact) ? null : heading);
      if (isRow || line.heading !== null) isNext = false;
      isNext ||= isOfNextSection(line, total);
      if (isNext && line.header !== null) heading = null;
      if (isRow || line.header !== null || line.heading !== null) total = null;
      if (isTotalLine(line)) total = line;
    },
    end: () => {
      [heading, total, isNext] = [null, null, false];
    },
  };
}

/** "Total payments and credits  1,875.00". */
const isTotalLine = ({ dates, facts, money }: PageLine): boolean =>
  dates.length === 0 &&
  money.some(({ isCertain }) => isCertain) &&
  facts.some((fact) => !isBalanceFact(fact));

const NAME_WORDS_MIN = 2;

/** "ELODIE TREMBLAY 5191 23XX XXXX 4087  Purchases and returns" below the total of a section: the heading of other rows. */
const isOfNextSection = (line: PageLine, total: PageLine | null): boolean =>
  total?.page === line.page &&
  line.heading === null &&
  line.header === null &&
  line.facts.length + line.dates.length === 0 &&
  line.plain.filter((word) => /^\p{L}{2,}$/u.test(word)).length >= NAME_WORDS_MIN;
