import { readWordTable, sectionOf } from "../../../shared/word-table.ts";
import { plainWords } from "./plain-words.ts";

const STATUSES = ["booked", "pending", "reverted", "declined", "information"] as const;

/** Only `booked` counts in sums. `information`: reported by the bank for information only. */
export type TransactionStatus = (typeof STATUSES)[number];

const TABLE = readWordTable(new URL("status-words.txt", import.meta.url));
const byWord = new Map(
  STATUSES.flatMap((status) => sectionOf(TABLE, status).map((word) => [word, status] as const)),
);

/** The meaning of a word in a status column; null when the table does not contain it. */
export function statusOf(text: string): TransactionStatus | null {
  return byWord.get(plainWords(text)) ?? null;
}
