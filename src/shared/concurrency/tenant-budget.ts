// Room for so much at a time that all organizations share: calls that wait, bytes in memory.

export interface TenantBudget {
  /**
   * Takes room for an organization, all of it or nothing. False when there is not so much left, or when the organization
   * would hold more than it finds free: alone it gets half of the room, and whoever comes next finds some.
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
      // Who holds nothing leaves no entry.
      if (held > 0) heldByOrg.set(org, held);
      else heldByOrg.delete(org);
    },
  };
}
