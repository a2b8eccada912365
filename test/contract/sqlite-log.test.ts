import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSqliteLog } from "../../src/log/sqlite/log.ts";
import { type Database, openDatabase } from "../../src/sqlite/database.ts";
import { logContract } from "./log.contract.ts";

logContract("SQLite", () => {
  const folder = mkdtempSync(join(tmpdir(), "ledgerline-"));
  let database: Database;
  return Promise.resolve({
    open: () => {
      database = openDatabase(join(folder, "data.db"));
      return Promise.resolve({
        log: createSqliteLog(database, Date.now),
        close: () => database.close(),
      });
    },
    corrupt: async (topic, key) => {
      await database.write(() =>
        database.run("UPDATE log_records SET bytes = ? WHERE topic = ? AND key = ?", [
          new Uint8Array([9, 9, 9]),
          topic,
          key,
        ]),
      );
    },
    deadLetters: () =>
      Promise.resolve(
        Number(
          database.get("SELECT count(*) AS n FROM log_records WHERE topic = 'dead-letters'")?.[
            "n"
          ] ?? 0,
        ),
      ),
    remove: () => {
      rmSync(folder, { recursive: true });
      return Promise.resolve();
    },
  });
});
