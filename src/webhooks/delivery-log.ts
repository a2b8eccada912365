// The outcomes of the events of a webhook, and resending them.
import { LedgerlineError } from "../shared/errors.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import type {
  Attempt,
  Delivery,
  DeliveryState,
  Recovery,
  RecoveryRequest,
  StoredRecovery,
  StoredWebhook,
} from "../model/webhook.ts";
import { WINDOW_MS } from "./schedule.ts";

export interface DeliveryLogPorts {
  getWebhook(org: string, id: string): Promise<StoredWebhook | null>;
  getDelivery(org: string, webhookId: string, eventId: string): Promise<Delivery | null>;
  listDeliveries(
    org: string,
    webhookId: string,
    state: Exclude<DeliveryState, "held"> | null,
    page: PageRequest,
  ): Promise<Page<Delivery>>;
  listAttempts(org: string, webhookId: string, eventId: string): Promise<readonly Attempt[]>;
  resend(org: string, webhookId: string, eventId: string, nowMs: number): Promise<void>;
  recoverable(
    org: string,
    webhookId: string,
    request: RecoveryRequest,
    after: StoredRecovery["after"],
    limit: number,
  ): Promise<readonly Delivery[]>;
  insertRecovery(recovery: StoredRecovery): Promise<void>;
  /** Ends up to `limit` pending deliveries whose base time is before then; returns how many. */
  expire(
    org: string,
    webhookId: string,
    basedBeforeMs: number,
    nowMs: number,
    limit: number,
  ): Promise<number>;
  /** The recovery of a webhook that is not completed. */
  runningRecovery(org: string, webhookId: string): Promise<StoredRecovery | null>;
  getRecovery(org: string, webhookId: string, id: string): Promise<StoredRecovery | null>;
  /** Reports that something is due for this webhook now. */
  wake(endpoint: { readonly org: string; readonly webhookId: string }): void;
  nowMs(): number;
}

/** The delivery log. Null everywhere: there is no such webhook, or it has no such delivery. */
export interface DeliveryLog {
  deliveries(
    org: string,
    id: string,
    filter: { readonly state: DeliveryState | null },
    page: PageRequest,
  ): Promise<Page<Delivery> | null>;
  delivery(
    org: string,
    id: string,
    eventId: string,
  ): Promise<{ readonly delivery: Delivery; readonly attempts: readonly Attempt[] } | null>;
  /** Sends an event again, whatever its last outcome, with a new schedule. */
  resend(org: string, id: string, eventId: string): Promise<Delivery | null>;
  /** The number of deliveries that `recover` would send again; `capped`: there are more than were counted. */
  countRecoverable(
    org: string,
    id: string,
    request: RecoveryRequest,
  ): Promise<{ readonly count: number; readonly capped: boolean } | null>;
  /**
   * Starts to send deliveries again; it continues in the background, also after a restart.
   * @param recoveryId repeating it changes nothing
   * @returns `running` while another recovery of this webhook is running: one organization must not delay the recoveries of
   * others
   */
  recover(
    org: string,
    id: string,
    request: RecoveryRequest,
    recoveryId: string,
  ): Promise<Recovery | "running" | null>;
  recovery(org: string, id: string, recoveryId: string): Promise<Recovery | null>;
  /**
   * Starts to send again the deliveries that a disabled webhook held for longer than their 24 hours, for when it is enabled;
   * the other held deliveries need no recovery. Deliveries that used up their attempts in the 24 hours before it was disabled
   * are sent again too.
   * @returns null also when the webhook is enabled
   * @throws LedgerlineError `unavailable` when there are so many of them that the search takes a while
   */
  replayHeld(org: string, id: string, recoveryId: string): Promise<Recovery | "running" | null>;
}

/** Counting stops at this number. */
const COUNTED_MAX = 10_000;
/** Deliveries that were held for too long are ended in parts of this size. A running dispatcher does this too. */
const EXPIRED_TOGETHER_MAX = 500;
const EXPIRED_PARTS_MAX = 40;
/** A delivery with less time left would expire between the search and the sending. */
const REST_MS = 60_000;
const NO_PAGE: Page<Delivery> = { rows: [], next: null };

export function createDeliveryLog(ports: DeliveryLogPorts): DeliveryLog {
  const shown = (delivery: Delivery, { enabled }: StoredWebhook): Delivery =>
    delivery.state === "pending" && !enabled ? { ...delivery, state: "held" } : delivery;

  async function find(
    org: string,
    id: string,
    eventId: string,
  ): Promise<{ webhook: StoredWebhook; delivery: Delivery } | null> {
    const webhook = await ports.getWebhook(org, id);
    const delivery = webhook === null ? null : await ports.getDelivery(org, id, eventId);
    return webhook === null || delivery === null
      ? null
      : { webhook, delivery: shown(delivery, webhook) };
  }

  return {
    deliveries: async (org, id, { state }, page) => {
      const webhook = await ports.getWebhook(org, id);
      if (webhook === null) return null;
      // A waiting delivery is held or pending, depending on whether its webhook is enabled now.
      if (state === (webhook.enabled ? "held" : "pending")) return NO_PAGE;
      const stored = state === "held" ? "pending" : state;
      const found = await ports.listDeliveries(org, id, stored, page);
      return { rows: found.rows.map((row) => shown(row, webhook)), next: found.next };
    },
    delivery: async (org, id, eventId) => {
      const found = await find(org, id, eventId);
      if (found === null) return null;
      return {
        delivery: found.delivery,
        attempts: await ports.listAttempts(org, id, eventId),
      };
    },
    resend: async (org, id, eventId) => {
      if ((await find(org, id, eventId)) === null) return null;
      await ports.resend(org, id, eventId, ports.nowMs());
      ports.wake({ org, webhookId: id });
      return (await find(org, id, eventId))?.delivery ?? null;
    },
    ...createRecoveries(ports),
  };
}

function createRecoveries(
  ports: DeliveryLogPorts,
): Pick<DeliveryLog, "countRecoverable" | "recover" | "recovery" | "replayHeld"> {
  async function recover(
    org: string,
    id: string,
    request: RecoveryRequest,
    recoveryId: string,
  ): Promise<Recovery | "running" | null> {
    if ((await ports.getWebhook(org, id)) === null) return null;
    const running = await ports.runningRecovery(org, id);
    if (running !== null && running.id !== recoveryId) return "running";
    const recovery: StoredRecovery = {
      ...request,
      org,
      id: recoveryId,
      webhookId: id,
      createdAt: ports.nowMs(),
      status: "running",
      resent: 0,
      after: null,
    };
    await ports.insertRecovery(recovery);
    return ports.getRecovery(org, id, recoveryId);
  }

  return {
    countRecoverable: async (org, id, request) => {
      if ((await ports.getWebhook(org, id)) === null) return null;
      const found = await ports.recoverable(org, id, request, null, COUNTED_MAX + 1);
      return { count: Math.min(found.length, COUNTED_MAX), capped: found.length > COUNTED_MAX };
    },
    recover,
    replayHeld: async (org, id, recoveryId) => {
      const disabledAt = (await ports.getWebhook(org, id))?.health.disabledAt ?? null;
      if (disabledAt === null) return null;
      const until = ports.nowMs();
      const before = until - WINDOW_MS + REST_MS;
      let expired = EXPIRED_TOGETHER_MAX;
      for (let parts = 0; parts < EXPIRED_PARTS_MAX && expired > 0; parts += 1)
        expired = await ports.expire(org, id, before, until, EXPIRED_TOGETHER_MAX);
      if (expired > 0)
        throw new LedgerlineError(
          "unavailable",
          "So much is held that it takes a while to be found.",
        );
      const since = disabledAt - WINDOW_MS;
      return recover(org, id, { since, until, states: ["exhausted"] }, recoveryId);
    },
    recovery: async (org, id, recoveryId) =>
      (await ports.getWebhook(org, id)) === null ? null : ports.getRecovery(org, id, recoveryId),
  };
}
