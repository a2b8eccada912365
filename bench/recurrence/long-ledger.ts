// One account holder whose ledger is as long as asked for, made while it is read: nothing of it stays.
import { generateLedger } from "./ledgers.ts";
import type { LedgerTransactionSample } from "./samples.ts";

const FIRST_SEED = 500_000;

/**
 * Many generated ledgers as one.
 * @param ledgersMax generated ledgers with payees of their own; then those of the first ones come again, with other ids
 */
export function* readLongLedger(
  count: number,
  ledgersMax = Number.POSITIVE_INFINITY,
): Generator<LedgerTransactionSample> {
  let left = count;
  for (let ledger = 0; ; ledger++) {
    const own = String(ledger % ledgersMax);
    for (const entry of generateLedger(FIRST_SEED + (ledger % ledgersMax), "realistic").entries) {
      if (left === 0) return;
      left -= 1;
      const { counterparty } = entry;
      yield {
        ...entry,
        id: `${String(ledger)} ${entry.id}`,
        counterparty:
          counterparty === null
            ? null
            : {
                ...counterparty,
                id: counterparty.id === null ? null : `${counterparty.id} ${own}`,
                name: `${counterparty.name} ${own}`,
              },
      };
    }
  }
}
