// The port of files: bytes that are too many for a row. Each engine keeps it; both pass test/contract/files.contract.ts.

/** Names a file. An id is a UUID that no other file has had: nothing is ever replaced. */
export interface FileKey {
  readonly org: string;
  readonly id: string;
}

export interface StoredFile extends FileKey {
  /** When its storing ended or, of one that is not complete, was last continued: milliseconds since 1970, UTC. */
  readonly storedAt: number;
}

/** Every method throws LedgerlineError `unavailable` when the files cannot be reached. */
export interface FileStore {
  /**
   * Stores a file as it arrives; resolves once it is durable. Until then it cannot be read, and nothing of it stays when
   * `bytes` throws, which this throws then too.
   */
  put(key: FileKey, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /** Null: there is no such file, or not all of it. */
  read(key: FileKey): Promise<Uint8Array | null>;
  /** Erases the file, also one of which a crash left a part. Twice is safe. */
  delete(key: FileKey): Promise<void>;
  /** All files, in any order. */
  list(): AsyncIterable<StoredFile>;
}
