// A program of an organization, for the command line: it sends signed records and follows the organization's topics with
// no more than a grant gives.
import { randomUUID } from "node:crypto";
import {
  CompressionTypes,
  type Consumer as KafkaConsumer,
  type Kafka,
  type Producer,
} from "kafkajs";
import { LedgerlineError } from "../../shared/errors.ts";
import { asKafkaUnavailable, createKafkaClient, RETRY, within } from "./client.ts";
import { outsideNames } from "./outside-access.ts";
import type { PrivateKind } from "./private-topics.ts";
import { connectRegistry } from "./registry.ts";
import type { KafkaSettings } from "./settings.ts";
import { outsideSignature, SIGNATURE_HEADER } from "./signature.ts";

export interface KafkaProgramOptions {
  readonly settings: KafkaSettings;
  readonly registryUrl: string;
  readonly org: string;
  readonly groupPrefix: string;
  /** Null: it only reads. */
  readonly key: { readonly id: string; readonly secret: string } | null;
  nowMs(): number;
}

export interface KafkaProgram {
  /**
   * Sends one record of these transactions, which have the fields of the API; resolves once Kafka has it.
   * @throws LedgerlineError `misconfigured` without a key, `unavailable`; `too_large`: the record has more than 1 MiB
   */
  send(transactions: readonly object[]): Promise<void>;
  /** Calls `each` with every record until it returns false or `signal` aborts; null: it cannot be decoded. */
  follow(
    kind: PrivateKind,
    isFromBeginning: boolean,
    each: (record: object | null) => boolean,
    signal: AbortSignal,
  ): Promise<void>;
  close(): Promise<void>;
}

/** As the service takes it from outside. */
const RECORD_BYTES_MAX = 1024 * 1024;
const SEND_MAX_MS = 60_000;
const CLOSE_MAX_MS = 3_000;

export function createKafkaProgram(options: KafkaProgramOptions): KafkaProgram {
  const kafka = createKafkaClient(options.settings, () => undefined);
  const registry = connectRegistry(options.registryUrl);
  const names = outsideNames(options.settings, options.org);
  let producer: Promise<Producer> | null = null;
  let schemaId: Promise<number> | null = null;

  async function encode(transactions: readonly object[]): Promise<Buffer> {
    try {
      schemaId ??= within(registry.getLatestSchemaId(names.subject), SEND_MAX_MS);
      return await registry.encode(await schemaId, { org: options.org, transactions });
    } catch (cause) {
      schemaId = null;
      const message = `The schema registry has no schema ${names.subject} for these transactions, or does not answer.`;
      throw new LedgerlineError("unavailable", message, { cause });
    }
  }

  return {
    send: async (transactions) => {
      const { key } = options;
      if (key === null)
        throw new LedgerlineError(
          "misconfigured",
          "SIGNING_KEY_ID and SIGNING_SECRET must be set to send records.",
        );
      const value = await encode(transactions);
      if (value.length > RECORD_BYTES_MAX)
        throw new LedgerlineError("too_large", "The record has more than 1 MiB.");
      try {
        producer ??= connectProducer(kafka);
        const connected = await producer;
        const signature = outsideSignature(key, value, options.nowMs());
        const messages = [{ value, headers: { [SIGNATURE_HEADER]: signature } }];
        const sent = connected.send({
          topic: names.requests,
          messages,
          acks: -1,
          compression: CompressionTypes.GZIP,
        });
        await within(sent, SEND_MAX_MS);
      } catch (error) {
        throw asKafkaUnavailable(error);
      }
    },
    follow: async (kind, isFromBeginning, each, signal) => {
      const groupId = `${options.groupPrefix}tail-${randomUUID()}`;
      const consumer = kafka.consumer({ groupId, retry: RETRY, maxWaitTimeInMs: 200 });
      try {
        await consumer.connect();
        await consumer.subscribe({ topics: [names.topics[kind]], fromBeginning: isFromBeginning });
        await consume(consumer, signal, async (value) => {
          const record: unknown = await registry.decode(value).catch(() => null);
          return each(typeof record === "object" ? record : null);
        });
      } catch (error) {
        throw asKafkaUnavailable(error);
      } finally {
        await within(consumer.disconnect(), CLOSE_MAX_MS).catch(() => undefined);
      }
    },
    close: async () => {
      if (producer === null) return;
      await within((await producer).disconnect(), CLOSE_MAX_MS).catch(() => undefined);
    },
  };
}

async function connectProducer(kafka: Kafka): Promise<Producer> {
  const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1, retry: RETRY });
  await producer.connect();
  return producer;
}

/** Ends when `each` returns false or `signal` aborts. @throws what ends the consumer */
function consume(
  consumer: KafkaConsumer,
  signal: AbortSignal,
  each: (value: Buffer) => Promise<boolean>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    const end = (): void => {
      isOver = true;
      resolve();
    };
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    consumer.on(consumer.events.CRASH, ({ payload }) => {
      if (!payload.restart) reject(payload.error);
    });
    const eachMessage = async ({
      message,
    }: {
      message: { value: Buffer | null };
    }): Promise<void> => {
      if (isOver || message.value === null) return;
      if (!(await each(message.value))) end();
    };
    consumer.run({ autoCommit: false, eachMessage }).catch(reject);
  });
}
