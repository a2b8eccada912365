// Parts that the service and the commands open in the same way; part of the composition root.
import { randomBytes, randomUUID } from "node:crypto";
import { type Config } from "../config/config.ts";
import { createRetentionClock } from "../shared/retention-clock.ts";
import { createKeys, type Keys } from "../access/keys.ts";
import { type Clock, systemClock } from "../shared/clock.ts";
import type { Logger } from "../observability/logger.ts";
import type { Metrics } from "../observability/metrics.ts";
import { reportPool } from "../observability/edge-events.ts";
import { loadKnowledge } from "../pool/knowledge.ts";
import { openPool, type Pool, type PoolOptions } from "../pool/pool.ts";
import type { Engine, LogOptions } from "./engine.ts";
import type { Store } from "../store/collection.ts";
import { createKeyRepository } from "../store/repositories/keys.ts";
import { createSettingRepository } from "../store/repositories/settings.ts";

export function createKeysOf(store: Store, config: Config, nowMs: Clock): Keys {
  const repository = createKeyRepository(store);
  return createKeys(
    {
      insertKey: repository.insert,
      findKeyByHash: repository.findByHash,
      findKeyById: repository.findById,
      listKeys: repository.list,
      revokeKey: repository.revoke,
      nowMs,
      newId: randomUUID,
      randomBytes,
    },
    config.apiKey,
  );
}

const RETENTION_SETTING = "retention_time";
const RETENTION_BEHIND_SETTING = "retention_behind";
/** The clocks of two machines may differ by so much. */
const CLOCKS_MS = 300_000;

/** The time by which the retention jobs of a process delete, which survives a restart. */
export function retentionClockOf(
  store: Store,
  nowMs: Clock,
  lagging?: (lagMs: number) => void,
  elapsedMs: Clock = () => performance.now(),
): () => Promise<number> {
  const settings = createSettingRepository(store);
  const change = async (
    name: string,
    value: number,
    isReplaced: (seen: number) => boolean,
  ): Promise<void> => {
    const text = String(value);
    const seen = await settings.getOrSet(name, text);
    if (isReplaced(Number(seen))) await settings.replace(name, seen, text);
  };
  return createRetentionClock(
    {
      nowMs,
      elapsedMs,
      read: async () => {
        const text = await settings.get(RETENTION_SETTING);
        if (text === null) return null;
        const behind = await settings.get(RETENTION_BEHIND_SETTING);
        return { timeMs: Number(text), behindMs: Number(behind ?? 0) };
      },
      // Other processes may be further on, or have lowered it.
      raise: (timeMs) => change(RETENTION_SETTING, timeMs, (seen) => seen < timeMs),
      lower: (seenMs, timeMs) => change(RETENTION_SETTING, timeMs, (seen) => seen === seenMs),
      writeBehind: (behindMs) =>
        change(RETENTION_BEHIND_SETTING, behindMs, (seen) => seen !== behindMs),
    },
    lagging,
  );
}

/** Whether the retention jobs have seen a later time than the clock has now, here or on another machine. */
export function isClockBehindOf(store: Store, nowMs: Clock): () => Promise<boolean> {
  const settings = createSettingRepository(store);
  return async () => Number((await settings.get(RETENTION_SETTING)) ?? 0) - nowMs() > CLOCKS_MS;
}

/** A secret that the installation made for itself at its first start. */
export async function secretOf(store: Store, name: string): Promise<string> {
  return createSettingRepository(store).getOrSet(name, randomBytes(32).toString("base64url"));
}

export async function logOptions(
  { store }: Engine,
  keys: Keys,
  logger: Logger,
  options: { readonly clock?: Clock; readonly onFatal?: (reason: string) => void },
): Promise<LogOptions> {
  return {
    secret: await secretOf(store, "record_secret"),
    findSigningKey: keys.signingKey,
    nowMs: options.clock ?? systemClock,
    logger,
    fatal: (reason) => {
      logger.error({ reason }, "service.fatal");
      options.onFatal?.(reason);
    },
  };
}

export async function openThreads(
  config: Config,
  logger: Logger,
  metrics: Metrics | null,
  options: Partial<PoolOptions>,
): Promise<{ readonly pool: Pool; readonly knowledgeVersion: string }> {
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
  return { pool, knowledgeVersion: knowledge.contentVersion };
}
