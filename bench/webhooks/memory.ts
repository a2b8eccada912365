// What a process takes while a million deliveries wait, and what looking through them costs.
import { setTimeout as pause } from "node:timers/promises";
import { ascending, percentile } from "../table.ts";
import { memoryMb } from "../process-usage.ts";
import { createInstallation, eventOf, insertPending, stopProcess } from "./installation.ts";
import type { Receiver } from "./receiver.ts";

export interface MemoryPlan {
  readonly isDistributed: boolean;
  readonly deliveries: number;
  readonly forMs: number;
  /** `down`: the port is closed. `limited`: they answer, and get as many calls as webhooks get by default. */
  readonly endpoints: "down" | "limited";
}

export interface MemoryRun {
  readonly peakMb: number | null;
  /** From the median of the third quarter of the time to that of the last. */
  readonly grownMb: number | null;
  /** Looking through the endpoints that something waits for, and counting what is overdue. */
  readonly queuesMs: number;
  readonly overdueMs: number;
  readonly arrivedPerSecond: number;
}

const ENDPOINTS = 10;
const SAMPLE_MS = 1_000;
const ROUNDS = 20;
/** As many of each endpoint as the dispatcher counts. */
const COUNTED_MAX = 1_000;
const RATE_BY_DEFAULT = "50";
/** So old that everything counts as overdue. */
const AGE_MS = 120_000;

export async function measureMemory(receiver: Receiver, plan: MemoryPlan): Promise<MemoryRun> {
  const installation = createInstallation(plan.isDistributed);
  try {
    const store = await installation.openStore();
    const endpoints = [];
    for (let index = 0; index < ENDPOINTS; index += 1) {
      const url =
        plan.endpoints === "down"
          ? `http://127.1.0.${String(index)}:9/`
          : receiver.urlOf(index, "fast");
      endpoints.push(await store.createEndpoint("org-0", url));
    }
    const now = Date.now() - AGE_MS;
    const made = Array.from({ length: plan.deliveries / ENDPOINTS }, () => eventOf("org-0", now));
    await insertPending(store, made, endpoints);
    const durationsMs: number[] = [];
    const counts: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const startMs = performance.now();
      let found = 0;
      for await (const { dueAt } of store.deliveries.dueEndpoints()) found += dueAt > 0 ? 1 : 0;
      if (found !== endpoints.length) throw new Error("Every endpoint has something that waits");
      durationsMs.push(performance.now() - startMs);
      const countMs = performance.now();
      for (const { id } of endpoints) await store.deliveries.countDue(id, Date.now(), COUNTED_MAX);
      counts.push(performance.now() - countMs);
    }
    await store.close();
    await receiver.take();
    const service = await installation.start({ WEBHOOK_RATE: RATE_BY_DEFAULT });
    const samples: number[] = [];
    const endMs = performance.now() + plan.forMs;
    while (performance.now() < endMs) {
      await pause(SAMPLE_MS);
      samples.push(memoryMb(service.pid)?.now ?? Number.NaN);
    }
    const peakMb = memoryMb(service.pid)?.peak ?? null;
    const arrived = (await receiver.take()).length;
    await stopProcess(service, "SIGKILL");
    const quarter = Math.floor(samples.length / 4);
    return {
      peakMb,
      grownMb:
        peakMb === null
          ? null
          : median(samples.slice(3 * quarter)) - median(samples.slice(2 * quarter, 3 * quarter)),
      queuesMs: median(durationsMs),
      overdueMs: median(counts),
      arrivedPerSecond: (arrived * 1000) / plan.forMs,
    };
  } finally {
    await installation.remove();
  }
}

const median = (numbers: readonly number[]): number => percentile(ascending(numbers), 0.5);
