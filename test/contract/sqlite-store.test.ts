import { openDatabase } from "../../src/sqlite/database.ts";
import { createSqliteStore } from "../../src/store/sqlite/store.ts";
import { storeContract } from "./store.contract.ts";

storeContract("SQLite", () => {
  const database = openDatabase(":memory:");
  return Promise.resolve({ store: createSqliteStore(database), close: () => database.close() });
});
