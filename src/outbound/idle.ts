// Connections that wait for the next call by the same route.
import type { Connection } from "./connection.ts";

export interface IdleConnections {
  /** The one that was used last, or null. Whoever takes it gives it back or closes it. */
  take(route: string): Connection | null;
  /** Keeps it where there is room, closes it otherwise. */
  give(connection: Connection): void;
  /** To be called when one has ended, whether it is kept here or not. */
  forget(connection: Connection): void;
  close(): Promise<void>;
}

/** As many calls as a webhook has under way at most, twice: several webhooks often have the same origin. */
const KEPT_PER_ROUTE_MAX = 32;

/** In all; a connection that waits costs some 20 KiB (TLS) and a file descriptor. */
const KEPT_MAX = 512;

/**
 * A connection goes to an address that was looked up and checked when it was opened, so its age is how late a change in DNS
 * is seen. At some hundred calls a second over it, opening one anew after this time costs nothing that can be measured.
 */
const AGE_MS_MAX = 10_000;

export function createIdleConnections(): IdleConnections {
  const kept = new Map<string, Connection[]>();
  let keptCount = 0;

  function forget(connection: Connection): void {
    const siblings = kept.get(connection.route);
    const at = siblings?.indexOf(connection) ?? -1;
    if (siblings === undefined || at < 0) return;
    siblings.splice(at, 1);
    keptCount -= 1;
    if (siblings.length === 0) kept.delete(connection.route);
  }

  const isFit = (connection: Connection): boolean =>
    connection.isOpen() && performance.now() - connection.openedAt < AGE_MS_MAX;

  function take(route: string): Connection | null {
    for (;;) {
      const last = kept.get(route)?.at(-1);
      if (last === undefined) return null;
      forget(last);
      if (isFit(last)) return last;
      void last.close();
    }
  }

  function give(connection: Connection): void {
    const siblings = kept.get(connection.route) ?? [];
    if (!isFit(connection) || keptCount >= KEPT_MAX || siblings.length >= KEPT_PER_ROUTE_MAX) {
      void connection.close();
      return;
    }
    kept.set(connection.route, siblings);
    siblings.push(connection);
    keptCount += 1;
  }

  return {
    take,
    give,
    forget,
    close: async () => {
      const all = [...kept.values()].flat();
      kept.clear();
      keptCount = 0;
      await Promise.all(all.map((connection) => connection.close()));
    },
  };
}
