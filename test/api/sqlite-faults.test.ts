// Answers of the API while the data file cannot be used, and for a batch that can never be completed.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { createIngest } from "../../src/ingest/ingest.ts";
import { openSqliteLog } from "../../src/log/sqlite/log.ts";
import { openDataFolder } from "../../src/sqlite/data-folder.ts";
import { createBatchRepository } from "../../src/store/repositories/batches.ts";
import { createSqliteStore } from "../../src/store/sqlite/store.ts";
import { answered, API_KEY } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { until } from "../support/poll.ts";
import { startService, temporaryFolder } from "../support/service.ts";

it("while the data file is locked every write is a 503 with Retry-After that changes nothing, and then all is well", async () => {
  const { client, url, dataFolder } = await startService();
  const other = new DatabaseSync(join(dataFolder, "ledgerline.db"));
  other.exec("BEGIN IMMEDIATE");
  const bodies = [
    ["/v3/transactions", coffee("t")],
    ["/v3/batches", { operation: "POST /v3/transactions", data: [coffee("b")] }],
    ["/v3/account_holders", { id: "h", type: "consumer" }],
  ] as const;
  for (const [path, body] of bodies) {
    const response = await fetch(url + path, {
      method: "POST",
      headers: { "X-Api-Key": API_KEY, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    expect([path, response.status]).toEqual([path, 503]);
    expect(response.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
    expect(await response.json()).toMatchObject({ detail: expect.any(String) as string });
  }
  const ready = await fetch(`${url}/health/ready`);
  expect(ready.status).toBe(503);
  expect(await ready.text()).toContain("locked by another program");
  other.exec("COMMIT");
  other.close();

  for (const list of ["transactions", "batches", "account_holders"]) {
    expect(await client.listAll(`/v3/${list}`)).toEqual([]);
  }
  answered(await client.createHolder("h", "consumer"), 200);
  answered(await client.enrich(coffee("t", { account_holder_id: "h" })), 200);
  expect((await fetch(`${url}/health/ready`)).status).toBe(200);
});

/** Leaves a batch of three chunks in the log of an empty folder; the bytes of the second are damaged. */
async function leaveDamagedBatch(dataFolder: string, isKnown: boolean): Promise<void> {
  const database = openDataFolder(dataFolder, true);
  const log = await openSqliteLog(database, Date.now);
  const batches = createBatchRepository(createSqliteStore(database));
  const insertBatch = isKnown ? batches.insert : () => Promise.reject(new Error("cut off"));
  const ports = {
    unfinished: () => Promise.resolve(0),
    threadMsPerTransaction: () => 0,
    ...log,
    insertBatch,
    getBatch: batches.get,
    nowMs: Date.now,
    newId: () => "id",
  };
  const inputs = Array.from({ length: 600 }, (_, index) => ({
    id: `t${String(index)}`,
    description: "COFFEE",
    date: "2026-01-02",
    amount: 1,
    entryType: "outgoing" as const,
    currency: "USD",
    accountHolderId: null,
    location: null,
  }));
  await createIngest(ports).submitBatch("default", "r", inputs, {
    id: "damaged",
    priority: "default",
  });
  await database.write(() =>
    database.run("UPDATE log_records SET bytes = ? WHERE key = ?", [
      new Uint8Array([1, 2, 3]),
      JSON.stringify(["default", "damaged", 1]),
    ]),
  );
  log.close();
  await database.close();
}

it.each([true, false])(
  "a batch with a record that cannot be read ends with `error` and one event, its neighbours are stored (known before: %s)",
  async (isKnown) => {
    const dataFolder = temporaryFolder();
    await leaveDamagedBatch(dataFolder, isKnown);
    const { client, close } = await startService({ config: { dataFolder } });
    const batch = await until("the batch ends", async () => {
      const found = await client.getBatch("damaged");
      const isOver =
        found.kind === "answered" && found.status === 200 && found.body.status !== "processing";
      return isOver ? found.body : null;
    });
    expect(batch.status).toBe("error");
    const stored = await until("its neighbours are stored", async () => {
      const rows = await client.listAll<{ id: string }>("/v3/transactions");
      return rows.length === 350 ? rows : null;
    });
    expect(stored.some((row) => row.id === "t0")).toBe(true);
    expect(stored.some((row) => row.id === "t250")).toBe(false);
    expect(stored.some((row) => row.id === "t599")).toBe(true);
    expect(answered(await client.results("damaged"), 200)).toMatchObject({
      status: "error",
      results: [],
    });
    await close();

    const file = new DatabaseSync(join(dataFolder, "ledgerline.db"), { readOnly: true });
    const events = file.prepare('SELECT "eventType", "resourceId" FROM store_events').all();
    const letters = file.prepare("SELECT key FROM log_records WHERE topic = 'dead-letters'").all();
    const pending = file.prepare("SELECT key FROM log_records WHERE topic = 'requests'").all();
    file.close();
    expect(events.map((event) => ({ ...event }))).toEqual([
      { eventType: "batches.error", resourceId: "damaged" },
    ]);
    expect(letters).toHaveLength(1);
    expect(pending).toEqual([]);
  },
);
