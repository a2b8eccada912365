// All steps or none: as a single operation when there is only one row in it, as a transaction otherwise.
import type { MongoClient } from "mongodb";
import type { Locks } from "../../shared/concurrency/keyed-mutex.ts";
import type { Write, WriteOutcome } from "../collection.ts";
import { accessTo, KEY_INDEX } from "./access.ts";
import { type CallDeadline, inTime } from "./deadline.ts";
import { type Fields, HELD, type StoredDocument, toDocument } from "./documents.ts";
import { isDuplicate, isDuplicateId } from "./errors.ts";
import { inSlices } from "./slices.ts";
import { deleteSome, updateAll, type WriteOf } from "./steps.ts";
import type { OpenTable } from "./tables.ts";
import { Ended, inTransaction, Overtaken } from "./transaction.ts";
import { guardsOf, keyText, replaces, upsertRows } from "./upsert.ts";
import { optionsOf, type Within } from "./within.ts";

/** Writes to a row without a visible change. */
const HOLD: Fields = { $inc: { [HELD]: 1 } };

type TableOf = (step: Write) => OpenTable;

export interface MongoWriter {
  readonly client: MongoClient;
  /**
   * Of the rows that transactions of this process hold. The server would let all but one of them fail, and with many at a time,
   * such as calls for one account holder, most tries would fail. Other processes are few: the server decides.
   */
  readonly locks: Locks;
}

export async function writeSteps(
  { client, locks }: MongoWriter,
  steps: readonly Write[],
  tableOf: TableOf,
  call: CallDeadline,
): Promise<WriteOutcome> {
  const [first, second] = steps;
  if (first === undefined) return { ok: true, changed: [] };
  try {
    const alone = second === undefined ? writeAlone(tableOf(first), first, call) : null;
    if (alone !== null) return { ok: true, changed: [await alone] };
    const lock = locks.lock(heldRows(steps, tableOf));
    try {
      await inTime(lock.acquired, call);
      const changed = await inTransaction(client, call, (session) =>
        writeAll(steps, tableOf, { call, session }),
      );
      return { ok: true, changed };
    } finally {
      lock.release();
    }
  } catch (error) {
    if (error instanceof Ended) return error.outcome;
    throw error;
  }
}

/** Does a step that concerns one row, which the server does whole or not at all by itself; null for any other step. */
function writeAlone(open: OpenTable, step: Write, call: CallDeadline): Promise<number> | null {
  const within = { call };
  switch (step.kind) {
    case "insert":
      return insertAlone(open, step, within);
    case "upsertMany":
      return step.rows.length === 1 ? upsertRows(open, step, call) : null;
    case "update":
      return isSingle(open, step.where) ? update(open, step, 0, within) : null;
    case "delete":
      return isSingle(open, step.where) ? deleteSome(open, step, within) : null;
    case "require":
      return null;
  }
}

/** The rows that these steps name one by one, and hold until the commit. */
function heldRows(steps: readonly Write[], tableOf: TableOf): readonly string[] {
  const rows = new Set<string>();
  for (const step of steps) {
    if (step.kind !== "require" && step.kind !== "update") continue;
    const open = tableOf(step);
    if (isSingle(open, step.where)) rows.add(`${step.collection} ${keyText(open, step.where)}`);
  }
  return [...rows];
}

function isSingle(open: OpenTable, where: WriteOf<"update">["where"]): boolean {
  return accessTo(open.table, { where })?.single === true;
}

async function insertAlone(
  open: OpenTable,
  step: WriteOf<"insert">,
  within: Within,
): Promise<number> {
  try {
    await open.documents.insertOne(toDocument(open.table, step.row), optionsOf(within));
    return 1;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    if (step.ifExists === "fail") throw new Ended({ ok: false, step: 0, reason: "exists" });
    return 0;
  }
}

async function writeAll(
  steps: readonly Write[],
  tableOf: TableOf,
  within: Within,
): Promise<number[]> {
  const changed: number[] = [];
  for (let index = 0; index < steps.length; ) {
    const required = requiredFrom(steps, index, tableOf);
    if (required.length > 1) {
      await requireEach(required, index, tableOf, within);
      changed.push(...required.map(() => 0));
      index += required.length;
      continue;
    }
    const step = steps[index];
    if (step === undefined) break;
    changed.push(await writeStep(tableOf(step), step, index, within));
    index += 1;
  }
  return changed;
}

function writeStep(open: OpenTable, step: Write, index: number, within: Within): Promise<number> {
  switch (step.kind) {
    case "insert":
      return insert(open, step, index, within);
    case "upsertMany":
      return upsert(open, step, within);
    case "update":
      return update(open, step, index, within);
    case "delete":
      return deleteSome(open, step, within);
    case "require":
      return require(open, step, index, within);
  }
}

async function insert(
  open: OpenTable,
  step: WriteOf<"insert">,
  index: number,
  within: Within,
): Promise<number> {
  const document = toDocument(open.table, step.row);
  // A refused insert ends the transaction. Who wants to go on looks first, by every index that could refuse the row.
  if (step.ifExists === "ignore" && (await isThere(open, document, within))) return 0;
  try {
    await open.documents.insertOne(document, optionsOf(within));
    return 1;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    if (step.ifExists === "fail") throw new Ended({ ok: false, step: index, reason: "exists" });
    throw new Overtaken("inserted meanwhile", { cause: error });
  }
}

async function isThere(
  open: OpenTable,
  document: StoredDocument,
  within: Within,
): Promise<boolean> {
  const filter = { $or: identities(open, document) };
  const options = { ...optionsOf(within), projection: { _id: 1 } };
  return (await open.documents.findOne(filter, options)) !== null;
}

function identities(open: OpenTable, document: StoredDocument): Fields[] {
  const unique = open.table.indexes.filter((index) => index.unique === true);
  return [
    { _id: document._id },
    ...unique.map((index) =>
      Object.fromEntries(index.fields.map((field) => [field, { $eq: document[field] }])),
    ),
  ];
}

/** Reads the stored rows and writes the greater ones. A change of one of these rows meanwhile is a conflict. */
async function upsert(
  open: OpenTable,
  { rows, guard, kept }: WriteOf<"upsertMany">,
  within: Within,
): Promise<number> {
  let changed = 0;
  for (const slice of inSlices(rows)) {
    const documents = slice.map((row) => toDocument(open.table, row));
    const guards = await guardsOf(open, documents, { guard, kept }, within);
    const known = new Set(guards.keys());
    const written = new Map<string, StoredDocument>();
    for (const document of documents) {
      const key = keyText(open, document);
      if (guards.has(key) && !replaces(document[guard], guards.get(key))) continue;
      guards.set(key, document[guard]);
      written.set(key, document);
      changed += 1;
    }
    await putAllRows(open, written, known, within);
  }
  return changed;
}

async function putAllRows(
  open: OpenTable,
  written: ReadonlyMap<string, StoredDocument>,
  known: ReadonlySet<string>,
  within: Within,
): Promise<void> {
  const entries = [...written];
  const fresh = entries.filter(([key]) => !known.has(key)).map(([, document]) => document);
  const replaced = entries.filter(([key]) => known.has(key)).map(([, document]) => document);
  const options = { ordered: false, ...optionsOf(within) };
  if (replaced.length > 0) {
    const operations = replaced.map((document) => ({
      replaceOne: { filter: { _id: document._id }, replacement: document },
    }));
    await open.documents.bulkWrite(operations, options);
  }
  if (fresh.length === 0) return;
  try {
    await open.documents.insertMany(fresh, options);
  } catch (error) {
    if (!isDuplicate(error) || !isDuplicateId((error as Error).message)) throw error;
    throw new Overtaken("inserted meanwhile", { cause: error });
  }
}

async function update(
  open: OpenTable,
  step: WriteOf<"update">,
  index: number,
  within: Within,
): Promise<number> {
  const changed = await updateAll(open, step, within);
  if (changed === 0 && step.ifNone === "fail")
    throw new Ended({ ok: false, step: index, reason: "unmet" });
  return changed;
}

/** Counts the rows by writing to them: no other writer can change them before the commit, or the commit fails. */
async function require(
  open: OpenTable,
  step: WriteOf<"require">,
  index: number,
  within: Within,
): Promise<number> {
  const access = accessTo(open.table, { where: step.where });
  const count =
    access === null
      ? 0
      : (await open.documents.updateMany(access.filter, HOLD, optionsOf(within, access)))
          .matchedCount;
  if (count !== step.count) throw new Ended({ ok: false, step: index, reason: "unmet" });
  return 0;
}

/** The steps from `index` on that each require one row of the same collection by its key. */
function requiredFrom(
  steps: readonly Write[],
  index: number,
  tableOf: TableOf,
): readonly WriteOf<"require">[] {
  const required: WriteOf<"require">[] = [];
  for (const step of steps.slice(index)) {
    if (step.kind !== "require" || step.count !== 1) break;
    if (step.collection !== steps[index]?.collection) break;
    if (!isSingle(tableOf(step), step.where)) break;
    required.push(step);
  }
  return required;
}

/** A chunk may name hundreds of account holders: all are held in one operation. */
async function requireEach(
  steps: readonly WriteOf<"require">[],
  index: number,
  tableOf: TableOf,
  within: Within,
): Promise<void> {
  const [first] = steps;
  if (first === undefined) return;
  const open = tableOf(first);
  const operations = steps.flatMap((step) => {
    const access = accessTo(open.table, { where: step.where });
    if (access === null) return [];
    const { filter, hint = KEY_INDEX } = access;
    return [{ updateOne: { filter, update: HOLD, hint } }];
  });
  let held = 0;
  for (const slice of inSlices(operations)) {
    const result = await open.documents.bulkWrite([...slice], {
      ordered: true,
      ...optionsOf(within),
    });
    held += result.matchedCount;
  }
  // Only the first that does not hold has to be named.
  if (held < steps.length)
    for (const [at, step] of steps.entries()) await require(open, step, index + at, within);
}
