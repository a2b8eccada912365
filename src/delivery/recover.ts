// Recoveries: many deliveries that somebody wants to be sent again, a part at a time, going on where the last process
// ended.
import type { Delivery, RecoveryRequest, StoredRecovery } from "../model/webhook.ts";

export interface RecoveryPorts {
  /** Recoveries that are not completed. */
  runningRecoveries(limit: number): Promise<readonly StoredRecovery[]>;
  recoverable(
    org: string,
    webhookId: string,
    request: RecoveryRequest,
    after: StoredRecovery["after"],
    limit: number,
  ): Promise<readonly Delivery[]>;
  /** Puts the deliveries back and writes down how far it has come, unless somebody else has meanwhile: false then. */
  recover(
    seen: StoredRecovery,
    next: StoredRecovery,
    eventIds: readonly string[],
    nowMs: number,
  ): Promise<boolean>;
  nowMs(): number;
}

const RUNNING_MAX = 16;
/** Deliveries put back in one write: one transaction. How fast they are sent is up to the rate of the webhook. */
const PART = 200;

/** Takes each running recovery one part further. */
export async function advanceRecoveries(
  ports: RecoveryPorts,
  due: (org: string, webhookId: string) => void,
  failed: (error: unknown) => void,
): Promise<void> {
  for (const seen of await ports.runningRecoveries(RUNNING_MAX)) {
    try {
      await advance(ports, seen, due);
    } catch (error) {
      // The others go on.
      failed(error);
    }
  }
}

async function advance(
  ports: RecoveryPorts,
  seen: StoredRecovery,
  due: (org: string, webhookId: string) => void,
): Promise<void> {
  const found = await ports.recoverable(seen.org, seen.webhookId, seen, seen.after, PART);
  const last = found.at(-1);
  const next: StoredRecovery = {
    ...seen,
    status: found.length < PART ? "completed" : "running",
    resent: seen.resent + found.length,
    after: last === undefined ? seen.after : { createdAt: last.createdAt, eventId: last.eventId },
  };
  const ids = found.map(({ eventId }) => eventId);
  if (await ports.recover(seen, next, ids, ports.nowMs())) due(seen.org, seen.webhookId);
}
