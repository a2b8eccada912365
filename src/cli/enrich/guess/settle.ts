import type { Settled } from "../parsed-file.ts";
import type { FileLayout } from "./layout.ts";
import type { ReadPlan } from "./plan.ts";

const DELIMITERS = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar" } as const;
const DATE_FORMATS = { DMY: "dmy", MDY: "mdy", YMD: "ymd" } as const;

export function settle(layout: FileLayout, plan: ReadPlan): Settled {
  return {
    map: mapText(plan),
    delimiter: DELIMITERS[layout.dialect.delimiter],
    decimal: plan.decimals.mark === "," ? "comma" : "point",
    currency: plan.currency.column === null ? plan.currency.code : null,
    date_format:
      plan.date === null || plan.date.decidedBy === "fixed" ? null : DATE_FORMATS[plan.date.order],
  };
}

function mapText(plan: ReadPlan): string {
  const column = (at: number): string => {
    const name = plan.columns[at] ?? "";
    return /[+=,#]/u.test(name) || name !== name.trim() ? `#${String(at + 1)}` : name;
  };
  const parts: string[] = [];
  const put = (key: string, at: number | null): void => {
    if (at !== null) parts.push(`${key}=${column(at)}`);
  };
  put("date", plan.date?.column ?? null);
  // Where clean names decide row by row, the guess is as certain next time.
  if (plan.cleanName === null) parts.push(`description=${plan.description.map(column).join("+")}`);
  const { money } = plan;
  if (money.kind === "split") {
    put("debit", money.debit?.column ?? null);
    put("credit", money.credit?.column ?? null);
  } else put("amount", money.column);
  if (money.kind === "direction") put("type", money.direction);
  if (money.kind === "signed") parts.push(`outflow=${money.outflow}`);
  put("currency", plan.currency.column);
  put("country", plan.country.column);
  return parts.join(",");
}
