// Replies from process to process: each has an address, and sends to those of others.
import { setTimeout as wait } from "node:timers/promises";
import type { Kafka } from "kafkajs";
import type { EnrichmentReply } from "../../model/records.ts";
import type { LogReport } from "../log.ts";
import type { AddressedReply } from "../record-codecs.ts";
import type { AdminClient } from "./admin.ts";
import { within } from "./client.ts";
import type { PrivateTopics } from "./private-topics.ts";
import type { Publisher } from "./publisher.ts";
import { readOutsideAddress } from "./reading.ts";
import { openReplies, type Replies } from "./replies.ts";
import type { KafkaSettings } from "./settings.ts";
import type { TopicCodecs } from "./topic-codecs.ts";
import type { Partitions } from "./topics.ts";

const PROBE_ID = "probe";
const CLOSE_MAX_MS = 2_000;

export interface ReplyDeskPorts {
  readonly kafka: Kafka;
  readonly settings: Pick<KafkaSettings, "groupPrefix">;
  readonly partitions: Pick<Partitions, "replies">;
  readonly codecs: Pick<TopicCodecs, "reply">;
  readonly admin: AdminClient;
  readonly quick: Publisher;
  readonly privately: PrivateTopics;
  /** Whether this process asks synchronously, and so needs replies. */
  readonly asks: boolean;
  nowMs(): number;
  newId(): string;
  readonly report: LogReport;
}

export interface ReplyDesk {
  readonly address: string;
  onReply(handler: (reply: EnrichmentReply) => void): void;
  send(reply: AddressedReply): Promise<void>;
  failure(): string | null;
  close(): Promise<void>;
}

/** Sends replies to the process that sent the request and receives those to this process. */
export async function openReplyDesk(parts: ReplyDeskPorts, topic: string): Promise<ReplyDesk> {
  const partition = Math.floor(Math.random() * parts.partitions.replies);
  const address = `${String(partition)}.${parts.newId()}`;
  let handler: (reply: EnrichmentReply) => void = () => undefined;
  let isProbed = false;
  const send = async (addressed: AddressedReply): Promise<void> => {
    const outside = readOutsideAddress(addressed.address);
    if (outside !== null) {
      const { org, address: named } = outside;
      const bytes = parts.codecs.reply.encode({ ...addressed, address: named });
      const record = { org, key: addressed.reply.id, value: bytes };
      return parts.privately.publish("replies", [record], parts.quick);
    }
    const to = Number(addressed.address.split(".")[0]);
    // Another version may have had more partitions.
    if (!Number.isInteger(to) || to < 0 || to >= parts.partitions.replies) return;
    const value = parts.codecs.reply.encode(addressed);
    await parts.quick.send(topic, to, [{ key: addressed.reply.id, value }]);
  };
  const received = async (value: Buffer): Promise<void> => {
    const addressed = await parts.codecs.reply.decode(value);
    if (addressed.address !== address) return;
    if (addressed.reply.id === PROBE_ID) isProbed = true;
    else handler(addressed.reply);
  };
  const replies: Replies | null = !parts.asks
    ? null
    : await openReplies({
        kafka: parts.kafka,
        groupPrefix: `${parts.settings.groupPrefix}replies-${address}`,
        topic,
        partition,
        // What others wrote there and cannot be read is not for this process.
        received: (value) => received(value).catch(() => undefined),
        probe: () =>
          send({
            address,
            reply: { id: PROBE_ID, chunkIndex: 0, outcome: "stored", results: [] },
          }),
        isProbed: () => isProbed,
        wait,
        nowMs: parts.nowMs,
        report: parts.report,
      });
  return {
    address,
    onReply: (next) => {
      handler = next;
    },
    send,
    failure: () => replies?.failure() ?? null,
    close: async () => {
      if (replies === null) return;
      await replies.close();
      // A group that is left behind goes by itself, after as long as Kafka keeps offsets.
      const removed = parts.admin.ask((admin) => admin.deleteGroups([...replies.groups()]));
      await within(removed, CLOSE_MAX_MS).catch(() => undefined);
    },
  };
}
