// npm run bench:statement-isolation -- [--quick] [--out FILE]
// How long one transaction waits while hostile files and scans are submitted as bank statements, next to the same process
// without them: one call after the other, in alternating windows of one run. The child process that reads the files competes
// for the same cores, so the ratio is that of a machine whose cores are all busy.
import { setTimeout as delay } from "node:timers/promises";
import { API_KEY } from "../test/support/client.ts";
import { makeHostileStatements } from "../test/support/hostile-statements.ts";
import { openEmbedded } from "./api/installation.ts";
import { createSource } from "./calls.ts";
import { readOptions } from "./options.ts";
import { ascending, describeMachine, percentile, printTable, row, writeReport } from "./table.ts";

const options = readOptions({});
const WINDOWS = options.quick ? 1 : 3;
const WINDOW_MS = options.quick ? 4_000 : 10_000;
const WARM_UP_CALLS = 200;
/** The load of an interactive caller: two cores are not full of calls. */
const PAUSE_MS = 4;
const SUBMISSIONS_AT_ONCE = 4;

interface Window {
  readonly ms: readonly number[];
  readonly submitted: number;
}

const machine = describeMachine();
const hostile = await makeHostileStatements();
const installation = await openEmbedded();
const source = createSource([]);

async function submitHostile(index: number): Promise<void> {
  const file = hostile[index % hostile.length];
  if (file === undefined) return;
  const form = new FormData();
  if (file.password !== undefined) form.set("password", file.password);
  form.set("file", new Blob([file.bytes.slice()]), `${String(index)}.pdf`);
  const response = await fetch(`${installation.url}/v3/bank_statements`, {
    method: "POST",
    headers: { "X-Api-Key": API_KEY },
    body: form,
  });
  await response.arrayBuffer();
  // Too many wait: they are read meanwhile.
  if (response.status === 503) await delay(500);
}

async function callOnce(): Promise<number> {
  const [transaction] = source.transactions(1);
  const started = performance.now();
  await installation.client.post("/v3/transactions", JSON.stringify(transaction));
  return performance.now() - started;
}

async function measure(isHostile: boolean, from: number): Promise<Window> {
  let isOver = false;
  let submitted = 0;
  // Each file once in a window: reading all of them takes longer than that.
  const submitters = Array.from({ length: isHostile ? SUBMISSIONS_AT_ONCE : 0 }, async () => {
    while (!isOver && submitted < hostile.length) await submitHostile(from + submitted++);
  });
  const ms: number[] = [];
  const until = performance.now() + WINDOW_MS;
  while (performance.now() < until) {
    ms.push(await callOnce());
    await delay(PAUSE_MS);
  }
  isOver = true;
  await Promise.all(submitters);
  return { ms, submitted };
}

/** Until what was submitted has been read: the next window is without it. */
async function untilRead(): Promise<void> {
  for (;;) {
    const { body } = await installation.client.get("/v3/bank_statements?status=processing&limit=1");
    if ((JSON.parse(body.toString()) as { data: readonly unknown[] }).data.length === 0) return;
    await delay(200);
  }
}

for (let call = 0; call < WARM_UP_CALLS; call += 1) await callOnce();
const alone: number[] = [];
const loaded: number[] = [];
let files = 0;
for (let window = 0; window < WINDOWS; window += 1) {
  alone.push(...(await measure(false, files)).ms);
  const busy = await measure(true, files);
  loaded.push(...busy.ms);
  files += busy.submitted;
  await untilRead();
}
await installation.close();

const at = (ms: readonly number[], share: number): number => percentile(ascending(ms), share);
const rows = [
  row("one transaction, no statements, p50", at(alone, 0.5), "ms"),
  row("one transaction, no statements, p99", at(alone, 0.99), "ms"),
  row("while hostile files are read, p50", at(loaded, 0.5), "ms"),
  row("while hostile files are read, p99", at(loaded, 0.99), "ms"),
  row("p99, with hostile files : without", at(loaded, 0.99) / at(alone, 0.99), ": 1"),
  row("hostile files submitted", files, "files"),
];
printTable(rows);
if (options.out !== undefined) writeReport(options.out, machine, rows);
