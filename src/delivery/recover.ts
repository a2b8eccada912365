// Recoveries send many selected deliveries again, one part at a time. A new process continues where the last one stopped.
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
  /** Reschedules the deliveries and stores the progress; false when another process stored progress meanwhile. */
  recover(
    seen: StoredRecovery,
    next: StoredRecovery,
    eventIds: readonly string[],
    nowMs: number,
  ): Promise<boolean>;
  nowMs(): number;
}

const RUNNING_MAX = 16;
/** Deliveries rescheduled in one write, which is one transaction. The rate of the webhook decides how fast they are sent. */
const PART = 200;

/** Advances each running recovery by one part. */
export async function advanceRecoveries(
  ports: RecoveryPorts,
  due: (org: string, webhookId: string) => void,
  failed: (error: unknown) => void,
): Promise<void> {
  for (const seen of await ports.runningRecoveries(RUNNING_MAX)) {
    try {
      await advance(ports, seen, due);
    } catch (error) {
      // The other recoveries continue.
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
