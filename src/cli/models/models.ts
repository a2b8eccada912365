// What the commands about labelling models do, with the API of a running service.
import { readFile } from "node:fs/promises";
import { alignColumns } from "../columns.ts";
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
const POLL_MS = 500;
const CONFUSIONS_SHOWN = 20;
/** Lines of one call of a test. */
const TESTED_AT_ONCE = 1_000;
const DELETED_AT_ONCE = 16;

/** Returns the exit code: 0 when it is done, 1 when the service refuses or fails, 2 for an unusable file or option. */
export async function runModelCommand(
  command: ModelCommand,
  { url, apiKey }: ModelServerOptions,
  deps: ModelCommandDeps,
): Promise<number> {
  try {
    if (!apiKey) throw new InputError("Give an API key with --key or in LEDGERLINE_API_KEY.");
    const call = connectCaller(url, apiKey, deps);
    const lines = await linesOf(command, call, deps);
    deps.stdout.write(`${lines.join("\n")}\n`);
    return EXIT_OK;
  } catch (error) {
    if (!(error instanceof InputError || error instanceof ServerError)) throw error;
    deps.stderr.write(`${error.message}\n`);
    return error instanceof InputError ? EXIT_UNUSABLE : EXIT_FAILED;
  }
}

function linesOf(
  command: ModelCommand,
  call: CallServer,
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
      return testFile(command, call);
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
  call: CallServer,
): Promise<readonly string[]> {
  const lines = readLabelledFile(await read(file), defaults);
  const mistakes = new Map<string, number>();
  let right = 0;
  for (let from = 0; from < lines.length; from += TESTED_AT_ONCE) {
    const part = lines.slice(from, from + TESTED_AT_ONCE);
    const answers = await labelsOf(part, name, call);
    part.forEach(({ label: [label = ""] }, at) => {
      const answer = answers[at] ?? "";
      if (answer === label) right += 1;
      else {
        const key = JSON.stringify([label, answer]);
        mistakes.set(key, (mistakes.get(key) ?? 0) + 1);
      }
    });
  }
  const worst = [...mistakes].sort((a, b) => b[1] - a[1]).slice(0, CONFUSIONS_SHOWN);
  return [
    `${String(lines.length)} lines: ${percent(right / lines.length)} right`,
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

async function labelsOf(
  lines: readonly LabelledLine[],
  name: string,
  call: CallServer,
): Promise<readonly string[]> {
  const ids = lines.map((_, at) => `model-test-${String(at)}`);
  const items = lines.map((line, at) => ({
    ...line,
    label: undefined,
    transaction_id: ids[at],
    date: "2026-01-01",
  }));
  const query = `model_name=${encodeURIComponent(name)}&with_recurrence=false`;
  try {
    const { body } = await call("POST", `/v2/transactions/sync?${query}`, items, {});
    return (body as readonly { readonly labels?: readonly string[] }[]).map(
      ({ labels = [] }) => labels[0] ?? "",
    );
  } finally {
    for (let from = 0; from < ids.length; from += DELETED_AT_ONCE)
      await Promise.all(
        ids
          .slice(from, from + DELETED_AT_ONCE)
          .map((id) => call("DELETE", `/v3/transactions/${id}`, null, {}).catch(() => undefined)),
      );
  }
}
