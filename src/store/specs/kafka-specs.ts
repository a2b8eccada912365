// The collection of grants on Kafka. See specs.ts for the others.
import type { CollectionSpec } from "../collection.ts";

export interface KafkaGrantRow {
  readonly org: string;
  /** The unique index over it keeps an installation from having more grants, however many are made at once. */
  readonly place: number;
  readonly revision: number;
  /** JSON of the rest of the grant. */
  readonly body: string;
}

export const kafkaGrantSpec: CollectionSpec<KafkaGrantRow> = {
  name: "kafkaGrants",
  fields: { org: "text", place: "integer", revision: "integer", body: "json" },
  key: ["org"],
  indexes: [{ name: "place", fields: ["place"], unique: true }],
};
