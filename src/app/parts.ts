// Parts that the service and the commands open in the same way; part of the composition root.
import { randomBytes } from "node:crypto";
import { createGrantReader } from "../access/kafka-grants.ts";
import { type Config } from "../config/config.ts";
import { reportPool } from "../observability/edge-events.ts";
import type { Logger } from "../observability/logger.ts";
import type { Metrics } from "../observability/metrics.ts";
import { loadKnowledge } from "../pool/knowledge.ts";
import { openPool, type Pool, type PoolOptions } from "../pool/pool.ts";
import { type Clock, systemClock } from "../shared/clock.ts";
import type { LogOptions } from "./engine.ts";
import type { Repositories } from "./repositories.ts";
import { openKeyringOf } from "./webhooks.ts";

/** A secret that the installation made for itself at its first start. */
export const secretOf = ({ settings }: Repositories, name: string): Promise<string> =>
  settings.getOrSet(name, randomBytes(32).toString("base64url"));

/** Signs the records of Ledgerline, and the key ids of grants. */
export const recordSecretOf = (repositories: Repositories): Promise<string> =>
  secretOf(repositories, "record_secret");

export async function logOptions(
  repositories: Repositories,
  config: Config,
  logger: Logger,
  options: { readonly clock?: Clock; readonly onFatal?: (reason: string) => void },
): Promise<LogOptions> {
  const nowMs = options.clock ?? systemClock;
  return {
    secret: await recordSecretOf(repositories),
    loadGrants: createGrantReader({
      allGrants: repositories.kafkaGrants.all,
      openVault: () => openKeyringOf(repositories, config, nowMs),
      nowMs,
      unreadable: (org, keyId) => {
        logger.error({ org, keyId }, "kafka.secret_unreadable");
      },
    }),
    nowMs,
    logger,
    fatal: (reason) => {
      logger.error({ reason }, "service.fatal");
      options.onFatal?.(reason);
    },
  };
}

export interface OpenedThreads {
  readonly pool: Pool;
  readonly knowledgeVersion: string;
  /** What the threads read. */
  readonly knowledge: SharedArrayBuffer;
}

export async function openThreads(
  config: Config,
  logger: Logger,
  metrics: Metrics | null,
  options: Partial<PoolOptions>,
): Promise<OpenedThreads> {
  const knowledge = await loadKnowledge();
  const pool = await openPool({
    ...options,
    threads: config.poolThreads,
    knowledge: knowledge.bytes,
    report: (event) => {
      reportPool(event, logger, metrics);
      options.report?.(event);
    },
  });
  return { pool, knowledgeVersion: knowledge.contentVersion, knowledge: knowledge.bytes };
}
