// Single operations that are the same inside a transaction and outside of one.
import type { Write } from "../collection.ts";
import { accessTo, KEY_INDEX } from "./access.ts";
import { type Fields, HELD } from "./documents.ts";
import type { OpenTable } from "./tables.ts";
import { optionsOf, type Within } from "./within.ts";

export type WriteOf<Kind extends Write["kind"]> = Extract<Write, { kind: Kind }>;

/** Sets fields of all rows that match; returns how many. */
export async function updateAll(
  open: OpenTable,
  step: WriteOf<"update">,
  within: Within,
): Promise<number> {
  const access = accessTo(open.table, { where: step.where });
  if (access === null) return 0;
  const options = optionsOf(within, access);
  // In a transaction the row is held even when it has these values already.
  const change: Fields = { $set: step.set };
  if (within.session !== undefined) change["$inc"] = { [HELD]: 1 };
  const { matchedCount } = access.single
    ? await open.documents.updateOne(access.filter, change, options)
    : await open.documents.updateMany(access.filter, change, options);
  return matchedCount;
}

/** Deletes at most `limit` rows that match; returns how many. */
export async function deleteSome(
  open: OpenTable,
  step: WriteOf<"delete">,
  within: Within,
): Promise<number> {
  const access = accessTo(open.table, { where: step.where });
  if (access === null || step.limit === 0) return 0;
  const options = optionsOf(within, access);
  if (access.single) return (await open.documents.deleteOne(access.filter, options)).deletedCount;
  if (step.limit === undefined)
    return (await open.documents.deleteMany(access.filter, options)).deletedCount;
  const found = await open.documents
    .find(access.filter, { ...options, projection: { _id: 1 }, limit: step.limit })
    .toArray();
  if (found.length === 0) return 0;
  // With the conditions again: outside of a transaction a row may have been replaced meanwhile.
  const filter = { $and: [{ _id: { $in: found.map((row) => row._id) } }, access.filter] };
  const again = { ...optionsOf(within), hint: KEY_INDEX };
  return (await open.documents.deleteMany(filter, again)).deletedCount;
}
