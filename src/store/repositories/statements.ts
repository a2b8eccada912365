import type { BankStatement } from "../../model/bank-statement.ts";
import {
  STATEMENT_STATUSES,
  type StatementDocument,
  type StatementKey,
  type StoredStatement,
} from "../../model/statement-document.ts";
import type { StatementRepository } from "../../model/statement-repository.ts";
import type { Collection, FieldCondition, Store, Where } from "../collection.ts";
import {
  type StatementReadingRow,
  type StatementRow,
  statementReadingSpec,
  statementSpec,
} from "../specs/statement-specs.ts";
import type { EventRepository } from "./events.ts";
import type { HolderRepository } from "./holders.ts";
import { pack, unpackResults } from "./packed-results.ts";

/** Bytes of a compressed reading: MongoDB takes 16 MiB a document. A page of fifty rows takes about 4 KB. */
const READING_BYTES_MAX = 12 * 1024 * 1024;
const UNFINISHED = ["queued", "processing"] as const;
const STARTABLE = ["submitting", ...UNFINISHED] as const;
const READ_AT_ONCE = 500;

export function createStatementRepository(
  store: Store,
  events: Pick<EventRepository, "insertSteps" | "replaceSteps">,
  holders: Pick<HolderRepository, "ensureStep" | "requireStep">,
): StatementRepository {
  const tables = {
    store,
    statements: store.collection<StatementRow>(statementSpec),
    readings: store.collection<StatementReadingRow>(statementReadingSpec),
  };
  return {
    ...readsOf(tables),
    ...listsOf(tables),
    ...submissionOf(tables, holders),
    ...processingOf(tables, events),
    ...removalOf(tables, events),
  };
}

interface StatementTables {
  readonly store: Store;
  readonly statements: Collection<StatementRow>;
  readonly readings: Collection<StatementReadingRow>;
}

type StatementPart<Names extends keyof StatementRepository> = Pick<StatementRepository, Names>;

/** Changes a row in one of some states. False when there is none. */
async function updateRow(
  { store, statements }: StatementTables,
  { org, id }: StatementKey,
  where: Where<StatementRow>,
  set: Partial<StatementRow>,
): Promise<boolean> {
  const outcome = await store.write([statements.update({ org, id, ...where }, set, "fail")]);
  return outcome.ok;
}

const readsOf = ({
  store,
  statements,
  readings,
}: StatementTables): StatementPart<"get" | "getStored" | "reading" | "has" | "passwords"> => ({
  get: async (org, id) => {
    const row = await statements.get({ org, id });
    return row === null ? null : toStatementDocument(row);
  },
  getStored: async (org, id) => {
    const row = await statements.get({ org, id });
    return row === null ? null : toStoredStatement(row);
  },
  reading: async (org, id) => {
    const row = await readings.get({ org, id });
    return row === null ? null : readingOfRow(row);
  },
  has: async (org, id) => (await statements.get({ org, id })) !== null,
  passwords: () => readPasswords(store),
});

const readingOfRow = async ({ reading }: StatementReadingRow): Promise<BankStatement> =>
  JSON.parse(await unpackResults(reading)) as BankStatement;

const listsOf = ({
  statements,
}: StatementTables): StatementPart<
  "list" | "listPage" | "ofHolder" | "countUnfinished" | "leftBehind"
> => ({
  list: async (org, { createdAfter, createdBefore, status, after, limit }) => {
    const rows = await statements.find({
      where: {
        org,
        status: { in: status ?? STATEMENT_STATUSES },
        ...createdWithin(createdAfter, createdBefore),
      },
      order: { fields: ["createdAt", "id"], direction: "desc" },
      ...(after === null ? {} : { after }),
      limit,
    });
    return rows.flatMap((row) => toStatementDocument(row) ?? []);
  },
  listPage: async (org, { status, accountHolderId, query, order, page, perPage }) => {
    const rows = await statements.find({
      where: {
        org,
        status: { in: status ?? STATEMENT_STATUSES },
        ...(accountHolderId === null ? {} : { accountHolderId }),
        ...(query === null ? {} : { searchText: { contains: query.toLowerCase() } }),
      },
      order: { fields: ["createdAt", "id"], direction: order },
      offset: page * perPage,
      limit: perPage,
    });
    return rows.flatMap((row) => toStatementDocument(row) ?? []);
  },
  ofHolder: (org, accountHolderId, limit) =>
    statements.find({ where: { org, accountHolderId }, limit }),
  countUnfinished: async (org) => {
    const where = { org, status: { in: UNFINISHED } };
    return (await statements.aggregate(where, "crashes", "createdAt")).count;
  },
  leftBehind: async (beforeMs, limit) => {
    const removed = await statements.find({ where: { status: "removed" }, limit });
    if (removed.length === limit) return removed;
    const where = { status: "submitting", createdAt: { lt: beforeMs } } as const;
    return [...removed, ...(await statements.find({ where, limit: limit - removed.length }))];
  },
});

const submissionOf = (
  tables: StatementTables,
  { ensureStep, requireStep }: Pick<HolderRepository, "ensureStep" | "requireStep">,
): StatementPart<"insert" | "received" | "accept" | "rename" | "replacePassword"> => ({
  insert: async (document) => {
    const searchText = searchTextOf(document.name);
    const row: StatementRow = { ...document, status: "submitting", searchText };
    await tables.store.write([tables.statements.insert(row, "fail")]);
  },
  received: async ({ org, id, accountHolderId }, { size }, newHolder) => {
    const { store, statements } = tables;
    const outcome = await store.write([
      statements.update({ org, id, status: "submitting" }, { size }, "fail"),
      ...(newHolder === null ? [] : [ensureStep(newHolder)]),
      ...(accountHolderId === null ? [] : [requireStep({ org, id: accountHolderId })]),
    ]);
    return outcome.ok;
  },
  accept: async (key) => {
    // Its record may be processed already.
    await updateRow(tables, key, { status: "submitting" }, { status: "queued" });
  },
  rename: (org, id, name) => {
    const set = { name, searchText: searchTextOf(name) };
    return updateRow(tables, { org, id }, { status: { in: STATEMENT_STATUSES } }, set);
  },
  replacePassword: async (key, seen, next) => {
    await updateRow(tables, key, { password: seen }, { password: next });
  },
});

const processingOf = (
  tables: StatementTables,
  { insertSteps }: Pick<EventRepository, "insertSteps">,
): StatementPart<"start" | "countCrash" | "storeReading" | "finish" | "markUnenriched"> => ({
  start: async (org, id) => {
    const where = { status: { in: STARTABLE } };
    if (!(await updateRow(tables, { org, id }, where, { status: "processing" }))) return null;
    const row = await tables.statements.get({ org, id });
    return row === null ? null : toStoredStatement(row);
  },
  countCrash: async (key, before) => {
    const where = { status: "processing", crashes: before } as const;
    await updateRow(tables, key, where, { crashes: before + 1 });
  },
  storeReading: async ({ org, id }, statement) => {
    const reading = await pack(JSON.stringify(statement));
    if (reading.byteLength > READING_BYTES_MAX) return "too_large";
    const outcome = await tables.store.write([
      tables.statements.require({ org, id, status: "processing" }, 1),
      tables.readings.insert({ org, id, reading }, "ignore"),
    ]);
    const row = outcome.ok ? await tables.readings.get({ org, id }) : null;
    if (row === null) return "gone";
    // To parse a large one again takes as long as a batch.
    return Buffer.compare(row.reading, reading) === 0 ? statement : readingOfRow(row);
  },
  finish: async ({ org, id }, end, event) => {
    const set = { ...end, password: null };
    const outcome = await tables.store.write([
      tables.statements.update({ org, id, status: "processing" }, set, "fail"),
      ...insertSteps(event),
    ]);
    return outcome.ok;
  },
  markUnenriched: async (key) => {
    await updateRow(tables, key, { status: "processed" }, { status: "unenriched" });
  },
});

const removalOf = (
  tables: StatementTables,
  { replaceSteps }: Pick<EventRepository, "replaceSteps">,
): StatementPart<"hide" | "remove"> => ({
  hide: (org, id) =>
    updateRow(tables, { org, id }, { status: { in: STATEMENT_STATUSES } }, { status: "removed" }),
  remove: async ({ org, id }, events) => {
    await tables.store.write([
      ...events.flatMap(replaceSteps),
      tables.readings.delete({ org, id }),
      tables.statements.delete({ org, id }),
    ]);
  },
});

async function* readPasswords(
  store: Store,
): AsyncIterable<StatementKey & { readonly password: string }> {
  const statements = store.collection<StatementRow>(statementSpec);
  for (const status of STARTABLE) {
    let after: readonly [number, string, string] = [-1, "", ""];
    for (;;) {
      const rows: StatementRow[] = await statements.find({
        where: { status },
        order: { fields: ["createdAt", "org", "id"], direction: "asc" },
        after,
        limit: READ_AT_ONCE,
      });
      yield* rows.flatMap(({ org, id, password }) =>
        password === null ? [] : [{ org, id, password }],
      );
      const last = rows.at(-1);
      if (last === undefined || rows.length < READ_AT_ONCE) break;
      after = [last.createdAt, last.org, last.id];
    }
  }
}

const searchTextOf = (name: string | null): string => (name ?? "").toLowerCase();

const createdWithin = (
  after: number | null,
  before: number | null,
): { readonly createdAt?: FieldCondition } =>
  after === null && before === null
    ? {}
    : {
        createdAt: {
          ...(after === null ? {} : { gte: after }),
          ...(before === null ? {} : { lt: before }),
        },
      };

/** Null for one that no caller sees. */
function toStatementDocument(row: StatementRow): StatementDocument | null {
  const { org, id, name, createdAt, status, size, pages } = row;
  if (status === "submitting" || status === "removed") return null;
  const { accountHolderId, accountType, currency, failure, batchId } = row;
  const file = { name, size, pages };
  return {
    ...{ org, id, createdAt, status, ...file },
    ...{ accountHolderId, accountType, currency, failure, batchId },
  };
}

/** Null for one that is being removed. */
function toStoredStatement(row: StatementRow): StoredStatement | null {
  const status = row.status === "submitting" ? "queued" : row.status;
  const document = toStatementDocument({ ...row, status });
  const { password, crashes } = row;
  return document === null ? null : { ...document, password, crashes };
}
