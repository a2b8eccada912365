// Publishes enriched transactions.
import type { EnrichedRecord } from "../../model/records.ts";
import type { Log } from "../log.ts";
import { createPlaces } from "./keyed-places.ts";
import type { PrivateTopics } from "./private-topics.ts";
import type { Publisher } from "./publisher.ts";
import type { RecordCompression } from "./settings.ts";

export interface AnnouncingOptions {
  /** The topic of all organizations, and the number of its partitions. */
  readonly topic: string;
  readonly partitions: number;
  /** Whether results are on that topic too, and not only on those of organizations with a grant. */
  readonly isShared: boolean;
  /** Of that topic. */
  readonly compression: RecordCompression;
  /** The records as bytes, in the same order. */
  encode(records: readonly EnrichedRecord[]): readonly Buffer[];
  readonly publisher: Pick<Publisher, "spread">;
  readonly privately: PrivateTopics;
}

/**
 * Returns what publishes enriched transactions, those of one account holder always to the same partition: to the topic of all
 * organizations unless it is left out, and to that of their own where they have one.
 */
export function createAnnouncing(options: AnnouncingOptions): Log["announce"] {
  const { topic, isShared, compression, encode, publisher, privately } = options;
  const placeOf = createPlaces(options.partitions);
  return async (records) => {
    const values = encode(records);
    const placed = records.flatMap(({ org, input }, index) => {
      const value = values[index];
      if (value === undefined) return [];
      // Written out: to spread each takes half as long again.
      const { key, partition, hash } = placeOf(JSON.stringify([org, input.accountHolderId]));
      return [{ key, partition, hash, org, value }];
    });
    const shared = isShared ? publisher.spread(topic, placed, compression) : null;
    await Promise.all([shared, privately.publish("enriched", placed)]);
  };
}
