// The entry of a worker thread. Piscina loads this file and calls `run` for every task (pool option name: "run").
import { flushCompileCache } from "node:module";
import { workerData } from "node:worker_threads";
import { AvroBytes } from "../src/codec/avro-bytes.ts";
import type { Facts } from "../src/model/facts.ts";
import { writeFacts } from "../src/codec/facts-bytes.ts";
import { createExaminer } from "./recogniser/recogniser.ts";
import { openKnowledge } from "./knowledge/knowledge.ts";
import { warmUp } from "./warm-up.ts";
import { applySettings, type WithSettings } from "./settings/apply.ts";
import { createCompiledSettingsReader } from "./settings/compiled.ts";
import { createLabellers } from "./training/labellers.ts";
import type { EnrichItem, ItemHolder } from "../src/model/enrich-item.ts";
import type { AccountType } from "../src/model/transaction.ts";
import {
  ACCOUNT_TYPE_CODES,
  type Answered,
  CHUNK_LENGTH_MAX,
  type EncodedFacts,
  type EnrichDone,
  type EnrichTask,
  NO_MCC,
  type SettingsRef,
  type SettingsUse,
  type Query,
  type TaskFailed,
  type WorkerAnswer,
  type WorkerSetup,
  type WorkerTask,
} from "./protocol.ts";

/** Recognises one transaction of an organization with these settings. */
type Enrich = (item: EnrichItem, settings: SettingsRef | null) => WithSettings;

interface Recogniser {
  readonly enrichItem: Enrich;
  /** Loads what questions need, which is as much code as the recogniser, once one is asked. */
  readonly answers: () => Promise<AnswerQuery>;
}

type AnswerQuery = (query: Query) => string | null;

/** Made once a thread: opening the knowledge takes milliseconds, and the caches inside live as long as the thread. */
const recogniser = recogniserOf(workerData as Partial<WorkerSetup> | null);

/** Without a setup the file was loaded outside a pool, where only `enrich` and `answerOne` are of use. */
function recogniserOf(setup: Partial<WorkerSetup> | null): Recogniser | null {
  if (setup?.knowledge === undefined) return null;
  const knowledge = openKnowledge(setup.knowledge);
  const publicUrl = setup.publicUrl ?? null;
  const examine = createExaminer(knowledge, publicUrl);
  warmUp(examine);
  // A thread ends without doing so: one that is lost, or whose process is killed, would have to compile everything again.
  flushCompileCache();
  const readSettings = createCompiledSettingsReader();
  const labellerOf = createLabellers();
  let answer: AnswerQuery | null = null;
  return {
    enrichItem: (item, settings) =>
      applySettings(
        item,
        examine(item),
        { ...readSettings(settings), models: settings?.models ?? null, labellerOf },
        publicUrl,
      ),
    answers: async () => {
      answer ??= (await import("./queries.ts")).createQueryAnswers(knowledge, examine, publicUrl);
      return answer;
    },
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
    ...(task.mccs === null ? [] : [task.mccs]),
    ...(task.overrides === null ? [] : [task.overrides]),
    ...(task.settings === null
      ? []
      : [
          task.settings.accountHolderIds,
          task.settings.accountHolderNames,
          task.settings.categorySetIds,
          ...(task.settings.modelNames === null ? [] : [task.settings.modelNames]),
        ]),
  ];
  const same = columns.every((column) => column.length === length);
  return same ? null : "The columns of a task have different lengths.";
}

function accountTypeOfCode(code: number | undefined): AccountType | null {
  if (code === ACCOUNT_TYPE_CODES.consumer) return "consumer";
  return code === ACCOUNT_TYPE_CODES.business ? "business" : null;
}

const itemOf = (task: EnrichTask, i: number): EnrichItem => ({
  description: task.descriptions[i] ?? "",
  amount: task.amounts[i] ?? 0,
  entryType: task.outgoing[i] === 1 ? "outgoing" : "incoming",
  currency: task.currencies[i] ?? "",
  accountType: accountTypeOfCode(task.accountTypes[i]),
  rawAddress: task.rawAddresses[i] ?? null,
  country: task.countries[i] ?? null,
  mcc: mccOf(task.mccs, i),
  holder: task.settings === null ? null : holderOf(task.settings, i),
  override: task.overrides?.[i] ?? null,
  model: task.settings?.modelNames?.[i] ?? null,
});

function mccOf(mccs: EnrichTask["mccs"], i: number): number | null {
  const code = mccs?.[i] ?? NO_MCC;
  return code === NO_MCC ? null : code;
}

function holderOf(settings: SettingsUse, i: number): ItemHolder | null {
  const id = settings.accountHolderIds[i] ?? null;
  const categorySetId = settings.categorySetIds[i] ?? null;
  if (categorySetId === null) return null;
  return { id, name: settings.accountHolderNames[i] ?? null, categorySetId };
}

/** An item the recogniser throws on becomes null: a bug in it must not take the neighbours down. */
export function enrich(task: EnrichTask, enrichItem: Enrich): EnrichDone | TaskFailed {
  const problem = problemOf(task);
  if (problem !== null) return badTask(problem);
  const settings = task.settings?.ref ?? null;
  const encoding = task.isEncoded ? createEncoding(task.descriptions.length) : null;
  let ruleFailures = 0;
  const facts: (string | null)[] = [];
  for (let i = 0; i < task.descriptions.length && (i === 0 || !isStopped(task)); i++) {
    try {
      const profiled = enrichItem(itemOf(task, i), settings);
      facts.push(JSON.stringify(profiled.facts));
      encoding?.add(i, profiled.facts);
      ruleFailures += profiled.ruleFailures;
    } catch {
      facts[i] = null;
      encoding?.add(i, null);
    }
  }
  return { ok: true, kind: "enrich", facts, encoded: encoding?.end() ?? null, ruleFailures };
}

const isStopped = ({ stop }: EnrichTask): boolean => stop !== null && Atomics.load(stop, 0) !== 0;

interface Encoding {
  /** Facts of item i; null: it has none. Items come in their order. */
  add(i: number, facts: Facts | null): void;
  end(): EncodedFacts;
}

/** Facts of most transactions take less. */
const ENCODED_BYTES = 512;

function createEncoding(count: number): Encoding {
  const bytes = new AvroBytes(count * ENCODED_BYTES);
  const ends = new Uint32Array(count);
  return {
    add: (i, facts) => {
      // What was begun of facts that could not be written.
      bytes.cutTo(i === 0 ? 0 : (ends[i - 1] ?? 0));
      if (facts !== null) writeFacts(bytes, facts);
      ends[i] = bytes.length;
    },
    // A copy, because the whole memory behind what crosses is copied, however little of it is shown.
    end: () => ({ bytes: bytes.written().slice(), ends }),
  };
}

/** Null, as for an item of a chunk, when the code behind the answer throws. */
export function answerOne(query: Query, answer: AnswerQuery): Answered {
  try {
    return { ok: true, kind: "answered", text: answer(query), threw: false };
  } catch {
    return { ok: true, kind: "answered", text: null, threw: true };
  }
}

export async function run(task: WorkerTask): Promise<WorkerAnswer> {
  if (recogniser === null) return badTask("The thread was started without its setup.");
  return task.kind === "enrich"
    ? enrich(task, recogniser.enrichItem)
    : answerOne(task, await recogniser.answers());
}
