// Reads from a new primary. What a majority confirmed is never lost, but a server that was just elected does not know yet how far
// that goes: until its first write of its own is confirmed, it answers reads of the majority from an older state, which may lack
// writes that were acknowledged. So the first read after an election waits for a linearizable one, which ends behind that write.
import type { MongoClient, ServerDescription, TopologyDescriptionChangedEvent } from "mongodb";

/** Resolves with what was read from a primary that has everything acknowledged before. */
export type ReadConfirmed = <T>(read: () => Promise<T>) => Promise<T>;

/** Another text for each election; null without a primary, and behind a router, which hides elections. */
function electionOf(servers: Iterable<ServerDescription>): string | null {
  for (const { type, address, electionId } of servers)
    if (type === "RSPrimary") return `${address} ${electionId?.toHexString() ?? ""}`;
  return null;
}

/**
 * @param client not connected yet, so that its first primary is seen
 * @param confirm a linearizable read
 */
export function followPrimary(
  client: Pick<MongoClient, "on">,
  confirm: () => Promise<void>,
): ReadConfirmed {
  let election: string | null = null;
  /** Of the current election; null where it was not asked for, or failed. */
  let confirmed: Promise<void> | null = null;
  // The driver tells of a primary before it sends anything to it.
  client.on("topologyDescriptionChanged", ({ newDescription }: TopologyDescriptionChangedEvent) => {
    const now = electionOf(newDescription.servers.values());
    if (now === null || now === election) return;
    election = now;
    confirmed = null;
  });

  async function untilConfirmed(): Promise<void> {
    if (election === null) return;
    const asked = (confirmed ??= confirm());
    try {
      await asked;
    } catch (error) {
      if (confirmed === asked) confirmed = null;
      throw error;
    }
  }

  return async (read) => {
    for (;;) {
      const before = election;
      await untilConfirmed();
      const found = await read();
      // It may have been answered by a primary that was elected meanwhile.
      if (before === election) return found;
    }
  };
}
