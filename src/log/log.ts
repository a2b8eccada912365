// The log port. Everything that is accepted goes through it; what is in it is durable and is delivered at least once.
import type { CreditLimits } from "../model/api-key.ts";
import type { StoredEvent } from "../model/event.ts";
import type {
  EnrichedRecord,
  EnrichmentReply,
  EnrichmentRequest,
  RequestOrigin,
  SubmittedTopic,
  WorkTopic,
  WorkValues,
} from "../model/records.ts";
import type { Consumer } from "./consumer.ts";
import type { DeadLetterRecord } from "./record-codecs.ts";
import type { ConcurrencyLimits, RunnerOptions } from "./record-runner.ts";

export interface WorkRecord<Value> {
  /** As `record-key.ts` makes it: it names the organization, so that a record whose bytes cannot be read still has one. */
  readonly key: string;
  readonly value: Value;
}
export type RequestRecord = WorkRecord<EnrichmentRequest>;

export interface ConsumeOptions<Value = EnrichmentRequest>
  extends RunnerOptions<Value>,
    ConcurrencyLimits {}

/** What an engine reports about itself. Never a payload. */
export type LogReport = (
  level: "debug" | "info" | "warn" | "error",
  event: string,
  details: Readonly<Record<string, unknown>>,
) => void;

/** An open log. Methods throw LedgerlineError `unavailable` when the engine cannot be reached. */
export interface Log {
  /**
   * Adds all records, of one organization, or none; resolves once they are durable.
   * @param waitingRecords records of the organization that wait already, as far as is known: much of one goes where it does
   * not stand in front of others
   */
  publish<Topic extends SubmittedTopic>(
    topic: Topic,
    records: readonly WorkRecord<WorkValues[Topic]>[],
    waitingRecords?: number,
  ): Promise<void>;
  /**
   * Publishes events of any organizations to the topic `events`, those of a resource in this order; resolves once they are
   * durable. When it fails, some may have been published, and none before one that precedes it here.
   */
  publishEvents(events: readonly StoredEvent[]): Promise<void>;
  /** Starts the consumer of a topic; one per topic and process. */
  consume<Topic extends WorkTopic>(
    topic: Topic,
    options: ConsumeOptions<WorkValues[Topic]>,
  ): Consumer;
  /**
   * Records of a topic that are published but not done, as this process last saw them; records that are being published
   * may count twice for a moment, but always count.
   */
  pending(topic: WorkTopic): number;
  /** The end of the log: every accepted record of any process comes before it, every later one after it. */
  endOrder(): Promise<string>;
  /** The low watermark: every request up to this order is done and will not be redelivered. */
  doneOrder(): string;
  /**
   * Whether a request that began then (milliseconds since 1970) cannot be running any more, in any process, and everything
   * that was accepted by then is done.
   */
  isOver(startedAtMs: number): boolean;
  /** What records that an organization signs may cost, where its grant limits it; null: by the settings. */
  grantedCredits(org: string): Promise<CreditLimits | null>;
  /** Whether `announce` publishes the results of such requests. */
  announces(origin: RequestOrigin): boolean;
  /** Publishes results to the log; resolves once they are durable. */
  announce(records: readonly EnrichedRecord[]): Promise<void>;
  /** Where replies to this process go. */
  readonly replyAddress: string;
  /** Sends a reply to the process behind `address`; it is dropped when that process is gone. */
  reply(address: string, reply: EnrichmentReply): Promise<void>;
  /** Calls `handler` with the replies to this process. */
  onReply(handler: (reply: EnrichmentReply) => void): void;
}

/** A record among the dead letters. `id` names it for people. */
export interface DeadLetter extends DeadLetterRecord {
  readonly id: string;
  /** False when the letter itself cannot be decoded: `original` is the letter then, and all else is empty. */
  readonly isReadable: boolean;
}

/** `unreadable`: the letter itself cannot be decoded, and stays. */
export type ReplayOutcome = "replayed" | "not_found" | "unreadable";

/** The records that could not be processed, for operators. */
export interface DeadLetters {
  /** All of them, oldest first. */
  list(): AsyncIterable<DeadLetter>;
  get(id: string): Promise<DeadLetter | null>;
  /** Puts the record back where it came from, with its place in the order of acceptance. */
  replay(id: string): Promise<ReplayOutcome>;
  /** Removes it for good. False when there is none. */
  drop(id: string): Promise<boolean>;
}
