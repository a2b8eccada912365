// Topics of one organization each, for its programs outside: what they may read has nothing of any other organization.
// They exist for organizations with a grant; `publish` is the one place where they are written.
import type { GrantTable } from "./grant-table.ts";
import { hashOfKey } from "./keyed-places.ts";
import type { Publisher } from "./publisher.ts";
import type { RecordCompression } from "./settings.ts";

/** What an organization may have of its own. */
export const PRIVATE_KINDS = ["enriched", "replies", "events", "dead-letters"] as const;
export type PrivateKind = (typeof PRIVATE_KINDS)[number];
/** Of each private topic: enough for 100 000 records a second of one organization, and 250 have 3 000 in all. */
export const PRIVATE_PARTITIONS = 3;

/** The topic with the records of this kind of one organization. */
export function privateTopic(prefix: string, org: string, kind: PrivateKind): string {
  return `${privateName(prefix, org)}${kind}`;
}

/** What the names of consumer groups and transactions of an organization must begin with. */
export const privateName = (prefix: string, org: string): string =>
  `${prefix}org.${escapeName(org)}.`;

/**
 * Without dots and underscores, which Kafka cannot tell apart in metrics: no name of one organization is the beginning of
 * another's, so that access lists may name beginnings.
 */
function escapeName(org: string): string {
  return org.replace(/[^A-Za-z0-9-]/gu, (character) => {
    const hex = Buffer.from(character).toString("hex").toUpperCase();
    return `_${hex}`;
  });
}

/** A record that exists for one organization. */
export interface PrivateRecord {
  readonly org: string;
  /** Records with the same key are on one partition. */
  readonly key: Buffer | string;
  /** `hashOfKey` of the key, where it is known already. */
  readonly hash?: number;
  readonly value: Buffer;
}

export interface PrivateTopics {
  /**
   * Adds records to the topics of their organizations; those of organizations without a grant are left out. Resolves once
   * all replicas in sync have them.
   * @throws LedgerlineError as `Publisher.spread` does; some of the records may have been added then, however often
   */
  publish(
    kind: PrivateKind,
    records: readonly PrivateRecord[],
    publisher?: Publisher,
  ): Promise<void>;
}

export interface PrivateTopicOptions {
  readonly topicPrefix: string;
  readonly grants: Pick<GrantTable, "isGranted">;
  readonly publisher: Publisher;
  /** Of `enriched`. */
  readonly compression: RecordCompression;
}

export function createPrivateTopics(options: PrivateTopicOptions): PrivateTopics {
  return {
    publish: async (kind, records, publisher = options.publisher) => {
      const compression = kind === "enriched" ? options.compression : "gzip";
      const byOrg = Map.groupBy(records, ({ org }) => org);
      const sends = [...byOrg].map(async ([org, ofOrg]) => {
        if (!(await options.grants.isGranted(org))) return;
        const placed = ofOrg.map(({ key, value, hash = hashOfKey(key) }) => ({
          key,
          value,
          partition: hash % PRIVATE_PARTITIONS,
        }));
        const topic = privateTopic(options.topicPrefix, org, kind);
        await publisher.spread(topic, placed, compression);
      });
      await Promise.all(sends);
    },
  };
}
