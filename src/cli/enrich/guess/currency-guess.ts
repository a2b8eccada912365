import type { CurrencyReader } from "../values/currency.ts";
import { plainWords } from "../values/plain-words.ts";
import type { Columns } from "./columns.ts";
import { COUNTRY_CURRENCIES, EURO_HEADER } from "./guess-words.ts";
import type { FileLayout } from "./layout.ts";
import type { Profile } from "./profile.ts";

export interface CurrencyGuess {
  /** ISO 4217; used where the column is missing or empty. */
  readonly code: string;
  /** Where it comes from, for the user. */
  readonly reason: string;
}

const ROWS_READ_MAX = 50;

/** The currency of the lines without one of their own. `dayFirst`: a date of the sample can only be day-first. */
export function guessCurrency(
  layout: FileLayout,
  columns: Columns,
  profiles: readonly Profile[],
  currencies: CurrencyReader,
  dayFirst: boolean,
): CurrencyGuess {
  const column =
    columns.currency === null ? null : mostCommon(profiles[columns.currency], currencies);
  if (column !== null) return { code: column, reason: "most common in its column" };
  const foreign =
    columns.foreignCurrency === null
      ? null
      : mostCommon(profiles[columns.foreignCurrency], currencies);
  const header = byMoneyColumns(layout, columns, profiles, currencies);
  if (header !== null) return header;
  if (foreign !== null) {
    const name = layout.columns[columns.foreignCurrency ?? 0] ?? "";
    return { code: foreign, reason: `no column; most common in '${name}'` };
  }
  return byWords(layout, currencies, dayFirst);
}

function byMoneyColumns(
  layout: FileLayout,
  columns: Columns,
  profiles: readonly Profile[],
  currencies: CurrencyReader,
): CurrencyGuess | null {
  const money = [columns.amount, columns.debit, columns.credit, columns.balance].filter(
    (at) => at !== null,
  );
  for (const at of money) {
    const code = currencies.mentioned(layout.columns[at] ?? "");
    if (code !== null) return { code, reason: `no column; named in '${layout.columns[at] ?? ""}'` };
  }
  for (const at of money) {
    const sign = profiles[at]?.values
      .map((value) => currencies.mentioned(value))
      .find((code) => code !== null);
    if (sign != null) return { code: sign, reason: "no column; by the sign in the amounts" };
  }
  return null;
}

function byWords(layout: FileLayout, currencies: CurrencyReader, dayFirst: boolean): CurrencyGuess {
  const above = layout.preamble
    .flat()
    .map((cell) => currencies.mentioned(cell))
    .find((code) => code !== null);
  if (above != null) return { code: above, reason: "no column; named above the header" };
  const words = plainWords(layout.columns.join(" "));
  const cells = plainWords(layout.rows.slice(0, ROWS_READ_MAX).flat().join(" "));
  const country = COUNTRY_CURRENCIES.find(
    ({ pattern }) => pattern.test(words) || pattern.test(cells),
  );
  if (country !== undefined)
    return { code: country.currency, reason: "no column; assumed by words of the file" };
  if (EURO_HEADER.test(words))
    return { code: "EUR", reason: "no column; assumed by the language of the header" };
  if (dayFirst)
    return { code: "GBP", reason: "no column; assumed, as the day comes first in the dates" };
  return { code: "USD", reason: "no column; assumed" };
}

function mostCommon(profile: Profile | undefined, currencies: CurrencyReader): string | null {
  const counts = new Map<string, number>();
  for (const value of profile?.values ?? []) {
    const code = currencies.code(value);
    if (code !== null) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
}
