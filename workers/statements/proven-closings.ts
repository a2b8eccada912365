// A current balance is the closing one where the summary of the account leads to it: "previous balance, payments, purchases, current
// balance". Elsewhere it may be of another day.
import type { FactKind } from "./lexicon.ts";
import type { PageLine } from "./layout.ts";
import { pointedUnits } from "./lost-points.ts";
import type { Money } from "./money.ts";
import { isDated } from "./rows.ts";

/** Between the two balances; each may be added or taken off. */
const AMOUNTS_MAX = 6;

/** SummarySums of the opening balance and the amounts below it, with either sign, and how many amounts they are. */
interface SummarySums {
  readonly values: readonly number[];
  readonly amounts: number;
}

/** The values, in minor units, of weak closing balances to which the opening balance and the single amounts below it add up. */
export function provenClosings(lines: readonly PageLine[]): readonly number[] {
  const proven: number[] = [];
  let sums: SummarySums | null = null;
  for (const line of lines) {
    const closing = valueOf(line, "weak closing");
    if (closing !== null && sums !== null && sums.amounts > 0 && sums.values.includes(closing))
      proven.push(closing);
    sums = closing === null ? sumsBehind(sums, line) : null;
  }
  return proven;
}

/** The sums with what the line adds; null: none was begun, or the line is not of a summary. */
function sumsBehind(sums: SummarySums | null, line: PageLine): SummarySums | null {
  const opening = valueOf(line, "opening");
  if (opening !== null) return { values: [opening], amounts: 0 };
  const [money] = line.money;
  if (sums === null || isDated(line) || line.money.length > 1) return null;
  if (money === undefined || money.units === 0) return sums;
  if (sums.amounts === AMOUNTS_MAX) return null;
  return {
    values: sums.values.flatMap((sum) => [sum + money.units, sum - money.units]),
    amounts: sums.amounts + 1,
  };
}

/** Null: the line has no such balance, or its decimal mark was lost. */
function valueOf(line: PageLine, kind: FactKind): number | null {
  const money = line.facts.find((fact) => fact.kind === kind && fact.date === undefined)?.money;
  return money == null || pointedUnits(money) !== null ? null : signedUnits(money);
}

const signedUnits = ({ units, sign }: Money): number => (sign < 0 ? -units : units);
