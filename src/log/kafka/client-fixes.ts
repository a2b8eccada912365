// Defects of kafkajs 2.2.4, the last release, that only its own code can be spared by: each is changed here, once, on the
// classes of the pinned version. What can be avoided from outside is avoided where it would happen.
import { createRequire } from "node:module";

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

/** Changes the client's classes; again is harmless. */
export function fixClient(): void {
  const require = createRequire(import.meta.url);
  const queue = require("kafkajs/src/network/requestQueue") as { prototype: object };
  Object.assign(queue.prototype, { scheduleCheckPendingRequests });
}
