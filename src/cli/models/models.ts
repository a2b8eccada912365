// What the commands about labelling models do, with the API of a running service.
import { readFile } from "node:fs/promises";
import { alignColumns } from "../columns.ts";
import { labelText } from "../../model/labels.ts";
import { InputError } from "../enrich/input-error.ts";
import { printable } from "../enrich/values/printable.ts";
import { type CallServer, connectCaller, type ServerDeps, ServerError } from "../import/server.ts";
import { type LabelledLine, type LineDefaults, readLabelledFile } from "./read-items.ts";

export interface ModelServerOptions {
  readonly url: string;
  /** Null: not given. */
  readonly apiKey: string | null;
}

export type ModelCommand =
  | { readonly kind: "list" }
  | { readonly kind: "show"; readonly name: string }
  | ({
      readonly kind: "train";
      readonly file: string;
      readonly name: string;
      /** Null: that of the service. */
      readonly threshold: number | null;
    } & LineDefaults)
  | ({ readonly kind: "test"; readonly file: string; readonly name: string } & LineDefaults);

export interface ModelCommandDeps extends ServerDeps {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  /** For what must be done after a stop too. */
  readonly cleaning: Pick<ServerDeps, "signal" | "wait">;
  newId(): string;
}

/** What the commands read of the answer of `GET /v2/models/{name}`. */
interface ShownModel {
  readonly name: string;
  readonly status: string;
  readonly progress: number;
  readonly error: string | null;
  readonly versions: readonly { readonly version: number; readonly created_at: string }[];
  readonly quality: ShownQuality | null;
}

interface ShownQuality {
  readonly items: number;
  readonly held_out: number;
  readonly accuracy: number | null;
  readonly macro_f1: number | null;
  readonly labels: readonly {
    readonly label: string;
    readonly items: number;
    readonly precision: number | null;
    readonly recall: number | null;
  }[];
  readonly confusions: readonly {
    readonly label: string;
    readonly answer: string;
    readonly items: number;
  }[];
}

const EXIT_OK = 0;
const EXIT_FAILED = 1;
const EXIT_UNUSABLE = 2;
const EXIT_STOPPED = 130;
const POLL_MS = 500;
const CONFUSIONS_SHOWN = 20;
/** Lines of one call of a test. */
const TESTED_AT_ONCE = 1_000;

/** Returns the exit code: 0 when it is done, 1 when the service refuses or fails, 2 for an unusable file or option, 130 after a stop. */
export async function runModelCommand(
  command: ModelCommand,
  { url, apiKey }: ModelServerOptions,
  deps: ModelCommandDeps,
): Promise<number> {
  try {
    if (!apiKey) throw new InputError("Give an API key with --key or in LEDGERLINE_API_KEY.");
    const call = connectCaller(url, apiKey, deps);
    const clean = connectCaller(url, apiKey, { ...deps, ...deps.cleaning });
    const lines = await linesOf(command, { call, clean }, deps);
    deps.stdout.write(`${lines.join("\n")}\n`);
    return EXIT_OK;
  } catch (error) {
    if (deps.signal.aborted) {
      deps.stderr.write(stoppedText(command));
      return EXIT_STOPPED;
    }
    if (!(error instanceof InputError || error instanceof ServerError)) throw error;
    deps.stderr.write(`${error.message}\n`);
    return error instanceof InputError ? EXIT_UNUSABLE : EXIT_FAILED;
  }
}

const stoppedText = (command: ModelCommand): string =>
  command.kind === "train"
    ? `Stopped. What was sent is trained: \`ledgerline models show ${printable(command.name)}\` shows whether it is.\n`
    : "Stopped.\n";

interface ServerCalls {
  readonly call: CallServer;
  /** The same after a stop. */
  readonly clean: CallServer;
}

function linesOf(
  command: ModelCommand,
  { call, clean }: ServerCalls,
  deps: ModelCommandDeps,
): Promise<readonly string[]> {
  switch (command.kind) {
    case "list":
      return listModels(call);
    case "show":
      return readModel(call, command.name).then(modelLines);
    case "train":
      return trainFile(command, call, deps);
    case "test":
      return testFile(command, clean, deps);
  }
}

const pathOf = (name: string): string => `/v2/models/${encodeURIComponent(name)}`;

async function readModel(call: CallServer, name: string): Promise<ShownModel> {
  const { status, body } = await call("GET", pathOf(name), null, {});
  if (status === 404) throw new ServerError(`There is no model '${printable(name)}'.`);
  return body as ShownModel;
}

async function listModels(call: CallServer): Promise<readonly string[]> {
  const { body } = await call("GET", "/v2/models", null, {});
  const models = await Promise.all(
    (body as readonly { readonly name: string }[]).map(({ name }) => readModel(call, name)),
  );
  return alignColumns([
    ["NAME", "STATUS", "VERSION", "ITEMS", "ACCURACY"],
    ...models.map(({ name, status, versions, quality }) => [
      printable(name),
      status,
      String(versions[0]?.version ?? "-"),
      String(quality?.items ?? "-"),
      percent(quality?.accuracy),
    ]),
  ]);
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new InputError(`${printable(file)} cannot be read: ${String(error)}`);
  }
}

async function trainFile(
  command: Extract<ModelCommand, { kind: "train" }>,
  call: CallServer,
  { wait }: ModelCommandDeps,
): Promise<readonly string[]> {
  const { file, name, threshold } = command;
  const transactions = readLabelledFile(await read(file), command);
  await call("POST", pathOf(name), { transactions, threshold }, {});
  for (;;) {
    const model = await readModel(call, name);
    if (model.status === "error") throw new ServerError(model.error ?? "The training failed");
    if (model.status === "ready") return modelLines(model);
    await wait(POLL_MS);
  }
}

const percent = (share: number | null | undefined): string =>
  share == null ? "-" : `${(100 * share).toFixed(1)} %`;

function modelLines({ name, status, progress, error, versions, quality }: ShownModel): string[] {
  const state = status === "training" ? `${status}, ${String(progress)} %` : status;
  const head = [
    `${printable(name)}: ${state}${error === null ? "" : `: ${error}`}`,
    `versions: ${versions.map(({ version, created_at }) => `${String(version)} (${created_at})`).join(", ") || "none"}`,
  ];
  return quality === null ? head : [...head, ...qualityLines(quality)];
}

function qualityLines({
  items,
  held_out: heldOut,
  accuracy,
  macro_f1: macroF1,
  labels,
  confusions,
}: ShownQuality): string[] {
  const tables = [
    alignColumns([
      ["LABEL", "ITEMS", "PRECISION", "RECALL"],
      ...labels.map((one) => [
        printable(one.label),
        String(one.items),
        percent(one.precision),
        percent(one.recall),
      ]),
    ]),
    alignColumns([
      ["LABEL", "ANSWERED", "ITEMS"],
      ...confusions
        .slice(0, CONFUSIONS_SHOWN)
        .map((one) => [printable(one.label), printable(one.answer), String(one.items)]),
    ]),
  ];
  return [
    `${String(items)} items, ${String(heldOut)} held out: accuracy ${percent(accuracy)}, macro-F1 ${percent(macroF1)}`,
    ...tables.flatMap((table) => (table.length > 1 ? ["", ...table] : [])),
  ];
}

/** Labels the lines of a file and counts the right answers. What is stored for that is deleted again. */
async function testFile(
  { file, name, ...defaults }: Extract<ModelCommand, { kind: "test" }>,
  clean: CallServer,
  { newId, stderr, signal }: ModelCommandDeps,
): Promise<readonly string[]> {
  const lines = readLabelledFile(await read(file), defaults);
  // A service that does not answer, or a name without a model, ends it before there is anything to delete.
  await readModel(clean, name);
  const answers: string[] = [];
  const run = `model-test-${newId()}`;
  try {
    for (let from = 0; from < lines.length; from += TESTED_AT_ONCE) {
      const items = lines
        .slice(from, from + TESTED_AT_ONCE)
        .map((line, at) => testItem(line, run, from + at));
      // Not cut off by a stop: what the service stores after the deletion would be left.
      answers.push(...(await labelsOf(items, name, clean)));
      signal.throwIfAborted();
    }
  } finally {
    const types = new Set(lines.map((line) => line.account_holder_type));
    for (const type of types) await deleteHolder(holderOf(run, type), clean, stderr);
  }
  return testLines(lines, answers);
}

/** All lines of a test and a type are those of one account holder, so that one call deletes them. */
const holderOf = (run: string, type: string): string => `${run}-${type}`;

const testItem = (line: LabelledLine, run: string, at: number): object => ({
  ...line,
  label: undefined,
  transaction_id: `${run}-${String(at)}`,
  account_holder_id: holderOf(run, line.account_holder_type),
  date: "2026-01-01",
});

/** Its labels as one text, for each item. */
async function labelsOf(
  items: readonly object[],
  name: string,
  call: CallServer,
): Promise<readonly string[]> {
  const query = `model_name=${encodeURIComponent(name)}&with_recurrence=false`;
  const { body } = await call("POST", `/v2/transactions/sync?${query}`, items, {});
  return (body as readonly { readonly labels?: readonly string[] }[]).map(({ labels = [] }) =>
    labelText(labels),
  );
}

async function deleteHolder(
  id: string,
  clean: CallServer,
  stderr: NodeJS.WritableStream,
): Promise<void> {
  const path = `/v3/account_holders/${encodeURIComponent(id)}`;
  try {
    const { status } = await clean("GET", path, null, {});
    // It is created with its first transaction.
    if (status !== 404) await clean("DELETE", path, null, {});
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    stderr.write(
      `The transactions of this test are not deleted: delete the account holder ${id}. ${error.message}\n`,
    );
  }
}

function testLines(lines: readonly LabelledLine[], answers: readonly string[]): readonly string[] {
  const mistakes = new Map<string, number>();
  lines.forEach(({ label }, at) => {
    const [wanted, answer] = [labelText(label), answers[at] ?? ""];
    if (answer === wanted) return;
    const key = JSON.stringify([wanted, answer]);
    mistakes.set(key, (mistakes.get(key) ?? 0) + 1);
  });
  const wrong = [...mistakes.values()].reduce((sum, count) => sum + count, 0);
  const worst = [...mistakes].sort((a, b) => b[1] - a[1]).slice(0, CONFUSIONS_SHOWN);
  return [
    `${String(lines.length)} lines: ${percent(1 - wrong / lines.length)} right`,
    ...(worst.length === 0 ? [] : [""]),
    ...alignColumns([
      ...(worst.length === 0 ? [] : [["LABEL", "ANSWERED", "LINES"]]),
      ...worst.map(([key, count]) => [
        ...(JSON.parse(key) as string[]).map((text) => printable(text)),
        String(count),
      ]),
    ]),
  ];
}
