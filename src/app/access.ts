// Joins keys, their limits, the audit and organizations with the store; part of the composition root.
import { randomUUID } from "node:crypto";
import type { Config } from "../config/config.ts";
import type { Engine } from "./engine.ts";
import { createBucketsInMemory } from "../access/buckets-in-memory.ts";
import type { Keys } from "../access/keys.ts";
import { createLimits, type Limits } from "../access/limits.ts";
import { createOrganizations, type Organizations } from "../access/organizations.ts";
import type { Clock } from "../shared/clock.ts";
import { createKeysOf, retentionClockOf } from "./parts.ts";
import { type AuditRepository, createAuditRepository } from "../store/repositories/audit.ts";
import { createBucketRepository } from "../store/repositories/buckets.ts";
import { createKeyRepository } from "../store/repositories/keys.ts";
import { createOrganizationRepository } from "../store/repositories/organizations.ts";

/** Who may do what and how much of it, and who did what. */
export interface Access {
  readonly keys: Keys;
  readonly limits: Limits;
  readonly audit: AuditRepository;
  readonly organizations: Organizations;
  /** The time by which to delete what is kept for a while: it follows the clock, and no leap of it. */
  retentionNow(): Promise<number>;
  /** Each removes up to so many rows whose time is over and says how many. */
  readonly sweeps: readonly ((limit: number) => Promise<number>)[];
}

const DAY_MS = 24 * 3_600_000;
/** A bucket that has been full for so long is the same as none, however far the clocks of the machines are apart. */
const FULL_BUCKET_KEPT_MS = 3_600_000;

/** @param lagging called when the time of the retention jobs begins to lag behind the clock by so many milliseconds */
export function createAccess(
  { store, isShared }: Pick<Engine, "store" | "isShared">,
  config: Config,
  nowMs: Clock,
  lagging?: (lagMs: number) => void,
  elapsedMs?: Clock,
): Access {
  const keys = createKeyRepository(store);
  const organizations = createOrganizationRepository(store);
  const audit = createAuditRepository(store);
  const retentionNow = retentionClockOf(store, nowMs, lagging, elapsedMs);
  // A process alone keeps its buckets in memory: a write to the disk for each is more than they are worth.
  const stored = isShared ? createBucketRepository(store) : null;
  const buckets =
    stored === null
      ? createBucketsInMemory()
      : { readBucket: stored.read, replaceBucket: stored.replace, isShared };
  return {
    keys: createKeysOf(store, config, nowMs),
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
    sweeps: [
      async (limit) => keys.removeEnded((await retentionNow()) - config.auditDays * DAY_MS, limit),
      async (limit) => audit.removeOlder((await retentionNow()) - config.auditDays * DAY_MS, limit),
      ...(stored === null
        ? []
        : [(limit: number) => stored.removeFull(nowMs() - FULL_BUCKET_KEPT_MS, limit)]),
    ],
  };
}
