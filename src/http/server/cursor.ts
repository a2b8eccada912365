import { createHmac, timingSafeEqual } from "node:crypto";
import type { Position } from "../../shared/page.ts";

// Cursors are opaque to callers and carry their own proof: the place in the list, signed for one organization and one
// list. Nothing has to be stored, and a cursor from another organization, another list or another hand is refused.

/** Half of SHA-256: 128 bits cannot be guessed, and cursors stay short enough for a URL. */
const SIGNATURE_BYTES = 16;
const CREATED_AT_BYTES = 8;
/** The longest place we issue is an id of 256 characters of four bytes; more is not ours and is not hashed. */
const CURSOR_LENGTH_MAX = 2048;

/** Where a cursor is valid. */
interface CursorScope {
  readonly org: string;
  readonly list: string;
}

export interface Cursors {
  write(scope: CursorScope, position: Position): string;
  /** Null when this installation did not issue the cursor for this scope. */
  read(scope: CursorScope, cursor: string): Position | null;
}

/** Cursors signed with `secret`; every process of an installation needs the same one. */
export function createCursors(secret: string | Uint8Array): Cursors {
  const sign = (scope: CursorScope, place: Buffer): Buffer =>
    createHmac("sha256", secret)
      // The scope as JSON ends unambiguously, so that no organization can be spelled into the list or the place.
      .update(JSON.stringify([scope.org, scope.list]))
      .update(place)
      .digest()
      .subarray(0, SIGNATURE_BYTES);

  return {
    write(scope, position) {
      const place = Buffer.concat([Buffer.alloc(CREATED_AT_BYTES), Buffer.from(position.tie)]);
      place.writeDoubleBE(position.createdAt);
      return Buffer.concat([sign(scope, place), place]).toString("base64url");
    },
    read(scope, cursor) {
      if (cursor.length > CURSOR_LENGTH_MAX) return null;
      const bytes = Buffer.from(cursor, "base64url");
      // Node's decoder skips what is not base64url; only the one spelling we wrote is ours.
      if (bytes.toString("base64url") !== cursor) return null;
      if (bytes.length < SIGNATURE_BYTES + CREATED_AT_BYTES) return null;
      const place = bytes.subarray(SIGNATURE_BYTES);
      if (!timingSafeEqual(sign(scope, place), bytes.subarray(0, SIGNATURE_BYTES))) return null;
      return {
        createdAt: place.readDoubleBE(),
        tie: place.subarray(CREATED_AT_BYTES).toString("utf8"),
      };
    },
  };
}
