// The codecs of all topics, with their schemas registered.
import type { StoredEvent } from "../../model/event.ts";
import type { EnrichedRecord, EnrichmentRequest, StatementSubmitted } from "../../model/records.ts";
import type { RecordCodec, SchemaRegistry } from "../codec.ts";
import { createEnrichedEncoder } from "../enriched-records.ts";
import {
  type AddressedReply,
  createDeadLetterCodec,
  createEventCodec,
  createReplyCodec,
  createRequestCodec,
  createStatementCodec,
  type DeadLetterRecord,
} from "../record-codecs.ts";

export interface TopicCodecs {
  readonly request: RecordCodec<EnrichmentRequest>;
  readonly statement: RecordCodec<StatementSubmitted>;
  readonly event: RecordCodec<StoredEvent>;
  readonly reply: RecordCodec<AddressedReply>;
  readonly deadLetter: RecordCodec<DeadLetterRecord>;
  readonly enriched: (records: readonly EnrichedRecord[]) => readonly Buffer[];
}

export async function createTopicCodecs(
  registry: SchemaRegistry,
  topicPrefix: string,
): Promise<TopicCodecs> {
  const [request, , statement, event, reply, deadLetter, enriched] = await Promise.all([
    createRequestCodec(registry, `${topicPrefix}requests`),
    // The same schema; registered here too, so that readers find a schema by the topic's name.
    createRequestCodec(registry, `${topicPrefix}requests-interactive`),
    createStatementCodec(registry, `${topicPrefix}statements`),
    createEventCodec(registry, `${topicPrefix}events`),
    createReplyCodec(registry, `${topicPrefix}replies`),
    createDeadLetterCodec(registry, `${topicPrefix}dead-letters`),
    createEnrichedEncoder(registry, `${topicPrefix}enriched`),
  ]);
  return { request, statement, event, reply, deadLetter, enriched };
}
