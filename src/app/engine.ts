// What the stages run on: one data folder, or Kafka, a schema registry and MongoDB. Opened by app.ts, which knows no more
// of the difference than is said here.
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Config, DistributedConfig } from "../config/config.ts";
import { LedgerlineError } from "../shared/errors.ts";
import type { KafkaLog } from "../log/kafka/log.ts";
import type { DeadLetters, Log } from "../log/log.ts";
import { createDeadLetterErasure } from "../log/sqlite/dead-letter-erasure.ts";
import { openSqliteDeadLetters } from "../log/sqlite/dead-letters.ts";
import { openSqliteLog } from "../log/sqlite/log.ts";
import type { Clock } from "../shared/clock.ts";
import type { Logger } from "../observability/logger.ts";
import { folderWarnings, hasData, openDataFolder } from "../sqlite/data-folder.ts";
import type { Store } from "../store/collection.ts";
import { createSqliteStore } from "../store/sqlite/store.ts";
import type { SigningKey } from "../model/api-key.ts";

/** How long a service may take to come up beside this process; then its supervisor starts it again. */
const START_WAIT_MS = 120_000;
const START_PAUSE_MS = 1_000;
/**
 * No request runs for longer: its body is read within 120 s, its reply comes within 30 s. The machines' clocks may differ
 * by the rest.
 */
const REQUEST_MAX_MS = 300_000;

export interface Engine {
  readonly store: Store;
  /** Whether other processes may work on the same at the same time. */
  readonly isShared: boolean;
  /** About where the data is, one sentence each. */
  readonly warnings: readonly string[];
  /** To be called once all collections are known. */
  ready(): Promise<void>;
  openLog(options: LogOptions): Promise<EngineLog>;
  /** The dead letters alone, without a log that runs. */
  openDeadLetters(
    options: LogOptions,
  ): Promise<{ deadLetters: DeadLetters; close(): Promise<void> }>;
  /** Completes the data file, see `Database.checkpoint`; to be called now and then. */
  checkpoint(): void;
  /** Why the store cannot be used just now, or null. */
  failure(): string | null;
  close(): Promise<void>;
}

export interface LogOptions {
  /** Signs what Ledgerline writes; the same for every process of an installation. */
  readonly secret: string;
  findSigningKey(id: string): Promise<SigningKey | null>;
  readonly nowMs: Clock;
  readonly logger: Logger;
  fatal(reason: string): void;
}

export interface EngineLog {
  readonly log: Log;
  /** Whether a request that began then cannot be running any more, and all that was accepted by then is done. */
  isOver(startedAtMs: number): boolean;
  /** Erases what dead letters have of an account holder, where they are part of the store. */
  eraseDeadLetters(holder: { readonly org: string; readonly id: string }): Promise<void>;
  failure(): string | null;
  close(): Promise<void>;
}

/**
 * `service`: nobody else serves from the data folder meanwhile. Commands work beside a service: a `command` on what is
 * there, so that a slip in the folder's name is said, a `first_command` also before there is anything.
 */
export type EngineUse = "service" | "command" | "first_command";

export async function openEngine(config: Config, logger: Logger, use: EngineUse): Promise<Engine> {
  return config.distributed === null
    ? openEmbedded(config, use)
    : openDistributed(config, config.distributed, logger, use === "service");
}

function openEmbedded({ dataFolder }: Config, use: EngineUse): Engine {
  if (use === "command" && !hasData(dataFolder)) {
    throw new LedgerlineError(
      "data_folder",
      `There is nothing of Ledgerline in the data folder ${dataFolder}; LEDGERLINE_DATA names another one.`,
    );
  }
  const database = openDataFolder(dataFolder, use === "service");
  return {
    store: createSqliteStore(database),
    isShared: false,
    warnings: folderWarnings(dataFolder),
    ready: () => Promise.resolve(),
    openLog: async ({ nowMs, logger }) => {
      const log = await openSqliteLog(database, nowMs, (level, event, details) => {
        logger[level](details, event);
      });
      // The folder has one owner at a time: what another one left behind is over when this one has done it all.
      const openedAtMs = nowMs();
      const endOrder = await log.endOrder();
      return {
        log,
        isOver: (startedAtMs) => startedAtMs < openedAtMs && log.doneOrder() >= endOrder,
        eraseDeadLetters: await createDeadLetterErasure(database),
        failure: () => null,
        close: () => {
          log.close();
          return Promise.resolve();
        },
      };
    },
    openDeadLetters: async () => ({
      deadLetters: await openSqliteDeadLetters(database),
      close: () => Promise.resolve(),
    }),
    checkpoint: database.checkpoint,
    failure: database.failure,
    close: () => database.close(),
  };
}

async function openDistributed(
  config: Config,
  { kafka, schemaRegistryUrl, mongodbUrl }: DistributedConfig,
  logger: Logger,
  isService: boolean,
): Promise<Engine> {
  // Only here: an embedded process has no use for these clients, which would be a fifth of its code in memory.
  const [{ openMongoStore }, { openKafkaLog }, { createConfluentRegistry }] = await Promise.all([
    import("../store/mongo/store.ts"),
    import("../log/kafka/log.ts"),
    import("../log/kafka/registry.ts"),
  ]);
  const waitMs = isService ? START_WAIT_MS : 0;
  const mongo = await patiently(logger, waitMs, () => openMongoStore({ url: mongodbUrl }));
  const open = (options: LogOptions, asks: boolean): Promise<KafkaLog> =>
    patiently(logger, waitMs, () =>
      openKafkaLog({
        settings: kafka,
        registry: createConfluentRegistry({
          url: schemaRegistryUrl,
          nowMs: options.nowMs,
          random: Math.random,
          wait: delay,
        }),
        signatures: {
          secret: options.secret,
          findKey: options.findSigningKey,
          nowMs: options.nowMs,
        },
        asks,
        nowMs: options.nowMs,
        newId: randomUUID,
        report: (level, event, details) => {
          logger[level](details, event);
        },
        fatal: options.fatal,
      }),
    );
  return {
    store: mongo.store,
    isShared: true,
    warnings: [],
    ready: mongo.ensureIndexes,
    openLog: async (options) => {
      const log = await open(options, config.role !== "enrich");
      const { nowMs } = options;
      return {
        log,
        isOver: (startedAtMs) => {
          const overMs = startedAtMs + REQUEST_MAX_MS;
          return overMs < nowMs() && overMs < log.doneUntilMs();
        },
        // Those of Kafka are the operator's to drop: a topic cannot be searched by holder.
        eraseDeadLetters: () => Promise.resolve(),
        failure: log.failure,
        close: log.close,
      };
    },
    openDeadLetters: async (options) => {
      const log = await open(options, false);
      return { deadLetters: log.deadLetters, close: log.close };
    },
    checkpoint: () => undefined,
    failure: mongo.failure,
    close: mongo.close,
  };
}

/** Tries again while a service is not there yet, and says so; a fault that waiting does not mend fails at once. */
async function patiently<T>(logger: Logger, waitMs: number, open: () => Promise<T>): Promise<T> {
  const giveUpAtMs = performance.now() + waitMs;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const isAway = error instanceof LedgerlineError && error.retryable;
      if (!isAway || performance.now() > giveUpAtMs) throw error;
      logger.warn({ reason: error.message, error }, "dependency.unavailable");
      await delay(START_PAUSE_MS);
    }
  }
}
