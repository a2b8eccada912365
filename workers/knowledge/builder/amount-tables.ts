// The hand-written tables of amounts: what is usually paid at once, and what a unit of a currency is worth.
import type { Lexicon } from "../sections.ts";
import { checkCategory } from "./merchant-tables.ts";
import { field, parseRows, type Problems, type Row, type TableFile } from "./rows.ts";
import { categoryNames, categoryNumber } from "./small-tables.ts";

/** Nine of ten values of a normal distribution lie at most so many standard deviations from its middle. */
const NINE_OF_TEN_DEVIATIONS = 1.645;

function positive(row: Row, index: number, problems: Problems): number {
  const number = Number(field(row, index));
  const isGood = Number.isFinite(number) && number > 0;
  if (!isGood) problems.add(row, `"${field(row, index)}" is not a number above 0.`);
  return isGood ? number : 1;
}

/** Mean and standard deviation of the logarithms, by number of the category; 0 and 0 where the table is silent. */
export function readAmounts(
  file: TableFile,
  problems: Problems,
): Pick<Lexicon, "amountMeans" | "amountDeviations"> {
  const amountMeans = categoryNames.map(() => 0);
  const amountDeviations = categoryNames.map(() => 0);
  for (const row of parseRows(file, 3, 3, problems)) {
    if (!checkCategory(row, field(row, 0), problems)) continue;
    const number = categoryNumber(field(row, 0));
    const [low, high] = [positive(row, 1, problems), positive(row, 2, problems)];
    if (high <= low) problems.add(row, "The second amount is not above the first.");
    if (amountDeviations[number] !== 0) problems.add(row, "The category has a row already.");
    amountMeans[number] = (Math.log(low) + Math.log(high)) / 2;
    amountDeviations[number] = (Math.log(high) - Math.log(low)) / 2 / NINE_OF_TEN_DEVIATIONS;
  }
  return { amountMeans, amountDeviations };
}

/** ISO 4217 → units that buy what a US dollar buys. */
export function readCurrencyUnits(file: TableFile, problems: Problems): Record<string, number> {
  const units: Record<string, number> = {};
  for (const row of parseRows(file, 2, 2, problems)) {
    const currency = field(row, 0);
    if (!/^[A-Z]{3}$/u.test(currency)) problems.add(row, `"${currency}" is not a currency code.`);
    if (units[currency] !== undefined) problems.add(row, "The currency has a row already.");
    units[currency] = positive(row, 1, problems);
  }
  return units;
}
