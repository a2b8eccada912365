// Synchronous calls: their requests go into the log once they are admitted, and each is answered by a reply.
import { callRecordKey } from "../model/record-key.ts";
import type { EnrichmentReply, EnrichmentRequest, RequestTopic } from "../model/records.ts";
import { createAdmissionQueue } from "../shared/concurrency/admission-queue.ts";
import { createTenantBudget } from "../shared/concurrency/tenant-budget.ts";
import { LedgerlineError } from "../shared/errors.ts";

/** What calls need from the log. */
export interface CallPorts {
  publish(
    topic: RequestTopic,
    records: readonly { key: string; value: EnrichmentRequest }[],
  ): Promise<void>;
  readonly replyAddress: string;
  onReply(handler: (reply: EnrichmentReply) => void): void;
  newId(): string;
}

export interface CallLimits {
  /** Timeout of a synchronous call; its requests stay accepted. */
  readonly replyTimeoutMs: number;
  /** Requests of synchronous calls that may wait at the same time; one organization gets at most half of the places. */
  readonly waitingMax: number;
  /** How many calls may be in the log; the others wait in the admission queue. */
  readonly atOnceMax: number;
}

type CallRequest = Omit<EnrichmentRequest, "replyTo">;

export interface Calls {
  call(request: CallRequest): Promise<EnrichmentReply>;
  /**
   * Publishes the requests of one call together; the replies are in their order.
   * @throws LedgerlineError `overloaded`: nothing was published; `reply_timeout`
   */
  callAll(org: string, requests: readonly CallRequest[]): Promise<readonly EnrichmentReply[]>;
}

export function createCalls(ports: CallPorts, limits: CallLimits): Calls {
  const room = createTenantBudget(limits.waitingMax);
  const line = createAdmissionQueue(limits.atOnceMax);
  const waiting = new Map<string, (reply: EnrichmentReply) => void>();
  ports.onReply((reply) => waiting.get(reply.id)?.(reply));

  async function callAll(
    org: string,
    requests: readonly CallRequest[],
  ): Promise<readonly EnrichmentReply[]> {
    if (!room.acquire(org, requests.length)) throw overloaded();
    const ids = requests.map(() => ports.newId());
    const place = line(org);
    const { promise: late, resolve: timeOut } = Promise.withResolvers<"late">();
    const timer = setTimeout(timeOut, limits.replyTimeoutMs, "late");
    try {
      if ((await Promise.race([place.admitted, late])) === "late") throw overloaded();
      const replies = ids.map(
        (id) => new Promise<EnrichmentReply>((resolve) => waiting.set(id, resolve)),
      );
      await ports.publish(
        "requests-interactive",
        requests.map((request, index) => {
          const id = ids[index] ?? "";
          const replyTo = { address: ports.replyAddress, id };
          return {
            key: callRecordKey(org, ports.replyAddress, id),
            value: { ...request, replyTo },
          };
        }),
      );
      const outcome = await Promise.race([Promise.all(replies), late]);
      if (outcome === "late") throw replyTimeout();
      return outcome;
    } finally {
      clearTimeout(timer);
      for (const id of ids) waiting.delete(id);
      place.leave();
      room.release(org, requests.length);
    }
  }

  return {
    callAll,
    call: async (request) => {
      const [reply] = await callAll(request.org, [request]);
      if (reply === undefined) throw new Error("A call has no reply");
      return reply;
    },
  };
}

function replyTimeout(): LedgerlineError {
  return new LedgerlineError(
    "reply_timeout",
    "No result yet; the request stays accepted and can be repeated safely.",
  );
}

function overloaded(): LedgerlineError {
  return new LedgerlineError("overloaded", "Too many requests are waiting; repeat the request.");
}
