// Dead letters over Kafka: a compacted topic, whose keys name the records the letters are about, so that a record that
// fails again after a crash is there once, and one letter can be removed.
import type { Kafka, KafkaMessage } from "kafkajs";
import type { DeadLetter, DeadLetters } from "../log.ts";
import type { RecordCodec } from "../codec.ts";
import type { DeadLetterRecord } from "../record-codecs.ts";
import { readLetter } from "../read-letter.ts";
import type { RawRecord } from "../record-runner.ts";
import type { Outgoing, Publisher } from "./publisher.ts";
import { readTopic } from "./read-topic.ts";
import type { Signatures } from "./signature.ts";
import { REQUEST_BATCH_BYTES_MAX } from "./topics.ts";

/** Header of a replayed record: the order of acceptance that it keeps. */
export const ORDER_HEADER = "ledgerline-order";

/** The id of the letter about this record, and the key it is stored under. */
export function letterId(topic: string, partition: number, offset: number): string {
  return `${topic}-${String(partition)}-${String(offset)}`;
}

/**
 * What a letter keeps of the record it is about. A record that is longer than the topic takes came compressed and was not
 * meant to be sent; a letter with all of it could never be written, and everything behind it would wait.
 */
export function keptInLetter(
  { key, headers, bytes }: RawRecord,
  error: string,
): Pick<DeadLetterRecord, "original" | "key" | "headers" | "error"> {
  const copied = Object.entries(headers).map(([name, value]): [string, Buffer] => [
    name,
    Buffer.from(value),
  ]);
  const size = copied.reduce((sum, [, value]) => sum + value.length, key.length + bytes.length);
  if (size > REQUEST_BATCH_BYTES_MAX) {
    const reason = `${error}; its ${String(size)} bytes are too many to be kept`;
    return { original: Buffer.alloc(0), key: "", headers: {}, error: reason };
  }
  return { original: Buffer.from(bytes), key, headers: Object.fromEntries(copied), error };
}

export interface KafkaDeadLettersOptions {
  readonly kafka: Kafka;
  /** The topic of dead letters, with its prefix. */
  readonly topic: string;
  readonly groupId: string;
  readonly codec: RecordCodec<DeadLetterRecord>;
  readonly publisher: Publisher;
  readonly signing: Pick<Signatures, "signOrder">;
}

export function createKafkaDeadLetters(options: KafkaDeadLettersOptions): DeadLetters {
  const { kafka, topic, groupId, codec, publisher } = options;

  /** The last record of each key; a record without a value removes the one before. */
  async function readAll(): Promise<ReadonlyMap<string, Buffer>> {
    const letters = new Map<string, Buffer>();
    await readTopic(kafka, topic, groupId, (_partition, { key, value }: KafkaMessage) => {
      const id = key?.toString("utf8") ?? "";
      letters.delete(id);
      if (value !== null) letters.set(id, value);
    });
    return letters;
  }

  async function get(id: string): Promise<DeadLetter | null> {
    const value = (await readAll()).get(id);
    return value === undefined ? null : readLetter(codec, id, value);
  }

  async function remove(id: string): Promise<void> {
    await publisher.send(topic, 0, [{ key: id, value: null }]);
  }

  return {
    list: async function* () {
      for (const [id, value] of await readAll()) yield await readLetter(codec, id, value);
    },
    get,
    replay: async (id) => {
      const letter = await get(id);
      if (letter === null) return "not_found";
      if (!letter.isReadable) return "unreadable";
      await publisher.send(letter.topic, letter.partition, [replayed(letter, options.signing)]);
      await remove(id);
      return "replayed";
    },
    drop: async (id) => {
      if ((await get(id)) === null) return false;
      await remove(id);
      return true;
    },
  };
}

function replayed(letter: DeadLetter, signing: Pick<Signatures, "signOrder">): Outgoing {
  const headers: Record<string, Buffer> = {};
  for (const [name, value] of Object.entries(letter.headers)) headers[name] = Buffer.from(value);
  if (letter.order !== "") {
    headers[ORDER_HEADER] = signing.signOrder(letter.order, letter.key, letter.original);
  }
  return { key: letter.key, value: Buffer.from(letter.original), headers };
}
