// Removes what has served its purpose, a little at a time.

export interface JanitorPorts {
  /** Records up to this order will not be handed over again. */
  passed(): string;
  removeTombstones(beforeOrder: string, limit: number): Promise<number>;
  removeExpiredIdempotencyKeys(limit: number): Promise<number>;
}

const REMOVED_AT_ONCE = 500;

/** One round: everything that can go goes, in writes of at most 500 rows. */
export async function cleanUp(ports: JanitorPorts): Promise<void> {
  while ((await ports.removeTombstones(ports.passed(), REMOVED_AT_ONCE)) === REMOVED_AT_ONCE);
  while ((await ports.removeExpiredIdempotencyKeys(REMOVED_AT_ONCE)) === REMOVED_AT_ONCE);
}
