import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { EnrichmentRequest } from "../../model/records.ts";
import { type Database, openDatabase } from "../../sqlite/database.ts";
import { until } from "../../../test/support/poll.ts";
import { createDeadLetterCodec } from "../record-codecs.ts";
import { DEAD_LETTERS } from "./dead-letters.ts";
import { openSqliteLog, type SqliteLog } from "./log.ts";
import { createTableRegistry, insertRecord } from "./tables.ts";

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
  priority: "default",
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

  it("records that are published meanwhile come before it, not among it", async () => {
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

it("the log has no bodies of events, which would have to be erased there too", async () => {
  const database = openDatabase(":memory:");
  const log = await openSqliteLog(database, Date.now);
  onTestFinished(async () => {
    log.close();
    await database.close();
  });
  const head = { org: "o", eventId: "e", eventType: "reports.resolved", resourceId: "r" } as const;
  await log.publishEvents([{ ...head, sequence: 1, createdAt: 1, body: "words of a customer" }]);
  const rows = database.all("SELECT key, bytes FROM log_records WHERE topic = 'events'");
  expect(rows).toMatchObject([{ key: JSON.stringify(["o", "r"]) }]);
  expect(Buffer.from(rows[0]?.["bytes"] as Uint8Array).toString("latin1")).not.toContain("words");
});

describe("a requested replay that cannot be decoded", () => {
  it("becomes a dead letter again, is reported, and blocks no later replay", async () => {
    const database = openDatabase(":memory:");
    const reported: unknown[] = [];
    const log = await openSqliteLog(database, Date.now, (level, event, details) => {
      reported.push([level, event, details["id"]]);
    });
    onTestFinished(async () => {
      log.close();
      await database.close();
    });
    const codec = await createDeadLetterCodec(createTableRegistry(database), DEAD_LETTERS);
    const good = codec.encode({
      topic: "requests",
      partition: 0,
      offset: 1,
      reason: "handler_failed",
      error: "a bug",
      original: Buffer.from("bytes"),
      key: "good",
      headers: {},
      order: "",
      failedAt: 0,
    });
    await database.write(() => {
      const topic = "dead-letters-replay";
      insertRecord(database, topic, { offset: 7, key: "k", bytes: Buffer.from("no letter") }, 0);
      insertRecord(database, topic, { offset: 8, key: "k", bytes: good }, 0);
    });
    const sql = "SELECT key FROM log_records WHERE topic = 'requests'";
    await until("the good one is back", () => database.get(sql));
    expect(reported).toEqual([["error", "log.replay_failed", "7"]]);
    expect(database.all("SELECT topic, key FROM log_records ORDER BY topic")).toMatchObject([
      { topic: "dead-letters", key: "k" },
      { topic: "requests", key: "good" },
    ]);
  });
});

describe("a record whose row is missing or cannot be read", () => {
  it("becomes a dead letter, its batch or call ends by its key, and the records behind it are done", async () => {
    const database = openDatabase(":memory:");
    const log = await openSqliteLog(database, Date.now);
    const [done, abandoned, events]: [string[], string[], unknown[]] = [[], [], []];
    await log.publish("requests", records("missing", "too large a number", "good"));
    await database.write(() => {
      database.run("DELETE FROM log_records WHERE key = 'missing'");
      const sql = "UPDATE log_records SET appended_at = 9223372036854775807 WHERE key LIKE 'too%'";
      database.run(sql);
    });
    const consumer = log.consume("requests", {
      inFlightMax: 8,
      handle: ({ key }) => {
        done.push(key);
        return Promise.resolve("done");
      },
      abandoned: ({ key }) => {
        abandoned.push(key);
        return Promise.resolve();
      },
      report: (event) => events.push(event),
    });
    onTestFinished(async () => {
      await consumer.close();
      log.close();
      await database.close();
    });
    await until("nothing waits", () => (log.pending("requests") === 0 ? true : null));
    expect([done, abandoned]).toEqual([["good"], ["missing", "too large a number"]]);
    const reason = { kind: "dead_letter", reason: "undecodable" };
    expect(events).toMatchObject([reason, reason]);
  });
});
