// Publishes events: those of a resource to one partition, in their order, also when a part of them cannot be sent.
import { eventRecordKey } from "../../model/record-key.ts";
import type { StoredEvent } from "../../model/event.ts";
import type { RecordCodec } from "../codec.ts";
import type { Log } from "../log.ts";
import { createPlaces } from "./keyed-places.ts";
import type { PrivateTopics } from "./private-topics.ts";
import type { LogProgress } from "./progress.ts";
import type { OutgoingToPartition, Publisher } from "./publisher.ts";
import { SIGNATURE_HEADER, type Signatures } from "./signature.ts";
import type { Partitions } from "./topics.ts";

/** Bytes of the events that go to a partition in one request. */
const GROUP_BYTES_MAX = 1024 * 1024;

export interface EventPublishingOptions {
  /** The topic `events`, with its prefix. */
  readonly topic: string;
  readonly partitions: Pick<Partitions, "events">;
  readonly codecs: { readonly event: RecordCodec<StoredEvent> };
  readonly signing: Pick<Signatures, "sign">;
  readonly bulk: Pick<Publisher, "send">;
  readonly privately: Pick<PrivateTopics, "publish">;
  readonly publishing: LogProgress["publishing"];
}

type OutgoingEvent = OutgoingToPartition & {
  readonly org: string;
  readonly key: Buffer;
  readonly value: Buffer;
};

export function createEventPublishing(options: EventPublishingOptions): Log["publishEvents"] {
  const { topic, codecs, signing, bulk } = options;
  const placeOf = createPlaces(options.partitions.events);

  function toOutgoing(event: StoredEvent): OutgoingEvent {
    const text = eventRecordKey(event.org, event.resourceId);
    const value = codecs.event.encode(event);
    return {
      ...placeOf(text),
      org: event.org,
      value,
      headers: { [SIGNATURE_HEADER]: signing.sign(text, value) },
    };
  }

  return async (events) => {
    const outgoing = events.map(toOutgoing);
    const byPartition = Map.groupBy(outgoing, ({ partition }) => partition);
    await Promise.all(
      [...byPartition].map(async ([partition, records]) => {
        // One after the other: what precedes a group that fails is there, what follows it is not.
        for (const group of groupsOf(records))
          await options.publishing(topic, partition, group.length, () =>
            bulk.send(topic, partition, group),
          );
      }),
    );
    // After a failure here both are published again: consumers tell repetitions by the event's id.
    for (const group of groupsOf(outgoing)) await options.privately.publish("events", group);
  };
}

function groupsOf<One extends { readonly value: Buffer }>(
  records: readonly One[],
): readonly (readonly One[])[] {
  const groups: One[][] = [];
  let bytes = GROUP_BYTES_MAX;
  for (const record of records) {
    bytes += record.value.length;
    if (bytes > GROUP_BYTES_MAX) {
      groups.push([]);
      bytes = record.value.length;
    }
    groups.at(-1)?.push(record);
  }
  return groups;
}
