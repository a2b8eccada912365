// The main-thread side of the worker threads: limits, priorities, timeouts, and what happens when a thread dies.
//
// Crash policy. An exception on one transaction stays inside the thread and fails only that transaction. When a whole task is
// lost (the thread died, ran out of memory or did not answer in time), the chunk is split in halves until the faulty
// transaction is alone. That one fails, and the others get their results. Before a transaction is blamed, a task that is known
// to be good must succeed: if that fails too, the threads are at fault and no transaction is blamed.
import type { Priority, Workload } from "../model/workload.ts";
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
import type { EnrichItem } from "../model/enrich-item.ts";
import type { RecogniserInput } from "../model/transaction.ts";
import { type EnrichedItem, toEnriched, toTask } from "./chunk.ts";
import { computingEnvironment } from "./computing-environment.ts";
import { createCostAverages } from "./cost-averages.ts";
import { createScheduler, type Scheduler, type StopFlag } from "./scheduler.ts";
import type { PoolEvent } from "../model/process-events.ts";

export interface PoolOptions {
  readonly threads: number;
  readonly knowledge: SharedArrayBuffer;
  /** Base URL of the API, which serves the logos; without it, entities have no logo. */
  readonly publicUrl?: string | null;
  /** Module of the thread side; tests pass a faulty one. */
  readonly workerUrl?: URL;
  /** Timeout of a task; more is added for each item or entry of a ledger. After a crash, a thread may have to start first. */
  readonly taskTimeoutMs?: number;
  report?(event: PoolEvent): void;
}

export interface PoolState {
  readonly threads: number;
  readonly running: number;
  readonly waitingInteractive: number;
  readonly waitingBatch: number;
}

export interface Pool {
  /**
   * Facts as JSON text for each item, null for one that cannot be enriched.
   * @param settings of the organization, see `shareSettings`; null: none
   * @param org the organization that is charged for the thread time; left out by commands, which have threads of their own
   * @throws LedgerlineError `overloaded` when too much is waiting, `unavailable` when the threads cannot work at all.
   */
  enrich(
    items: readonly EnrichItem[],
    priority: Priority,
    settings?: SettingsRef | null,
    org?: string,
  ): Promise<readonly (string | null)[]>;
  /** As `enrich`, with the same facts as Avro too when `isEncoded`. */
  enrichChunk(
    items: readonly EnrichItem[],
    load: Workload,
    settings: SettingsRef | null,
    isEncoded: boolean,
  ): Promise<readonly EnrichedItem[]>;
  /**
   * The answer to a query, in the form that the query defines; null also when the thread fails on it, or two threads are lost with
   * it. A caller waits for it, so it takes precedence over batch work.
   * @param org the organization that is charged for the thread time; left out for queries that take little of it
   * @throws LedgerlineError as `enrich` does; `recurrence_timeout` when the thread did not find in time what recurs in a ledger
   */
  ask(query: Query, org?: string): Promise<string | null>;
  /**
   * Why a transaction is recognised as it is: the JSON text of an `Explanation`, null when it cannot be explained.
   * @throws LedgerlineError as `enrich` does.
   */
  explain(input: RecogniserInput): Promise<string | null>;
  state(): PoolState;
  /** Recent thread time for an item of the organization's batches, in milliseconds; 0 without data. */
  msPerItem(org: string): number;
  /** From now on a lost task is `unavailable`, instead of being halved until the faulty transaction is found. */
  stopRetrying(): void;
  close(): Promise<void>;
}

// An item takes 10 to 100 µs, so one that takes this long will not end. A chunk of 250 with one such item is halved eight times:
// 3 to 4 s for the whole chunk, 2 s for the last part, 23 s together.
const TASK_TIMEOUT_MS = 2_000;
const TASK_TIMEOUT_PER_ITEM_MS = 8;
/** Recurring payments are found in a tenth of this. */
const TASK_TIMEOUT_PER_ENTRY_MS = 0.2;
/** For a task that waits until a thread has started and loaded its code, even on a slow machine: the first one, and each behind a lost one. */
const START_TIMEOUT_MS = 30_000;
/** The consumers keep fewer tasks in flight than this: it is a safeguard, not the normal limit. */
const QUEUE_LENGTH_MAX = 1_000;
/** Twice the records per thread that the consumers keep in flight where all are small, each of another organization. */
const QUEUED_PER_THREAD = 512;
/** Heap of one thread, MB: the recogniser needs a few; the shared knowledge base does not count. */
const THREAD_HEAP_MAX_MB = 256;
/**
 * Additional young generation, MB. A chunk leaves about 2 MB of garbage. A larger young generation, by default 24 MB more for
 * each thread, would only keep that garbage for longer. More frequent collections cost no measurable time.
 */
const THREAD_YOUNG_HEAP_MAX_MB = 8;
const CLOSE_TIMEOUT_MS = 5_000;
/** After a ledger whose search was lost: it takes that long again where the machine is as busy as it was. */
const RECURRENCE_RETRY_SECONDS = 10;
/**
 * After a task was stopped, the next one has this many times the transactions that it completed: most of a larger one would
 * cross to the thread for nothing.
 */
const SLICE_GROWTH = 8;
const SLICE_MIN = 32;
/** Takes the place of an organization when short queries are scheduled: they are few, and all organizations are treated as one. */
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

/** The answer of a thread to a completed task. */
type DoneOf<Task extends WorkerTask> = Task extends Query ? Answered : EnrichDone;

/** What a task may take in addition to the timeout of every task. */
function extraTimeoutMs(task: WorkerTask): number {
  if (task.kind === "recurrence") return TASK_TIMEOUT_PER_ENTRY_MS * task.columns.parties.length;
  return TASK_TIMEOUT_PER_ITEM_MS * (task.kind === "enrich" ? task.descriptions.length : 1);
}

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
    env: computingEnvironment(),
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

/** Sends a task to a thread and fails when the task is lost. */
function taskRunner(piscina: Piscina, taskTimeoutMs: number): RunTask {
  return async <Task extends WorkerTask>(task: Task, baseTimeoutMs = taskTimeoutMs) => {
    const timeoutMs = baseTimeoutMs + extraTimeoutMs(task);
    const answer = await withinTime(timeoutMs, (signal) => piscina.run(task, { signal }));
    if (!answer.ok) throw new Error(`The worker thread refused its task: ${answer.message}`);
    // A thread answers each kind of task with the matching kind of answer.
    return answer as DoneOf<Task>;
  };
}

/**
 * A signal of `AbortSignal.timeout` fires even when nothing listens any more, and then creates an error with its stack: for
 * every task, two seconds after it was done.
 */
async function withinTime(
  timeoutMs: number,
  run: (signal: AbortSignal) => Promise<unknown>,
): Promise<WorkerAnswer> {
  const late = new AbortController();
  const timer = setTimeout(() => {
    late.abort(new Error("The task was not completed in time"));
  }, timeoutMs);
  try {
    return (await run(late.signal)) as WorkerAnswer;
  } finally {
    clearTimeout(timer);
  }
}

interface ChunkPorts {
  readonly runTask: RunTask;
  /** Resolves once a thread works. */
  ready(): Promise<void>;
  /** Reports a lost task; throws when the faulty transaction must not be searched for. */
  lost(length: number, error: unknown): void;
  report(event: PoolEvent): void;
}

/**
 * Returns a function that enriches a chunk even if single transactions crash or block their thread. When stopped, it returns
 * the results of the first transactions only, at least one.
 */
function chunkRunner({ runTask, ready, lost, report }: ChunkPorts) {
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
    // Where a busy machine takes longer to start a thread than a task may take, each part would be lost with the one before.
    await ready();
    if (items.length > 1) {
      const half = Math.ceil(items.length / 2);
      // Cannot be stopped: the second half must follow the complete first half.
      const first = await runChunk(items.slice(0, half), settings, isEncoded, null);
      return [...first, ...(await runChunk(items.slice(half), settings, isEncoded, null))];
    }
    // The thread may have only just started, on a busy machine: retry once, on one that works.
    try {
      return await run(items, settings, isEncoded, null);
    } catch (error) {
      lost(items.length, error);
    }
    await ready();
    report({ kind: "item_failed" });
    return [{ facts: null, bytes: null }];
  };
}

/** Runs `start`; when it fails, everything is closed. */
async function orDestroy(piscina: Piscina, start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    await piscina.destroy();
    throw error;
  }
}

/**
 * Starts the threads and lets one of them run a task.
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
  const startMs = Math.max(START_TIMEOUT_MS, taskTimeoutMs);
  const ready = (): Promise<void> => probe((task) => runTask(task, startMs));
  let closing = false;

  /** Reports a lost task; throws while the pool is closing. */
  function lost(length: number, error: unknown): void {
    // Finding the faulty transaction takes longer than the time to close; the chunk is redelivered after the start.
    if (closing)
      throw new LedgerlineError("unavailable", "The service is closing.", { cause: error });
    report({ kind: "task_lost", length, error });
  }

  const runChunk = chunkRunner({ runTask, ready, lost, report });

  async function runQuestion(query: Query, isRepeated = false): Promise<string | null> {
    try {
      const { text, threw } = await runTask(query);
      if (threw) report({ kind: "question_failed", query: query.kind });
      return text;
    } catch (error) {
      lost(1, error);
      await ready();
      // Any ledger may be one that takes longer than it has on this machine, so that another try can help.
      if (query.kind === "recurrence") throw recurrenceTimeout(error);
      // As with a transaction: on a busy machine one lost task proves nothing, and callers take null for "there is none".
      return isRepeated ? null : runQuestion(query, true);
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
        // A synchronous call is a task of few items, whose time is mostly the transfer to the thread: an item of a chunk costs
        // less.
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

  const ask: Pool["ask"] = (query, org = QUESTIONS) =>
    scheduler.run({ org, priority: "interactive" }, () => runQuestion(query));

  await orDestroy(piscina, ready);
  return {
    enrich: async (items, priority, settings = null, org = "") =>
      (await enrichChunk(items, { org, priority }, settings, false)).map(({ facts }) => facts),
    enrichChunk,
    ask,
    explain: (line) => ask({ kind: "explain", line }),
    state: () => stateOf(scheduler, options.threads),
    msPerItem: costs.msPerItem,
    stopRetrying: () => {
      closing = true;
    },
    close: () => piscina.close(),
  };
}

const recurrenceTimeout = (cause: unknown): LedgerlineError =>
  new LedgerlineError("recurrence_timeout", "What recurs in a ledger was not found in time.", {
    cause,
    retryAfterSeconds: RECURRENCE_RETRY_SECONDS,
  });

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
    throw new LedgerlineError("unavailable", "The enrichment threads cannot start.", {
      cause: error,
    });
  }
}
