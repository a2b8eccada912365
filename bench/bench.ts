// npm run bench -- [--quick] [--out FILE]
// Measures the real process over HTTP on this machine, and its parts alone, in one run: ratios between the numbers of a
// run mean something, numbers of two machines do not. Prints a table; --out writes the same as JSON.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createLines, TEMPLATE_COUNT, type WireTransaction } from "../test/support/lines.ts";
import { type ServiceProcess, startProcess } from "../test/support/process.ts";
import { type BenchClient, createBenchClient } from "./http.ts";
import { partCosts, poolRate } from "./parts.ts";
import { cpuSeconds, memoryMb } from "./process-usage.ts";

const { values: options } = parseArgs({
  options: { quick: { type: "boolean", default: false }, out: { type: "string" } },
});
const QUICK = options.quick;
const BATCH_MAX = 24_960;
const OPEN_LOOP_PER_SECOND = 200;

/** `max`: reached when the value is not above the goal; `min`: when it is not below. */
interface Goal {
  readonly kind: "max" | "min";
  readonly value: number;
}
interface Row {
  readonly name: string;
  readonly value: number | null;
  readonly unit: string;
  readonly goal?: Goal;
}

const seedLine = createLines(2026);
let madeIds = 0;

function transactions(count: number): WireTransaction[] {
  return Array.from({ length: count }, () => {
    madeIds += 1;
    return { id: `bench-${String(madeIds)}`, ...seedLine(), account_holder_id: "bench" };
  });
}

const batchBody = (count: number): Buffer =>
  Buffer.from(JSON.stringify({ operation: "POST /v3/transactions", data: transactions(count) }));

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

const ascending = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b);

const enrichOne = async (client: BenchClient): Promise<void> => {
  await client.post("/v3/transactions", JSON.stringify(transactions(1)[0]));
};

async function sequential(client: BenchClient, count: number): Promise<Row[]> {
  for (let call = 0; call < 100; call += 1) await enrichOne(client);
  const times: number[] = [];
  for (let call = 0; call < count; call += 1) {
    const startMs = performance.now();
    await enrichOne(client);
    times.push(performance.now() - startMs);
  }
  const sorted = ascending(times);
  return [
    row("one transaction, idle, p50", percentile(sorted, 0.5), "ms", { kind: "max", value: 2 }),
    row("one transaction, idle, p99", percentile(sorted, 0.99), "ms"),
  ];
}

/** Calls begin when they are due, whether or not the ones before are answered; a late beginning counts as waiting. */
async function openLoop(client: BenchClient, forMs: number): Promise<Row[]> {
  const startMs = performance.now();
  const times: number[] = [];
  const calls: Promise<void>[] = [];
  const total = Math.floor((forMs / 1000) * OPEN_LOOP_PER_SECOND);
  while (calls.length < total) {
    const dueMs = startMs + (calls.length * 1000) / OPEN_LOOP_PER_SECOND;
    if (performance.now() < dueMs) await delay(1);
    else calls.push(enrichOne(client).then(() => void times.push(performance.now() - dueMs)));
  }
  await Promise.all(calls);
  const sorted = ascending(times);
  return [
    row("one transaction at 200/s, p50", percentile(sorted, 0.5), "ms"),
    row("one transaction at 200/s, p99", percentile(sorted, 0.99), "ms", {
      kind: "max",
      value: 10,
    }),
  ];
}

/** Calls a second that this many callers get who send their next call when the last is answered. */
async function closedLoop(client: BenchClient, callers: number, forMs: number): Promise<number> {
  const startMs = performance.now();
  let calls = 0;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < startMs + forMs) {
        await enrichOne(client);
        calls += 1;
      }
    }),
  );
  return calls / ((performance.now() - startMs) / 1000);
}

async function submit(client: BenchClient, body: Buffer): Promise<string> {
  const answer = await client.post("/v3/batches", body);
  return (JSON.parse(answer.body.toString("utf8")) as { id: string }).id;
}

async function untilCompleted(client: BenchClient, id: string): Promise<void> {
  for (;;) {
    const answer = await client.get(`/v3/batches/${id}`);
    const { status } = JSON.parse(answer.body.toString("utf8")) as { status: string };
    if (status === "completed") return;
    if (status !== "processing") throw new Error(`Batch ${id} is ${status}`);
    await delay(2);
  }
}

async function batchTimes(
  client: BenchClient,
  count: number,
  rounds: number,
): Promise<{ completedMs: number; fetchedMs: number }> {
  const completed: number[] = [];
  const fetched: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const body = batchBody(count);
    const startMs = performance.now();
    const id = await submit(client, body);
    await untilCompleted(client, id);
    completed.push(performance.now() - startMs);
    const results = await client.get(`/v3/batches/${id}/results`);
    fetched.push(performance.now() - startMs);
    if (round === 0) checkResults(results.body, count);
  }
  return {
    completedMs: percentile(ascending(completed), 0.5),
    fetchedMs: percentile(ascending(fetched), 0.5),
  };
}

function checkResults(body: Buffer, count: number): void {
  const { results } = JSON.parse(body.toString("utf8")) as { results: { error: unknown }[] };
  if (results.length !== count || results.some((result) => result.error !== null))
    throw new Error("The service did not enrich what it was sent");
}

async function batchRows(client: BenchClient): Promise<Row[]> {
  const small = await batchTimes(client, 4_000, QUICK ? 2 : 7);
  const large = await batchTimes(client, BATCH_MAX, QUICK ? 2 : 5);
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

/** Batches back to back, two in the service at a time, so that it never waits for the client. */
async function sustained(
  client: BenchClient,
  pid: number,
  bodies: readonly Buffer[],
): Promise<Sustained> {
  const waiting = [...bodies];
  const before = cpuSeconds(pid);
  const startMs = performance.now();
  const lane = async (): Promise<void> => {
    for (let body = waiting.shift(); body !== undefined; body = waiting.shift())
      await untilCompleted(client, await submit(client, body));
  };
  await Promise.all([lane(), lane()]);
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
    await enrichOne(client);
    const startUpMs = performance.now() - startMs;
    const idle = memoryMb(service.pid);
    const rows = [
      row("start to first answer", startUpMs, "ms", { kind: "max", value: 2_000 }),
      ...(await sequential(client, QUICK ? 500 : 2_000)),
      ...(await openLoop(client, QUICK ? 2_000 : 10_000)),
    ];
    const oneByOne = await closedLoop(client, 32, QUICK ? 1_000 : 5_000);
    rows.push(row("one transaction a call, 32 callers", oneByOne, "tx/s"));
    rows.push(...(await batchRows(client)));
    const bodies = Array.from({ length: QUICK ? 3 : 24 }, () => batchBody(BATCH_MAX));
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
  const lines = transactions(BATCH_MAX);
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
  const costs = await partCosts(batchBody(BATCH_MAX), inputs, QUICK ? 200 : 1_000);
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

function row(name: string, value: number | null, unit: string, goal?: Goal): Row {
  return goal === undefined ? { name, value, unit } : { name, value, unit, goal };
}

function percent(share: number | null): number | null {
  return share === null ? null : 100 * share;
}

function isReached({ value, goal }: Row): boolean | null {
  if (goal === undefined || value === null) return null;
  return goal.kind === "max" ? value <= goal.value : value >= goal.value;
}

function shown(value: number | null): string {
  if (value === null) return "not known";
  return value >= 100 ? Math.round(value).toLocaleString("en-US") : value.toFixed(2);
}

function tableLine(one: Row): string {
  const { goal } = one;
  const reached = isReached(one);
  return [
    one.name.padEnd(44),
    shown(one.value).padStart(10),
    one.unit.padEnd(12),
    goal === undefined
      ? ""
      : `${goal.kind === "max" ? "<=" : ">="} ${shown(goal.value)}`.padEnd(12),
    reached === null ? "" : reached ? "yes" : "no",
  ]
    .join(" ")
    .trimEnd();
}

const startedMs = performance.now();
const loadBefore = loadavg()[0] ?? null;
const { rows, sustainedRate } = await measureService();
rows.push(...(await measureParts(sustainedRate)));
const machine = {
  /** Of the minute before: above a few tenths, others were using the machine and the numbers are too low. */
  loadBefore,
  cores: availableParallelism(),
  processor: cpus()[0]?.model ?? "unknown",
  node: process.version,
  templates: TEMPLATE_COUNT,
  quick: QUICK,
  seconds: Math.round((performance.now() - startedMs) / 1000),
};
process.stdout.write(`${JSON.stringify(machine)}\n\n`);
process.stdout.write(`${"".padEnd(69)}goal         reached\n`);
for (const one of rows) process.stdout.write(`${tableLine(one)}\n`);
if (options.out !== undefined) {
  const report = { machine, rows: rows.map((one) => ({ ...one, reached: isReached(one) })) };
  writeFileSync(options.out, `${JSON.stringify(report, null, 2)}\n`);
}
