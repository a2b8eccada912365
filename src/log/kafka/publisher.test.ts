import { createRequire } from "node:module";
import {
  CompressionTypes,
  type Kafka,
  type Message,
  Partitioners,
  type Producer,
  type ProducerConfig,
  type ProducerRecord,
  type RecordMetadata,
} from "kafkajs";
import { describe, expect, it } from "vitest";
import { until } from "../../../test/support/poll.ts";
import { createPublisher, type Outgoing, type Publisher } from "./publisher.ts";

interface Sent {
  /** Which of the producers that were made. */
  readonly producer: number;
  readonly record: ProducerRecord;
  answer(metadata: Partial<RecordMetadata>): void;
  answerAll(answers: readonly Partial<RecordMetadata>[]): void;
  fail(error: Error): void;
}

/** A client whose sends are answered by the test. */
function setUp(): { publisher: Publisher; sends: Sent[]; configs: ProducerConfig[] } {
  const sends: Sent[] = [];
  const configs: ProducerConfig[] = [];
  let made = 0;
  const kafka = {
    producer: (config: ProducerConfig) => {
      configs.push(config);
      const producer = made;
      made += 1;
      const fake: Pick<Producer, "connect" | "disconnect" | "send"> = {
        connect: () => Promise.resolve(),
        disconnect: () => Promise.resolve(),
        send: (record) =>
          new Promise((resolve, reject) => {
            sends.push({
              producer,
              record,
              answer: (metadata) => {
                const partition = record.messages[0]?.partition ?? -1;
                resolve([{ topicName: record.topic, partition, errorCode: 0, ...metadata }]);
              },
              answerAll: (answers) => {
                const topicName = record.topic;
                resolve(answers.map((one) => ({ topicName, partition: -1, errorCode: 0, ...one })));
              },
              fail: reject,
            });
          }),
      };
      return fake as Producer;
    },
  };
  return { publisher: createPublisher(kafka as unknown as Kafka), sends, configs };
}

const record = (key: string): Outgoing => ({ key, value: Buffer.from(key) });
const APPENDED = { baseOffset: "7", logAppendTime: "1700000000000" };

async function nth(sends: readonly Sent[], index: number): Promise<Sent> {
  return until(`send ${String(index)}`, () => sends[index] ?? null);
}

describe("publisher", () => {
  it("a send names one partition, waits for all replicas, and gives the broker's time", async () => {
    const { publisher, sends } = setUp();
    const sent = publisher.send("t", 3, [record("a"), record("b")]);
    const first = await nth(sends, 0);
    expect(first.record).toMatchObject({ topic: "t", acks: -1 });
    expect(first.record.messages.map(({ partition }) => partition)).toEqual([3, 3]);
    first.answer(APPENDED);
    expect(await sent).toBe(1_700_000_000_000);
  });

  it("records that are published during a send go together in the next one, in order", async () => {
    const { publisher, sends } = setUp();
    const all = ["a", "b", "c", "d"].map((key) => publisher.send("t", 0, [record(key)]));
    const first = await nth(sends, 0);
    const later = publisher.send("t", 0, [record("e")]);
    first.answer(APPENDED);
    (await nth(sends, 1)).answer(APPENDED);
    await Promise.all([...all, later]);
    const keys = sends.map((send) => send.record.messages.map(({ key }) => key));
    expect(keys.flat()).toEqual(["a", "b", "c", "d", "e"]);
    expect(keys[1]).toEqual(["e"]);
  });

  it("partitions do not wait for each other", async () => {
    const { publisher, sends } = setUp();
    const stuck = publisher.send("t", 0, [record("a")]);
    const quick = publisher.send("t", 1, [record("b")]);
    (await nth(sends, 1)).answer(APPENDED);
    await quick;
    sends[0]?.answer(APPENDED);
    await stuck;
  });

  it.each([
    ["names another partition", { partition: 9, ...APPENDED }],
    ["has no offset", { logAppendTime: "1" }],
    ["has an error", { errorCode: 6, ...APPENDED }],
  ])("an answer that %s acknowledges nothing", async (_what, metadata) => {
    const { publisher, sends } = setUp();
    const sent = publisher.send("t", 0, [record("a")]);
    (await nth(sends, 0)).answer(metadata);
    await expect(sent).rejects.toMatchObject({ code: "unavailable" });
  });

  it("records for several partitions go in one request, those of later callers in the next", async () => {
    const { publisher, sends } = setUp();
    const to = (partition: number, key: string) => ({ ...record(key), partition });
    const first = publisher.spread("t", [to(1, "a"), to(0, "b"), to(1, "c")]);
    const sending = await nth(sends, 0);
    const later = [publisher.spread("t", [to(2, "d")]), publisher.spread("t", [to(2, "e")])];
    const placesOf = (send: Sent): unknown[] =>
      send.record.messages.map(({ key, partition }) => [key, partition]);
    expect(placesOf(sending)).toEqual([
      ["a", 1],
      ["b", 0],
      ["c", 1],
    ]);
    sending.answerAll([0, 1].map((partition) => ({ partition, ...APPENDED })));
    await first;
    const second = await nth(sends, 1);
    expect(placesOf(second)).toEqual([
      ["d", 2],
      ["e", 2],
    ]);
    second.answer(APPENDED);
    await Promise.all(later);
  });

  it.each([
    ["gzip", undefined, CompressionTypes.GZIP],
    ["zstd", "zstd", CompressionTypes.ZSTD],
  ] as const)(
    "%s: requests of 4 KiB and more are packed so, smaller ones not",
    async (_, as, type) => {
      const { publisher, sends } = setUp();
      for (const [index, length] of [4_096, 4_095].entries()) {
        const spread = publisher.spread(
          "t",
          [{ key: "a", value: Buffer.alloc(length), partition: 1 }],
          as,
        );
        const { record, answer } = await nth(sends, index);
        expect(record.compression).toBe(index === 0 ? type : CompressionTypes.None);
        answer(APPENDED);
        await spread;
      }
    },
  );

  it("of records for several partitions none is acknowledged when the answer leaves one of the partitions out", async () => {
    const { publisher, sends } = setUp();
    const sent = publisher.spread(
      "t",
      [0, 1, 2].map((partition) => ({ ...record("a"), partition })),
    );
    (await nth(sends, 0)).answerAll([0, 2].map((partition) => ({ partition, ...APPENDED })));
    await expect(sent).rejects.toMatchObject({ code: "unavailable" });
  });

  it("the client comes to the groups that it would make by itself", async () => {
    const { publisher, sends } = setUp();
    const records = ["a", "b", "c", "d", "e"].map((key, index) => ({
      ...record(key),
      partition: index % 2 === 0 ? 11 : 2,
    }));
    publisher.spread("t", records).catch(() => undefined);
    const { messages } = (await nth(sends, 0)).record;
    const group = createRequire(import.meta.url)(
      "kafkajs/src/producer/groupMessagesPerPartition",
    ) as (work: object) => object;
    const partitioner = ({ message }: { message: Message }): unknown => message.partition;
    const work = { topic: "t", partitionMetadata: [{}], partitioner };
    expect(group({ ...work, messages })).toEqual(group({ ...work, messages: [...messages] }));
    expect(Object.keys(messages)).toHaveLength(5);
  });

  it("a producer that has failed is never used again: the broker could take its next records for repetitions", async () => {
    const { publisher, sends } = setUp();
    const failed = publisher.send("t", 0, [record("a")]);
    (await nth(sends, 0)).fail(new Error("connection closed"));
    await expect(failed).rejects.toMatchObject({ code: "unavailable", retryable: true });
    const next = publisher.send("t", 0, [record("b")]);
    const second = await nth(sends, 1);
    expect([sends[0]?.producer, second.producer]).toEqual([0, 1]);
    second.answer(APPENDED);
    await next;
  });

  it("the client repeats what it sends at most once in the log, one request at a time, and makes no topic by itself", async () => {
    const { publisher, sends, configs } = setUp();
    const sent = publisher.send("t", 0, [record("a")]);
    (await nth(sends, 0)).answer(APPENDED);
    await sent;
    expect(configs).toHaveLength(1);
    expect(configs[0]).toMatchObject({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      // Named, or the client warns at each start that its default is another one since its version 2.
      createPartitioner: Partitioners.DefaultPartitioner,
    });
  });

  it("a record that no broker takes is refused for good", async () => {
    const { publisher, sends } = setUp();
    const sent = publisher.send("t", 0, [record("a")]);
    const cause = Object.assign(new Error("too large"), { type: "MESSAGE_TOO_LARGE" });
    (await nth(sends, 0)).fail(new Error("failed", { cause }));
    await expect(sent).rejects.toMatchObject({ code: "too_large", retryable: false });
  });

  it("more than 128 MB waiting for a partition is refused", async () => {
    const { publisher, sends } = setUp();
    const large = { key: "a", value: Buffer.alloc(70 * 1024 * 1024) };
    const first = publisher.send("t", 0, [large]);
    const sending = await nth(sends, 0);
    const second = publisher.send("t", 0, [large]);
    await expect(publisher.send("t", 0, [large])).rejects.toMatchObject({ code: "overloaded" });
    sending.answer(APPENDED);
    (await nth(sends, 1)).answer(APPENDED);
    await Promise.all([first, second]);
  });
});
