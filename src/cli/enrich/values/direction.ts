import type { EntryType } from "../../../model/transaction.ts";
import { readWordTable, sectionOf } from "../../../shared/word-table.ts";
import { plainWords } from "./plain-words.ts";

const TABLE = readWordTable(new URL("direction-words.txt", import.meta.url));
const OUTGOING = new Set(sectionOf(TABLE, "outgoing"));
const INCOMING = new Set(sectionOf(TABLE, "incoming"));

/** The direction that a word of a debit/credit column means; null when the table does not contain it. */
export function directionOf(text: string): EntryType | null {
  const word = plainWords(text);
  if (OUTGOING.has(word)) return "outgoing";
  return INCOMING.has(word) ? "incoming" : null;
}
