// The collection port over MongoDB: one collection per collection, one document per row.

import { createLocks } from "../../shared/concurrency/keyed-mutex.ts";
import type { Db, MongoClient } from "mongodb";
import { LedgerlineError } from "../../shared/errors.ts";
import {
  type Collection,
  type FieldValue,
  type RowQuery,
  requireRepeatable,
  type Store,
  type Where as PortWhere,
  type Write,
} from "../collection.ts";
import type { FileStore } from "../file-store.ts";
import { accessTo, KEY_INDEX } from "./access.ts";
import { applySteps } from "./apply.ts";
import {
  appNameOf,
  createClient,
  DATABASE_OPTIONS,
  databaseOf,
  requireTransactions,
} from "./client.ts";
import type { UntypedWhere } from "./conditions.ts";
import { type CallDeadline, withDeadline } from "./deadline.ts";
import { type Fields, ROW_PROJECTION, toId, rowOfDocument, toTable } from "./documents.ts";
import { asStoreUnavailable, unavailable } from "./errors.ts";
import { createGridFiles } from "./files.ts";
import { createUpsertBatcher } from "./write-batcher.ts";
import { watchHealth } from "./health.ts";
import { createOrphanSearch } from "./orphans.ts";
import { followPrimary, type ReadConfirmed } from "./primary.ts";
import { CALL_LIMIT_MS, createRunner, type Runner } from "./runner.ts";
import { openTable, type OpenTable } from "./tables.ts";
import { groupRows, HALVES_FROM_ROWS, type UntypedGroups } from "./groups.ts";
import { aggregate, find, findKeys, findValues } from "./reads.ts";
import { optionsOf } from "./within.ts";
import { writeSteps } from "./write.ts";

export interface MongoStoreOptions {
  readonly url: string;
  /** Instead of the one in the URL. */
  readonly database?: string;
  /** Rows from which sums are made of two halves at once; HALVES_FROM_ROWS when left out. */
  readonly halvesFromRows?: number;
}

export interface MongoStore {
  readonly store: Store;
  readonly files: FileStore;
  /** Resolves once the indexes of all collections asked for so far are there. */
  ensureIndexes(): Promise<void>;
  /** Why the server cannot be used just now, as a sentence for people, or null. Known without asking the server. */
  failure(): string | null;
  /** Resolves when a majority of the servers takes writes. */
  ping(): Promise<void>;
  /** Ends what is running and closes all connections. Twice is safe. */
  close(): Promise<void>;
}

const CLOSE_LIMIT_MS = 2_000;

/**
 * Connects to a replica set or a sharded cluster.
 * @throws LedgerlineError `unavailable` when it cannot be used; nothing stays open then
 */
export async function openMongoStore(options: MongoStoreOptions): Promise<MongoStore> {
  const client = createClient(options.url, options.database);
  const database = options.database ?? databaseOf(options.url);
  const db = client.db(database, DATABASE_OPTIONS);
  const health = watchHealth(client, () => ping(db));
  const readConfirmed = followPrimary(client, () => ping(db));
  const run = createRunner(health.failed, createOrphanSearch(client, appNameOf(database)));
  const close = async (): Promise<void> => {
    health.close();
    // The driver ends its sessions on the server first; one that does not answer is not waited for.
    await withDeadline(CLOSE_LIMIT_MS, () => client.close()).catch(() => undefined);
  };
  try {
    await run(async () => {
      await client.connect();
      await requireTransactions(client);
    });
  } catch (error) {
    await close();
    // Whatever it is, a service cannot start without it: a name that cannot be resolved has no class of its own.
    throw error instanceof LedgerlineError
      ? error
      : unavailable("MongoDB cannot be reached", error);
  }
  const tables = new Map<string, OpenTable>();
  return {
    store: createStore({
      client,
      db,
      tables,
      run,
      readConfirmed,
      halvesFromRows: options.halvesFromRows ?? HALVES_FROM_ROWS,
    }),
    files: createGridFiles(db),
    ensureIndexes: async () => {
      // Not within the limit of a call: an index over many rows takes its time.
      const made = Promise.all([...tables.values()].map((table) => table.ready()));
      await made.catch((error: unknown) => {
        throw asStoreUnavailable(error);
      });
    },
    failure: health.failure,
    ping: () => run(() => ping(db)),
    close,
  };
}

/** A read that the server answers once it has made sure that it is the primary of a majority; it changes nothing. */
async function ping(db: Db): Promise<void> {
  const documents = db.collection("settings", { readConcern: { level: "linearizable" } });
  await documents.findOne({ _id: { $exists: false } }, { maxTimeMS: CALL_LIMIT_MS / 2 });
}

interface OpenStore {
  readonly client: MongoClient;
  readonly db: Db;
  readonly tables: Map<string, OpenTable>;
  readonly run: Runner;
  readonly readConfirmed: ReadConfirmed;
  readonly halvesFromRows: number;
}

function createStore(opened: OpenStore): Store {
  const { client, db, tables, run } = opened;
  const tableOf = ({ collection }: { readonly collection: string }): OpenTable => {
    const table = tables.get(collection);
    if (table === undefined) throw new Error(`Unknown collection: ${collection}`);
    return table;
  };
  const withTables = <T>(
    steps: readonly Write[],
    work: (call: CallDeadline) => Promise<T>,
  ): Promise<T> =>
    run(async (call) => {
      const used = new Set(steps.map(tableOf));
      await Promise.all([...used].map((table) => table.ready()));
      return work(call);
    });
  const writer = { client, locks: createLocks() };
  const apply = createUpsertBatcher((steps) =>
    withTables(steps, (call) => applySteps(steps, tableOf, call)),
  );
  return {
    collection: (spec) => {
      // Asked for by several repositories, it is made once.
      const table = tables.get(spec.name) ?? openTable(db, toTable(spec));
      tables.set(spec.name, table);
      return createCollection(table, opened);
    },
    write: (steps) => withTables(steps, (call) => writeSteps(writer, steps, tableOf, call)),
    apply: async (steps) => {
      requireRepeatable(steps);
      return apply(steps);
    },
  };
}

function createCollection<Row extends object>(
  open: OpenTable,
  { run, readConfirmed, halvesFromRows }: OpenStore,
): Collection<Row> {
  const { name } = open.table;
  const calling = <T>(work: (call: CallDeadline) => Promise<T>): Promise<T> =>
    run(async (call) => {
      await open.ready();
      return work(call);
    });
  const reading = <T>(work: (call: CallDeadline) => Promise<T>): Promise<T> =>
    calling((call) => readConfirmed(() => work(call)));
  return {
    get: async (key) => {
      const where = key as PortWhere<Row>;
      return (await reading((call) => find<Row>(open, { where, limit: 1 }, call)))[0] ?? null;
    },
    find: (query) => reading((call) => find<Row>(open, query, call)),
    values: (query, fields) => reading((call) => findValues(open, query, fields, call)),
    keys: (query) => reading((call) => findKeys<Row>(open, query, call)),
    groups: (query) =>
      reading((call) =>
        groupRows(open, { ...(query as unknown as UntypedGroups), halvesFromRows }, call),
      ),
    aggregate: (where, sum, max) =>
      reading((call) => aggregate(open, where as UntypedWhere, sum, max, call)),
    // Not repeated after an election: a second claim would take other rows.
    claim: (query, set) => calling((call) => claim<Row>(open, query, changeable(open, set), call)),
    insert: (row, ifExists) => ({ kind: "insert", collection: name, row, ifExists }),
    upsertMany: (rows, guard, kept) => ({
      kind: "upsertMany",
      collection: name,
      rows,
      guard,
      ...(kept === undefined ? {} : { kept }),
    }),
    update: (where, set, ifNone) => ({
      kind: "update",
      collection: name,
      where,
      set: changeable(open, set),
      ifNone,
    }),
    delete: (where, limit) => ({
      kind: "delete",
      collection: name,
      where,
      ...(limit === undefined ? {} : { limit }),
    }),
    require: (where, count) => ({
      kind: "require",
      collection: name,
      where,
      count,
    }),
  };
}

/** Looks for rows, takes those that still match, and reads back which of them it got. */
async function claim<Row extends object>(
  open: OpenTable,
  query: RowQuery<Row>,
  set: Readonly<Record<string, FieldValue>>,
  call: CallDeadline,
): Promise<Row[]> {
  const access = accessTo(open.table, { where: query.where });
  const found = await find<Row>(open, query, call);
  if (access === null || found.length === 0) return [];
  const byId: Fields = { _id: { $in: found.map((row) => toId(open.table, row)) } };
  const options = { ...optionsOf({ call }), hint: KEY_INDEX };
  const filter = { $and: [byId, access.filter] };
  const { modifiedCount } = await open.documents.updateMany(filter, { $set: set }, options);
  if (modifiedCount === 0) return [];
  const documents = await open.documents
    .find<Fields>({ ...byId, ...set }, { ...options, projection: ROW_PROJECTION })
    .toArray();
  return documents.map((document) => rowOfDocument(open.table, document) as Row);
}

/** @throws Error for a field that is not declared, or that is part of the key, and so of the document's `_id` */
function changeable(open: OpenTable, set: object): Readonly<Record<string, FieldValue>> {
  const { name, fields, key } = open.table;
  for (const field of Object.keys(set)) {
    if (!fields.includes(field)) throw new Error(`${name}: ${field} is not a declared field`);
    if (key.includes(field)) throw new Error(`${name}: ${field} is part of the key`);
  }
  return set as Readonly<Record<string, FieldValue>>;
}
