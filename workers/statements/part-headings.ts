// The heading of an account that begins at its opening balance: "02 PLATINUM VISA  Credit limit 5,000.00" and the header of its table
// stand above that balance, below the rows of the account before.
import type { PageLine } from "./layout.ts";
import { ACCOUNT_TYPES } from "./lexicon.ts";
import { isDated } from "./rows.ts";

/** More lines are texts between the accounts. */
const LINES_MAX = 6;
/** At the start of a page, its own header stands there too. */
const PAGE_LINES_MAX = 14;

/** The same accounts, with the lines of its heading in each, where the last lines of the one before end with the header of its table. */
export function withOwnHeadings<Part extends { readonly lines: PageLine[] }>(
  parts: readonly Part[],
): readonly Part[] {
  for (const [at, part] of parts.entries()) {
    const before = parts[at - 1];
    const [first] = part.lines;
    if (before === undefined || first === undefined || !isOpening(first)) continue;
    const own = linesAbove(before.lines, first.page);
    const moved =
      own?.at(-1)?.header == null ? (own ?? []).slice(-1).filter(isNumberedProduct) : own;
    if (moved.length === 0) continue;
    before.lines.splice(-moved.length);
    part.lines.unshift(...moved);
  }
  return parts;
}

/** "New Auto Loan - 3590127769" */
const isNumberedProduct = ({ plain, words, money, heading }: PageLine): boolean =>
  heading === null &&
  NUMBER.test(words.at(-1)?.text ?? "") &&
  money.every(({ isCertain }) => !isCertain) &&
  words.length <= PRODUCT_WORDS_MAX &&
  ACCOUNT_TYPES.some(([, phrases]) => phrases.find(plain) !== null);

const NUMBER = /^[#\dXx*•-]*\d{4,}$/u;
const PRODUCT_WORDS_MAX = 8;

/** Behind the last row or value, on that page; null: too many. */
function linesAbove(lines: readonly PageLine[], page: number): readonly PageLine[] | null {
  const behind = lines.slice(lines.findLastIndex(isOfRows) + 1);
  const own = behind.filter((line) => line.page === page);
  const isPageStart = lines.at(-own.length - 1)?.page !== page;
  return own.length <= (isPageStart ? PAGE_LINES_MAX : LINES_MAX) ? own : null;
}

const isOpening = ({ facts }: PageLine): boolean => facts.some(({ kind }) => kind === "opening");

const isOfRows = (line: PageLine): boolean => isDated(line) || line.facts.length > 0;
