// Dead letters of the embedded log, with the real commands while the service runs.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { createIngest } from "../../src/ingest/ingest.ts";
import { openSqliteLog } from "../../src/log/sqlite/log.ts";
import { openDataFolder } from "../../src/sqlite/data-folder.ts";
import { createBatchRepository } from "../../src/store/repositories/batches.ts";
import { createSqliteStore } from "../../src/store/sqlite/store.ts";
import { answered } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { listDeadLetters, runCommandOn } from "../support/command.ts";
import { until } from "../support/poll.ts";
import { startService, type TestService, temporaryFolder } from "../support/service.ts";

const UNKNOWN_SCHEMA = 99;
const CHUNK = 250;

/**
 * Leaves a batch of three chunks in the log of an empty folder. Those after the first name a schema that is not known, as
 * if a newer program had written them.
 */
async function leaveUnreadableChunks(dataFolder: string): Promise<void> {
  const database = openDataFolder(dataFolder, true);
  const log = await openSqliteLog(database, Date.now);
  const batches = createBatchRepository(createSqliteStore(database));
  const ports = {
    unfinished: () => Promise.resolve(0),
    threadMsPerTransaction: () => 0,
    ...log,
    insertBatch: batches.insert,
    getBatch: batches.get,
    nowMs: Date.now,
    newId: () => "id",
  };
  const inputs = Array.from({ length: 3 * CHUNK }, (_, index) => ({
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
    id: "unreadable",
    priority: "default",
  });
  for (const index of [1, 2]) {
    const key = JSON.stringify(["default", "unreadable", index]);
    const row = database.get("SELECT bytes FROM log_records WHERE key = ?", [key]);
    const bytes = Buffer.from(row?.["bytes"] as Uint8Array);
    bytes.writeUInt32BE(UNKNOWN_SCHEMA, 1);
    await database.write(() =>
      database.run("UPDATE log_records SET bytes = ? WHERE key = ?", [bytes, key]),
    );
  }
  log.close();
  await database.close();
}

async function startWithLetters(): Promise<{
  readonly service: TestService;
  readonly ids: readonly string[];
}> {
  const dataFolder = temporaryFolder();
  await leaveUnreadableChunks(dataFolder);
  const service = await startService({ config: { dataFolder } });
  await until("the batch ends", async () =>
    answered(await service.client.getBatch("unreadable"), 200).status === "processing"
      ? null
      : true,
  );
  const ids = await until("both are dead letters", async () => {
    const listed = await listDeadLetters(service);
    return listed.length === 2 ? listed.map(({ id }) => id) : null;
  });
  return { service, ids };
}

/** Makes the schema known, as the newer program would. */
function registerSchema(dataFolder: string): void {
  const file = new DatabaseSync(join(dataFolder, "ledgerline.db"));
  file.exec("PRAGMA busy_timeout = 5000");
  file
    .prepare(
      `INSERT INTO log_schemas (id, subject, schema)
        SELECT ${String(UNKNOWN_SCHEMA)}, 'newer', schema FROM log_schemas WHERE subject = 'requests-value'`,
    )
    .run();
  file.close();
}

it("they are listed and shown without stopping the service; one that is dropped is gone, and ids that do not exist end with 1", async () => {
  const { service, ids } = await startWithLetters();
  const [first = "", second = ""] = ids;
  const [listed] = await listDeadLetters(service);
  expect(listed).toMatchObject({
    id: first,
    reason: "undecodable",
    error: `schema id ${String(UNKNOWN_SCHEMA)} is unknown`,
  });
  expect(Date.now() - Date.parse(listed?.failedAt ?? "")).toBeLessThan(60_000);

  const raw = await runCommandOn(service, "dead-letters", "show", "--raw", first);
  expect([raw.code, raw.stdout.length, raw.stdout.readUInt32BE(1)]).toEqual([
    0,
    listed?.bytes,
    UNKNOWN_SCHEMA,
  ]);
  const shown = await runCommandOn(service, "dead-letters", "show", first);
  const letter = JSON.parse(shown.stdout.toString("utf8")) as Record<string, unknown>;
  expect(letter).toMatchObject({
    id: first,
    topic: "requests",
    key: JSON.stringify(["default", "unreadable", 1]),
  });
  expect(Buffer.from(letter["original"] as string, "base64").equals(raw.stdout)).toBe(true);

  expect((await runCommandOn(service, "dead-letters", "drop", first)).code).toBe(0);
  expect((await listDeadLetters(service)).map(({ id }) => id)).toEqual([second]);
  for (const id of [first, "-1"]) {
    for (const command of ["show", "replay", "drop"]) {
      const { code, stderr } = await runCommandOn(service, "dead-letters", command, "--", id);
      expect([code, stderr]).toEqual([1, `There is no dead letter ${id}.\n`]);
    }
  }
  expect((await listDeadLetters(service)).map(({ id }) => id)).toEqual([second]);
  answered(await service.client.enrich(coffee("still-alive")), 200);
});

it("one that is replayed is processed by the running service in its old place: what came in between stays", async () => {
  const { service, ids } = await startWithLetters();
  const { client, dataFolder } = service;
  const inBetween = `t${String(CHUNK)}`;
  answered(await client.enrich(coffee(inBetween, { amount: 2 })), 200);
  registerSchema(dataFolder);
  const { code, stderr } = await runCommandOn(service, "dead-letters", "replay", ...ids);
  expect([code, stderr]).toEqual([
    0,
    ids.map((id) => `Dead letter ${id} is back in the log.\n`).join(""),
  ]);
  const rows = await until("all are in the ledger", async () => {
    const found = await client.listAll<{ id: string; amount: number }>("/v3/transactions");
    return found.length === 3 * CHUNK ? found : null;
  });
  expect(rows.filter(({ amount }) => amount === 2).map(({ id }) => id)).toEqual([inBetween]);
  expect(await listDeadLetters(service)).toEqual([]);
  const audit = await runCommandOn(service, "audit", "list", "--json");
  const entries = audit.stdout.toString("utf8").trim().split("\n");
  expect(
    entries
      .map((line) => JSON.parse(line) as { action: string; subject: string })
      .filter(({ action }) => action === "dead_letter.replayed")
      .map(({ subject }) => subject)
      .toSorted(),
  ).toEqual(ids.toSorted());
});
