// Gathers what waits for the threads at the same time into one task. A thread gets its next task from the event loop, so
// that tasks of one transaction each are at most as many as the loop has turns, whatever the threads could do: with a few
// hundred callers at once it has few. Nothing waits for others to come: whoever finds a thread free goes alone.

/** Does items of one task; the results are in their order. */
type Run<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

interface Waiting<Item, Result> {
  readonly items: readonly Item[];
  resolve(results: readonly Result[]): void;
  reject(error: unknown): void;
}

interface Group<Item, Result> {
  readonly run: Run<Item, Result>;
  readonly waiting: Waiting<Item, Result>[];
}

/** Does items in one task with others of the same `group`, whose `run` is as good as theirs. */
export type Gather<Item, Result> = (
  group: string,
  run: Run<Item, Result>,
  items: readonly Item[],
) => Promise<readonly Result[]>;

export interface GatheringLimits {
  /** Tasks that run at the same time. */
  readonly tasksMax: number;
  /** Items of a task, unless they are all of one caller. */
  readonly itemsMax: number;
}

/** Groups that wait take turns. */
export function createGathering<Item, Result>(limits: GatheringLimits): Gather<Item, Result> {
  /** Whose turn is next stands first. */
  const groups = new Map<string, Group<Item, Result>>();
  let running = 0;

  function next(): void {
    const [first] = groups;
    if (first === undefined || running >= limits.tasksMax) return;
    const [name, group] = first;
    const taken = takeFirst(group.waiting, limits.itemsMax);
    groups.delete(name);
    if (group.waiting.length > 0) groups.set(name, group);
    running += 1;
    void runTask(group.run, taken);
  }

  async function runTask(
    run: Run<Item, Result>,
    all: readonly Waiting<Item, Result>[],
  ): Promise<void> {
    try {
      const results = await run(all.flatMap(({ items }) => items));
      let from = 0;
      for (const { items, resolve } of all) {
        resolve(results.slice(from, from + items.length));
        from += items.length;
      }
    } catch (error) {
      for (const { reject } of all) reject(error);
    }
    running -= 1;
    next();
  }

  return (name, run, items) =>
    new Promise((resolve, reject) => {
      const group = groups.get(name) ?? { run, waiting: [] };
      group.waiting.push({ items, resolve, reject });
      groups.set(name, group);
      next();
    });
}

/** Takes away those who came first: one, or as many as have so many items. */
function takeFirst<Item, Result>(
  waiting: Waiting<Item, Result>[],
  itemsMax: number,
): readonly Waiting<Item, Result>[] {
  let length = 0;
  const end = waiting.findIndex(({ items }, index) => {
    length += items.length;
    return index > 0 && length > itemsMax;
  });
  return waiting.splice(0, end < 0 ? waiting.length : end);
}
