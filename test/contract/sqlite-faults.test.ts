// What a full disk, a locked file and a damaged file do: a clear error, and nothing half written.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LedgerlineError } from "../../src/shared/errors.ts";
import { openDataFolder } from "../../src/sqlite/data-folder.ts";
import { openDatabase } from "../../src/sqlite/database.ts";
import { lockDataFolder } from "../../src/sqlite/lock.ts";

describe("faults of the data file", () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "ledgerline-"));
    file = join(folder, "data.db");
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const open = (): ReturnType<typeof openDatabase> => {
    const database = openDatabase(file);
    database.define("CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, body BLOB)");
    return database;
  };
  const count = (database: ReturnType<typeof openDatabase>): unknown =>
    database.get("SELECT count(*) AS n FROM t")?.["n"];

  it("a full disk refuses every write of the commit with `unavailable` and keeps what was there", async () => {
    const database = open();
    await database.write(() =>
      database.run("INSERT INTO t (body) VALUES (?)", [new Uint8Array(10)]),
    );
    const pages = Number(database.get("PRAGMA page_count")?.["page_count"]);
    database.define(`PRAGMA max_page_count = ${String(pages + 5)}`);
    const outcomes = await Promise.allSettled([
      database.write(() => database.run("INSERT INTO t (body) VALUES (?)", [new Uint8Array(10)])),
      database.write(() =>
        database.run("INSERT INTO t (body) VALUES (?)", [new Uint8Array(100_000)]),
      ),
    ]);
    for (const outcome of outcomes) {
      expect(outcome.status).toBe("rejected");
      if (outcome.status === "rejected") {
        expect(outcome.reason).toBeInstanceOf(LedgerlineError);
        expect(outcome.reason).toMatchObject({
          code: "unavailable",
          message: "The store is unavailable: the disk is full.",
        });
      }
    }
    expect(count(database)).toBe(1);
    expect(database.failure()).toContain("disk is full");
    database.define("PRAGMA max_page_count = 1000000");
    await database.write(() =>
      database.run("INSERT INTO t (body) VALUES (?)", [new Uint8Array(10)]),
    );
    expect(count(database)).toBe(2);
    expect(database.failure()).toBeNull();
    await database.close();
  });

  it("a file that another program keeps locked is `unavailable`, and works again when it is released", async () => {
    const database = open();
    const other = new DatabaseSync(file);
    other.exec("BEGIN IMMEDIATE");
    await expect(
      database.write(() => database.run("INSERT INTO t (body) VALUES (NULL)")),
    ).rejects.toMatchObject({
      code: "unavailable",
      message: "The store is unavailable: the data file is locked by another program.",
    });
    other.exec("COMMIT");
    other.close();
    await database.write(() => database.run("INSERT INTO t (body) VALUES (NULL)"));
    expect(count(database)).toBe(1);
    await database.close();
  }, 20_000);

  it("a file that is not a database is refused at opening, with its path and what to do", () => {
    writeFileSync(file, "this is not a database, it only looks like a file ".repeat(100));
    expect(() => openDatabase(file)).toThrow(
      `${file} is not a Ledgerline database or is damaged: restore a backup`,
    );
  });

  it("a damaged page is `unavailable` when it is met, not a wrong answer", async () => {
    const database = open();
    await database.write(() => {
      for (let index = 0; index < 200; index += 1)
        database.run("INSERT INTO t (body) VALUES (?)", [new Uint8Array(2_000)]);
    });
    await database.close();
    const bytes = readFileSync(file);
    // Behind the first page, which has the tables.
    bytes.fill(0xff, 8_192, 8_192 * 10);
    writeFileSync(file, bytes);
    const damaged = openDatabase(file);
    expect(() => damaged.all("SELECT * FROM t")).toThrow(/damaged/);
    await damaged.close();
  });

  it.each([
    [99, "start the version of Ledgerline that wrote it"],
    [1, "move it away and start with an empty data folder"],
  ])("a file of format %i is refused with both formats and what to do", async (format, action) => {
    const database = open();
    database.define(`PRAGMA user_version = ${String(format)}`);
    await database.close();
    expect(() => openDatabase(file)).toThrow(new RegExp(`format ${String(format)}, .*${action}`));
  });

  it("a data folder has one service at a time, and is free again when that one has ended", () => {
    const lock = join(folder, "lock");
    const release = lockDataFolder(lock, folder);
    expect(() => lockDataFolder(lock, folder)).toThrow(
      /Another Ledgerline already runs on the data folder/,
    );
    release();
    lockDataFolder(lock, folder)();
  });

  it("a data folder is made with its parents, for its owner alone", async () => {
    const nested = join(folder, "a", "b");
    await openDataFolder(nested, true).close();
    expect(statSync(nested).mode & 0o777).toBe(0o700);
    expect(statSync(join(nested, "ledgerline.db")).mode & 0o777).toBe(0o600);
  });

  it.each(["/proc/ledgerline", "/dev/null/ledgerline"])(
    "a data folder that cannot be made (%s) is refused with a sentence",
    (path) => {
      expect(() => openDataFolder(path, true)).toThrow(
        `The data folder ${path} cannot be written.`,
      );
    },
  );

  it("what was acknowledged before closing is there after opening again", async () => {
    const database = open();
    const writes = Array.from({ length: 50 }, () =>
      database.write(() => database.run("INSERT INTO t (body) VALUES (NULL)")),
    );
    await database.close();
    await Promise.all(writes);
    const again = openDatabase(file);
    expect(count(again)).toBe(50);
    await again.close();
  });
});
