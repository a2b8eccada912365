// Summary boxes whose labels go over two lines above a line of their values: "Beginning" over "balance" over "982.14", several across.
import type { PageLine } from "./layout.ts";
import { FACT_PHRASES, type FactKind } from "./lexicon.ts";
import type { Fact } from "./line-facts.ts";
import type { Money } from "./money.ts";

/** In heights of a line. */
const LINE_GAP_MAX = 1;

/** The lines with the opening and closing balances of such boxes among their facts. */
export const withStackedLabels = (lines: readonly PageLine[]): PageLine[] =>
  lines.map((line, at) => {
    const [upper, lower] = [lines[at - 2], lines[at - 1]];
    if (upper === undefined || lower === undefined || !isOfValues(line)) return line;
    if (!isOfLabels(upper) || !isOfLabels(lower)) return line;
    if (!isBelow(lower, upper) || !isBelow(line, lower)) return line;
    const facts = line.money.flatMap((money): Fact[] => {
      const kind = kindOf([...labelAbove(upper, money), ...labelAbove(lower, money)].join(" "));
      const isStated = [...upper.facts, ...lower.facts].some((fact) => fact.kind === kind);
      return kind === null || isStated ? [] : [{ kind, money }];
    });
    return facts.length === 0 ? line : { ...line, facts };
  });

const isPlain = ({ dates, header }: PageLine): boolean => dates.length === 0 && header === null;

/** Nothing but amounts, of which there are at least two. */
const isOfValues = (line: PageLine): boolean =>
  isPlain(line) &&
  line.facts.length === 0 &&
  line.money.length > 1 &&
  line.words.every((_, at) =>
    line.money.some(({ from, to, isCertain }) => isCertain && at >= from && at < to),
  );

const isOfLabels = (line: PageLine): boolean => isPlain(line) && line.money.length === 0;

const isBelow = (line: PageLine, above: PageLine): boolean =>
  line.page === above.page && line.top - above.bottom < (line.bottom - line.top) * LINE_GAP_MAX;

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
