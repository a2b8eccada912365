// The entry of a worker thread. Piscina loads this file and calls `run` for every task (pool option name: "run").
import { workerData } from "node:worker_threads";
import type { Explanation } from "../src/domain/explanation.ts";
import { createExaminer, type Recognise, type RecogniserItem } from "./enrichment/enrichment.ts";
import { explain } from "./enrichment/explain.ts";
import { openKnowledge } from "./enrichment/knowledge/knowledge.ts";
import {
  ACCOUNT_TYPE_CODES,
  CHUNK_LENGTH_MAX,
  type EnrichDone,
  type EnrichTask,
  type ExplainDone,
  type ExplainTask,
  type TaskFailed,
  type WorkerAnswer,
  type WorkerSetup,
  type WorkerTask,
} from "./protocol.ts";

interface Recogniser {
  readonly recognise: Recognise;
  readonly explain: (item: RecogniserItem) => Explanation;
}

/** Made once a thread: opening the knowledge takes milliseconds, and the caches inside live as long as the thread. */
const recogniser = recogniserOf(workerData as Partial<WorkerSetup> | null);

/** Without a setup the file was loaded outside a pool, where only `enrich` and `explainOne` are of use. */
function recogniserOf(setup: Partial<WorkerSetup> | null): Recogniser | null {
  if (setup?.knowledge === undefined) return null;
  const knowledge = openKnowledge(setup.knowledge);
  const examine = createExaminer(knowledge, setup.publicUrl ?? null);
  return {
    recognise: (item) => examine(item).facts,
    explain: (item) => explain(examine(item), item.accountType, knowledge),
  };
}

const badTask = (message: string): TaskFailed => ({ ok: false, code: "bad_task", message });

/** What is wrong with the shape of a task, null when nothing is. */
function problemOf(task: EnrichTask): string | null {
  const length = task.descriptions.length;
  if (length > CHUNK_LENGTH_MAX)
    return `A task has at most ${String(CHUNK_LENGTH_MAX)} transactions, not ${String(length)}.`;
  const columns = [
    task.amounts,
    task.outgoing,
    task.currencies,
    task.accountTypes,
    task.rawAddresses,
    task.countries,
  ];
  const same = columns.every((column) => column.length === length);
  return same ? null : "The columns of a task have different lengths.";
}

function accountTypeOf(code: number | undefined): RecogniserItem["accountType"] {
  if (code === ACCOUNT_TYPE_CODES.consumer) return "consumer";
  return code === ACCOUNT_TYPE_CODES.business ? "business" : "none";
}

const itemOf = (task: EnrichTask, i: number): RecogniserItem => ({
  description: task.descriptions[i] ?? "",
  amount: task.amounts[i] ?? 0,
  outgoing: task.outgoing[i] === 1,
  currency: task.currencies[i] ?? "",
  accountType: accountTypeOf(task.accountTypes[i]),
  rawAddress: task.rawAddresses[i] ?? null,
  country: task.countries[i] ?? null,
});

/** An item the recogniser throws on becomes null: a bug in it must not take the neighbours down. */
export function enrich(task: EnrichTask, recogniseItem: Recognise): EnrichDone | TaskFailed {
  const problem = problemOf(task);
  if (problem !== null) return badTask(problem);
  const facts = task.descriptions.map((_, i) => {
    try {
      return JSON.stringify(recogniseItem(itemOf(task, i)));
    } catch {
      return null;
    }
  });
  return { ok: true, kind: "enrich", facts };
}

/** Null, as for an item of a chunk, when the recogniser throws on it. */
export function explainOne(task: ExplainTask, explainItem: Recogniser["explain"]): ExplainDone {
  try {
    return { ok: true, kind: "explain", explanation: JSON.stringify(explainItem(task)) };
  } catch {
    return { ok: true, kind: "explain", explanation: null };
  }
}

export function run(task: WorkerTask): WorkerAnswer {
  if (recogniser === null) return badTask("The thread was started without its setup.");
  switch (task.kind) {
    case "enrich":
      return enrich(task, recogniser.recognise);
    case "explain":
      return explainOne(task, recogniser.explain);
  }
}
