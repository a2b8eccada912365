// Idempotency keys: a repeated request gets the answer of the first.

export type IdempotencyBegin =
  /** `resourceId` names what the request creates; a request that runs again after a crash gets the same. */
  | { readonly kind: "new"; readonly resourceId: string }
  | { readonly kind: "replay"; readonly status: number; readonly body: string }
  /**
   * The same of a long answer: its text in parts, as `finishLong` was given them. Each is read when it is asked for; reading throws
   * `unavailable` when the answer has been erased or has expired meanwhile.
   */
  | {
      readonly kind: "replayLong";
      readonly status: number;
      readonly parts: AsyncIterable<Uint8Array>;
    }
  | { readonly kind: "mismatch" }
  | { readonly kind: "running" }
  /** The kept answer was encrypted and cannot be decrypted any more. */
  | { readonly kind: "unreadable" };

/** What is kept for idempotency keys. */
export interface IdempotencyRepository {
  /** Claims the key for a request whose body has this SHA-256, or returns the outcome of the earlier one. */
  begin(org: string, route: string, key: string, fingerprint: string): Promise<IdempotencyBegin>;
  /**
   * @param accountHolderId whom the answer is about: it goes with this holder. Null: about none
   * @param statementId the bank statement that it is about: it goes with this one. Null or left out: about none
   */
  finish(
    org: string,
    route: string,
    key: string,
    status: number,
    body: string,
    accountHolderId: string | null,
    statementId?: string | null,
  ): Promise<void>;
  /**
   * The same for a long answer, which may be about several account holders: it goes with the first of them that is deleted,
   * since a repetition could not have the same results without it.
   * @param parts of which no one is longer than a few megabytes
   */
  finishLong(
    org: string,
    route: string,
    key: string,
    status: number,
    parts: readonly Uint8Array[],
    accountHolderIds: readonly string[],
  ): Promise<void>;
  /** Frees the key after a request that changed nothing. */
  abandon(org: string, route: string, key: string): Promise<void>;
  /** The request failed and may have been accepted all the same: it may run again at once, as itself only. */
  interrupt(org: string, route: string, key: string): Promise<void>;
  /** Removes up to `limit` keys that are past their 24 hours, and all long answers that are. Returns how many keys. */
  removeExpired(limit: number, nowMs: number): Promise<number>;
}
