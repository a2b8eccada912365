import { LedgerlineError } from "../shared/errors.ts";
import type { StatementPool } from "./statements.ts";

/** A pool that is opened for its first document: most processes never get one. */
export function createLazyStatementPool(open: () => StatementPool): StatementPool {
  let pool: StatementPool | null = null;
  let closing: Promise<void> | null = null;
  const opened = (): StatementPool => {
    if (closing !== null) throw new LedgerlineError("unavailable", "The service is stopping.");
    return (pool ??= open());
  };
  return {
    read: async (bytes, password) => opened().read(bytes, password),
    verify: async (bytes, password) => opened().verify(bytes, password),
    close: () => (closing ??= pool?.close() ?? Promise.resolve()),
  };
}
