// What every operation of the driver is given.
import type { ClientSession } from "mongodb";
import type { Access } from "./access.ts";

export interface Within {
  /** When to give up. */
  readonly signal: AbortSignal;
  /** The transaction it belongs to. */
  readonly session?: ClientSession;
}

/** Operations that write listen to the signal as those that read do, though the driver declares it only for these. */
export function optionsOf({ signal, session }: Within, access?: Pick<Access, "hint">): object {
  return {
    signal,
    ...(session === undefined ? {} : { session }),
    ...(access?.hint === undefined ? {} : { hint: access.hint }),
  };
}
