// What one transaction that breaks its thread may cost: itself, and nothing else.
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventId } from "../../src/events/events.ts";
import { answered, type BatchResource, type Client } from "../support/client.ts";
import { createLines, type WireTransaction } from "../support/lines.ts";
import { until } from "../support/poll.ts";
import { startService, type TestService } from "../support/service.ts";

const DEFECTS = ["throw", "loop", "exit", "heap"] as const;
const CHUNK = 250;

/** Long enough for a chunk and for a thread to fill its heap, short enough for nine lost tasks in a row. */
const TASK_TIMEOUT_MS = 1_000;

const start = (): Promise<TestService> =>
  startService({
    config: { poolThreads: 2 },
    pool: {
      workerUrl: new URL("../support/fixtures/defective-worker.ts", import.meta.url),
      taskTimeoutMs: TASK_TIMEOUT_MS,
    },
  });

function transactions(prefix: string, count: number): WireTransaction[] {
  const next = createLines(7);
  return Array.from({ length: count }, (_, index) => ({
    id: `${prefix}-${String(index)}`,
    ...next(),
  }));
}

function poisonAt(
  all: readonly WireTransaction[],
  index: number,
  defect: string,
): WireTransaction[] {
  return all.map((one, at) => (at === index ? { ...one, description: `POISON ${defect}` } : one));
}

const completed = (client: Client, id: string): Promise<BatchResource> =>
  until(`batch ${id} ends`, async () => {
    const batch = answered(await client.getBatch(id), 200);
    return batch.status === "processing" ? null : batch;
  });

function eventIds(service: TestService): unknown[] {
  const database = new DatabaseSync(join(service.dataFolder, "ledgerline.db"), { readOnly: true });
  try {
    return database
      .prepare("SELECT eventId FROM store_events")
      .all()
      .map((row) => row["eventId"]);
  } finally {
    database.close();
  }
}

describe.each(DEFECTS)("a transaction on which a thread does `%s`", (defect) => {
  it("fails alone in a batch: its neighbours get results, the batch completes and has its event", async () => {
    const service = await start();
    const { client } = service;
    const poisoned = 123;
    const sent = poisonAt(transactions("t", CHUNK), poisoned, defect);
    const { id } = answered(await client.submitBatch(sent), 200);
    // Calls of others are answered meanwhile, by the other thread.
    const other = answered(
      await client.enrich({ ...sent[0], id: "other" } as WireTransaction),
      200,
    );
    expect(other.error).toBeNull();

    expect(await completed(client, id)).toMatchObject({ status: "completed", progress: CHUNK });
    const { results } = answered(await client.results(id), 200);
    expect(results.map((result) => result.id)).toEqual(sent.map((one) => one.id));
    results.forEach((result, index) => {
      expect(result.error?.code ?? null).toBe(index === poisoned ? "internal_error" : null);
    });
    expect(results.filter((result) => result.entities !== null).length).toBeGreaterThan(CHUNK / 2);
    expect(eventIds(service)).toEqual([eventId("default", "batches.completed", id)]);
    const stored = answered(await client.getTransaction(`t-${String(poisoned)}`), 200);
    expect(stored.error?.code).toBe("internal_error");
  });

  it("is answered with internal_error when it is sent alone, and the service goes on answering", async () => {
    const { client } = await start();
    const [one, two] = transactions("single", 2) as [WireTransaction, WireTransaction];
    const failed = answered(await client.enrich({ ...one, description: `POISON ${defect}` }), 200);
    expect(failed.error?.code).toBe("internal_error");
    expect(failed.entities).toBeNull();
    expect(answered(await client.enrich(two), 200).error).toBeNull();
    // The same id without the defect replaces what failed.
    expect(answered(await client.enrich(one), 200).error).toBeNull();
    expect(answered(await client.getTransaction(one.id), 200).error).toBeNull();
  });
});

describe("several poisonous transactions at once", () => {
  it("poison records harm no other work, whatever their defect and position", async () => {
    const { client } = await start();
    const clean = transactions("many", 4 * CHUNK);
    const places = new Map<number, string>([
      [0, "throw"],
      [1, "exit"],
      [CHUNK - 1, "throw"],
      [2 * CHUNK, "exit"],
      [2 * CHUNK + 17, "throw"],
    ]);
    const sent = clean.map((one, index) => {
      const defect = places.get(index);
      return defect === undefined ? one : { ...one, description: `POISON ${defect}` };
    });
    const { id } = answered(await client.submitBatch(sent), 200);
    expect(await completed(client, id)).toMatchObject({
      status: "completed",
      progress: sent.length,
    });
    const { results } = answered(await client.results(id), 200);
    const failed = results.flatMap((result, index) => (result.error === null ? [] : [index]));
    expect(failed).toEqual([...places.keys()]);
  });

  it("sent alone at the same time are all answered, and calls between them too", async () => {
    const { client } = await start();
    const sent = transactions("mixed", 12).map((one, index) =>
      index % 3 === 0
        ? { ...one, description: index % 2 === 0 ? "POISON exit" : "POISON throw" }
        : one,
    );
    const answers = await Promise.all(sent.map((one) => client.enrich(one)));
    answers.forEach((outcome, index) => {
      const { error } = answered(outcome, 200);
      expect(error?.code ?? null).toBe(index % 3 === 0 ? "internal_error" : null);
    });
  });
});
