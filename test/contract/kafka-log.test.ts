import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { openKafkaLog, type KafkaLog } from "../../src/log/kafka/log.ts";
import { createConfluentRegistry } from "../../src/log/kafka/registry.ts";
import { createSignatures, SIGNATURE_HEADER } from "../../src/log/kafka/signature.ts";
import { createTestKafka, dropInstallation, realServices } from "../support/distributed.ts";
import { deadLetterContract } from "./dead-letters.contract.ts";
import { logContract, type LogUnderTest } from "./log.contract.ts";

const SECRET = "secret of the tests";

const make = (): Promise<LogUnderTest> => {
  const folder = mkdtempSync(join(tmpdir(), "ledgerline-log-"));
  const config = realServices(basename(folder));
  let opened: KafkaLog;
  const grants = { find: () => Promise.resolve(null), known: () => null };
  const signatures = createSignatures({ secret: SECRET, grants });
  return Promise.resolve({
    open: async () => {
      opened = await openKafkaLog({
        settings: config.kafka,
        registry: createConfluentRegistry({
          url: config.schemaRegistryUrl,
          nowMs: Date.now,
          random: Math.random,
          wait: delay,
        }),
        secret: SECRET,
        loadGrants: () => Promise.resolve([]),
        asks: true,
        nowMs: Date.now,
        newId: randomUUID,
        report: () => undefined,
        fatal: () => undefined,
        timing: { pollMs: 50, roundEveryMs: 100, doneAfterMs: 0 },
      });
      return { log: opened, close: opened.close };
    },
    // Records cannot be changed in the log: a signed record with invalid bytes is the way to get one.
    damaged: async (topic, key) => {
      const bytes = Buffer.from([9, 9, 9]);
      const producer = createTestKafka(config.kafka.brokers).producer();
      await producer.connect();
      await producer.send({
        topic: config.kafka.topicPrefix + topic,
        messages: [
          {
            key,
            value: bytes,
            headers: { [SIGNATURE_HEADER]: signatures.sign(key, bytes) },
          },
        ],
      });
      await producer.disconnect();
    },
    letters: () => Promise.resolve(opened.deadLetters),
    damageLetter: async (id) => {
      const producer = createTestKafka(config.kafka.brokers).producer();
      await producer.connect();
      const topic = `${config.kafka.topicPrefix}dead-letters`;
      await producer.send({ topic, messages: [{ key: id, value: Buffer.from([9, 9, 9]) }] });
      await producer.disconnect();
    },
    remove: async () => {
      rmSync(folder, { recursive: true });
      await dropInstallation(config);
    },
  });
};

logContract("Kafka", make);
deadLetterContract("Kafka", make);
