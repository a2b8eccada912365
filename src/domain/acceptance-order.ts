// Later submission wins by order of acceptance, not of processing. The order is the log's own place of the record,
// then the place inside the record, as a text whose binary order is the order in time: both engines compare text alike.

const OFFSET_DIGITS = 16;
const INDEX_DIGITS = 4;

/** Order of the record at `offset` of the embedded log (a whole number from 1). */
export function recordOrder(offset: number): string {
  return String(offset).padStart(OFFSET_DIGITS, "0");
}

/** Order of the transaction at `index` (0..9998) of a record. */
export function itemOrder(record: string, index: number): string {
  return record + String(index).padStart(INDEX_DIGITS, "0");
}

const REVISION_DIGITS = 6;

/**
 * The order of a change to the transaction at `order`: after it, and before everything that was accepted after it. A
 * submission that still waits in the log keeps its right to replace the transaction.
 */
export function nextRevision(order: string): string {
  const base = order.slice(0, OFFSET_DIGITS + INDEX_DIGITS);
  const revision = Number(order.slice(base.length)) + 1;
  return base + String(revision).padStart(REVISION_DIGITS, "0");
}

/** An order after every transaction of the record at `record` and before the next record: the place of a deletion. */
export function afterRecord(record: string): string {
  return record + "9".repeat(INDEX_DIGITS);
}
