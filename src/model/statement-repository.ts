// What is kept of submitted bank statements.
import type { HolderSince } from "./account-holder.ts";
import type { BankStatement } from "./bank-statement.ts";
import type { StoredEvent } from "./event.ts";
import type {
  NumberedStatements,
  StatementDocument,
  StatementEnd,
  StatementKey,
  StatementQuery,
  StoredStatement,
} from "./statement-document.ts";

export interface StatementRepository {
  /** Stores a document that no caller sees before `accept` or `start`. */
  insert(document: StoredStatement): Promise<void>;
  /**
   * Its file is stored. Its account holder must be there; `newHolder` is made with this write unless one of its id is there.
   * False, and nothing is changed, when the holder is not there or is being removed, or the document was removed meanwhile.
   */
  received(
    document: Pick<StatementDocument, "org" | "id" | "accountHolderId">,
    file: Pick<StatementDocument, "size">,
    newHolder: HolderSince | null,
  ): Promise<boolean>;
  /** Its record is in the log. */
  accept(key: StatementKey): Promise<void>;
  get(org: string, id: string): Promise<StatementDocument | null>;
  /** The document with what only its processing needs. */
  getStored(org: string, id: string): Promise<StoredStatement | null>;
  /** Newest first. */
  list(org: string, query: StatementQuery): Promise<readonly StatementDocument[]>;
  listPage(org: string, query: NumberedStatements): Promise<readonly StatementDocument[]>;
  /** Documents of the organization that are not done. */
  countUnfinished(org: string): Promise<number>;
  rename(org: string, id: string, name: string): Promise<boolean>;
  /** Marks a document that is not done as being processed; null when there is none. */
  start(org: string, id: string): Promise<StoredStatement | null>;
  /** Counts a lost reader, once for each number of those before. */
  countCrash(key: StatementKey, before: number): Promise<void>;
  /**
   * Stores what was read of a document that is being processed, unless something is stored already, which stays. Returns what is
   * stored then. `gone`: the document was removed. `too_large`: nothing was stored.
   */
  storeReading(
    key: StatementKey,
    statement: BankStatement,
  ): Promise<BankStatement | "gone" | "too_large">;
  reading(org: string, id: string): Promise<BankStatement | null>;
  /** Ends a document that is being processed, removes its password and records the event: all or nothing. */
  finish(key: StatementKey, end: StatementEnd, event: StoredEvent): Promise<boolean>;
  /** Marks a processed document as one whose transactions could not be enriched. */
  markUnenriched(key: StatementKey): Promise<void>;
  /** Hides a document from every caller. False when there is none. */
  hide(org: string, id: string): Promise<boolean>;
  /** Removes the rows of a document; `events` replace those of the same ids. */
  remove(key: StatementKey, events: readonly StoredEvent[]): Promise<void>;
  /** Up to `limit` documents of the holder. */
  ofHolder(org: string, accountHolderId: string, limit: number): Promise<readonly StatementKey[]>;
  /** Up to `limit` documents of any organization that are being removed, or began to be submitted before then and were not. */
  leftBehind(beforeMs: number, limit: number): Promise<readonly StatementKey[]>;
  /** Whether the document has a row, in whatever state. */
  has(org: string, id: string): Promise<boolean>;
  /** The passwords of all documents that are not done. */
  passwords(): AsyncIterable<StatementKey & { readonly password: string }>;
  /** Puts another text in the place of an encrypted password, unless it has changed since. */
  replacePassword(key: StatementKey, seen: string, next: string): Promise<void>;
}
