// Summary boxes whose labels go over two lines above a line of their values: "Beginning" over "balance" over "982.14", several across.
// Between labels and values a line may say which of these are counts: "No.  No." over "12  982.14  6  50.00".
import type { PageLine } from "./layout.ts";
import { FACT_PHRASES, type FactKind } from "./lexicon.ts";
import type { Fact } from "./line-facts.ts";
import type { Money } from "./money.ts";

/** In heights of a line. */
const LINE_GAP_MAX = 1;

/** The lines with the opening and closing balances of such boxes among their facts. */
export const withStackedLabels = (lines: readonly PageLine[]): PageLine[] =>
  lines.map((line, at) => {
    const isCounted = isOfCounts(lines[at - 1]);
    const from = at - (isCounted ? 3 : 2);
    const [upper, lower] = lines.slice(Math.max(from, 0), at);
    if (from < 0 || upper === undefined || lower === undefined) return line;
    if (!isOfValues(line, isCounted) || !isOfLabels(upper) || !isOfLabels(lower)) return line;
    if (!lines.slice(from + 1, at + 1).every((one, index) => isBelow(one, lines[from + index])))
      return line;
    const certain = line.money.filter(({ isCertain }) => isCertain);
    const facts = certain.flatMap((money): Fact[] => {
      const kind = kindOf([...labelAbove(upper, money), ...labelAbove(lower, money)].join(" "));
      const isStated = [...upper.facts, ...lower.facts].some((fact) => fact.kind === kind);
      return kind === null || isStated ? [] : [{ kind, money }];
    });
    return facts.length === 0 ? line : { ...line, facts };
  });

const isPlain = ({ dates, header }: PageLine): boolean => dates.length === 0 && header === null;

const COUNT_LABEL = /^(?:no\.?|number|count|items?)$/u;

/** "NO.  NO.  NO." between labels and values: counts stand next to these. */
const isOfCounts = (line: PageLine | undefined): boolean =>
  line !== undefined && line.plain.every((word) => COUNT_LABEL.test(word));

const COUNT_OF_ITEMS = /^\d{1,4}$/u;

/** Nothing but amounts, of which there are at least two, and the counts next to them. */
const isOfValues = (line: PageLine, isCounted: boolean): boolean =>
  isPlain(line) &&
  line.facts.length === 0 &&
  line.money.filter(({ isCertain }) => isCertain).length > 1 &&
  line.words.every(
    ({ text }, at) =>
      line.money.some(({ from, to, isCertain }) => isCertain && at >= from && at < to) ||
      (isCounted && COUNT_OF_ITEMS.test(text)),
  );

const isOfLabels = (line: PageLine): boolean => isPlain(line) && line.money.length === 0;

const isBelow = (line: PageLine, above: PageLine | undefined): boolean =>
  line.page === above?.page && line.top - above.bottom < (line.bottom - line.top) * LINE_GAP_MAX;

/** Words without a wider gap between them, of those that stand above the amount. */
function labelAbove({ words, plain, top, bottom }: PageLine, money: Money): string[] {
  const isNext = (at: number): boolean =>
    (words[at]?.left ?? 0) - (words[at - 1]?.right ?? 0) < bottom - top;
  const found = words.findIndex(({ left, right }) => left < money.right && right > money.left);
  if (found < 0) return [];
  let [from, to] = [found, found + 1];
  while (from > 0 && isNext(from)) from -= 1;
  while (to < words.length && isNext(to)) to += 1;
  return plain.slice(from, to);
}

/** Null: the whole label is not that of an opening or closing balance. */
const kindOf = (label: string): FactKind | null =>
  FACT_PHRASES.find(
    ([kind, phrases]) => (kind === "opening" || kind === "closing") && phrases.has(label),
  )?.[0] ?? null;
