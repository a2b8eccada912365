// Later submission wins by order of acceptance, not of processing. The order is the log's own place of the record,
// then the place inside the record, as a text whose binary order is the order in time: both engines compare text alike.
// The orders of one log all have the same length; logs of different engines are never compared.

const OFFSET_DIGITS = 16;
const TIME_DIGITS = 13;
const PARTITION_DIGITS = 4;
/** Enough for a partition that takes a million records a second for thirty years. */
const PARTITION_OFFSET_DIGITS = 15;
const PLACE_DIGITS = TIME_DIGITS + PARTITION_DIGITS + PARTITION_OFFSET_DIGITS;
const INDEX_DIGITS = 4;
const REVISION_DIGITS = 6;

/** Order of the record at `offset` of the embedded log (a whole number from 1). */
export function recordOrder(offset: number): string {
  return String(offset).padStart(OFFSET_DIGITS, "0");
}

/**
 * Order of a record of a log in partitions: when it was appended (milliseconds since 1970, by the clock of the log), then
 * its partition (0..9999 over all topics), then its offset, which only decide between records of one millisecond.
 */
export function placeOrder(appendedAtMs: number, partition: number, offset: number): string {
  return (
    String(appendedAtMs).padStart(TIME_DIGITS, "0") +
    String(partition).padStart(PARTITION_DIGITS, "0") +
    String(offset).padStart(PARTITION_OFFSET_DIGITS, "0")
  );
}

/** The last order that a record appended in this millisecond can have, in a log in partitions. */
export function lastPlaceOrder(appendedAtMs: number): string {
  return String(appendedAtMs).padStart(TIME_DIGITS, "0") + "9".repeat(PLACE_DIGITS - TIME_DIGITS);
}

/** Whether a text from outside is the order of a record of a log in partitions. */
export function isPlaceOrder(text: string): boolean {
  return text.length === PLACE_DIGITS && /^\d+$/.test(text);
}

/** When the record of such an order was appended first: milliseconds since 1970, by the clock of the log. */
export function placeTime(order: string): number {
  return Number(order.slice(0, TIME_DIGITS));
}

/** Order of the transaction at `index` (0..9998) of a record. */
export function itemOrder(record: string, index: number): string {
  return record + String(index).padStart(INDEX_DIGITS, "0");
}

/**
 * The order of a change to the transaction at `order`: after it, and before everything that was accepted after it. A
 * submission that still waits in the log keeps its right to replace the transaction.
 */
export function nextRevision(order: string): string {
  const recordDigits = order.length < PLACE_DIGITS ? OFFSET_DIGITS : PLACE_DIGITS;
  const base = order.slice(0, recordDigits + INDEX_DIGITS);
  const revision = Number(order.slice(base.length)) + 1;
  return base + String(revision).padStart(REVISION_DIGITS, "0");
}

/** An order after every transaction of the record at `record` and before the next record: the place of a deletion. */
export function afterRecord(record: string): string {
  return record + "9".repeat(INDEX_DIGITS);
}
