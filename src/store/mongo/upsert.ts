// Rows that replace older ones, without a transaction: each row is one document, and each is written at most once by
// itself. What several writers do at the same time, in whatever order, leaves the row of the greatest guard.
import type { FieldValue } from "../collection.ts";
import { KEY_INDEX } from "./access.ts";
import { compareEdges } from "./bounds.ts";
import { type CallDeadline, pause } from "./deadline.ts";
import { type Fields, type StoredDocument, toDocument, toId } from "./documents.ts";
import { duplicatesOf } from "./errors.ts";
import { inSlices } from "./slices.ts";
import type { OpenTable } from "./tables.ts";
import { optionsOf, type Within } from "./within.ts";

/** What decides which row of a key stays. */
interface Precedence {
  /** The field of which the greater value stays. */
  readonly guard: string;
  /** A row with 1 in this field stays. */
  readonly kept?: string | undefined;
}

/** The guard of a row that no other replaces, as one without a guard. */
const STAYS = null;

/**
 * Writes each row unless one with at least its guard, or one that is kept, is there. Returns how many were written.
 *
 * New rows are inserted, others replace what is there if that is less. Rows are taken for new until the server refuses
 * them, because most are and asking first costs a tenth more; where most were refused, the next call does ask first.
 * A row that was neither inserted nor replaced anything has met a greater one, or one that was deleted in between, or
 * one that another writer inserted at that moment and that may be less: so the round is repeated, from what is there now.
 * Nothing depends on the order in which the server does the operations of a round, also not when two rows have one key.
 */
export async function upsertRows(
  open: OpenTable,
  { rows, ...precedence }: Precedence & { readonly rows: readonly object[] },
  call: CallDeadline,
): Promise<number> {
  const { guard } = precedence;
  let written = 0;
  for (const slice of inSlices(rows)) {
    let pending: readonly StoredDocument[] = slice.map((row) => toDocument(open.table, row));
    for (let tries = 0; pending.length > 0; tries += 1) {
      if (tries > 1) await pause(tries, call);
      const ask = tries > 0 || open.mostlyThere;
      const guards = ask ? await guardsOf(open, pending, precedence, { call }) : NOTHING_KNOWN;
      const { absent, ahead } = split(open, pending, guard, guards);
      const refused = await insertNew(open, absent, call);
      const left = [...ahead, ...refused];
      const replaced = await replaceLess(open, left, precedence, call);
      written += absent.length - refused.length + replaced;
      if (tries === 0) open.mostlyThere = (guards.size + refused.length) * 2 > pending.length;
      pending = replaced === left.length ? [] : left;
    }
  }
  return written;
}

const NOTHING_KNOWN: ReadonlyMap<string, unknown> = new Map();

/** The documents that are not there, and those that are greater than what is there. */
function split(
  open: OpenTable,
  documents: readonly StoredDocument[],
  guard: string,
  guards: ReadonlyMap<string, unknown>,
): { readonly absent: readonly StoredDocument[]; readonly ahead: readonly StoredDocument[] } {
  if (guards.size === 0) return { absent: documents, ahead: [] };
  const absent: StoredDocument[] = [];
  const ahead: StoredDocument[] = [];
  for (const document of documents) {
    const key = keyText(open, document._id);
    if (!guards.has(key)) absent.push(document);
    else if (replaces(document[guard], guards.get(key))) ahead.push(document);
  }
  return { absent, ahead };
}

/** Whether a row with the guard `value` replaces one with the guard `other`; null neither replaces nor is replaced. */
export function replaces(value: unknown, other: unknown): boolean {
  if (value === null || value === undefined || other === null || other === undefined) return false;
  return compareEdges(value as FieldValue, other as FieldValue) > 0;
}

/** A text that is the same for rows of one key only. Half a surrogate pair is stored as U+FFFD and comes back as that. */
export function keyText(open: OpenTable, row: object): string {
  const values = Object.values(toId(open.table, row));
  return JSON.stringify(
    values.map((value) => (typeof value === "string" ? value.toWellFormed() : value)),
  );
}

/** Inserts what is not there yet and returns the rest. */
export async function insertNew(
  open: OpenTable,
  documents: readonly StoredDocument[],
  call: CallDeadline,
): Promise<readonly StoredDocument[]> {
  if (documents.length === 0) return [];
  try {
    await open.documents.insertMany(documents, { ordered: false, ...optionsOf({ call }) });
    return [];
  } catch (error) {
    const places = duplicatesOf(error);
    if (places === null) throw error;
    const refused = new Set(places);
    return documents.filter((_, place) => refused.has(place));
  }
}

async function replaceLess(
  open: OpenTable,
  documents: readonly StoredDocument[],
  { guard, kept }: Precedence,
  call: CallDeadline,
): Promise<number> {
  if (documents.length === 0) return 0;
  const isReplaced: Fields = kept === undefined ? {} : { [kept]: { $ne: 1 } };
  const operations = documents.map((document) => ({
    replaceOne: {
      filter: { _id: document._id, [guard]: { $lt: document[guard] }, ...isReplaced },
      replacement: document,
      hint: KEY_INDEX,
    },
  }));
  const result = await open.documents.bulkWrite(operations, {
    ordered: false,
    ...optionsOf({ call }),
  });
  return result.matchedCount;
}

/** The guards of those of the rows that are there, by key; confirmed by a majority, so that no failover undoes them. */
export async function guardsOf(
  open: OpenTable,
  documents: readonly StoredDocument[],
  { guard, kept }: Precedence,
  within: Within,
): Promise<Map<string, unknown>> {
  const filter: Fields = { _id: { $in: documents.map((document) => document._id) } };
  const there = await open.documents
    .find<StoredDocument>(filter, {
      ...optionsOf(within),
      projection: { [guard]: 1, ...(kept === undefined ? {} : { [kept]: 1 }) },
      batchSize: documents.length + 1,
    })
    .toArray();
  const guardOf = (row: StoredDocument): unknown =>
    kept !== undefined && row[kept] === 1 ? STAYS : row[guard];
  return new Map(there.map((row) => [keyText(open, row._id), guardOf(row)]));
}
