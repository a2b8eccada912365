// The collection of the limits of keys. See specs.ts for the others.
import type { CollectionSpec } from "../collection.ts";

export interface BucketRow {
  readonly org: string;
  readonly keyId: string;
  readonly kind: "requests" | "credits";
  /** Thousandths of what is counted. */
  readonly level: number;
  /** When it was at that level. */
  readonly at: number;
  /** From then on it is full, like a missing row. */
  readonly fullAt: number;
}

export const bucketSpec: CollectionSpec<BucketRow> = {
  name: "buckets",
  fields: {
    org: "text",
    keyId: "text",
    kind: "text",
    level: "integer",
    at: "integer",
    fullAt: "integer",
  },
  key: ["org", "keyId", "kind"],
  indexes: [{ name: "full", fields: ["fullAt"] }],
};
