// Joins keys, their limits, the audit and organizations with the store; part of the composition root.
import { randomBytes, randomUUID } from "node:crypto";
import { createBucketsInMemory } from "../access/buckets-in-memory.ts";
import { createKeys, type Keys } from "../access/keys.ts";
import { createLimits, type Limits } from "../access/limits.ts";
import { createOrganizations, type Organizations } from "../access/organizations.ts";
import { accessRetention } from "../access/retention.ts";
import type { Config } from "../config/config.ts";
import type { Clock } from "../shared/clock.ts";
import { createStoredRetentionClock } from "../shared/stored-retention-clock.ts";
import type { Engine } from "./engine.ts";
import type { Repositories } from "./repositories.ts";

/** Authentication, limits, organizations and their audit. */
export interface Access {
  readonly keys: Keys;
  readonly limits: Limits;
  readonly audit: Repositories["audit"];
  readonly organizations: Organizations;
  /** The time by which expired rows are deleted: it follows the clock, but no leap of it. */
  retentionNow(): Promise<number>;
  /** Each removes up to `limit` expired rows and returns how many. */
  readonly removals: readonly ((limit: number) => Promise<number>)[];
}

/** @param lagging called with the difference when the retention clock begins to lag behind the wall clock */
export function createAccess(
  { repositories, isShared }: Engine,
  config: Config,
  nowMs: Clock,
  lagging?: (lagMs: number) => void,
  elapsedMs?: Clock,
): Access {
  const { keys, organizations, audit, settings } = repositories;
  const retentionNow = createStoredRetentionClock(settings, nowMs, lagging, elapsedMs);
  // A single process keeps its buckets in memory: a write to the disk for each costs more than they are worth.
  const stored = isShared ? repositories.buckets : null;
  const buckets =
    stored === null
      ? createBucketsInMemory()
      : { readBucket: stored.read, replaceBucket: stored.replace, isShared };
  return {
    keys: createKeysOf(repositories, config, nowMs),
    limits: createLimits({ ...buckets, nowMs }, config.limits),
    audit,
    retentionNow,
    organizations: createOrganizations({
      getOrganization: organizations.get,
      allOrganizations: organizations.all,
      setFeatures: organizations.setFeatures,
      hasHadKey: keys.isKnown,
      listKeys: keys.list,
      nowMs,
      newId: randomUUID,
    }),
    removals: accessRetention(
      {
        removeEndedKeys: keys.removeEnded,
        removeAuditEntries: audit.removeOlder,
        removeFullBuckets: stored?.removeFull ?? null,
        retentionNow,
        nowMs,
      },
      config.auditDays,
    ),
  };
}

export function createKeysOf({ keys }: Repositories, config: Config, nowMs: Clock): Keys {
  return createKeys(
    {
      insertKey: keys.insert,
      findKeyByHash: keys.findByHash,
      findKeyById: keys.findById,
      listKeys: keys.list,
      revokeKey: keys.revoke,
      nowMs,
      newId: randomUUID,
      randomBytes,
    },
    config.apiKey,
  );
}
