// npm run bench:statement-isolation -- [--quick] [--out FILE]
// How long one transaction waits while hostile files and scans are submitted as bank statements, next to the same process
// without them: one call after the other, in alternating windows of one run. The child process that reads the files competes
// for the same cores, so the ratio is that of a machine whose cores are all busy.
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { openEmbedded } from "./api/installation.ts";
import { createSource } from "./calls.ts";
import { readOptions } from "./options.ts";
import type { Submitted, SubmitterCall } from "./statement-submitter.ts";
import { ascending, describeMachine, percentile, printTable, row, writeReport } from "./table.ts";

const options = readOptions({});
const WINDOWS = options.quick ? 1 : 3;
const WINDOW_MS = options.quick ? 4_000 : 10_000;
const WARM_UP_CALLS = 200;
/** The load of an interactive caller: two cores are not full of calls. */
const PAUSE_MS = 4;

interface Window {
  readonly ms: readonly number[];
  readonly submitted: number;
}

const machine = describeMachine();
const installation = await openEmbedded();
const submitter = new Worker(new URL("./statement-submitter.ts", import.meta.url), {
  workerData: { url: installation.url },
});
await once(submitter, "message");
const source = createSource([]);

async function callOnce(): Promise<number> {
  const [transaction] = source.transactions(1);
  const started = performance.now();
  await installation.client.post("/v3/transactions", JSON.stringify(transaction));
  return performance.now() - started;
}

async function measure(isHostile: boolean, from: number): Promise<Window> {
  const over = isHostile ? once(submitter, "message") : null;
  if (isHostile) submitter.postMessage({ kind: "submit", from } satisfies SubmitterCall);
  const ms: number[] = [];
  const until = performance.now() + WINDOW_MS;
  while (performance.now() < until) {
    ms.push(await callOnce());
    await delay(PAUSE_MS);
  }
  if (over === null) return { ms, submitted: 0 };
  submitter.postMessage({ kind: "stop" } satisfies SubmitterCall);
  const [{ submitted }] = (await over) as [Submitted];
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
await submitter.terminate();
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
