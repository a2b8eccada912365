// What waits, by who it is of. Those who have something in the queue take turns: whoever puts in a thousand waits behind
// himself, and all others wait for one of his at a time.

export interface FairQueue<Item> {
  add(of: string, item: Item): void;
  /** Takes out what is next: of whoever waits for longest since his last turn, what he put in first. Undefined: nothing. */
  take(): Item | undefined;
  /** Takes out an item that is no longer wanted, if it is there. */
  remove(of: string, item: Item): void;
}

export function createFairQueue<Item>(): FairQueue<Item> {
  /** Nobody is in it with nothing. Whose turn is next stands first. */
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
