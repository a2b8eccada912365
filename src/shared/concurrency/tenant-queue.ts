// A queue that is fair to tenants by what their work costs (start-time fair queueing). Every tenant has a virtual time,
// which grows with the cost of what was served to it. The next item is one of the waiting tenant whose virtual time is
// lowest, so a tenant that floods the queue waits behind its own work, and the others get an equal part of the capacity.
// A tenant that was idle starts at the queue's virtual time: it cannot save up capacity for later.

import { BATCH_PRIORITIES, type BatchPriority } from "./priority.ts";

/** Of one tenant, one low item is served after this many default items in a row, so that low is never starved. */
export const DEFAULT_ITEMS_PER_LOW_ITEM = 8;

export interface Queued<Item> {
  readonly tenant: string;
  readonly priority: BatchPriority;
  readonly item: Item;
}

export interface TenantQueue<Item> {
  /** @param isFirst puts it in front of what this tenant has waiting at this priority, for example the rest of an item */
  add(queued: Queued<Item>, isFirst?: boolean): void;
  /**
   * Removes and returns the next item that may be served now. Undefined: none is waiting, or none may.
   * @param mayServeTenant asked once of each tenant, before its items are looked at
   */
  take(
    mayServe?: MayServe<Item>,
    mayServeTenant?: (tenant: string) => boolean,
  ): Queued<Item> | undefined;
  /** Adds the cost of what was served to the virtual time of a tenant, in any unit that is the same for all tenants. */
  charge(tenant: string, cost: number): void;
  /** Removes the items that are no longer wanted. */
  filter(isWanted: (queued: Queued<Item>) => boolean): void;
  readonly size: number;
  /** Whether a tenant other than this one has something waiting. */
  hasOthers(tenant: string): boolean;
  waiting(priority: BatchPriority): number;
}

type MayServe<Item> = (queued: Queued<Item>) => boolean;

interface Tenant<Item> {
  virtualTime: number;
  defaultsInRow: number;
  readonly items: Record<BatchPriority, Item[]>;
}

export function createTenantQueue<Item>(): TenantQueue<Item> {
  const tenants = new Map<string, Tenant<Item>>();
  const sizes: Record<BatchPriority, number> = { default: 0, low: 0 };
  let virtualTime = 0;

  function tenantOf(name: string): Tenant<Item> {
    const known = tenants.get(name);
    if (known !== undefined) return known;
    const added = { virtualTime, defaultsInRow: 0, items: { default: [], low: [] } };
    tenants.set(name, added);
    return added;
  }

  function takeOf(name: string, mayServe: MayServe<Item>): Queued<Item> | undefined {
    const tenant = tenantOf(name);
    for (const priority of prioritiesOf(tenant)) {
      const items = tenant.items[priority];
      const place = items.findIndex((item) => mayServe({ tenant: name, priority, item }));
      const [item] = place === -1 ? [] : items.splice(place, 1);
      if (item === undefined) continue;
      sizes[priority] -= 1;
      tenant.defaultsInRow = priority === "low" ? 0 : tenant.defaultsInRow + 1;
      virtualTime = Math.max(virtualTime, tenant.virtualTime);
      // Moves it to the end, behind those with the same virtual time.
      tenants.delete(name);
      tenants.set(name, tenant);
      return { tenant: name, priority, item };
    }
    return undefined;
  }

  return {
    add({ tenant: name, priority, item }, isFirst = false) {
      const tenant = tenantOf(name);
      if (isIdle(tenant)) tenant.virtualTime = Math.max(tenant.virtualTime, virtualTime);
      if (isFirst) tenant.items[priority].unshift(item);
      else tenant.items[priority].push(item);
      sizes[priority] += 1;
    },
    take(mayServe = () => true, mayServeTenant = () => true) {
      const passedOver = new Set<string>();
      for (;;) {
        const name = nextTenant(tenants, virtualTime, passedOver);
        if (name === undefined) return undefined;
        const taken = mayServeTenant(name) ? takeOf(name, mayServe) : undefined;
        if (taken !== undefined) return taken;
        passedOver.add(name);
      }
    },
    charge(name, cost) {
      tenantOf(name).virtualTime += cost;
    },
    filter(isWanted) {
      for (const [name, { items }] of tenants) {
        for (const priority of BATCH_PRIORITIES) {
          const kept = items[priority].filter((item) => isWanted({ tenant: name, priority, item }));
          sizes[priority] += kept.length - items[priority].length;
          items[priority] = kept;
        }
      }
    },
    get size() {
      return sizes.default + sizes.low;
    },
    hasOthers: (name) => {
      for (const [other, tenant] of tenants) if (other !== name && !isIdle(tenant)) return true;
      return false;
    },
    waiting: (priority) => sizes[priority],
  };
}

/**
 * The waiting tenant with the lowest virtual time; of equals, the one served longest ago. Removes idle tenants without debt.
 */
function nextTenant(
  tenants: Map<string, Tenant<unknown>>,
  virtualTime: number,
  passedOver: ReadonlySet<string>,
): string | undefined {
  let found: string | undefined;
  let lowest = Infinity;
  for (const [name, tenant] of tenants) {
    if (isIdle(tenant)) {
      if (tenant.virtualTime <= virtualTime) tenants.delete(name);
    } else if (tenant.virtualTime < lowest && !passedOver.has(name)) {
      found = name;
      lowest = tenant.virtualTime;
    }
  }
  return found;
}

function isIdle({ items }: Tenant<unknown>): boolean {
  return items.default.length === 0 && items.low.length === 0;
}

/** The next priority of a tenant, and the one to use if that is empty. */
function prioritiesOf({ defaultsInRow }: Tenant<unknown>): readonly BatchPriority[] {
  return defaultsInRow >= DEFAULT_ITEMS_PER_LOW_ITEM ? ["low", "default"] : ["default", "low"];
}
