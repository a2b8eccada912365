import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { EnrichmentRequest } from "../../domain/records.ts";
import { type Database, openDatabase } from "../../sqlite/database.ts";
import { openSqliteLog, type SqliteLog } from "./log.ts";

const request: EnrichmentRequest = {
  org: "o",
  requestId: "r",
  origin: "batch",
  batchId: "b",
  chunkIndex: 0,
  chunkCount: 1,
  total: 1,
  createdAt: 1_700_000_000_123,
  replyTo: null,
  basedOn: null,
  transactions: [],
};

const records = (...keys: string[]) => keys.map((key) => ({ key, value: request }));

describe("a batch that takes long to encode leaves turns of the event loop to others", () => {
  let database: Database;
  let log: SqliteLog;
  beforeEach(async () => {
    database = openDatabase(":memory:");
    log = await openSqliteLog(database, Date.now);
    // On this clock every record takes longer than a slice.
    let nowMs = 0;
    vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 1_000));
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    log.close();
    await database.close();
  });

  const keysInOrder = (): readonly unknown[] =>
    database.all("SELECT key FROM log_records ORDER BY offset").map((row) => row["key"]);

  it("and what is published meanwhile goes before it, not among it", async () => {
    const done: string[] = [];
    const batch = log.publish("requests", records("1", "2", "3", "4")).then(() => {
      done.push("batch");
    });
    const call = log.publish("requests-interactive", records("call")).then(() => {
      done.push("call");
    });
    await Promise.all([batch, call]);
    expect(done).toEqual(["call", "batch"]);
    expect(keysInOrder()).toEqual(["call", "1", "2", "3", "4"]);
  });

  it("and counts as pending from the beginning, until it is refused", async () => {
    const batch = log.publish("requests", records("1", "2", "3"));
    expect(log.pending("requests")).toBe(3);
    // So that its write fails.
    database.define("DROP TABLE log_records");
    await expect(batch).rejects.toThrow();
    expect(log.pending("requests")).toBe(0);
  });
});
