// Publishes events: those of a resource to one partition, in their order, also when a part of them cannot be sent.
import { eventRecordKey } from "../../model/record-key.ts";
import type { StoredEvent } from "../../model/event.ts";
import type { RecordCodec } from "../codec.ts";
import type { Log } from "../log.ts";
import { createPlaces } from "./keyed-places.ts";
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
  readonly publishing: LogProgress["publishing"];
}

export function createEventPublishing(options: EventPublishingOptions): Log["publishEvents"] {
  const { topic, codecs, signing, bulk } = options;
  const placeOf = createPlaces(options.partitions.events);

  function toOutgoing(event: StoredEvent): OutgoingToPartition & { readonly value: Buffer } {
    const text = eventRecordKey(event.org, event.resourceId);
    const value = codecs.event.encode(event);
    return {
      ...placeOf(text),
      value,
      headers: { [SIGNATURE_HEADER]: signing.sign(text, value) },
    };
  }

  return async (events) => {
    const byPartition = Map.groupBy(events.map(toOutgoing), ({ partition }) => partition);
    await Promise.all(
      [...byPartition].map(async ([partition, records]) => {
        // One after the other: what precedes a group that fails is there, what follows it is not.
        for (const group of groupsOf(records))
          await options.publishing(topic, partition, group.length, () =>
            bulk.send(topic, partition, group),
          );
      }),
    );
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
