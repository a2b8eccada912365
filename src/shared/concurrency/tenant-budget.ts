// A bounded capacity that all organizations use together: waiting calls, bytes in memory.

export interface TenantBudget {
  /**
   * Acquires capacity for an organization, all of `amount` or nothing. False when too little is left, or when the organization
   * would hold more than what stays free: alone it gets half of the capacity, so that there is always some for the next one.
   */
  acquire(org: string, amount: number): boolean;
  release(org: string, amount: number): void;
}

export function createTenantBudget(max: number): TenantBudget {
  const heldByOrg = new Map<string, number>();
  let free = max;
  return {
    acquire(org, amount) {
      const held = heldByOrg.get(org) ?? 0;
      if (held + amount > free) return false;
      free -= amount;
      heldByOrg.set(org, held + amount);
      return true;
    },
    release(org, amount) {
      const held = (heldByOrg.get(org) ?? 0) - amount;
      free += amount;
      // An organization that holds nothing has no entry.
      if (held > 0) heldByOrg.set(org, held);
      else heldByOrg.delete(org);
    },
  };
}
