// The hand-written tables between codes: what a merchant category code is as a NAICS code, and what a category is as both.
import type { CategoryCodes, MccNaicsRow } from "../sections.ts";
import { checkCategory } from "./merchant-tables.ts";
import { field, optional, parseRows, type Problems, type Row, type TableFile } from "./rows.ts";
import { categoryNames, categoryNumber } from "./small-tables.ts";

/** A sector of two digits, or one of the finer groups of up to six. */
function checkedNaics(row: Row, text: string, problems: Problems): string {
  const naics = optional(text);
  if (naics === null) return "";
  if (!/^\d{2,6}$/u.test(naics)) problems.add(row, `"${naics}" is not a NAICS code.`);
  return naics;
}

export function readMccNaics(file: TableFile, problems: Problems): MccNaicsRow[] {
  return parseRows(file, 2, 2, problems).flatMap((row) => {
    const match = /^(\d{1,4})(?:-(\d{1,4}))?$/u.exec(field(row, 0));
    const naics = checkedNaics(row, field(row, 1), problems);
    const from = Number(match?.[1] ?? -1);
    const to = Number(match?.[2] ?? from);
    const isGood = from >= 0 && to >= from;
    if (!isGood)
      problems.add(row, `"${field(row, 0)}" is not a merchant category code or a range of them.`);
    if (naics === "") problems.add(row, "The NAICS code is missing.");
    return isGood && naics !== "" ? [[from, to, naics] as const] : [];
  });
}

/** By number of the category; nothing where the table is silent. */
export function readCategoryCodes(file: TableFile, problems: Problems): CategoryCodes[] {
  const codes: CategoryCodes[] = categoryNames.map(() => ({ mcc: 0, naics: "" }));
  for (const row of parseRows(file, 3, 3, problems)) {
    if (!checkCategory(row, field(row, 0), problems)) continue;
    const mcc = optional(field(row, 1)) ?? "0";
    if (!/^\d{1,4}$/u.test(mcc)) problems.add(row, `"${mcc}" is not a merchant category code.`);
    const naics = checkedNaics(row, field(row, 2), problems);
    codes[categoryNumber(field(row, 0))] = { mcc: Number(mcc), naics };
  }
  return codes;
}
