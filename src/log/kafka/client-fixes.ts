// Defects of kafkajs 2.2.4, the last release, that only its own code can be spared by: each is changed here, once, on the
// classes of the pinned version. What can be avoided from outside is avoided where it would happen.
import { createRequire } from "node:module";
import { produceInFewPieces } from "./produce-request.ts";

interface RequestQueue {
  pending: readonly unknown[];
  throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  checkPendingRequests(): void;
}

/** While too many requests are in flight, each answer looks at the queue; this is only for answers that never come. */
const CHECK_PENDING_MS = 10;

/**
 * The client's request queue checks itself with a timer that is set anew each time it fires, whether or not anything
 * waits, after `throttledUntil - now` milliseconds, which is negative: every idle connection wakes the process about
 * 900 times a second, and newer versions of Node warn of the negative time-out. Here the timer is set only when something
 * waits. (https://github.com/tulios/kafkajs/issues/1751)
 */
function scheduleCheckPendingRequests(this: RequestQueue): void {
  if (this.throttleCheckTimeoutId !== null || this.pending.length === 0) return;
  const throttledForMs = this.throttledUntil - Date.now();
  this.throttleCheckTimeoutId = setTimeout(
    () => {
      this.throttleCheckTimeoutId = null;
      this.checkPendingRequests();
    },
    throttledForMs > 0 ? throttledForMs : CHECK_PENDING_MS,
  );
}

interface HeaderDecoder {
  readVarInt(): number;
}

/** A record of Ledgerline has two. */
const HEADERS_MAX = 256;

/**
 * The client puts the headers of a record together in a time that grows with the square of their number: a record of
 * 1 MB can have 300 000, which would keep the process busy for hours, and again after each start. Here the first
 * `HEADERS_MAX` are read; the client reads a record from bytes of its own, so that the others may be left where they are.
 */
function readVarIntArray<Header>(
  this: HeaderDecoder,
  read: (decoder: HeaderDecoder) => Header,
): Header[] {
  const length = Math.min(this.readVarInt(), HEADERS_MAX);
  const headers: Header[] = [];
  for (let index = 0; index < length; index += 1) headers.push(read(this));
  return headers;
}

interface RequestKind {
  protocol(options: { readonly version: number }): (values: object) => object;
  waitsForLeader?: true;
}

/** As long as the client waits in the step before, where it counts with members that are gone. */
const SYNC_MAX_MS = 35_000;

/**
 * A member that has joined a group waits for the assignment, which comes from one of the members. When that one is killed
 * at this moment, the broker reports it to the others after a session; the client times out before that, and the member that
 * joins again then waits for its own earlier membership: nothing is processed for two sessions and more instead of one.
 */
function waitForLeader(syncGroup: RequestKind): void {
  if (syncGroup.waitsForLeader === true) return;
  const { protocol } = syncGroup;
  syncGroup.waitsForLeader = true;
  syncGroup.protocol = (options) => {
    const build = protocol(options);
    return (values) => ({ ...build(values), requestTimeout: SYNC_MAX_MS });
  };
}

/** Changes the client's classes; again is harmless. */
export function fixClient(): void {
  const require = createRequire(import.meta.url);
  const queue = require("kafkajs/src/network/requestQueue") as { prototype: object };
  Object.assign(queue.prototype, { scheduleCheckPendingRequests });
  const decoder = require("kafkajs/src/protocol/decoder") as { prototype: object };
  Object.assign(decoder.prototype, { readVarIntArray });
  waitForLeader(require("kafkajs/src/protocol/requests/syncGroup") as RequestKind);
  produceInFewPieces();
}
