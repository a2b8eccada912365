// Memory over a long time: an endless feed together with calls over HTTP, measured at fixed numbers of transactions.
import { setTimeout as delay } from "node:timers/promises";
import type { Message } from "kafkajs";
import type { ServiceProcess } from "../../test/support/process.ts";
import { createSource, enrichOne, type Latency, toLatency } from "../calls.ts";
import { memoryMb } from "../process-usage.ts";
import { createRecords, type MakeRecord, startFeed } from "./feed.ts";
import { HOLDERS, type Installation, openInstallation } from "./installation.ts";
import type { BenchServices } from "./services.ts";
import { createProgress, failureOf } from "./sustained.ts";

export interface LongRunPlan {
  readonly transactions: number;
  readonly minutes: number;
  /** Transactions from one look to the next. */
  readonly step: number;
}

interface ProcessMemory {
  readonly rssMb: number | null;
  readonly heapMb: number | null;
}

export interface CurvePoint {
  readonly stored: number;
  readonly seconds: number;
  /** Since the point before. */
  readonly rate: number;
  readonly enrich: ProcessMemory;
  readonly ingest: ProcessMemory;
}

export interface LongRun {
  readonly curve: readonly CurvePoint[];
  /** Of the calls that were made meanwhile. */
  readonly calls: Latency;
}

const CALL_EVERY_MS = 100;
const MB = 1024 * 1024;

export async function measureLongRun(
  services: BenchServices,
  plan: LongRunPlan,
  onPoint: (point: CurvePoint) => void,
): Promise<LongRun> {
  const installation = await openInstallation({
    config: services.configOf("long", "kafka"),
    enrichers: 1,
  });
  const calls = startCalls(installation);
  try {
    const curve = await drawCurve(installation, plan, onPoint);
    return { curve, calls: toLatency(await calls.stop()) };
  } finally {
    await calls.stop();
    await installation.close();
  }
}

async function drawCurve(
  installation: Installation,
  plan: LongRunPlan,
  onPoint: (point: CurvePoint) => void,
): Promise<CurvePoint[]> {
  const [enricher] = installation.enrichers;
  if (enricher === undefined) throw new Error("Nothing enriches");
  const make = await createRecords(installation.config, plan.transactions);
  const progress = createProgress(installation);
  const feed = startFeed(installation.kafka, installation.config, endless(make), progress.stored);
  const startMs = performance.now();
  const curve: CurvePoint[] = [];
  let last = { stored: 0, atMs: startMs };
  try {
    while (last.stored < plan.transactions && last.atMs - startMs < plan.minutes * 60_000) {
      const reached = await Promise.race([
        progress.reach(last.stored + plan.step),
        failureOf(feed.finished),
      ]);
      const point = {
        stored: reached.stored,
        seconds: (reached.atMs - startMs) / 1000,
        rate: ((reached.stored - last.stored) * 1000) / (reached.atMs - last.atMs),
        enrich: await memoryOf(enricher),
        ingest: await memoryOf(installation.ingest),
      };
      curve.push(point);
      onPoint(point);
      last = reached;
    }
    return curve;
  } finally {
    feed.stop();
    await feed.finished;
  }
}

function* endless(make: MakeRecord): Iterator<Message> {
  for (;;) yield make();
}

async function memoryOf({ pid, url }: ServiceProcess): Promise<ProcessMemory> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const heap = /^nodejs_heap_size_used_bytes (\S+)$/m.exec(metrics)?.[1];
  return {
    rssMb: memoryMb(pid)?.now ?? null,
    heapMb: heap === undefined ? null : Number(heap) / MB,
  };
}

/** Calls over HTTP at a steady pace, so that the process that takes in has something to keep too. */
function startCalls({ client }: Installation): { stop(): Promise<readonly number[]> } {
  const source = createSource(HOLDERS, (index) => `call-${String(index)}`);
  const times: number[] = [];
  let isStopped = false;
  const run = async (): Promise<void> => {
    while (!isStopped) {
      const startMs = performance.now();
      await enrichOne(client, source);
      times.push(performance.now() - startMs);
      await delay(CALL_EVERY_MS);
    }
  };
  const running = run();
  running.catch(() => undefined);
  return {
    stop: async () => {
      isStopped = true;
      await running;
      return times;
    },
  };
}
