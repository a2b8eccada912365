// The collections of bank statements. See specs.ts for the others.
import type { StatementDocument, StatementStatus } from "../../model/statement-document.ts";
import type { CollectionSpec } from "../collection.ts";

export interface StatementRow extends Omit<StatementDocument, "status"> {
  /**
   * `submitting`: its file is being stored, or its record is not in the log yet; `removed`: what belongs to it is being
   * removed. No caller sees either.
   */
  readonly status: StatementStatus | "submitting" | "removed";
  /** The name in lower case: what a search looks in. */
  readonly searchText: string;
  /** Encrypted; null: there is none, or the document is done. */
  readonly password: string | null;
  /** How often its reader was lost. */
  readonly crashes: number;
}

export const statementSpec: CollectionSpec<StatementRow> = {
  name: "statements",
  fields: {
    org: "text",
    id: "text",
    createdAt: "integer",
    status: "text",
    accountHolderId: "text",
    name: "text",
    searchText: "text",
    size: "integer",
    pages: "integer",
    failure: "text",
    batchId: "text",
    password: "text",
    crashes: "integer",
  },
  key: ["org", "id"],
  indexes: [
    { name: "newest", fields: ["org", "createdAt", "id"] },
    { name: "holder", fields: ["org", "accountHolderId", "createdAt", "id"] },
    { name: "unfinished", fields: ["org", "status"] },
    // Of all organizations: what a crash left, and what waits with a password.
    { name: "status", fields: ["status", "createdAt", "org", "id"] },
  ],
};

/** What was read from a document. Its own row, because lists of documents do not need it. */
export interface StatementReadingRow {
  readonly org: string;
  readonly id: string;
  /** JSON of `BankStatement`, compressed with zstd. */
  readonly reading: Uint8Array;
}

export const statementReadingSpec: CollectionSpec<StatementReadingRow> = {
  name: "statementReadings",
  fields: { org: "text", id: "text", reading: "bytes" },
  key: ["org", "id"],
  indexes: [],
};
