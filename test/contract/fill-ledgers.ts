// What fills the tables of MongoDB before the plans of its queries are read.
import type { BatchHead } from "../../src/model/batch.ts";
import type { LedgerTransaction } from "../../src/model/ledger-transaction.ts";
import type { CollectionSpec, Store } from "../../src/store/collection.ts";
import type { createBatchRepository } from "../../src/store/repositories/batches.ts";
import type { createTransactionRepository } from "../../src/store/repositories/transactions.ts";
import { type IdempotencyRow, idempotencySpec } from "../../src/store/specs/idempotency-specs.ts";
import {
  type BatchRow,
  batchSpec,
  type HolderRow,
  holderSpec,
  type KeyRow,
  keySpec,
  type TombstoneRow,
  tombstoneSpec,
} from "../../src/store/specs/specs.ts";
import { type DeliveryRow, deliverySpec } from "../../src/store/specs/webhook-specs.ts";

export const ROWS = 25_000;
/** Rows of a call, in one command: it must end in its time on a busy machine too. */
const AT_ONCE = 500;
/** As many transactions as a batch may have, all of them created at once. */
const SAME_MOMENT = 24_960;
export const MOMENT = 1_700_000_000_000;
export const CHUNKS = 40;
const FEW = 2_000;

export const text = (index: number): string => String(index).padStart(8, "0");
export const head: BatchHead = {
  ...{ org: "o", id: text(7), total: CHUNKS, chunkCount: CHUNKS },
  ...{ priority: "default", createdAt: MOMENT },
};

export function transaction(org: string, index: number): LedgerTransaction {
  return {
    org,
    input: {
      id: text(index),
      description: "",
      date: "2024-01-01",
      amount: 1,
      entryType: "outgoing",
      currency: "USD",
      accountHolderId: index % 2 === 0 ? "h" : text(index % 100),
      location: null,
    },
    createdAt: index < SAME_MOMENT ? MOMENT : MOMENT + index,
    order: text(index),
    facts: "{}",
    error: null,
    override: null,
  };
}

export const numbers = (count: number): number[] =>
  Array.from({ length: count }, (_, index) => index);

/** Two organizations' ledgers, and some rows of every other table. */
export async function fillLedgers(
  store: Store,
  transactions: ReturnType<typeof createTransactionRepository>,
  batches: ReturnType<typeof createBatchRepository>,
): Promise<void> {
  for (const org of ["o", "other"])
    for (let first = 0; first < ROWS; first += AT_ONCE) {
      const part = numbers(AT_ONCE).map((index) => transaction(org, first + index));
      await store.apply(transactions.upsertSteps(part));
    }
  const org = "o";
  await fillWith<BatchRow>(store, batchSpec, "id", (id, createdAt) => {
    return {
      ...head,
      id,
      createdAt,
      status: "processing",
      updatedAt: createdAt,
      deletedAfter: null,
    };
  });
  await fillWith<HolderRow>(store, holderSpec, "id", (id, createdAt) => {
    const types = { type: "consumer", statedType: "consumer" } as const;
    const fields = { name: null, searchText: id, details: null, categoryId: null };
    const holder = { org, id, ...types, ...fields };
    return { ...holder, createdAt, since: "0", deleting: 0 };
  });
  await fillWith<KeyRow>(store, keySpec, "id", (id, createdAt) => {
    const limits = { ratePerSecond: null, credits: null };
    const ends = { revokedAt: null, expiresAt: null };
    return { org: id, id, hash: id, createdAt, ...ends, name: null, roles: [], limits };
  });
  await fillWith<TombstoneRow>(store, tombstoneSpec, "id", (id) => {
    return { org, id: `gone${id}`, order: id };
  });
  await fillWith<IdempotencyRow>(store, idempotencySpec, "key", (key) => {
    const request = { org, route: "r", key, fingerprint: "f", resourceId: "i" };
    return {
      ...request,
      startedAt: Number(key),
      status: null,
      body: null,
      holderId: null,
      statementId: null,
    };
  });
  for (const index of numbers(CHUNKS)) {
    const chunk = {
      index,
      length: 1,
      storedAt: 1,
      results: "[]",
      accountHolderIds: ["h"],
      accountTypes: ["consumer" as const],
    };
    await store.apply(await batches.chunkSteps(head, chunk));
  }
}

/** @param unique where the rows differ */
async function fillWith<Row extends object>(
  store: Store,
  spec: CollectionSpec<Row>,
  unique: keyof Row & string,
  rowOf: (id: string, createdAt: number) => Row,
): Promise<void> {
  const rows = store.collection(spec);
  for (let first = 0; first < FEW; first += AT_ONCE) {
    const part = numbers(AT_ONCE).map((offset) => {
      const index = first + offset;
      return rowOf(text(index), MOMENT + (index % 3));
    });
    await store.apply([rows.upsertMany(part, unique)]);
  }
}

/** Many deliveries to another webhook, and many that have ended, so that a plan that reads them too is seen. */
export async function fillDeliveries(store: Store): Promise<void> {
  const rowOf = (webhookId: string, state: DeliveryRow["state"], index: number): DeliveryRow => ({
    org: "o",
    webhookId,
    eventId: `old${text(index)}`,
    state,
    dueAt: 500_000 + index,
    leaseToken: null,
    sequence: null,
    scheduledAt: 0,
    attempts: 1,
    baseAt: 0,
    createdAt: 200_000 + index,
    lastAttemptAt: null,
    lastStatus: null,
    lastError: null,
    replay: 0,
    eventType: "batches.completed",
    resourceId: `b${String(index)}`,
  });
  const deliveries = store.collection<DeliveryRow>(deliverySpec);
  for (let first = 0; first < FEW; first += AT_ONCE) {
    const part = numbers(AT_ONCE).flatMap((offset) => [
      rowOf("a", "pending", first + offset),
      rowOf("other", "delivered", first + offset),
    ]);
    await store.apply([deliveries.upsertMany(part, "eventId")]);
  }
}
