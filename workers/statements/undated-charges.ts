// Interest that a card charges in lines of their own behind its rows, next to no day: "Interest Charge on Purchases  $18.46".
import type { AccountPart } from "./accounts.ts";
import { columnOf } from "./columns.ts";
import type { PrintedDate } from "./dates.ts";
import type { PageLine } from "./layout.ts";
import type { Money } from "./money.ts";
import type { TableRow } from "./rows.ts";

const CHARGE = /^interest charged? (?:on|for|to)\b/u;

/** Its one amount; null: it is another line, or nothing was charged. */
function chargeOf({ plain, dates, facts, header, money }: PageLine): Money | null {
  const [amount, ...others] = money.filter(({ isCertain }) => isCertain);
  const isCharge = CHARGE.test(plain.join(" "));
  const isPlain = dates.length === 0 && facts.length === 0 && header === null;
  return isCharge && isPlain && others.length === 0 && amount !== undefined && amount.units > 0
    ? amount
    : null;
}

/**
 * Debits of such lines, of the last day of the period or, where that is not printed, of the last row.
 * @param last the row before, in whose columns the amounts stand
 */
export function undatedCharges({ tables, period }: AccountPart, last: TableRow): TableRow[] {
  const date = endOf(period?.end) ?? last.date;
  return tables
    .flatMap(({ lines }) => lines)
    .flatMap((line): TableRow[] => {
      const amount = chargeOf(line);
      const at = amount === null ? -1 : columnOf(amount, last.columns);
      if (amount === null || at < 0) return [];
      const words = line.words.filter((_, index) => index < amount.from);
      const description = words.map(({ text }) => text).join(" ");
      return [
        {
          ...{
            page: line.page,
            date,
            description,
            descriptionLines: [words],
            columns: last.columns,
          },
          ...{
            cells: new Map([[at, amount]]),
            direction: 0,
            section: -1,
            isPending: false,
            list: {},
          },
        },
      ];
    });
}

function endOf(day: string | undefined): PrintedDate | null {
  if (day === undefined) return null;
  const [year = 0, month = 0, of = 0] = day.split("-").map(Number);
  return { year, month, day: of, words: [], from: 0, to: 0 };
}
