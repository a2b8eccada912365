// The totals of a summary without labels that are known: two amounts between an opening and a closing balance, of which one is added
// and the other taken off. They show two wrong amounts, or two missing rows, that cancel each other out in the balances.
import type { PageLine } from "./layout.ts";
import type { FactKind } from "./lexicon.ts";
import type { Money } from "./money.ts";
import { isDated } from "./rows.ts";

/** In minor units, in the order of the page. */
export type SummaryTotals = readonly [number, number];

/** null: none was found. */
export function summaryTotals(lines: readonly PageLine[]): SummaryTotals | null {
  let opening: number | null = null;
  let amounts: number[] = [];
  for (const line of lines) {
    const closing = valueOf(line, "closing") ?? valueOf(line, "weak closing");
    const [a, b, ...more] = amounts;
    if (closing !== null && opening !== null && a !== undefined && b !== undefined)
      if (more.length === 0 && Math.abs(a - b) === Math.abs(closing - opening)) return [a, b];
    const begun = valueOf(line, "opening");
    if (begun !== null) [opening, amounts] = [begun, []];
    else if (isDated(line) || line.header !== null || closing !== null || line.money.length > 1)
      opening = null;
    else amounts.push(...line.money.map(({ units }) => units));
  }
  return null;
}

function valueOf(line: PageLine, kind: FactKind): number | null {
  const money: Money | null = line.facts.find((fact) => fact.kind === kind)?.money ?? null;
  return money === null ? null : money.sign < 0 ? -money.units : money.units;
}
