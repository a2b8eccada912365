import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteLog, type SqliteLog } from "../../src/log/sqlite/log.ts";
import { type Database, openDatabase } from "../../src/sqlite/database.ts";
import { logContract, request } from "./log.contract.ts";

logContract("SQLite", () => {
  const folder = mkdtempSync(join(tmpdir(), "ledgerline-"));
  let database: Database;
  let log: SqliteLog;
  return Promise.resolve({
    open: async () => {
      database = openDatabase(join(folder, "data.db"));
      log = await openSqliteLog(database, Date.now);
      return {
        log,
        close: async () => {
          log.close();
          await database.close();
        },
      };
    },
    damaged: async (topic, key) => {
      await log.publish(topic, [{ key, value: request("damaged") }]);
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
