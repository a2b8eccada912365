import type { CategoryMapping } from "../model/category-set.ts";
import type { CategorySet } from "../model/categories.ts";
import type { LedgerColumns, Recurrence } from "../model/recurrence.ts";
import type { CorrectedLine } from "../model/report.ts";
import type { Query } from "../../workers/protocol.ts";
import type { Pool } from "./pool.ts";

type Ask = Pool["ask"];

/** The mapping of the built-in categories to a set; null when the thread fails on its names. */
export async function askMapping(
  ask: Ask,
  { incoming, outgoing }: CategorySet,
): Promise<CategoryMapping | null> {
  const text = await ask({ kind: "map_categories", incoming, outgoing });
  return text === null ? null : (JSON.parse(text) as CategoryMapping);
}

/** As `askMapping`. @throws Error when the thread fails on its names */
export async function requireMapping(ask: Ask, set: CategorySet): Promise<CategoryMapping> {
  const mapping = await askMapping(ask, set);
  if (mapping === null) throw new Error("The thread failed on the names of a category set");
  return mapping;
}

/** The facts of a corrected line; null when the thread fails on it. */
export async function askCorrection(
  ask: Ask,
  query: Extract<Query, { kind: "correct" }>,
): Promise<CorrectedLine | null> {
  const text = await ask(query);
  return text === null ? null : (JSON.parse(text) as CorrectedLine);
}

/**
 * What recurs in a ledger, at the expense of its organization.
 * @throws LedgerlineError as `ask` does
 * @throws Error when the code of the thread fails on it
 */
export async function requireRecurrence(
  ask: Ask,
  org: string,
  columns: LedgerColumns,
): Promise<Recurrence> {
  const text = await ask({ kind: "recurrence", columns }, org);
  if (text === null) throw new Error("The thread failed on a ledger");
  return JSON.parse(text) as Recurrence;
}
