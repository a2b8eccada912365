// The main-thread side of the worker threads: limits, priorities, timeouts, and what happens when a thread dies.
//
// Crash policy. A throw on one transaction stays inside the thread and costs that transaction alone. When a whole task
// is lost (the thread died, ran out of memory or did not answer in time) the chunk is cut in halves until the one that
// does it stands alone; it fails, its neighbours get their results. Before a transaction is blamed, a task that is known
// to be good must succeed: when that fails too, the threads are at fault and nothing is blamed.
import { Piscina } from "piscina";
import {
  type Answered,
  CHUNK_LENGTH_MAX,
  type EnrichDone,
  type SettingsRef,
  type Query,
  type WorkerAnswer,
  type WorkerSetup,
  type WorkerTask,
} from "../../workers/protocol.ts";
import { LedgerlineError } from "../shared/errors.ts";
import { type EnrichedItem, type EnrichItem, toAskedLine, toEnriched, toTask } from "./chunk.ts";
import { createCostAverages } from "./cost-averages.ts";
import {
  createScheduler,
  type Priority,
  type Scheduler,
  type StopFlag,
  type Workload,
} from "./scheduler.ts";

export interface PoolOptions {
  readonly threads: number;
  readonly knowledge: SharedArrayBuffer;
  /** Where the API is reached, which answers the logos; without it, entities have none. */
  readonly publicUrl?: string | null;
  /** Module of the thread side; tests pass one with defects. */
  readonly workerUrl?: URL;
  /** Time for a task, beside TASK_TIMEOUT_PER_ITEM_MS for each item. A thread that has just died may have to start first. */
  readonly taskTimeoutMs?: number;
  report?(event: PoolEvent): void;
}

/**
 * `task_lost`: a thread died or hung on a task of this many transactions. `item_failed`: one transaction was given up.
 * `question_failed`: the thread's code threw on a question, which has no answer then.
 * `rules_failed`: rules of an organization were skipped, so often, because they failed on a transaction.
 */
export type PoolEvent =
  | { readonly kind: "task_lost"; readonly length: number; readonly error: unknown }
  | { readonly kind: "item_failed" }
  | { readonly kind: "question_failed"; readonly query: Query["kind"] }
  | { readonly kind: "rules_failed"; readonly count: number };

export interface PoolState {
  readonly threads: number;
  readonly running: number;
  readonly waitingInteractive: number;
  readonly waitingBatch: number;
}

export interface Pool {
  /**
   * Facts as JSON text for each item, null for one that cannot be enriched.
   * @param settings what the organization has set, see `shareProfile`; null: nothing
   * @param org whose thread time it is; left out by commands, which share their threads with nobody
   * @throws LedgerlineError `overloaded` when too much is waiting, `unavailable` when the threads cannot work at all.
   */
  enrich(
    items: readonly EnrichItem[],
    priority: Priority,
    settings?: SettingsRef | null,
    org?: string,
  ): Promise<readonly (string | null)[]>;
  /** As `enrich`, and the same facts as Avro too when `isEncoded`. */
  enrichChunk(
    items: readonly EnrichItem[],
    load: Workload,
    settings: SettingsRef | null,
    isEncoded: boolean,
  ): Promise<readonly EnrichedItem[]>;
  /**
   * The answer to a question about the knowledge, as the question says; null too when the thread fails on it. Somebody
   * waits for it: it goes before batch work.
   * @throws LedgerlineError as `enrich` does.
   */
  ask(query: Query): Promise<string | null>;
  /**
   * Why one transaction is recognised as it is: the JSON text of an `Explanation`, null when it cannot be explained.
   * @throws LedgerlineError as `enrich` does.
   */
  explain(item: EnrichItem): Promise<string | null>;
  state(): PoolState;
  /** Thread time that an item of the organization's batches took lately, milliseconds; 0 where none is known. */
  msPerItem(org: string): number;
  /** From now on a task that is lost is `unavailable`, instead of being halved until its culprit is found. */
  stopRetrying(): void;
  close(): Promise<void>;
}

// An item takes about 25 µs, so one that takes this long will not end. A chunk of 250 with one such item in it is halved
// eight times: 3 to 4 s for the whole, 2 s for the last, 23 s together.
const TASK_TIMEOUT_MS = 2_000;
const TASK_TIMEOUT_PER_ITEM_MS = 8;
/** For the first task, which waits for a thread to start and to load its code, on however slow a machine. */
const START_TIMEOUT_MS = 30_000;
/** The consumers hold fewer in work than this: it is the last line, not the first. */
const QUEUE_LENGTH_MAX = 1_000;
/** Twice the chunks of a thread that the consumers hold. */
const QUEUED_PER_THREAD = 64;
/** Heap of one thread, MB: the recogniser needs a few; the knowledge is shared and does not count. */
const THREAD_HEAP_MAX_MB = 256;
/**
 * Beside it, the part where objects are made, MB. A chunk leaves about 2 MB of garbage: with more room it would only lie
 * there for longer, in 24 MB more of each thread by default. Collecting it more often costs no measurable time.
 */
const THREAD_YOUNG_HEAP_MAX_MB = 8;
const CLOSE_TIMEOUT_MS = 5_000;
/** After a task was stopped, the next one has so many times the transactions that it did: most would cross in vain. */
const SLICE_GROWTH = 8;
const SLICE_MIN = 32;
/** Stands for an organization where questions are scheduled: they are few, and of all organizations together. */
const QUESTIONS = "";

const PROBE: EnrichItem = {
  description: "CARD PURCHASE",
  amount: 1,
  entryType: "outgoing",
  currency: "USD",
  accountType: "consumer",
  rawAddress: null,
  country: null,
};

/** What a thread answers to a task it has done. */
type DoneOf<Task extends WorkerTask> = Task extends Query ? Answered : EnrichDone;

const lengthOf = (task: WorkerTask): number =>
  task.kind === "enrich" ? task.descriptions.length : 1;

function startThreads(options: PoolOptions): Piscina {
  const { knowledge, publicUrl = null } = options;
  const setup: WorkerSetup = { knowledge, publicUrl };
  const piscina = new Piscina({
    filename: (options.workerUrl ?? new URL("../../workers/workers.ts", import.meta.url)).href,
    name: "run",
    minThreads: options.threads,
    maxThreads: options.threads,
    concurrentTasksPerWorker: 1,
    workerData: setup,
    resourceLimits: {
      maxOldGenerationSizeMb: THREAD_HEAP_MAX_MB,
      maxYoungGenerationSizeMb: THREAD_YOUNG_HEAP_MAX_MB,
    },
    // Threads compute: they have no use for the environment and what may be secret in it.
    env: {},
    closeTimeout: CLOSE_TIMEOUT_MS,
    recordTiming: false,
  });
  // A thread that dies rejects its task, which is handled there; without a listener the event would end the process.
  piscina.on("error", () => undefined);
  return piscina;
}

type RunTask = <Task extends WorkerTask>(
  task: Task,
  baseTimeoutMs?: number,
) => Promise<DoneOf<Task>>;

/** What gives a task to a thread and fails when it is lost. */
function taskRunner(piscina: Piscina, taskTimeoutMs: number): RunTask {
  return async <Task extends WorkerTask>(task: Task, baseTimeoutMs = taskTimeoutMs) => {
    const timeoutMs = baseTimeoutMs + TASK_TIMEOUT_PER_ITEM_MS * lengthOf(task);
    const answer = await withinTime(timeoutMs, (signal) => piscina.run(task, { signal }));
    if (!answer.ok) throw new Error(`The thread refused its task: ${answer.message}`);
    // A thread answers a task with its own kind.
    return answer as DoneOf<Task>;
  };
}

/**
 * A signal of `AbortSignal.timeout` goes off even when nobody listens any more, and makes an error with its stack then:
 * for every task, two seconds after it was done.
 */
async function withinTime(
  timeoutMs: number,
  run: (signal: AbortSignal) => Promise<unknown>,
): Promise<WorkerAnswer> {
  const late = new AbortController();
  const timer = setTimeout(() => {
    late.abort(new Error("The task was not done in time"));
  }, timeoutMs);
  try {
    return (await run(late.signal)) as WorkerAnswer;
  } finally {
    clearTimeout(timer);
  }
}

interface ChunkPorts {
  readonly runTask: RunTask;
  /** Says that a task was lost; throws when nobody is to look for the culprit. */
  lost(length: number, error: unknown): void;
  report(event: PoolEvent): void;
}

/**
 * Returns what enriches a chunk, whatever single transactions in it do to their thread. Stopped, it enriches the first
 * ones alone, at least one.
 */
function chunkRunner({ runTask, lost, report }: ChunkPorts) {
  async function run(
    items: readonly EnrichItem[],
    settings: SettingsRef | null,
    isEncoded: boolean,
    stop: StopFlag | null,
  ): Promise<readonly EnrichedItem[]> {
    const done = await runTask(toTask(items, settings, isEncoded, stop));
    if (done.ruleFailures > 0) report({ kind: "rules_failed", count: done.ruleFailures });
    return toEnriched(done);
  }

  return async function runChunk(
    items: readonly EnrichItem[],
    settings: SettingsRef | null,
    isEncoded: boolean,
    stop: StopFlag | null,
  ): Promise<readonly EnrichedItem[]> {
    try {
      return await run(items, settings, isEncoded, stop);
    } catch (error) {
      lost(items.length, error);
    }
    if (items.length > 1) {
      const half = Math.ceil(items.length / 2);
      // Not to be stopped: the second half follows the whole first half.
      const first = await runChunk(items.slice(0, half), settings, isEncoded, null);
      return [...first, ...(await runChunk(items.slice(half), settings, isEncoded, null))];
    }
    // The thread may only just have started, on a busy machine: once more, on one that works.
    await probe(runTask);
    try {
      return await run(items, settings, isEncoded, null);
    } catch (error) {
      lost(items.length, error);
    }
    await probe(runTask);
    report({ kind: "item_failed" });
    return [{ facts: null, bytes: null }];
  };
}

/** Does `start`; when it fails, nothing stays open. */
async function orDestroy(piscina: Piscina, start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    await piscina.destroy();
    throw error;
  }
}

/**
 * Starts the threads and has one of them do a task.
 * @throws LedgerlineError `unavailable` when they cannot work.
 */
export async function openPool(options: PoolOptions): Promise<Pool> {
  const piscina = startThreads(options);
  const scheduler = createScheduler({
    runningMax: options.threads,
    queueLengthMax: Math.max(QUEUE_LENGTH_MAX, QUEUED_PER_THREAD * options.threads),
  });
  const costs = createCostAverages();
  const report = options.report ?? (() => undefined);
  const taskTimeoutMs = options.taskTimeoutMs ?? TASK_TIMEOUT_MS;
  const runTask = taskRunner(piscina, taskTimeoutMs);
  let closing = false;

  /** A task was lost: says so, and ends here while closing. */
  function lost(length: number, error: unknown): void {
    // Looking for the culprit takes longer than there is time to close; the chunk is handed over again after the start.
    if (closing)
      throw new LedgerlineError("unavailable", "The service is closing.", { cause: error });
    report({ kind: "task_lost", length, error });
  }

  const runChunk = chunkRunner({ runTask, lost, report });

  async function runQuestion(query: Query): Promise<string | null> {
    try {
      const { text, threw } = await runTask(query);
      if (threw) report({ kind: "question_failed", query: query.kind });
      return text;
    } catch (error) {
      lost(1, error);
      await probe(runTask);
      return null;
    }
  }

  const enrichChunk: Pool["enrichChunk"] = async (items, load, settings, isEncoded) => {
    checkLength(items);
    const hasSettings = settings !== null;
    const enriched: EnrichedItem[] = [];
    let sliceMax = items.length;
    while (enriched.length < items.length) {
      const slice = items.slice(enriched.length, enriched.length + sliceMax);
      const work = async (stop: StopFlag): Promise<readonly EnrichedItem[]> => {
        const startMs = performance.now();
        const done = await runChunk(slice, settings, isEncoded, stop);
        // A call is a task of few items, most of whose time is the way to the thread: chunks cost less an item.
        if (load.priority !== "interactive")
          costs.add(load.org, done.length, performance.now() - startMs);
        return done;
      };
      const done = await scheduler.run({ ...load, hasSettings }, work, enriched.length > 0);
      enriched.push(...done);
      sliceMax = Math.max(SLICE_MIN, done.length * SLICE_GROWTH);
    }
    return enriched;
  };

  const ask: Pool["ask"] = (query) =>
    scheduler.run({ org: QUESTIONS, priority: "interactive" }, () => runQuestion(query));

  const startMs = Math.max(START_TIMEOUT_MS, taskTimeoutMs);
  await orDestroy(piscina, () => probe((task) => runTask(task, startMs)));
  return {
    enrich: async (items, priority, settings = null, org = "") =>
      (await enrichChunk(items, { org, priority }, settings, false)).map(({ facts }) => facts),
    enrichChunk,
    ask,
    explain: (item) => ask({ kind: "explain", line: toAskedLine(item) }),
    state: () => stateOf(scheduler, options.threads),
    msPerItem: costs.msPerItem,
    stopRetrying: () => {
      closing = true;
    },
    close: () => piscina.close(),
  };
}

/** @throws Error for more than a chunk */
function checkLength({ length }: readonly EnrichItem[]): void {
  if (length > CHUNK_LENGTH_MAX)
    throw new Error(`A chunk has at most ${String(CHUNK_LENGTH_MAX)} items`);
}

const stateOf = (scheduler: Scheduler, threads: number): PoolState => ({
  threads,
  running: scheduler.running(),
  waitingInteractive: scheduler.waiting("interactive"),
  waitingBatch: scheduler.waiting("batch"),
});

async function probe(runTask: (task: WorkerTask) => Promise<unknown>): Promise<void> {
  try {
    await runTask(toTask([PROBE], null, false, null));
  } catch (error) {
    throw new LedgerlineError("unavailable", "The enrichment threads cannot work.", {
      cause: error,
    });
  }
}
