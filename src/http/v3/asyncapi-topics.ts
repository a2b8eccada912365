// The topics of Kafka that other programs may write or read, as a part of the AsyncAPI document: each made of its Avro schema.
import { readFileSync } from "node:fs";

/** The version of Avro in which the schemas are written, as AsyncAPI names it. */
const AVRO_FORMAT = "application/vnd.apache.avro;version=1.9.0";

interface TopicWords {
  /** File name of its schema, which names its message too. */
  readonly record: string;
  /** What Ledgerline does: `receive` is written by others. */
  readonly action: "send" | "receive";
  readonly key: string;
}

const TOPICS: Readonly<Record<string, TopicWords>> = {
  requests: { record: "EnrichmentRequest", action: "receive", key: "Any text." },
  replies: { record: "EnrichmentReply", action: "send", key: "Id of the call." },
  enriched: {
    record: "EnrichedTransaction",
    action: "send",
    key: "JSON text of [organization, account holder id].",
  },
  events: { record: "Event", action: "send", key: "JSON text of [organization, resource id]." },
};

/** Channels, operations and messages of the topics. An embedded installation has none of these topics. */
export function describeTopics(): {
  readonly channels: Readonly<Record<string, object>>;
  readonly operations: Readonly<Record<string, object>>;
  readonly messages: Readonly<Record<string, object>>;
} {
  const all = Object.entries(TOPICS);
  return {
    channels: Object.fromEntries(all.map(([topic, words]) => [topic, channel(topic, words)])),
    operations: Object.fromEntries(
      all.map(([topic, { action, record }]) => [
        `${topic}Topic`,
        {
          action,
          channel: { $ref: `#/channels/${topic}` },
          messages: [{ $ref: `#/channels/${topic}/messages/${record}` }],
        },
      ]),
    ),
    messages: Object.fromEntries(all.map(([, words]) => [words.record, message(words)])),
  };
}

const channel = (topic: string, { record }: TopicWords): object => ({
  address: topic,
  title: `Topic ${topic}`,
  description:
    "Of a distributed installation; its name on Kafka begins with KAFKA_TOPIC_PREFIX. See docs/guides/kafka.md.",
  messages: { [record]: { $ref: `#/components/messages/${record}` } },
  bindings: { kafka: { bindingVersion: "0.5.0" } },
});

function message({ record, key }: TopicWords): object {
  const schema = readAvro(record);
  return {
    name: record,
    contentType: "avro/binary",
    ...(schema.doc === undefined ? {} : { description: schema.doc }),
    payload: { schemaFormat: AVRO_FORMAT, schema },
    bindings: {
      kafka: {
        key: { type: "string", description: key },
        // The schema id is in the value, behind a zero byte.
        schemaIdLocation: "payload",
        schemaIdPayloadEncoding: "confluent",
        bindingVersion: "0.5.0",
      },
    },
  };
}

function readAvro(name: string): { readonly doc?: string } {
  const text = readFileSync(new URL(`../../../schemas/${name}.avsc`, import.meta.url), "utf8");
  return JSON.parse(text) as { readonly doc?: string };
}
