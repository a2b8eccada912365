// Compares what the service shows of bank statements, and what is in its data folder, with what was answered.
import { existsSync, readdirSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { eventId } from "../../src/events/events.ts";
import { statementBatchId, statementTransactionIds } from "../../src/statements/transactions.ts";
import {
  answered,
  type BatchResource,
  type Client,
  type HolderResource,
  type StoredTransaction,
} from "../support/client.ts";
import { until } from "../support/poll.ts";
import type { Complain } from "./judge.ts";
import { MARK, type SentUpload } from "./statement-load.ts";

interface ShownStatement {
  readonly id: string;
  readonly name: string;
  readonly status: "processing" | "completed" | "error";
  readonly error: { readonly fault: string } | null;
}

interface ShownResults {
  readonly accounts: readonly {
    readonly verdict: string;
    readonly transactions: readonly { readonly id: string }[];
  }[];
}

interface JudgedStatement extends ShownStatement {
  readonly upload: SentUpload;
  /** Its transactions in their order: deterministic. */
  readonly transactionIds: readonly string[];
}

const COMPLETED = "bank_statements.completed";
/** Each scan takes a second, and waits for the others. */
const READING_MS_MAX = 240_000;
/** What each file that can be read has. */
const ROWS: readonly string[] = [`Coffee house ${MARK} 5`, "Salary 50"];

/** Waits until all documents have ended, and goes through all that the API shows of them. */
export async function judgeStatements(
  client: Client,
  sent: readonly SentUpload[],
  complain: Complain,
): Promise<readonly JudgedStatement[]> {
  const open = ["/v3/bank_statements?status=processing", "/v3/batches?status=processing"];
  for (const path of open)
    await until(
      `nothing is left in ${path}`,
      async () => ((await client.listAll(path)).length === 0 ? true : null),
      READING_MS_MAX,
    );
  const shown = await client.listAll<ShownStatement>("/v3/bank_statements");
  const judged = await Promise.all(shown.map((one) => judgeDocument(client, one, sent, complain)));
  const documents = judged.filter((one) => one !== null);
  judgeUploads(sent, documents, complain);
  await judgeRows(client, documents, complain);
  await judgeHolders(client, sent, documents, complain);
  return documents;
}

async function judgeDocument(
  client: Client,
  one: ShownStatement,
  sent: readonly SentUpload[],
  complain: Complain,
): Promise<JudgedStatement | null> {
  const upload = sent.find(({ name }) => name === one.name);
  if (upload === undefined) {
    complain(`${one.name} was never sent`);
    return null;
  }
  const { kind } = upload;
  const end = one.status === "error" ? (one.error?.fault ?? "") : one.status;
  const expected = kind === "locked" ? "password_needed" : "completed";
  if (end !== expected) complain(`the ${kind} ${one.name} has ended as ${end}`);
  if (one.status !== "completed") return { ...one, upload, transactionIds: [] };
  const path = `/v3/bank_statements/${one.id}/results`;
  const { accounts } = answered(await client.call<ShownResults>("GET", path), 200);
  const transactionIds = accounts.flatMap(({ transactions }) => transactions.map(({ id }) => id));
  const isSame = JSON.stringify(await expectedIds(one.id)) === JSON.stringify(transactionIds);
  if (!isSame || accounts[0]?.verdict !== "reconciled")
    complain(`${one.name} has not the accounts and rows of its file`);
  return { ...one, upload, transactionIds };
}

/** The ids that the rows of each file have, however often it was read. */
const expectedIds = async (documentId: string): Promise<readonly string[]> =>
  (await statementTransactionIds(documentId, { accounts: [{ transactions: ROWS }] })).flat();

/** What was accepted is there once; what was refused is not. */
function judgeUploads(
  sent: readonly SentUpload[],
  documents: readonly JudgedStatement[],
  complain: Complain,
): void {
  const byName = Map.groupBy(documents, ({ name }) => name);
  for (const { name, kind, id, isUnknown } of sent) {
    const found = byName.get(name) ?? [];
    if (found.length > 1) complain(`the ${kind} ${name} is there ${String(found.length)} times`);
    if (id !== null && found[0]?.id !== id) complain(`the accepted ${kind} ${name} is lost`);
    if (id === null && !isUnknown && found.length > 0) complain(`the refused ${name} is there`);
  }
}

/** The transactions are exactly those of the documents, each once, in one batch for each document. */
async function judgeRows(
  client: Client,
  documents: readonly JudgedStatement[],
  complain: Complain,
): Promise<void> {
  const rows = await client.listAll<StoredTransaction>("/v3/transactions");
  const byId = new Map(rows.map((row) => [row.id, row]));
  const expected = documents.flatMap(({ transactionIds }) => transactionIds);
  if (rows.length !== expected.length || byId.size !== rows.length)
    complain(`${String(rows.length)} transactions of ${String(expected.length)} rows`);
  for (const { name, upload, transactionIds } of documents) {
    const found = transactionIds.map((id) => byId.get(id));
    const texts = found.map((row) => `${row?.description ?? ""} ${String(row?.amount)}`);
    const isRight = found.every(
      (row) => row?.error === null && row.account_holder_id === upload.holder,
    );
    if (transactionIds.length > 0 && (!isRight || texts.join() !== ROWS.join()))
      complain(`${name} has the transactions ${JSON.stringify(found)}`);
  }
  const batches = await client.listAll<BatchResource>("/v3/batches");
  const ended = batches.flatMap(({ id, status }) => (status === "completed" ? [id] : []));
  if (ended.toSorted().join() !== batchesOf(documents).join() || ended.length !== batches.length)
    complain(`${String(batches.length)} batches, not those of the documents`);
}

/** Ids of all events that there must be, in order. */
export const eventsOf = (documents: readonly JudgedStatement[]): readonly string[] =>
  [
    ...documents.map(({ id, status }) =>
      eventId("default", status === "error" ? "bank_statements.error" : COMPLETED, id),
    ),
    ...batchesOf(documents).map((id) => eventId("default", "batches.completed", id)),
  ].toSorted();

const batchesOf = (documents: readonly JudgedStatement[]): readonly string[] =>
  documents
    .filter(({ status }) => status === "completed")
    .map(({ id }) => statementBatchId(id))
    .toSorted();

/** A holder is made with the document that names it. A process that dies between the two may leave a holder alone. */
async function judgeHolders(
  client: Client,
  sent: readonly SentUpload[],
  documents: readonly JudgedStatement[],
  complain: Complain,
): Promise<void> {
  const rows = await client.listAll<HolderResource>("/v3/account_holders");
  const found = new Set(rows.map(({ id }) => id));
  const made = new Set(documents.map(({ upload }) => upload.holder));
  const named = new Map(sent.map((upload) => [upload.holder, upload]));
  for (const holder of made)
    if (holder !== null && !found.has(holder)) complain(`the holder ${holder} is lost`);
  for (const holder of found)
    if (!made.has(holder) && named.get(holder)?.isUnknown !== true)
      complain(`the refused upload of ${holder} left a holder`);
}

/** What only the data folder shows: events, files, and rows that no caller sees. */
export function judgeStatementFolder(
  dataFolder: string,
  documents: readonly JudgedStatement[],
  complain: Complain,
): void {
  const database = new DatabaseSync(join(dataFolder, "ledgerline.db"), { readOnly: true });
  const texts = (sql: string): string[] =>
    database
      .prepare(sql)
      .all()
      .map((row) => String(row["text"]));
  try {
    const check = texts("SELECT integrity_check AS text FROM pragma_integrity_check");
    if (check.join() !== "ok") complain(`integrity_check: ${check.join()}`);
    const events = texts("SELECT eventId AS text FROM store_events ORDER BY 1");
    if (events.join() !== eventsOf(documents).join())
      complain(`${String(events.length)} events, not one of each document and batch`);
    const left = texts("SELECT topic || ' ' || key AS text FROM log_records");
    if (left.length > 0) complain(`records are left in the log: ${left.slice(0, 3).join()}`);
    const ids = documents.map(({ id }) => id).toSorted();
    const rows = texts("SELECT id AS text FROM store_statements ORDER BY 1");
    if (rows.join() !== ids.join()) complain("there are documents that no caller sees");
  } finally {
    database.close();
  }
  const files = filesOf(dataFolder).toSorted();
  const expected = documents.map(({ id }) => `default.${id}`).toSorted();
  if (files.join() !== expected.join())
    complain(`${String(files.length)} files, not those of ${String(expected.length)} documents`);
}

/** Names of the files of bank statements. */
export function filesOf(dataFolder: string): readonly string[] {
  const folder = join(dataFolder, "files");
  return existsSync(folder) ? readdirSync(folder) : [];
}
