import type { Kafka, Producer, ProducerRecord, RecordMetadata } from "kafkajs";
import { describe, expect, it } from "vitest";
import { until } from "../../../test/support/poll.ts";
import { createPublisher, type Outgoing, type Publisher } from "./publisher.ts";

interface Sent {
  /** Which of the producers that were made. */
  readonly producer: number;
  readonly record: ProducerRecord;
  answer(metadata: Partial<RecordMetadata>): void;
  fail(error: Error): void;
}

/** A client whose sends are answered by the test. */
function setUp(): { publisher: Publisher; sends: Sent[] } {
  const sends: Sent[] = [];
  let made = 0;
  const kafka = {
    producer: () => {
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
                const whole = { topicName: record.topic, partition, errorCode: 0, ...metadata };
                resolve([whole]);
              },
              fail: reject,
            });
          }),
      };
      return fake as Producer;
    },
  };
  return { publisher: createPublisher(kafka as unknown as Kafka), sends };
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

  it("what is asked for while a send is under way goes together with the next, in order", async () => {
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
