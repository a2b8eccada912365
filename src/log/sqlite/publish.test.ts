import { expect, it, onTestFinished } from "vitest";
import type { EnrichmentRequest } from "../../model/records.ts";
import { type Database, openDatabase } from "../../sqlite/database.ts";
import { openSqliteLog, type SqliteLog } from "./log.ts";
import { COMMIT_BYTES_MAX } from "./publish.ts";

const MIB = 1024 * 1024;
const RECORDS = 20;

/** A record of about a MiB, so that a batch of them takes several commits. */
const request: EnrichmentRequest = {
  org: "o",
  requestId: "x".repeat(MIB),
  origin: "batch",
  batchId: "b",
  chunkIndex: 0,
  chunkCount: RECORDS,
  total: RECORDS,
  createdAt: 1,
  replyTo: null,
  basedOn: null,
  priority: "default",
  transactions: [],
};
const batch = Array.from({ length: RECORDS }, (_, index) => ({
  key: JSON.stringify(["o", "b", index]),
  value: request,
}));

/** A database that counts its writes, and refuses those after `writesMax`. */
function openCounted(): { database: Database; counter: { writes: number; writesMax: number } } {
  const opened = openDatabase(":memory:");
  onTestFinished(() => opened.close());
  const counter = { writes: 0, writesMax: Infinity };
  const write: Database["write"] = (work) => {
    counter.writes += 1;
    return counter.writes > counter.writesMax
      ? Promise.reject(new Error("disk full"))
      : opened.write(work);
  };
  return { database: { ...opened, write }, counter };
}

async function open(database: Database): Promise<SqliteLog> {
  const log = await openSqliteLog(database, Date.now);
  onTestFinished(() => {
    log.close();
  });
  return log;
}

const rowsOf = (database: Database): number =>
  Number(database.get("SELECT count(*) AS count FROM log_records")?.["count"]);

it("a large batch is written in commits of a bounded size, and is all there", async () => {
  const { database, counter } = openCounted();
  const log = await open(database);
  const before = counter.writes;
  await log.publish("requests", batch);
  expect(counter.writes - before).toBe(Math.ceil((RECORDS * MIB) / (COMMIT_BYTES_MAX - MIB)));
  expect([rowsOf(database), log.pending("requests")]).toEqual([RECORDS, RECORDS]);
  const restarted = await open(database);
  expect(restarted.pending("requests")).toBe(RECORDS);
});

it("a large batch whose second commit fails leaves nothing in the log", async () => {
  const { database, counter } = openCounted();
  const log = await open(database);
  counter.writesMax = counter.writes + 1;
  const refused = log.publish("requests", batch);
  await expect(refused).rejects.toThrow("disk full");
  // Its removal failed too, as with a full disk or after a kill: the next start does it.
  expect(rowsOf(database)).toBeGreaterThan(0);
  expect(log.pending("requests")).toBe(0);
  counter.writesMax = Infinity;
  const restarted = await open(database);
  expect([rowsOf(database), restarted.pending("requests")]).toEqual([0, 0]);
  await restarted.publish("requests", batch.slice(0, 1));
  expect(rowsOf(database)).toBe(1);
});

it("a small batch is one commit", async () => {
  const { database, counter } = openCounted();
  const log = await open(database);
  const before = counter.writes;
  await log.publish("requests", batch.slice(0, 3));
  expect(counter.writes - before).toBe(1);
});
