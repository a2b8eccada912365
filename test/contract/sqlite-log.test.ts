import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteDeadLetters } from "../../src/log/sqlite/dead-letters.ts";
import { openSqliteLog, type SqliteLog } from "../../src/log/sqlite/log.ts";
import { type Database, openDatabase } from "../../src/sqlite/database.ts";
import { deadLetterContract } from "./dead-letters.contract.ts";
import { logContract, type LogUnderTest, request } from "./log.contract.ts";

const make = (): Promise<LogUnderTest> => {
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
    letters: () => openSqliteDeadLetters(database),
    damageLetter: async (id) => {
      const sql = "UPDATE log_records SET bytes = ? WHERE topic = 'dead-letters' AND offset = ?";
      await database.write(() => database.run(sql, [new Uint8Array([9, 9, 9]), Number(id)]));
    },
    remove: () => {
      rmSync(folder, { recursive: true });
      return Promise.resolve();
    },
  });
};

logContract("SQLite", make);
deadLetterContract("SQLite", make);
