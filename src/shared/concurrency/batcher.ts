// Combines items that wait for the threads at the same time into one task. A thread gets its next task from the event loop, so
// there are at most as many tasks as turns of the loop, and with a few hundred concurrent callers the loop has few turns: tasks
// of one transaction each would leave the threads idle. No item waits for others to arrive: if a thread is free, an item goes
// alone.

/** Processes the items of one task; the results are in the same order. */
type Run<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

interface Waiting<Item, Result> {
  readonly items: readonly Item[];
  resolve(results: readonly Result[]): void;
  reject(error: unknown): void;
}

interface Group<Item, Result> {
  readonly run: Run<Item, Result>;
  readonly waiting: Waiting<Item, Result>[];
  running: number;
}

/** Processes items in one task with others of the same `group`, whose `run` must be equivalent. */
export type Batcher<Item, Result> = (
  group: string,
  run: Run<Item, Result>,
  items: readonly Item[],
) => Promise<readonly Result[]>;

export interface BatcherLimits {
  /** Concurrent tasks of a group. Groups do not wait for each other here: the scheduler decides which task is next. */
  readonly tasksMax: number;
  /** Items of a task, unless they all belong to one caller. */
  readonly itemsMax: number;
}

export function createBatcher<Item, Result>(limits: BatcherLimits): Batcher<Item, Result> {
  const groups = new Map<string, Group<Item, Result>>();

  function next(name: string, group: Group<Item, Result>): void {
    if (group.waiting.length === 0 && group.running === 0) groups.delete(name);
    if (group.waiting.length === 0 || group.running >= limits.tasksMax) return;
    group.running += 1;
    void runTask(group, takeFirst(group.waiting, limits.itemsMax)).then(() => {
      group.running -= 1;
      next(name, group);
    });
  }

  async function runTask(
    { run }: Group<Item, Result>,
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
  }

  return (name, run, items) =>
    new Promise((resolve, reject) => {
      const group = groups.get(name) ?? { run, waiting: [], running: 0 };
      groups.set(name, group);
      group.waiting.push({ items, resolve, reject });
      next(name, group);
    });
}

/** Removes and returns the first callers: one, or as many as fit into this many items. */
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
