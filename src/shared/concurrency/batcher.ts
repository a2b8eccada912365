// Combines items that wait at the same time into one task: for the threads, or for a server that has every write on its disk
// before it confirms it. A few hundred concurrent callers with a task each would leave threads idle, and have hundreds of writes
// in flight, each slower than the one before. No item waits for others to arrive: if there is capacity, an item goes alone.

/** Processes the items of one task; the results are in the same order. */
type Run<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

/** Items of one caller. */
interface Submitted<Item, Result> {
  readonly items: readonly Item[];
  resolve(results: readonly Result[]): void;
  reject(error: unknown): void;
}

interface BatchQueue<Item, Result> {
  readonly run: Run<Item, Result>;
  readonly waiting: Submitted<Item, Result>[];
  running: number;
}

/** Processes items in one task with others of the same `key`, whose `run` must be equivalent. */
export type Batcher<Item, Result> = (
  key: string,
  run: Run<Item, Result>,
  items: readonly Item[],
) => Promise<readonly Result[]>;

export interface BatcherLimits {
  /** Concurrent tasks of a key. Keys do not wait for each other here. */
  readonly tasksMax: number;
  /** Items of a task, unless they all belong to one caller. */
  readonly itemsMax: number;
  /** Failures after which the items of each caller are tried alone, because only one of them may be the cause. */
  readonly isTriedAlone?: (error: unknown) => boolean;
}

export function createBatcher<Item, Result>(limits: BatcherLimits): Batcher<Item, Result> {
  const { tasksMax, itemsMax, isTriedAlone = () => false } = limits;
  const queues = new Map<string, BatchQueue<Item, Result>>();

  function next(key: string, queue: BatchQueue<Item, Result>): void {
    if (queue.waiting.length === 0 && queue.running === 0) queues.delete(key);
    if (queue.waiting.length === 0 || queue.running >= tasksMax) return;
    queue.running += 1;
    void runTask(queue, takeFirst(queue.waiting, itemsMax)).then(() => {
      queue.running -= 1;
      next(key, queue);
    });
  }

  /** Never rejects: each caller gets its own outcome. */
  async function runTask(
    queue: BatchQueue<Item, Result>,
    all: readonly Submitted<Item, Result>[],
  ): Promise<void> {
    try {
      const results = await queue.run(all.flatMap(({ items }) => items));
      let from = 0;
      for (const { items, resolve } of all) {
        resolve(results.slice(from, from + items.length));
        from += items.length;
      }
    } catch (error) {
      if (all.length > 1 && isTriedAlone(error))
        await Promise.all(all.map((one) => runTask(queue, [one])));
      else for (const { reject } of all) reject(error);
    }
  }

  return (key, run, items) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(key) ?? { run, waiting: [], running: 0 };
      queues.set(key, queue);
      queue.waiting.push({ items, resolve, reject });
      next(key, queue);
    });
}

/** Removes and returns the first callers: one, or as many as fit into this many items. */
function takeFirst<Item, Result>(
  waiting: Submitted<Item, Result>[],
  itemsMax: number,
): readonly Submitted<Item, Result>[] {
  let length = 0;
  const end = waiting.findIndex(({ items }, index) => {
    length += items.length;
    return index > 0 && length > itemsMax;
  });
  return waiting.splice(0, end < 0 ? waiting.length : end);
}
