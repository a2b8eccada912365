// A bounded capacity that all organizations use together: waiting calls, bytes in memory, records in flight.

export interface TenantBudget {
  /** What all organizations hold. */
  readonly held: number;
  /**
   * Whether an organization may have `amount` more. It may not hold more than it leaves free: alone it gets half of the
   * capacity, so that there is always some for the next one.
   */
  fits(org: string, amount: number): boolean;
  /** Acquires capacity for an organization if it fits, all of `amount` or nothing. */
  acquire(org: string, amount: number): boolean;
  release(org: string, amount: number): void;
}

export interface TenantBudgetOptions {
  /** What one organization may hold at most. */
  readonly perTenantMax?: number;
  /** Whether an organization may have all of the capacity while no other one holds any. */
  readonly isAllForOne?: boolean;
}

export function createTenantBudget(
  max: number,
  { perTenantMax = max, isAllForOne = false }: TenantBudgetOptions = {},
): TenantBudget {
  const heldByOrg = new Map<string, number>();
  let held = 0;

  function fits(org: string, amount: number): boolean {
    const own = heldByOrg.get(org) ?? 0;
    const free = max - held;
    if (amount > free || own + amount > perTenantMax) return false;
    return own + amount <= free || (isAllForOne && own === held);
  }

  return {
    get held() {
      return held;
    },
    fits,
    acquire(org, amount) {
      if (!fits(org, amount)) return false;
      held += amount;
      heldByOrg.set(org, (heldByOrg.get(org) ?? 0) + amount);
      return true;
    },
    release(org, amount) {
      const own = (heldByOrg.get(org) ?? 0) - amount;
      held -= amount;
      // An organization that holds nothing has no entry.
      if (own > 0) heldByOrg.set(org, own);
      else heldByOrg.delete(org);
    },
  };
}
