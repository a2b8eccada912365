// A thread that searches ledgers as those of the pool do. See memory-ledger.ts.
import { parentPort } from "node:worker_threads";
import type { LedgerColumns } from "../../src/model/recurrence.ts";
import { findRecurrence } from "../../workers/recurrence/recurrence.ts";

parentPort?.on("message", (columns: LedgerColumns) => {
  parentPort?.postMessage(JSON.stringify(findRecurrence(columns)));
});
