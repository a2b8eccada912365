// The threads that read bank statements, in the process that has them. Those of `verify` are apart: a caller waits.
import pLimit from "p-limit";
import { Piscina } from "piscina";
import type {
  FaultyStatement,
  PlanTask,
  ReadPage,
  RecogniseTask,
  RereadTask,
  StatementPlan,
  StatementSetup,
  UnderstandTask,
} from "../../workers/protocol.ts";
import type { StatementHeaderResult, StatementResult } from "../model/bank-statement.ts";
import { computingEnvironment } from "./computing-environment.ts";
import { startWorkLimit } from "./work-limit.ts";

/** What reading one document needs. A task that takes too long or too much memory ends with a fault. */
export interface StatementThreads {
  plan(task: PlanTask): Promise<StatementPlan | FaultyStatement>;
  recognise(task: RecogniseTask): Promise<ReadPage | FaultyStatement>;
  reread(task: RereadTask): Promise<ReadPage | FaultyStatement>;
  understand(
    task: UnderstandTask,
  ): Promise<StatementResult | StatementHeaderResult | FaultyStatement>;
}

/** Text layers of 300 pages take some seconds; a document that takes this long will not end. */
const TEXT_WORK_MAX_MS = 60_000;
/** A page takes about a second, and four times as long if it cannot be read as it lies. */
const PAGE_WORK_MAX_MS = 30_000;
/** Starting a thread takes 0.2 s of a core, and the next page may come at once. */
const THREAD_IDLE_MS = 30_000;
/** Between two looks at whether a task has worked for too long. */
const LIMIT_CHECK_MS = 250;
/** Heap of one thread, MB: words of 300 pages take a tenth. WebAssembly has its memory outside of it. */
const STATEMENT_HEAP_MAX_MB = 512;

/**
 * They end with their process.
 * @param threads most that run at the same time
 * @param workerUrl module of the thread side; tests pass a faulty one
 */
export function openStatementThreads(
  threads: number,
  setup: StatementSetup,
  workerUrl = new URL("../../workers/statements/worker.ts", import.meta.url),
): StatementThreads {
  const piscina = new Piscina({
    filename: workerUrl.href,
    minThreads: 1,
    maxThreads: threads,
    idleTimeout: THREAD_IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: STATEMENT_HEAP_MAX_MB },
    workerData: setup,
    env: computingEnvironment(),
    recordTiming: false,
  });
  // A thread that dies rejects its task; without a listener the event would end the process.
  piscina.on("error", () => undefined);
  // A task waits here and not in Piscina, so that its limit counts work and not waiting.
  const limit = pLimit(threads);
  const runNow = async <Answer>(
    name: string,
    task: object,
    limitMs: number,
  ): Promise<Answer | FaultyStatement> => {
    const late = new AbortController();
    const isOver = startWorkLimit(limitMs);
    const timer = setInterval(() => {
      if (isOver(limit.activeCount)) late.abort();
    }, LIMIT_CHECK_MS);
    try {
      return (await piscina.run(task, { name, signal: late.signal })) as Answer;
    } catch (cause) {
      if (late.signal.aborted) return { fault: "time_limit" };
      if (hasHeapEnded(cause)) return { fault: "memory_limit" };
      throw cause;
    } finally {
      clearInterval(timer);
    }
  };
  const run = <Answer>(name: string, task: object, limitMs: number) =>
    limit(() => runNow<Answer>(name, task, limitMs));
  return {
    plan: (task) => run("planDocument", task, TEXT_WORK_MAX_MS),
    recognise: (task) => run("recognisePageTask", task, PAGE_WORK_MAX_MS),
    reread: (task) => run("rereadPageTask", task, PAGE_WORK_MAX_MS),
    understand: (task) => run("understandDocument", task, TEXT_WORK_MAX_MS),
  };
}

const hasHeapEnded = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY";
