// Rows that two files share, because the periods of two exports overlap. Two equal rows of one file are two
// transactions: two coffees on a day. Each of them can be the duplicate of one row of an earlier file.
import { hash } from "node:crypto";
import type { ParsedRow } from "../parsed-file.ts";
import { plainWords } from "../values/plain-words.ts";

interface SeenTransaction {
  readonly file: number;
  readonly line: number;
  readonly account: string | null;
  readonly id: string | null;
  /** The last file that has a duplicate of it. */
  matchedBy: number;
}

export interface FileInRun {
  readonly name: string;
  /** Columns joined: ids are compared between files of the same kind only. */
  readonly kind: string;
}

export interface DuplicateFinder {
  /** "first.csv:12" when the row was in an earlier file; null: it was not. */
  find(row: ParsedRow, file: number): string | null;
  /** True when there were too many rows to remember: duplicates after that are not found. */
  isFull(): boolean;
}

/** Some 150 bytes each. */
const ROWS_REMEMBERED_MAX = 1_000_000;
/** Rows that are equal in everything that is compared; it bounds the search among them. */
const EQUAL_ROWS_MAX = 1_000;

/** Same date, amount, currency and description, and the same account and id where both rows have one. */
export function createDuplicateFinder(files: readonly FileInRun[]): DuplicateFinder {
  const seen = new Map<string, SeenTransaction[]>();
  let count = 0;
  return {
    find: ({ line, reading }, file) => {
      if (!reading.ok) return null;
      const { date, amount, currency, description, account, id } = reading.transaction;
      const text = [date, String(Number(amount)), currency, plainWords(description)].join("\n");
      const key = hash("sha256", text, "base64");
      const same = seen.get(key) ?? [];
      const earlier = same.find(
        (other) =>
          other.file < file &&
          other.matchedBy !== file &&
          isEqualOrUnknown(other.account, account) &&
          (files[other.file]?.kind !== files[file]?.kind || isEqualOrUnknown(other.id, id)),
      );
      if (earlier !== undefined) {
        earlier.matchedBy = file;
        return `${files[earlier.file]?.name ?? ""}:${String(earlier.line)}`;
      }
      if (count < ROWS_REMEMBERED_MAX && same.length < EQUAL_ROWS_MAX) {
        count += 1;
        same.push({ file, line, account, id, matchedBy: file });
        seen.set(key, same);
      }
      return null;
    },
    isFull: () => count >= ROWS_REMEMBERED_MAX,
  };
}

function isEqualOrUnknown(one: string | null, other: string | null): boolean {
  return one === null || other === null || one === other;
}
