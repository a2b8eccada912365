const DAY_MS = 24 * 3_600_000;
/** A bucket that has been full for this long equals a missing one, however far the clocks of the machines differ. */
const FULL_BUCKET_KEPT_MS = 3_600_000;

type Remove = (beforeMs: number, limit: number) => Promise<number>;

export interface AccessRetentionPorts {
  removeEndedKeys: Remove;
  removeAuditEntries: Remove;
  /** Null: buckets are in memory. */
  readonly removeFullBuckets: Remove | null;
  retentionNow(): Promise<number>;
  nowMs(): number;
}

/** Each removes up to `limit` expired rows and returns how many. */
export function accessRetention(
  ports: AccessRetentionPorts,
  auditDays: number,
): readonly ((limit: number) => Promise<number>)[] {
  const before = async (): Promise<number> => (await ports.retentionNow()) - auditDays * DAY_MS;
  const { removeFullBuckets } = ports;
  return [
    async (limit) => ports.removeEndedKeys(await before(), limit),
    async (limit) => ports.removeAuditEntries(await before(), limit),
    ...(removeFullBuckets === null
      ? []
      : [(limit: number) => removeFullBuckets(ports.nowMs() - FULL_BUCKET_KEPT_MS, limit)]),
  ];
}
