// What is measured from outside, over HTTP, of whatever engine runs behind it.
import { setTimeout as delay } from "node:timers/promises";
import { createLines, type WireTransaction } from "../test/support/lines.ts";
import type { BenchClient } from "./http.ts";
import { ascending, percentile } from "./table.ts";

/** Endless transactions of a benchmark, no two with the same id. */
export interface Source {
  transactions(count: number): WireTransaction[];
  batchBody(count: number): Buffer;
}

export interface Latency {
  readonly p50: number;
  readonly p99: number;
}

export interface BatchTimes {
  readonly completedMs: number;
  readonly fetchedMs: number;
}

export interface BatchPlan {
  readonly count: number;
  readonly rounds: number;
  /** Between two looks at the status: what the looks cost is missing to the work. */
  readonly pauseMs: number;
}

const WARM_UP_CALLS = 100;

/** @param holders accounts that the transactions are of, in turn */
export function createSource(
  holders: readonly string[],
  toId: (index: number) => string = (index) => `bench-${String(index)}`,
): Source {
  const seedLine = createLines(2026);
  let made = 0;
  const transactions = (count: number): WireTransaction[] =>
    Array.from({ length: count }, () => {
      made += 1;
      const holder = holders[made % holders.length] ?? null;
      return { id: toId(made), ...seedLine(), account_holder_id: holder };
    });
  return {
    transactions,
    batchBody: (count) => {
      const body = { operation: "POST /v3/transactions", data: transactions(count) };
      return Buffer.from(JSON.stringify(body));
    },
  };
}

export async function enrichOne(client: BenchClient, source: Source): Promise<void> {
  await client.post("/v3/transactions", JSON.stringify(source.transactions(1)[0]));
}

/** One call after the other, with nothing else to do. */
export async function sequential(
  client: BenchClient,
  source: Source,
  count: number,
): Promise<Latency> {
  for (let call = 0; call < WARM_UP_CALLS; call += 1) await enrichOne(client, source);
  const times: number[] = [];
  for (let call = 0; call < count; call += 1) {
    const startMs = performance.now();
    await enrichOne(client, source);
    times.push(performance.now() - startMs);
  }
  return toLatency(times);
}

export interface OpenLoop extends Latency {
  /** Calls that were not answered with a result. */
  readonly refused: number;
}

/** Calls begin when they are due, whether or not the ones before are answered; a late beginning counts as waiting. */
export async function openLoop(
  client: BenchClient,
  source: Source,
  perSecond: number,
  forMs: number,
): Promise<OpenLoop> {
  const startMs = performance.now();
  const times: number[] = [];
  const calls: Promise<void>[] = [];
  const total = Math.floor((forMs / 1000) * perSecond);
  while (calls.length < total) {
    const dueMs = startMs + (calls.length * 1000) / perSecond;
    if (performance.now() < dueMs) await delay(1);
    else {
      const ended = enrichOne(client, source).then(
        () => void times.push(performance.now() - dueMs),
        () => undefined,
      );
      calls.push(ended);
    }
  }
  await Promise.all(calls);
  return { ...toLatency(times), refused: total - times.length };
}

/** Calls a second that this many callers get who send their next call when the last is answered. */
export async function closedLoop(
  client: BenchClient,
  source: Source,
  callers: number,
  forMs: number,
): Promise<number> {
  const startMs = performance.now();
  let calls = 0;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < startMs + forMs) {
        await enrichOne(client, source);
        calls += 1;
      }
    }),
  );
  return calls / ((performance.now() - startMs) / 1000);
}

/** Returns the id of the batch. */
export async function submit(client: BenchClient, body: Buffer): Promise<string> {
  const answer = await client.post("/v3/batches", body);
  return (JSON.parse(answer.body.toString("utf8")) as { id: string }).id;
}

export async function untilCompleted(
  client: BenchClient,
  id: string,
  pauseMs: number,
): Promise<void> {
  for (;;) {
    const answer = await client.get(`/v3/batches/${id}`);
    const { status } = JSON.parse(answer.body.toString("utf8")) as { status: string };
    if (status === "completed") return;
    if (status !== "processing") throw new Error(`Batch ${id} is ${status}`);
    await delay(pauseMs);
  }
}

/** Medians over the rounds, each with a batch of its own. */
export async function batchTimes(
  client: BenchClient,
  source: Source,
  { count, rounds, pauseMs }: BatchPlan,
): Promise<BatchTimes> {
  const completed: number[] = [];
  const fetched: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const body = source.batchBody(count);
    const startMs = performance.now();
    const id = await submit(client, body);
    await untilCompleted(client, id, pauseMs);
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

export function toLatency(times: readonly number[]): Latency {
  const sorted = ascending(times);
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) };
}
