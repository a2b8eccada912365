// The Kafka client: one place for its options, its log lines and what its failures mean.
import { Kafka, logLevel, type SASLOptions } from "kafkajs";
import { LedgerlineError } from "../../shared/errors.ts";
import { fixClient } from "./client-fixes.ts";
import { useOwnCodecs } from "./compression.ts";
import type { LogReport } from "../log.ts";
import type { KafkaSettings } from "./settings.ts";

const CONNECTION_TIMEOUT_MS = 3_000;
const REQUEST_TIMEOUT_MS = 10_000;
/** Waits of 0.1, 0.2, 0.4, 0.8 … s. Given in full, because the client has others of its own when NODE_ENV is test. */
export const RETRY = {
  initialRetryTime: 100,
  maxRetryTime: 2_000,
  factor: 0.2,
  multiplier: 2,
  retries: 8,
};

export function createKafkaClient(settings: KafkaSettings, report: LogReport): Kafka {
  fixClient();
  useOwnCodecs();
  return new Kafka({
    clientId: "ledgerline",
    brokers: [...settings.brokers],
    ssl: settings.tls,
    ...(settings.sasl === null ? {} : { sasl: { ...settings.sasl } as SASLOptions }),
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    retry: RETRY,
    logLevel: logLevel.WARN,
    // The client warns of what it then tries again by itself; what really fails, fails a call of ours.
    logCreator:
      () =>
      ({ namespace, log }) => {
        const { message, groupId, broker, error } = log;
        report("debug", "kafka.client", {
          part: namespace,
          message,
          groupId,
          broker,
          reason: String(error ?? ""),
        });
      },
  });
}

/** What a failure of the client means to a caller: Kafka is away, and trying again can help. */
export function asKafkaUnavailable(cause: unknown): LedgerlineError {
  if (cause instanceof LedgerlineError) return cause;
  return new LedgerlineError("unavailable", "Kafka cannot be reached just now.", { cause });
}

/** Settles as `work` does, or fails as unavailable after `limitMs`; the work itself cannot be stopped. */
export async function within<T>(work: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new LedgerlineError("unavailable", "Kafka does not answer just now."));
    }, limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}
