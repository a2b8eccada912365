import { openDatabase } from "../../src/sqlite/database.ts";
import { createSqliteStore } from "../../src/store/sqlite/store.ts";
import { backlogContract } from "./backlog.contract.ts";
import { dispatchContract } from "./dispatch.contract.ts";
import type { OpenStore } from "./dispatching.ts";
import { lostSecretsContract } from "./lost-secrets.contract.ts";
import { orderContract } from "./order.contract.ts";
import { reportEndpointsContract } from "./report-endpoints.contract.ts";
import { sharesContract } from "./shares.contract.ts";
import { webhookKeepingContract } from "./webhook-keeping.contract.ts";

const open: OpenStore = () => {
  const database = openDatabase(":memory:");
  return Promise.resolve({
    store: createSqliteStore(database),
    storeBatches: true,
    // Several processes never share a data file.
    another: () => Promise.resolve(createSqliteStore(database)),
    close: () => database.close(),
  });
};

dispatchContract("SQLite", open);
backlogContract("SQLite", open);
orderContract("SQLite", open);
webhookKeepingContract("SQLite", open);
lostSecretsContract("SQLite", open);
sharesContract("SQLite", open);
reportEndpointsContract("SQLite", open);
