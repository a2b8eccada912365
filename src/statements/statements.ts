// The statements stage as the API sees it: accepts documents, shows them and what was read, and reads headers at once.
//
// A crash while a document is submitted leaves nothing that can be seen: its row is hidden until its record is in the log. What
// is left is removed by the retention job.
import { type HolderSince, holderTypes } from "../model/account-holder.ts";
import type { StatementHeaderResult } from "../model/bank-statement.ts";
import { statementRecordKey } from "../model/record-key.ts";
import type { StatementSubmitted } from "../model/records.ts";
import {
  isRead,
  type ReadingOutcome,
  type StatementDocument,
  type StatementKey,
  type StatementSubmission,
  type Statements,
  type StatementUpload,
} from "../model/statement-document.ts";
import type { StatementRepository } from "../model/statement-repository.ts";
import { createTenantBudget } from "../shared/concurrency/tenant-budget.ts";
import { LedgerlineError } from "../shared/errors.ts";
import {
  UNFINISHED_PER_ORGANIZATION_MAX,
  VERIFY_AT_ONCE_MAX,
  WAITING_DOCUMENTS_MAX,
} from "./limits.ts";
import { encryptPassword, readPassword, type PasswordVault } from "./password.ts";
import { statementTransactionIds, submittedOf } from "./transactions.ts";
import { checkUpload, RefusedUpload } from "./upload.ts";

/** What the stage needs of the store, the files, the reader and the log. */
export interface StatementPorts
  extends Pick<
    StatementRepository,
    | "insert"
    | "received"
    | "accept"
    | "get"
    | "getStored"
    | "list"
    | "listPage"
    | "countUnfinished"
    | "rename"
    | "reading"
  > {
  /** Removes a document that callers see. */
  remove(org: string, id: string): Promise<boolean>;
  /** Removes what is there of a document, whatever its state. */
  discard(key: StatementKey): Promise<void>;
  putFile(key: StatementKey, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  readFile(key: StatementKey): Promise<Uint8Array | null>;
  readonly vault: PasswordVault;
  hasHolder(org: string, id: string): Promise<boolean>;
  /** Order of the last record in the log: a holder that is made now has transactions that are accepted after it. */
  endOrder(): Promise<string>;
  /** @throws LedgerlineError `unavailable` when the reader died or hung */
  readHeader(bytes: Uint8Array, password: string): Promise<StatementHeaderResult>;
  publish(
    topic: "statements",
    records: readonly { readonly key: string; readonly value: StatementSubmitted }[],
  ): Promise<void>;
  /** Statements that are published and not done. */
  pending(topic: "statements"): number;
  newId(): string;
  nowMs(): number;
}

export function createStatements(ports: StatementPorts): Statements {
  const verifying = createTenantBudget(VERIFY_AT_ONCE_MAX);

  return {
    submit: async (org, upload) => {
      const { id } = upload;
      // Accepted by an earlier try, whose answer was lost.
      const known = id === undefined ? null : await ports.get(org, id);
      if (known !== null) return { ok: true, document: known };
      await refuseTooMany(ports, org);
      const newHolder = await holderToMake(ports, org, upload);
      if (newHolder === "missing") return { ok: false, reason: "holder_not_found" };
      return submit(ports, org, upload, newHolder);
    },
    get: ports.get,
    list: ports.list,
    listPage: ports.listPage,
    rename: ports.rename,
    remove: ports.remove,
    reading: (org, id) => readingOf(ports, org, id),
    verify: async (org, id) => {
      const document = await ports.get(org, id);
      if (document === null) return null;
      const { failure } = document;
      if (failure !== null && failure !== "internal_error") return { fault: failure };
      const reading = isRead(document.status) ? await ports.reading(org, id) : null;
      if (reading !== null) return reading.header;
      if (!verifying.acquire(org, 1))
        throw new LedgerlineError("overloaded", "Too many bank statements are being verified.");
      try {
        return await readHeader(ports, org, id);
      } finally {
        verifying.release(org, 1);
      }
    },
  };
}

async function refuseTooMany(
  { pending, countUnfinished }: Pick<StatementPorts, "pending" | "countUnfinished">,
  org: string,
): Promise<void> {
  const isFull =
    pending("statements") >= WAITING_DOCUMENTS_MAX ||
    (await countUnfinished(org)) >= UNFINISHED_PER_ORGANIZATION_MAX;
  if (!isFull) return;
  const message = "Too many bank statements wait to be read; repeat the request when some are.";
  throw new LedgerlineError("overloaded", message);
}

/** The account holder that is to be made; null: there is nothing to make. */
async function holderToMake(
  { hasHolder, endOrder, nowMs }: Pick<StatementPorts, "hasHolder" | "endOrder" | "nowMs">,
  org: string,
  { accountHolderId: id, accountType }: StatementUpload,
): Promise<HolderSince | "missing" | null> {
  if (id === null || (await hasHolder(org, id))) return null;
  if (accountType === null) return "missing";
  const own = { org, id, name: null, categoryId: null, createdAt: nowMs() };
  return { holder: { ...own, ...holderTypes(accountType) }, since: await endOrder() };
}

async function submit(
  ports: StatementPorts,
  org: string,
  upload: StatementUpload,
  newHolder: HolderSince | null,
): Promise<StatementSubmission> {
  const { name, accountHolderId, accountType, currency } = upload;
  const key = { org, id: upload.id ?? ports.newId() };
  const createdAt = ports.nowMs();
  const document: StatementDocument = {
    ...key,
    ...{ name, createdAt, status: "queued", size: 0, pages: 0 },
    ...{ accountHolderId, accountType, currency, failure: null, batchId: null },
  };
  try {
    const checked = await checkUpload(upload.bytes);
    // What an earlier try left behind when it was cut off.
    if (upload.id !== undefined) await ports.discard(key);
    const password = encryptPassword(ports.vault, key, upload.password);
    // Before its file, so that no file is without a row by which it can be found.
    await ports.insert({ ...document, password, crashes: 0 });
    return { ok: true, document: await receive(ports, document, checked, newHolder) };
  } catch (error) {
    if (error instanceof RefusedUpload) return { ok: false, reason: error.reason };
    throw error;
  }
}

/** Stores file and record of a document whose row is stored; removes the row and all else when that fails. */
async function receive(
  ports: StatementPorts,
  document: StatementDocument,
  checked: Awaited<ReturnType<typeof checkUpload>>,
  newHolder: HolderSince | null,
): Promise<StatementDocument> {
  const { org, id, createdAt } = document;
  try {
    await ports.putFile(document, checked.bytes);
    const file = checked.result();
    // A removal of the holder hides it before it looks for its statements: it finds this one, or this finds it hidden.
    if (!(await ports.received(document, file, newHolder)))
      throw new RefusedUpload("holder_not_found");
    const record = { key: statementRecordKey(org, id), value: { org, id, createdAt } };
    await ports.publish("statements", [record]);
    await ports.accept(document);
    return { ...document, ...file };
  } catch (error) {
    // What cannot be removed now is removed later. A record that is in the log after all finds nothing.
    await ports.discard({ org, id }).catch(() => undefined);
    throw error;
  }
}

async function readingOf(ports: StatementPorts, org: string, id: string): Promise<ReadingOutcome> {
  const document = await ports.get(org, id);
  if (document === null) return null;
  const statement = isRead(document.status) ? await ports.reading(org, id) : null;
  if (statement === null) {
    // Removed meanwhile.
    if (isRead(document.status)) return null;
    return { kind: "not_processed", status: document.status };
  }
  const transactionIds = await statementTransactionIds(id, statement);
  const submitted = await submittedOf(document, statement);
  return { kind: "reading", reading: { document, statement, transactionIds, submitted } };
}

async function readHeader(
  ports: StatementPorts,
  org: string,
  id: string,
): Promise<StatementHeaderResult | null> {
  const bytes = await ports.readFile({ org, id });
  const document = await ports.getStored(org, id);
  if (bytes === null || document === null) return null;
  const password = readPassword(ports.vault, document);
  return ports.readHeader(bytes, password ?? "");
}
