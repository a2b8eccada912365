// npm run bench -- [--quick] [--out FILE]
// Measures the real process over HTTP on this machine, and its parts alone, in one run: ratios between the numbers of a
// run mean something, numbers of two machines do not. Prints a table; --out writes the same as JSON.
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { TEMPLATE_COUNT } from "../test/support/lines.ts";
import { type ServiceProcess, startProcess } from "../test/support/process.ts";
import {
  batchTimes,
  closedLoop,
  createSource,
  enrichOne,
  openLoop,
  sequential,
  submit,
  untilCompleted,
} from "./calls.ts";
import { type BenchClient, createBenchClient } from "./http.ts";
import { partCosts, poolRate } from "./parts.ts";
import { cpuSeconds, memoryMb } from "./process-usage.ts";
import { readOptions } from "./options.ts";
import { describeMachine, percent, printTable, type Row, row, writeReport } from "./table.ts";

const options = readOptions({});
const QUICK = options.quick;
const BATCH_MAX = 24_960;
const OPEN_LOOP_PER_SECOND = 200;
/** Between two looks at the status of a batch: each costs the service about as much as ten transactions. */
const PAUSE_MS = 10;
/** The same where the time of a single batch is not asked for. */
const RARE_PAUSE_MS = 50;

const source = createSource(["bench"]);

async function callRows(client: BenchClient): Promise<Row[]> {
  const idle = await sequential(client, source, QUICK ? 500 : 2_000);
  const busy = await openLoop(client, source, OPEN_LOOP_PER_SECOND, QUICK ? 2_000 : 10_000);
  return [
    row("one transaction, idle, p50", idle.p50, "ms", { kind: "max", value: 2 }),
    row("one transaction, idle, p99", idle.p99, "ms"),
    row("one transaction at 200/s, p50", busy.p50, "ms"),
    row("one transaction at 200/s, p99", busy.p99, "ms", { kind: "max", value: 10 }),
    row("one transaction at 200/s, refused", busy.refused, "calls", { kind: "max", value: 0 }),
  ];
}

async function batchRows(client: BenchClient): Promise<Row[]> {
  const times = (count: number, rounds: number): ReturnType<typeof batchTimes> =>
    batchTimes(client, source, { count, rounds, pauseMs: PAUSE_MS });
  const small = await times(4_000, QUICK ? 2 : 7);
  const large = await times(BATCH_MAX, QUICK ? 2 : 5);
  return [
    row("batch of 4 000, submit to completed", small.completedMs, "ms", {
      kind: "max",
      value: 200,
    }),
    row("batch of 4 000, with fetching the results", small.fetchedMs, "ms"),
    row("batch of 24 960, submit to completed", large.completedMs, "ms", {
      kind: "max",
      value: 700,
    }),
    row("batch of 24 960, with fetching the results", large.fetchedMs, "ms"),
  ];
}

interface Sustained {
  readonly rate: number;
  readonly mainShare: number | null;
  readonly otherShare: number | null;
}

/** Batches back to back, three in the service at a time, so that it never waits for the client. */
async function sustained(
  client: BenchClient,
  pid: number,
  bodies: readonly Buffer[],
): Promise<Sustained> {
  const waiting = [...bodies];
  const before = cpuSeconds(pid);
  const startMs = performance.now();
  const worker = async (): Promise<void> => {
    for (let body = waiting.shift(); body !== undefined; body = waiting.shift())
      await untilCompleted(client, await submit(client, body), RARE_PAUSE_MS);
  };
  await Promise.all([worker(), worker(), worker()]);
  const seconds = (performance.now() - startMs) / 1000;
  const after = cpuSeconds(pid);
  const share = (part: "main" | "others"): number | null =>
    before === null || after === null ? null : (after[part] - before[part]) / seconds;
  return {
    rate: (bodies.length * BATCH_MAX) / seconds,
    mainShare: share("main"),
    otherShare: share("others"),
  };
}

async function measureService(): Promise<{ rows: Row[]; sustainedRate: number }> {
  const dataFolder = mkdtempSync(join(tmpdir(), "ledgerline-bench-"));
  const startMs = performance.now();
  const service: ServiceProcess = await startProcess({ dataFolder, env: { LOG_LEVEL: "info" } });
  const client = createBenchClient(service.url);
  try {
    await client.post("/v3/account_holders", JSON.stringify({ id: "bench", type: "consumer" }));
    await enrichOne(client, source);
    const startUpMs = performance.now() - startMs;
    const idle = memoryMb(service.pid);
    const rows = [
      row("start to first answer", startUpMs, "ms", { kind: "max", value: 2_000 }),
      ...(await callRows(client)),
    ];
    const oneByOne = await closedLoop(client, source, 32, QUICK ? 1_000 : 5_000);
    rows.push(row("one transaction a call, 32 callers", oneByOne, "tx/s"));
    rows.push(...(await batchRows(client)));
    const bodies = Array.from({ length: QUICK ? 3 : 24 }, () => source.batchBody(BATCH_MAX));
    const run = await sustained(client, service.pid, bodies);
    rows.push(
      row("sustained, batches back to back", run.rate, "tx/s", { kind: "min", value: 35_000 }),
      row("  main thread busy", percent(run.mainShare), "% of a core"),
      row("  all other threads busy", percent(run.otherShare), "% of a core"),
      row("one by one / sustained batches", (100 * oneByOne) / run.rate, "%"),
      row("memory after the first answer", idle?.now ?? null, "MB", { kind: "max", value: 250 }),
      row("memory at its highest", memoryMb(service.pid)?.peak ?? null, "MB", {
        kind: "max",
        value: 600,
      }),
    );
    return { rows, sustainedRate: run.rate };
  } finally {
    client.close();
    service.kill("SIGTERM");
    await service.exited;
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

async function measureParts(sustainedRate: number): Promise<Row[]> {
  const lines = source.transactions(BATCH_MAX);
  const forMs = QUICK ? 1_000 : 5_000;
  const threads = availableParallelism();
  const one = await poolRate(1, lines, forMs);
  const all = await poolRate(threads, lines, forMs);
  const inputs = lines.map((line) => ({
    id: line.id,
    description: line.description,
    date: line.date,
    amount: line.amount,
    entryType: line.entry_type,
    currency: line.currency,
    accountHolderId: null,
    location: null,
  }));
  const costs = await partCosts(source.batchBody(BATCH_MAX), inputs, QUICK ? 200 : 1_000);
  return [
    row("recogniser, one thread", one, "tx/s", { kind: "min", value: 40_000 }),
    row(`recogniser, ${String(threads)} threads`, all, "tx/s"),
    row("compute limit (threads x one thread)", threads * one, "tx/s"),
    row("sustained / compute limit", (100 * sustainedRate) / (threads * one), "%", {
      kind: "min",
      value: 50,
    }),
    ...costs.map((cost) => row(cost.name, cost.ms, "ms")),
  ];
}

const startedMs = performance.now();
const found = describeMachine();
const { rows, sustainedRate } = await measureService();
rows.push(...(await measureParts(sustainedRate)));
const machine = {
  ...found,
  templates: TEMPLATE_COUNT,
  quick: QUICK,
  seconds: Math.round((performance.now() - startedMs) / 1000),
};
process.stdout.write(`${JSON.stringify(machine)}\n\n`);
printTable(rows);
if (options.out !== undefined) writeReport(options.out, machine, rows);
