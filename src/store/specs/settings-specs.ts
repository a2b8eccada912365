// The collections of what an organization has set for itself. See specs.ts for the others.
import type { Report, ReportStatus } from "../../model/report.ts";
import type { AccountType, EntryType } from "../../model/transaction.ts";
import type { CollectionSpec } from "../collection.ts";

export interface RulesetRow {
  readonly org: string;
  /** Raised by every change, which names the one it saw. */
  readonly revision: number;
  /** JSON of the rules, in their order. */
  readonly rules: string;
}

export const rulesetSpec: CollectionSpec<RulesetRow> = {
  name: "rulesets",
  fields: { org: "text", revision: "integer", rules: "json" },
  key: ["org"],
  indexes: [],
};

export interface ReapplicationRow {
  readonly org: string;
  readonly id: string;
  /** `running`, or its own id when it has ended: so that an organization has one that runs. */
  readonly slot: string;
  readonly status: "running" | "completed";
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly total: number;
  readonly progress: number;
  readonly changed: number;
  /** Where the walk goes on: creation and order of the last transaction that was looked at, null before the first. */
  readonly afterAt: number | null;
  readonly afterTie: string | null;
  /** The process that has claimed it, and until when without a renewal. */
  readonly holder: string;
  readonly heldUntil: number;
}

export const reapplicationSpec: CollectionSpec<ReapplicationRow> = {
  name: "reapplications",
  fields: {
    org: "text",
    id: "text",
    slot: "text",
    status: "text",
    createdAt: "integer",
    updatedAt: "integer",
    total: "integer",
    progress: "integer",
    changed: "integer",
    afterAt: "integer",
    afterTie: "text",
    holder: "text",
    heldUntil: "integer",
  },
  key: ["org", "id"],
  indexes: [
    { name: "slot", fields: ["org", "slot"], unique: true },
    { name: "free", fields: ["slot", "heldUntil"] },
    { name: "newest", fields: ["org", "createdAt", "id"] },
    { name: "ended", fields: ["status", "updatedAt"] },
  ],
};

export interface CorrectionRow {
  readonly org: string;
  /** Made of what the correction is for, so that there is one for each. */
  readonly id: string;
  /** 0..9 999: the unique index over it keeps an organization from having more, however many are made at once. */
  readonly place: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly revision: number;
  /** JSON of `CorrectedParts`. */
  readonly parts: string;
  /** The only account holder whose lines led to it, with which it is erased; null: several, or none. */
  readonly accountHolderId: string | null;
  // In the document:
  readonly cleanName: string;
  readonly entryType: EntryType;
  readonly accountType: AccountType | null;
}

export const correctionSpec: CollectionSpec<CorrectionRow> = {
  name: "corrections",
  fields: {
    org: "text",
    id: "text",
    place: "integer",
    createdAt: "integer",
    updatedAt: "integer",
    revision: "integer",
    parts: "json",
    accountHolderId: "text",
  },
  key: ["org", "id"],
  indexes: [
    { name: "place", fields: ["org", "place"], unique: true },
    { name: "id", fields: ["id"], unique: true },
    { name: "newest", fields: ["org", "createdAt", "id"] },
    { name: "all", fields: ["createdAt", "id"] },
    { name: "holder", fields: ["org", "accountHolderId"] },
  ],
};

export interface ReportRow {
  readonly org: string;
  readonly id: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly status: ReportStatus;
  readonly rejectionReason: string | null;
  readonly transactionId: string;
  /** Of the transaction. */
  readonly accountHolderId: string | null;
  // In the document:
  readonly description: string;
  readonly fields: readonly string[];
  // Left out in rows of earlier versions.
  readonly expected?: Report["expected"];
  readonly webhookUrl?: string | null;
}

export const reportSpec: CollectionSpec<ReportRow> = {
  name: "reports",
  fields: {
    org: "text",
    id: "text",
    createdAt: "integer",
    updatedAt: "integer",
    status: "text",
    rejectionReason: "text",
    transactionId: "text",
    accountHolderId: "text",
  },
  key: ["org", "id"],
  indexes: [
    // Operators look at the reports of all organizations, and name one by its id alone.
    { name: "id", fields: ["id"], unique: true },
    { name: "all", fields: ["createdAt", "id"] },
    { name: "allStatus", fields: ["status", "createdAt", "id"] },
    { name: "newest", fields: ["org", "createdAt", "id"] },
    { name: "status", fields: ["org", "status", "createdAt", "id"] },
    // What goes with an account holder, and what goes to another one with its transaction.
    { name: "holder", fields: ["org", "accountHolderId"] },
    { name: "ofTransaction", fields: ["org", "transactionId", "createdAt", "id"] },
    { name: "ofTransactionStatus", fields: ["org", "transactionId", "status", "createdAt", "id"] },
  ],
};

export interface CategorySetRow {
  readonly org: string;
  readonly id: string;
  /** 0..99: the unique index over it keeps an organization from having more, however many are made at once. */
  readonly slot: number;
  /** Raised by every change, which names the one it saw. */
  readonly revision: number;
  /** JSON of the set, its mapping, and what of that was changed by hand. */
  readonly body: string;
}

export const categorySetSpec: CollectionSpec<CategorySetRow> = {
  name: "categorySets",
  fields: { org: "text", id: "text", slot: "integer", revision: "integer", body: "json" },
  key: ["org", "id"],
  indexes: [{ name: "slot", fields: ["org", "slot"], unique: true }],
};
