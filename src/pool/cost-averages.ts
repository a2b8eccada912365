// The thread time that an item of an organization costs: a moving average in which the latest items count most.

/** After this many items, they make up half of the average: some chunks. */
const HALF_LIFE_ITEMS = 1_000;
/** Organizations that are kept; the others have no average. */
const ORGANIZATIONS_MAX = 10_000;

export interface CostAverages {
  add(org: string, items: number, ms: number): void;
  /** 0 for an organization without an average. */
  msPerItem(org: string): number;
}

export function createCostAverages(): CostAverages {
  /** Least recently used first. */
  const averages = new Map<string, number>();
  return {
    add(org, items, ms) {
      if (items === 0) return;
      const known = averages.get(org);
      const now = ms / items;
      const weight = known === undefined ? 0 : 0.5 ** (items / HALF_LIFE_ITEMS);
      averages.delete(org);
      averages.set(org, weight * (known ?? 0) + (1 - weight) * now);
      if (averages.size <= ORGANIZATIONS_MAX) return;
      const [oldest = ""] = averages.keys();
      averages.delete(oldest);
    },
    msPerItem: (org) => averages.get(org) ?? 0,
  };
}
