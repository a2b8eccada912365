// The collections of custom labelling models. See specs.ts for the others.
import type { ModelStatus } from "../../model/custom-model.ts";
import type { HolderType } from "../../model/transaction.ts";
import type { CollectionSpec } from "../collection.ts";

export interface ModelRow {
  readonly org: string;
  readonly name: string;
  /** 0..99: the unique index over it keeps an organization from having more, however many are begun at once. */
  readonly place: number;
  /** `waiting` while it is to be trained, else `ended`: claims look at the waiting ones alone. */
  readonly slot: "waiting" | "ended";
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Number of the last training: a write of an earlier one does nothing. */
  readonly training: number;
  readonly trainingId: string;
  readonly status: ModelStatus;
  readonly progress: number;
  readonly error: string | null;
  readonly attempts: number;
  /** The process that trains it, and until when without a renewal. */
  readonly holder: string;
  readonly heldUntil: number;
  readonly threshold: number;
  readonly accountHolderType: HolderType;
  /** JSON of `ModelVersion[]`, the one that labels first. */
  readonly versions: string;
}

export const modelSpec: CollectionSpec<ModelRow> = {
  name: "models",
  fields: {
    org: "text",
    name: "text",
    place: "integer",
    slot: "text",
    createdAt: "integer",
    updatedAt: "integer",
    training: "integer",
    trainingId: "text",
    status: "text",
    progress: "integer",
    error: "text",
    attempts: "integer",
    holder: "text",
    heldUntil: "integer",
    threshold: "real",
    accountHolderType: "text",
    versions: "json",
  },
  key: ["org", "name"],
  indexes: [
    { name: "place", fields: ["org", "place"], unique: true },
    { name: "free", fields: ["slot", "heldUntil"] },
  ],
};

/** The large parts of a model: its items while they are needed, and of each version its bytes and its quality. */
export interface ModelPartRow {
  readonly org: string;
  readonly name: string;
  /** Number of the training. */
  readonly version: number;
  readonly kind: "items" | "bytes" | "quality";
  readonly part: number;
  readonly bytes: Uint8Array;
}

export const modelPartSpec: CollectionSpec<ModelPartRow> = {
  name: "modelParts",
  fields: {
    org: "text",
    name: "text",
    version: "integer",
    kind: "text",
    part: "integer",
    bytes: "bytes",
  },
  key: ["org", "name", "version", "kind", "part"],
  indexes: [],
};
