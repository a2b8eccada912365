// Whether the server can be used, known without asking it: the driver watches every server all the time.
import type { MongoClient, TopologyDescription } from "mongodb";

export interface MongoHealth {
  /** A call failed because of the server; it is looked after until it works again. */
  failed(message: string): void;
  /** Why the server cannot be used just now, or null. */
  failure(): string | null;
  close(): void;
}

const PROBE_EVERY_MS = 1_000;
const WRITABLE = new Set(["RSPrimary", "Mongos", "LoadBalancer"]);

/**
 * Watches the servers of `client`, from before it connects.
 * @param probe rejects while writes cannot succeed
 */
export function watchHealth(client: MongoClient, probe: () => Promise<void>): MongoHealth {
  let servers: TopologyDescription | null = null;
  let failure: string | null = null;
  let timer: NodeJS.Timeout | null = null;
  let closed = false;

  client.on("topologyDescriptionChanged", (event) => {
    servers = event.newDescription;
  });

  // Without a probe a failure would last until the next call, and a service that is not ready gets no calls.
  const probeSoon = (): void => {
    if (timer !== null || closed) return;
    timer = setTimeout(() => {
      probe().then(
        () => {
          timer = null;
          failure = null;
        },
        () => {
          timer = null;
          probeSoon();
        },
      );
    }, PROBE_EVERY_MS).unref();
  };

  return {
    failed: (message) => {
      failure = message;
      probeSoon();
    },
    failure: () => {
      if (closed) return "The store is closed.";
      return (servers === null ? null : failureOf(servers)) ?? failure;
    },
    close: () => {
      closed = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}

function failureOf({ servers }: TopologyDescription): string | null {
  const types = [...servers.values()].map((server): string => server.type);
  if (types.some((type) => WRITABLE.has(type))) return null;
  return types.every((type) => type === "Unknown")
    ? "The store is unavailable: MongoDB cannot be reached."
    : "The store is unavailable: the MongoDB replica set has no primary.";
}
