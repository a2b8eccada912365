import { openDatabase } from "../../src/sqlite/database.ts";
import type { Store } from "../../src/store/collection.ts";
import { createSqliteStore } from "../../src/store/sqlite/store.ts";
import { accessContract } from "./access.contract.ts";
import { categorySetsContract } from "./category-sets.contract.ts";
import { erasureContract } from "./erasure.contract.ts";
import { holdersContract } from "./holders.contract.ts";
import { idempotencyContract } from "./idempotency.contract.ts";
import { kafkaGrantsContract } from "./kafka-grants.contract.ts";
import { modelsContract } from "./models.contract.ts";
import { outsideBatchesContract } from "./outside-batches.contract.ts";
import { reapplicationsContract } from "./reapplications.contract.ts";
import { rulesetsContract } from "./rulesets.contract.ts";
import { reportsContract } from "./reports.contract.ts";
import { statementsContract } from "./statements.contract.ts";
import { statisticsContract } from "./statistics.contract.ts";
import { storeContract } from "./store.contract.ts";
import { transactionsContract } from "./transactions.contract.ts";

function open(): Promise<{ store: Store; close: () => Promise<void> }> {
  const database = openDatabase(":memory:");
  return Promise.resolve({ store: createSqliteStore(database), close: () => database.close() });
}

storeContract("SQLite", open);
accessContract("SQLite", open);
erasureContract("SQLite", open);
holdersContract("SQLite", open);
idempotencyContract("SQLite", open);
kafkaGrantsContract("SQLite", open);
transactionsContract("SQLite", open);
reportsContract("SQLite", open);
rulesetsContract("SQLite", open);
categorySetsContract("SQLite", open);
modelsContract("SQLite", open);
outsideBatchesContract("SQLite", open);
reapplicationsContract("SQLite", open);
statementsContract("SQLite", open);
statisticsContract("SQLite", open);
