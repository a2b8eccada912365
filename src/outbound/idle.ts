// Idle connections, for the next call with the same route.
import type { Connection } from "./connection.ts";

export interface IdleConnections {
  /** The most recently used one, or null. The caller must give it back or close it. */
  take(route: string): Connection | null;
  /** Keeps it if the limits allow; closes it if not. */
  give(connection: Connection): void;
  /** Must be called when a connection has ended, whether it is kept here or not. */
  remove(connection: Connection): void;
  close(): Promise<void>;
}

/** Twice the maximum number of concurrent calls of a webhook: several webhooks often have the same origin. */
const KEPT_PER_ROUTE_MAX = 32;

/** In total; an idle connection costs some 20 KiB (TLS) and a file descriptor. */
const KEPT_MAX = 512;

/**
 * The address of a connection was resolved and verified when it was opened, so its age is the delay until a change in DNS takes
 * effect. With some hundred calls per second on it, opening a new one after this time has no measurable cost.
 */
const AGE_MS_MAX = 10_000;

export function createIdleConnections(): IdleConnections {
  const kept = new Map<string, Connection[]>();
  let keptCount = 0;

  function remove(connection: Connection): void {
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
      remove(last);
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
    remove: remove,
    close: async () => {
      const all = [...kept.values()].flat();
      kept.clear();
      keptCount = 0;
      await Promise.all(all.map((connection) => connection.close()));
    },
  };
}
