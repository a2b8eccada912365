// Waiting items by owner, served round robin over the owners: an owner with a thousand items waits behind its own items, and
// delays the others by only one of them at a time.

export interface FairQueue<Item> {
  add(of: string, item: Item): void;
  /**
   * Removes and returns the next item: the oldest one of the owner that was served longest ago. Undefined: the queue is empty.
   */
  take(): Item | undefined;
  /** Removes an item that is no longer wanted, if it is in the queue. */
  remove(of: string, item: Item): void;
}

export function createFairQueue<Item>(): FairQueue<Item> {
  /** An owner without items has no entry. The owner that is served next comes first. */
  const itemsByOwner = new Map<string, Set<Item>>();

  return {
    add(of, item) {
      const items = itemsByOwner.get(of);
      if (items === undefined) itemsByOwner.set(of, new Set([item]));
      else items.add(item);
    },
    take() {
      for (const [of, items] of itemsByOwner) {
        itemsByOwner.delete(of);
        for (const item of items) {
          items.delete(item);
          if (items.size > 0) itemsByOwner.set(of, items);
          return item;
        }
      }
      return undefined;
    },
    remove(of, item) {
      const items = itemsByOwner.get(of);
      if (items?.delete(item) === true && items.size === 0) itemsByOwner.delete(of);
    },
  };
}
