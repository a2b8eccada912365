// What every operation of the driver is given.
import type { ClientSession } from "mongodb";
import type { IndexAccess } from "./access.ts";
import type { CallDeadline } from "./deadline.ts";

export interface Within {
  /** The call that it is done for, and ends with. */
  readonly call: CallDeadline;
  /** The transaction it belongs to. */
  readonly session?: ClientSession;
}

/** Operations that write listen to the signal as those that read do, though the driver declares it only for these. */
export function optionsOf({ call, session }: Within, access?: Pick<IndexAccess, "hint">): object {
  return {
    signal: call.signal,
    // The server stops when the caller waits no longer, instead of retrying against other writers.
    maxTimeMS: Math.max(1, Math.ceil(call.endMs - performance.now())),
    ...(session === undefined ? {} : { session }),
    ...(access?.hint === undefined ? {} : { hint: access.hint }),
  };
}
