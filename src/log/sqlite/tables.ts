// The tables of the embedded log.
import { recordOrder } from "../../model/acceptance-order.ts";
import type { Database, SqlRow } from "../../sqlite/database.ts";
import type { SchemaRegistry } from "../codec.ts";
import type { RawRecord } from "../record-runner.ts";

const NO_HEADERS = {};

export function defineTables(database: Database): void {
  database.define(`CREATE TABLE IF NOT EXISTS log_records
    (offset INTEGER PRIMARY KEY, topic TEXT NOT NULL, key TEXT NOT NULL, bytes BLOB NOT NULL, appended_at INTEGER NOT NULL)`);
  database.define("CREATE INDEX IF NOT EXISTS log_records_topic ON log_records (topic, offset)");
  database.define(
    "CREATE TABLE IF NOT EXISTS log_commits (topic TEXT PRIMARY KEY, offset INTEGER NOT NULL)",
  );
  database.define(
    "CREATE TABLE IF NOT EXISTS log_schemas (id INTEGER PRIMARY KEY, subject TEXT NOT NULL, schema TEXT NOT NULL, UNIQUE (subject, schema))",
  );
  // Records that were replayed and keep the order of acceptance that they had before.
  database.define(
    "CREATE TABLE IF NOT EXISTS log_orders (offset INTEGER PRIMARY KEY, acceptance TEXT NOT NULL)",
  );
  // Records that are written in several commits; each entry goes with the last of them.
  database.define(
    "CREATE TABLE IF NOT EXISTS log_incomplete (first INTEGER PRIMARY KEY, last INTEGER NOT NULL)",
  );
}

/** Remembers that the records at these offsets are not all there yet. */
export function markIncomplete(database: Database, first: number, last: number): void {
  database.run("INSERT INTO log_incomplete (first, last) VALUES (?, ?)", [first, last]);
}

export function markComplete(database: Database, first: number): void {
  database.run("DELETE FROM log_incomplete WHERE first = ?", [first]);
}

/** Removes the records that are marked as incomplete from `first` on; nothing when they are not. */
export function removeIncomplete(database: Database, first: number): void {
  const row = database.get("SELECT last FROM log_incomplete WHERE first = ?", [first]);
  if (row === null) return;
  database.run("DELETE FROM log_records WHERE offset BETWEEN ? AND ?", [
    first,
    Number(row["last"]),
  ]);
  markComplete(database, first);
}

/** Removes all records that were being published when the process ended: they were never acknowledged. */
export async function removeAllIncomplete(database: Database): Promise<void> {
  const rows = database.all("SELECT first FROM log_incomplete");
  if (rows.length === 0) return;
  await database.write(() => {
    for (const { first } of rows) removeIncomplete(database, Number(first));
  });
}

/** The registry of the embedded log: ids are row numbers, given once and never changed. */
export function createTableRegistry(database: Database): SchemaRegistry {
  return {
    register: (subject, schema) => {
      database.run(
        "INSERT INTO log_schemas (subject, schema) VALUES (?, ?) ON CONFLICT DO NOTHING",
        [subject, schema],
      );
      const row = database.get("SELECT id FROM log_schemas WHERE subject = ? AND schema = ?", [
        subject,
        schema,
      ]);
      return Promise.resolve(Number(row?.["id"]));
    },
    schema: (id) => {
      const text = database.get("SELECT schema FROM log_schemas WHERE id = ?", [id])?.["schema"];
      return Promise.resolve(typeof text === "string" ? text : null);
    },
  };
}

/** What a row of the log is made of. */
export interface NewRecord {
  readonly offset: number;
  readonly key: string;
  readonly bytes: Uint8Array;
}

export function insertRecord(
  database: Database,
  topic: string,
  record: NewRecord,
  appendedAt: number,
): void {
  database.run(
    "INSERT INTO log_records (offset, topic, key, bytes, appended_at) VALUES (?, ?, ?, ?, ?)",
    [record.offset, topic, record.key, record.bytes, appendedAt],
  );
}

/** Gives the record at `offset` the order of acceptance that it had before. */
export function setOrder(database: Database, offset: number, order: string): void {
  database.run("INSERT INTO log_orders (offset, acceptance) VALUES (?, ?)", [offset, order]);
}

const SELECT_RECORDS = `SELECT log_records.offset AS offset, key, bytes, appended_at, acceptance FROM log_records
  LEFT JOIN log_orders ON log_orders.offset = log_records.offset`;

/** Records of a topic after an offset, in order. */
export function fetchRecords(
  database: Database,
  topic: string,
  after: number,
  limit: number,
): RawRecord[] {
  const sql = `${SELECT_RECORDS} WHERE topic = ? AND log_records.offset > ? ORDER BY log_records.offset LIMIT ?`;
  return database.all(sql, [topic, after, limit]).map(toRecord);
}

/** The record at this offset of a topic, or null when the topic has none there. */
export function readRecord(database: Database, topic: string, offset: number): RawRecord | null {
  const sql = `${SELECT_RECORDS} WHERE log_records.offset = ? AND topic = ?`;
  const row = database.get(sql, [offset, topic]);
  return row === null ? null : toRecord(row);
}

function toRecord(row: SqlRow): RawRecord {
  const offset = Number(row["offset"]);
  const { acceptance } = row;
  return {
    partition: 0,
    offset,
    key: String(row["key"]),
    bytes: row["bytes"] instanceof Uint8Array ? row["bytes"] : new Uint8Array(),
    headers: NO_HEADERS,
    order: typeof acceptance === "string" ? acceptance : recordOrder(offset),
    appendedAtMs: Number(row["appended_at"]),
  };
}

/** Stands for a record whose row is missing or cannot be read: its key is known, its bytes are not. */
export function lostRecord(offset: number, key: string): RawRecord {
  const bytes = new Uint8Array();
  const order = recordOrder(offset);
  return { partition: 0, offset, key, bytes, headers: NO_HEADERS, order, appendedAtMs: 0 };
}

/** Removes the records of a topic up to an offset, and these beyond it, with the orders that replayed ones had before. */
export function removeRecords(
  database: Database,
  topic: string,
  upTo: number,
  beyond: readonly number[],
): void {
  // Of this topic alone: a replayed record of another one may still wait, and must keep its order.
  database.run(
    `DELETE FROM log_orders WHERE offset <= ? AND EXISTS
      (SELECT 1 FROM log_records WHERE log_records.offset = log_orders.offset AND topic = ?)`,
    [upTo, topic],
  );
  database.run("DELETE FROM log_records WHERE topic = ? AND offset <= ?", [topic, upTo]);
  for (const offset of beyond) {
    database.run("DELETE FROM log_orders WHERE offset = ?", [offset]);
    database.run("DELETE FROM log_records WHERE offset = ? AND topic = ?", [offset, topic]);
  }
}

/** Moves a named place in the log forward; it never goes back. */
export function setCommit(database: Database, name: string, offset: number): void {
  database.run(
    "INSERT INTO log_commits (topic, offset) VALUES (?, ?) ON CONFLICT (topic) DO UPDATE SET offset = max(offset, excluded.offset)",
    [name, offset],
  );
}
