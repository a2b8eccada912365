// Every collection: its shape, its key, its indexes. Each index serves a query of a repository.
import type { KeyLimits, Role } from "../../model/api-key.ts";
import type { AuditEntry } from "../../model/audit.ts";
import type { BatchStatus } from "../../model/batch.ts";
import type { StoredEvent } from "../../model/event.ts";
import type { Override } from "../../model/tenant-settings.ts";
import type { HolderType, TransactionDetails, TransactionError } from "../../model/transaction.ts";
import type { CollectionSpec } from "../collection.ts";
import type { BatchPriority } from "../../shared/concurrency/priority.ts";

export interface HolderRow {
  readonly org: string;
  readonly id: string;
  readonly type: "consumer" | "business";
  readonly createdAt: number;
  /** Order of acceptance at creation: submissions accepted before belong to an earlier holder of this id. */
  readonly since: string;
  /** 1 while its transactions are being removed: such a holder no longer exists for any caller. */
  readonly deleting: number;
  /** The type in the v2 API, of which there are more. */
  readonly statedType: HolderType;
  readonly name: string | null;
  /** Id and name in lower case: what a search looks in. */
  readonly searchText: string;
  /** JSON text; null: nothing of it is known. */
  readonly details: string | null;
  readonly categoryId: string | null;
}

export const holderSpec: CollectionSpec<HolderRow> = {
  name: "holders",
  fields: {
    org: "text",
    id: "text",
    type: "text",
    createdAt: "integer",
    since: "text",
    deleting: "integer",
    statedType: "text",
    name: "text",
    searchText: "text",
    details: "json",
  },
  key: ["org", "id"],
  indexes: [
    // Without `deleting`, which is almost always 0: an index that begins with it would look good for look-ups by id.
    { name: "newest", fields: ["org", "createdAt", "id"] },
    { name: "name", fields: ["org", "name", "id"] },
    { name: "type", fields: ["org", "statedType", "id"] },
  ],
};

/** The holders that are being deleted. */
export interface HolderDeletionRow {
  readonly org: string;
  readonly id: string;
}

export const holderDeletionSpec: CollectionSpec<HolderDeletionRow> = {
  name: "holderDeletions",
  fields: { org: "text", id: "text" },
  key: ["org", "id"],
  indexes: [],
};

export interface TransactionRow {
  readonly org: string;
  readonly id: string;
  readonly holderId: string | null;
  readonly createdAt: number;
  readonly order: string;
  /** 1 for the tombstone of a deleted transaction, which keeps older submissions that are still in the log from coming back. */
  readonly deleted: number;
  readonly facts: string | null;
  /** A random number of 32 bits, another one at each write of the row: their sum tells the versions of a ledger apart. */
  readonly version: number;
  readonly date: string;
  readonly amount: number;
  readonly entryType: "incoming" | "outgoing";
  readonly currency: string;
  /** The category and the name of the organization among the facts, by which ledgers are sorted and added up. */
  readonly label: string | null;
  readonly merchant: string | null;
  /**
   * JSON text of direction, currency, label and merchant, by which amounts are added up: grouping by one text takes MongoDB half
   * as long as by four. Empty in tombstones.
   */
  readonly amountKey: string;
  /** How likely the category is right, 0 to 1; null: none is decided. */
  readonly confidence: number | null;
  /** 1: its customer has decided something about it, which no submission replaces that does not know of it. */
  readonly corrected: number;
  readonly description: string;
  // In the document:
  readonly location: { readonly rawAddress: string | null; readonly country: string | null } | null;
  readonly error: TransactionError | null;
  /** Left out by transactions that did not come through the v2 API. */
  readonly details?: TransactionDetails;
  /** Left out by all but the few that were corrected. */
  readonly override?: Override;
}

/** What pages of a ledger look at, and its order of acceptance in front. */
// biome-ignore format: one field per line would be thirteen lines.
const LEDGER_FIELDS = [
  "org", "holderId", "createdAt", "order", "version", "date", "amount", "entryType", "currency", "label",
  "merchant", "confidence", "id",
] as const;

export const transactionSpec: CollectionSpec<TransactionRow> = {
  name: "transactions",
  fields: {
    org: "text",
    id: "text",
    holderId: "text",
    createdAt: "integer",
    order: "text",
    deleted: "integer",
    facts: "json",
    version: "integer",
    date: "text",
    amount: "real",
    entryType: "text",
    currency: "text",
    label: "text",
    merchant: "text",
    amountKey: "text",
    confidence: "real",
    corrected: "integer",
    description: "text",
  },
  key: ["org", "id"],
  indexes: [
    // Without `deleted`: tombstones are few and go soon.
    { name: "newest", fields: ["org", "createdAt", "order"] },
    // Behind `order` what versions and pages of a ledger are read from, without reading a row.
    { name: "ledger", fields: LEDGER_FIELDS, engine: "mongodb" },
    // SQLite reads statistics from it too: another index, with the date in front, would take the service a third of what it does
    // in a second, because each row of a batch changes another page of it.
    { name: "ledger", fields: [...LEDGER_FIELDS, "amountKey"], engine: "sqlite" },
    // Statistics of a ledger, also between two dates. The date comes first: what is written at a time has few of them, so that
    // few pages of the index are changed.
    {
      name: "amounts",
      fields: ["org", "holderId", "date", "amountKey", "amount"],
      engine: "mongodb",
    },
  ],
};

/** Where the tombstones are, in the order in which the log gets past them. */
export interface TombstoneRow {
  readonly org: string;
  readonly id: string;
  readonly order: string;
}

export const tombstoneSpec: CollectionSpec<TombstoneRow> = {
  name: "tombstones",
  fields: { org: "text", id: "text", order: "text" },
  key: ["org", "id"],
  indexes: [{ name: "order", fields: ["order"] }],
};

export interface BatchRow {
  readonly org: string;
  readonly id: string;
  /** `deleted`: hidden, and removed once the log is past `deletedAfter`. */
  readonly status: BatchStatus | "deleted";
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly total: number;
  readonly chunkCount: number;
  readonly priority: BatchPriority;
  /** Order of acceptance at the deletion: chunks up to it may still be redelivered. Null until then. */
  readonly deletedAfter: string | null;
  // In the document:
  /** True for a batch of an outside producer, left out by those of the API. */
  readonly isOutside?: true;
}

export const batchSpec: CollectionSpec<BatchRow> = {
  name: "batches",
  fields: {
    org: "text",
    id: "text",
    status: "text",
    createdAt: "integer",
    updatedAt: "integer",
    total: "integer",
    chunkCount: "integer",
    deletedAfter: "text",
  },
  key: ["org", "id"],
  indexes: [
    { name: "newest", fields: ["org", "createdAt", "id"] },
    { name: "status", fields: ["org", "status", "createdAt", "id"] },
    // Of all organizations: what has ended long ago, and what is deleted.
    { name: "ended", fields: ["status", "updatedAt"] },
  ],
};

export interface BatchChunkRow {
  readonly org: string;
  readonly batchId: string;
  readonly chunkIndex: number;
  /** Transactions in the chunk. */
  readonly length: number;
  readonly storedAt: number;
  /**
   * JSON texts of v3 EnrichedTransaction objects in the order of submission, joined by commas; compressed with zstd to
   * about a tenth, because what is written is what a batch costs most.
   */
  readonly results: Uint8Array;
  /** Raised by every erasure, which names the one it read. */
  readonly revision: number;
  // In the document:
  /** Account holders that have results in the chunk. */
  readonly holders: readonly string[];
  /** For each result the place of its account holder in `holders`, -1 for none. */
  readonly holderOf: readonly number[];
  /** Of each result the first letter of its type of account, `-` for none. */
  readonly types: string;
  /** Of each transaction the merchant category code of its caller; left out where none has one, and before there were any. */
  readonly mccs?: readonly (number | null)[];
}

export const batchChunkSpec: CollectionSpec<BatchChunkRow> = {
  name: "batchChunks",
  fields: {
    org: "text",
    batchId: "text",
    chunkIndex: "integer",
    length: "integer",
    storedAt: "integer",
    results: "bytes",
    revision: "integer",
  },
  key: ["org", "batchId", "chunkIndex"],
  indexes: [],
};

/** Batches of outside producers that may miss records, until they are looked at when they are due. */
export interface DueBatchRow {
  readonly org: string;
  readonly id: string;
  /** What was appended up to this time counts: milliseconds since 1970, UTC. */
  readonly dueAt: number;
}

export const dueBatchSpec: CollectionSpec<DueBatchRow> = {
  name: "dueBatches",
  fields: { org: "text", id: "text", dueAt: "integer" },
  key: ["org", "id"],
  indexes: [{ name: "due", fields: ["dueAt"] }],
};

/** Which batches have results of an account holder: what its deletion has to erase without reading every batch. */
export interface BatchHolderRow {
  readonly org: string;
  readonly holderId: string;
  readonly batchId: string;
  /** Empty for the holder of the submission; the id of a transaction that was assigned to this holder later. */
  readonly transactionId: string;
}

export const batchHolderSpec: CollectionSpec<BatchHolderRow> = {
  name: "batchHolders",
  fields: { org: "text", holderId: "text", batchId: "text", transactionId: "text" },
  key: ["org", "holderId", "batchId", "transactionId"],
  indexes: [{ name: "batch", fields: ["org", "batchId"] }],
};

export const eventSpec: CollectionSpec<StoredEvent> = {
  name: "events",
  fields: {
    org: "text",
    eventId: "text",
    eventType: "text",
    resourceId: "text",
    createdAt: "integer",
  },
  key: ["org", "eventId"],
  indexes: [{ name: "oldest", fields: ["createdAt", "eventId"] }],
};

export interface KeyRow {
  readonly org: string;
  readonly id: string;
  readonly hash: string;
  readonly createdAt: number;
  readonly revokedAt: number | null;
  readonly name: string | null;
  readonly roles: readonly Role[];
  readonly expiresAt: number | null;
  readonly limits: KeyLimits;
}

export const keySpec: CollectionSpec<KeyRow> = {
  name: "keys",
  fields: { org: "text", id: "text", hash: "text", createdAt: "integer", revokedAt: "integer" },
  key: ["org", "id"],
  indexes: [
    { name: "hash", fields: ["hash"], unique: true },
    { name: "id", fields: ["id"], unique: true },
  ],
};

export interface OrganizationRow {
  readonly org: string;
  readonly settingsVersion: string;
  /** Names of the features that are switched on, with spaces between them. */
  readonly features: string;
  /** Another text after every change and removal of an account holder; none before the first. */
  readonly holdersVersion?: string | null;
}

export const organizationSpec: CollectionSpec<OrganizationRow> = {
  name: "organizations",
  fields: { org: "text", settingsVersion: "text", features: "text", holdersVersion: "text" },
  key: ["org"],
  indexes: [],
};

export type AuditRow = AuditEntry;

export const auditSpec: CollectionSpec<AuditRow> = {
  name: "audit",
  fields: { org: "text", id: "text", createdAt: "integer", action: "text" },
  key: ["org", "id"],
  indexes: [
    { name: "newest", fields: ["org", "createdAt", "id"] },
    { name: "action", fields: ["org", "action", "createdAt", "id"] },
    // What is old enough to be removed, of all organizations.
    { name: "oldest", fields: ["createdAt"] },
  ],
};

export interface SettingRow {
  readonly name: string;
  readonly value: string;
}

/** Values that the installation makes for itself once, such as the secret that signs cursors. */
export const settingSpec: CollectionSpec<SettingRow> = {
  name: "settings",
  fields: { name: "text", value: "text" },
  key: ["name"],
  indexes: [],
};
