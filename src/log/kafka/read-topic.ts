// Reads a topic from its beginning to where it ends now, for the command line.
import type { EachBatchPayload, Kafka, KafkaMessage } from "kafkajs";
import { LedgerlineError } from "../../shared/errors.ts";
import { RETRY, within } from "./client.ts";

/** A topic that gives nothing for this long is not read further. */
const SILENCE_MAX_MS = 20_000;
const CLOSE_MAX_MS = 5_000;

/** Calls `each` with every record of the topic, in order of each partition. */
export async function readTopic(
  kafka: Kafka,
  topic: string,
  groupId: string,
  each: (partition: number, message: KafkaMessage) => void,
): Promise<void> {
  const admin = kafka.admin({ retry: RETRY });
  await admin.connect();
  try {
    const offsets = await admin.fetchTopicOffsets(topic);
    const open = new Map(
      offsets.flatMap(({ partition, low, high }) =>
        Number(high) > Number(low) ? [[partition, Number(high)] as const] : [],
      ),
    );
    if (open.size === 0) return;
    await readUntil(kafka, topic, groupId, open, each);
    await admin.deleteGroups([groupId]).catch(() => undefined);
  } finally {
    await within(admin.disconnect(), CLOSE_MAX_MS).catch(() => undefined);
  }
}

async function readUntil(
  kafka: Kafka,
  topic: string,
  groupId: string,
  open: Map<number, number>,
  each: (partition: number, message: KafkaMessage) => void,
): Promise<void> {
  const consumer = kafka.consumer({ groupId, retry: RETRY, maxWaitTimeInMs: 200 });
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: [topic], fromBeginning: true });
    await new Promise<void>((resolve, reject) => {
      const tooQuiet = (): void => {
        reject(new LedgerlineError("unavailable", "Kafka does not answer just now."));
      };
      let silence = setTimeout(tooQuiet, SILENCE_MAX_MS);
      const eachBatch = ({ batch }: EachBatchPayload): Promise<void> => {
        clearTimeout(silence);
        for (const message of batch.messages) each(batch.partition, message);
        if (Number(batch.lastOffset()) + 1 >= (open.get(batch.partition) ?? 0)) {
          open.delete(batch.partition);
        }
        if (open.size === 0) resolve();
        else silence = setTimeout(tooQuiet, SILENCE_MAX_MS);
        return Promise.resolve();
      };
      consumer.run({ autoCommit: false, eachBatch }).catch(reject);
    });
  } finally {
    await within(consumer.disconnect(), CLOSE_MAX_MS).catch(() => undefined);
  }
}
