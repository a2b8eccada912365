// Lists of one customer in several currencies, an account each: "Transaction History - USD" and, below its rows, "Transaction History -
// EUR"; and their balances in one table, a currency in each line.
import { CURRENCIES } from "../../src/model/currencies.ts";
import type { PageLine } from "./layout.ts";

const CODES: ReadonlySet<string> = new Set(CURRENCIES);
/** Of a heading, with the code. */
const WORDS_MAX = 6;
const OPENING_WORD = /^(?:beginning|opening|starting)$/u;
const CLOSING_WORD = /^(?:ending|closing)$/u;

/** In minor units; empty: they are not printed in a table. */
interface CurrencyEnds {
  readonly openings: readonly number[];
  readonly closings: readonly number[];
}

/** By the heading of each list. */
export type CurrencyLists = ReadonlyMap<PageLine, CurrencyEnds>;

const NO_ENDS: CurrencyEnds = { openings: [], closings: [] };

/**
 * Headings of tables that are alike but for the currency at their end, with the balances of that currency. Lines of texts may be so too:
 * BOB and RON are names.
 */
export function findCurrencyLists(lines: readonly PageLine[]): CurrencyLists {
  const headings = lines.filter((line, at) => isHeading(line) && lines[at + 1]?.header != null);
  const alike = Map.groupBy(headings, ({ plain }) => plain.slice(0, -1).join(" "));
  const ends = endsByCurrency(lines);
  return new Map(
    [...alike.values()]
      .filter((some) => new Set(some.map(codeOf)).size > 1)
      .flatMap((some) => some.map((line) => [line, ends.get(codeOf(line)) ?? NO_ENDS] as const)),
  );
}

/** To an account whose own balances were not printed above its list. */
export function addCurrencyEnds(
  account: { readonly openings: number[]; readonly closings: number[] },
  ends: CurrencyEnds | undefined,
): void {
  if (ends === undefined || account.openings.length > 0) return;
  account.openings.push(...ends.openings);
  account.closings.push(...ends.closings);
}

const codeOf = ({ words }: PageLine): string => words.at(-1)?.text ?? "";

const isHeading = (line: PageLine): boolean =>
  CODES.has(codeOf(line)) &&
  line.words.length > 1 &&
  line.words.length <= WORDS_MAX &&
  line.dates.length + line.money.length === 0;

/** "Available beginning  Available ending" above "USD  62.18  179.69" and "EUR  0.00  5.61". */
function endsByCurrency(lines: readonly PageLine[]): ReadonlyMap<string, CurrencyEnds> {
  const at = lines.findIndex(({ plain, money }) => {
    const opening = plain.findIndex((word) => OPENING_WORD.test(word));
    const closing = plain.findIndex((word) => CLOSING_WORD.test(word));
    const value = money.find(({ isCertain }) => isCertain)?.from ?? plain.length;
    return opening >= 0 && closing > opening && closing < value;
  });
  const ends = new Map<string, CurrencyEnds>();
  for (const { words, money } of at < 0 ? [] : lines.slice(at + 1)) {
    const code = words[0]?.text ?? "";
    const [opening, closing] = money.filter(({ isCertain }) => isCertain);
    if (!CODES.has(code) || opening?.from !== 1 || closing?.from !== opening.to) break;
    ends.set(code, { openings: [opening.units], closings: [closing.units] });
  }
  return ends;
}
