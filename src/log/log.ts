// The log port. Everything that is accepted goes through it; what is in it is durable and is handed over at least once.
import type { EnrichmentReply, EnrichmentRequest, RequestTopic } from "../domain/records.ts";
import type { Consumer, ConsumerOptions } from "./consumer.ts";

export interface RequestRecord {
  /** Chunk id; for a batch `org/batch id/chunk index`, so that a record whose bytes cannot be read still has a name. */
  readonly key: string;
  readonly value: EnrichmentRequest;
}

export type ConsumeOptions = Pick<
  ConsumerOptions<EnrichmentRequest>,
  "inFlightMax" | "handle" | "abandoned" | "report"
>;

/** An open log. Methods throw LedgerlineError `unavailable` when the engine cannot be reached. */
export interface Log {
  /** Adds all records or none; resolves once they are durable. */
  publish(topic: RequestTopic, records: readonly RequestRecord[]): Promise<void>;
  /** Starts the consumer of a topic; one per topic and process. */
  consume(topic: RequestTopic, options: ConsumeOptions): Consumer;
  /** Records of a topic that are published but not done. */
  pending(topic: RequestTopic): number;
  /** Order of the last record published so far, by anybody. */
  head(): Promise<string>;
  /** Every record of an order up to this one is done and will not be handed over again. */
  passed(): string;
  /** Where replies to this process go. */
  readonly replyAddress: string;
  /** Sends a reply to the process behind `address`; it is dropped when that process is gone. */
  reply(address: string, reply: EnrichmentReply): Promise<void>;
  /** Hands over the replies to this process. */
  onReply(handler: (reply: EnrichmentReply) => void): void;
}
