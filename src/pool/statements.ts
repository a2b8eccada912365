// Threads that read bank statements: apart from those that enrich, because a document may take seconds and much memory.
import { Piscina } from "piscina";
import type { StatementTask } from "../../workers/protocol.ts";
import type { StatementResult } from "../model/bank-statement.ts";
import { LedgerlineError } from "../shared/errors.ts";

export interface StatementPool {
  /**
   * Reads one document, in a thread.
   * @param password empty: none
   * @throws LedgerlineError `unavailable` when the thread ended or did not answer in time
   */
  read(bytes: Uint8Array, password: string): Promise<StatementResult>;
  close(): Promise<void>;
}

/** A page takes 10 ms; a document that takes this long will not end. */
const DOCUMENT_TIMEOUT_MS = 60_000;
/** Heap of one thread, MB: words of 300 pages take a tenth. PDFium's own memory is outside of it. */
const STATEMENT_HEAP_MAX_MB = 512;

/** @param workerUrl module of the thread side; tests pass a faulty one */
export function openStatementPool(
  threads: number,
  workerUrl = new URL("../../workers/statements/worker.ts", import.meta.url),
): StatementPool {
  const piscina = new Piscina({
    filename: workerUrl.href,
    name: "readDocument",
    minThreads: 1,
    maxThreads: threads,
    resourceLimits: { maxOldGenerationSizeMb: STATEMENT_HEAP_MAX_MB },
    env: {},
    recordTiming: false,
  });
  // A thread that dies rejects its task; without a listener the event would end the process.
  piscina.on("error", () => undefined);
  return {
    read: async (bytes, password) => {
      const task: StatementTask = { bytes, password };
      const late = new AbortController();
      const timer = setTimeout(() => {
        late.abort();
      }, DOCUMENT_TIMEOUT_MS);
      try {
        return (await piscina.run(task, { signal: late.signal })) as StatementResult;
      } catch (cause) {
        throw new LedgerlineError("unavailable", "The document could not be read.", { cause });
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => piscina.destroy(),
  };
}
