import { openDatabase } from "../../src/sqlite/database.ts";
import type { Store } from "../../src/store/collection.ts";
import { createSqliteStore } from "../../src/store/sqlite/store.ts";
import { idempotencyContract } from "./idempotency.contract.ts";
import { storeContract } from "./store.contract.ts";
import { transactionsContract } from "./transactions.contract.ts";

function open(): Promise<{ store: Store; close: () => Promise<void> }> {
  const database = openDatabase(":memory:");
  return Promise.resolve({ store: createSqliteStore(database), close: () => database.close() });
}

storeContract("SQLite", open);
idempotencyContract("SQLite", open);
transactionsContract("SQLite", open);
