// What finding the recurring groups of one ledger takes of memory, by the number of transactions: each ledger in a process of its own.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface LedgerMemory {
  /** What the main thread holds once the ledger is read, and nothing that it does not need, bytes. */
  readonly heldBytes: number;
  /** By which heap and blocks of memory of the thread that searches have grown at their highest, bytes; what it has not collected included. */
  readonly threadBytes: number;
  /** By which the process has grown at its highest, bytes: that of its reading and its answer included. */
  readonly processBytes: number;
  /** Transactions in groups, whose ids are the answer. */
  readonly members: number;
}

const PROGRAM = fileURLToPath(new URL("./memory-ledger.ts", import.meta.url));

/** @param ledgersMax see `readLongLedger` */
export async function measureMemory(count: number, ledgersMax: number): Promise<LedgerMemory> {
  const child = fork(PROGRAM, [String(count), String(ledgersMax)], { execArgv: ["--expose-gc"] });
  const [message] = (await Promise.race([
    once(child, "message"),
    once(child, "exit").then(([code]) => {
      throw new Error(`It ended with ${String(code)} instead of measuring`);
    }),
  ])) as [LedgerMemory];
  child.disconnect();
  return message;
}
