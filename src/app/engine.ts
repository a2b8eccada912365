// What the stages run on: one data folder, or Kafka, a schema registry and MongoDB. The rest of the composition root uses
// `Engine` and does not depend on which of them it is.
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Config, DistributedConfig } from "../config/config.ts";
import type { KafkaLog } from "../log/kafka/log.ts";
import type { DeadLetters, Log } from "../log/log.ts";
import { createDeadLetterErasure } from "../log/sqlite/dead-letter-erasure.ts";
import { openSqliteDeadLetters } from "../log/sqlite/dead-letters.ts";
import { openSqliteLog } from "../log/sqlite/log.ts";
import { does } from "../model/process-role.ts";
import type { Clock } from "../shared/clock.ts";
import { openWhenAvailable } from "../shared/open-when-available.ts";
import type { Logger } from "../observability/logger.ts";
import { folderWarnings, openDataFolder, requireData } from "../sqlite/data-folder.ts";
import type { Store } from "../store/collection.ts";
import type { FileStore } from "../store/file-store.ts";
import { createFolderFiles } from "../store/folder/files.ts";
import { createRepositories, type Repositories } from "./repositories.ts";
import { createSqliteStore } from "../store/sqlite/store.ts";
import type { GrantedOrganization } from "../model/kafka-grant.ts";

/** How long a service may take to become available; then the supervisor restarts this process. */
const START_WAIT_MS = 120_000;

export interface Engine {
  readonly store: Store;
  /** All repositories over the store. */
  readonly repositories: Repositories;
  /** The files of bank statements. */
  readonly files: FileStore;
  /** Whether other processes may work on the same data at the same time. */
  readonly isShared: boolean;
  /** About where the data is, one sentence each. */
  readonly warnings: readonly string[];
  /** Resolves when the store has its indexes. */
  ready(): Promise<void>;
  openLog(options: LogOptions): Promise<EngineLog>;
  /** The dead letters alone, without a running log. */
  openDeadLetters(
    options: LogOptions,
  ): Promise<{ deadLetters: DeadLetters; close(): Promise<void> }>;
  /** Completes the data file, see `Database.checkpoint`; to be called from time to time. */
  checkpoint(): void;
  /** Why the store cannot be used just now, or null. */
  failure(): string | null;
  close(): Promise<void>;
}

export interface LogOptions {
  /** Signs the records of Ledgerline; the same for every process of an installation. */
  readonly secret: string;
  /** The organizations with an active grant on Kafka. */
  loadGrants(): Promise<readonly GrantedOrganization[]>;
  readonly nowMs: Clock;
  readonly logger: Logger;
  fatal(reason: string): void;
}

export interface EngineLog {
  readonly log: Log;
  /** Erases the data of an account holder from dead letters, where they are part of the store. */
  eraseDeadLetters(holder: { readonly org: string; readonly id: string }): Promise<void>;
  failure(): string | null;
  close(): Promise<void>;
}

/**
 * `service`: the only service on the data folder. Commands run next to a service: a `command` needs existing data, so that a
 * wrong folder name is an error; a `first_command` also works on an empty folder.
 */
export type EngineUse = "service" | "command" | "first_command";

export async function openEngine(config: Config, logger: Logger, use: EngineUse): Promise<Engine> {
  return config.distributed === null
    ? openEmbedded(config, use)
    : openDistributed(config, config.distributed, logger, use === "service");
}

function openEmbedded({ dataFolder }: Config, use: EngineUse): Engine {
  if (use === "command") requireData(dataFolder);
  const database = openDataFolder(dataFolder, use === "service");
  const store = createSqliteStore(database);
  return {
    store,
    repositories: createRepositories(store),
    files: createFolderFiles(dataFolder),
    isShared: false,
    warnings: folderWarnings(dataFolder),
    ready: () => Promise.resolve(),
    openLog: async ({ nowMs, logger }) => {
      const log = await openSqliteLog(database, nowMs, (level, event, details) => {
        logger[level](details, event);
      });
      return {
        log,
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
  const openPatiently = <T>(open: () => Promise<T>): Promise<T> =>
    openWhenAvailable(open, isService ? START_WAIT_MS : 0, (error) => {
      logger.warn({ reason: error.message, error }, "dependency.unavailable");
    });
  const mongo = await openPatiently(() => openMongoStore({ url: mongodbUrl }));
  const open = (options: LogOptions, asks: boolean): Promise<KafkaLog> =>
    openPatiently(() =>
      openKafkaLog({
        settings: kafka,
        registry: createConfluentRegistry({
          url: schemaRegistryUrl,
          nowMs: options.nowMs,
          random: Math.random,
          wait: delay,
        }),
        secret: options.secret,
        loadGrants: options.loadGrants,
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
    repositories: createRepositories(mongo.store),
    files: mongo.files,
    isShared: true,
    warnings: [],
    ready: mongo.ensureIndexes,
    openLog: async (options) => {
      const log = await open(options, does(config.role, "ingest"));
      return {
        log,
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
