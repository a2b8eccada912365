// Every query of the repositories of webhooks once, for the tests that look at how engines find rows.
import { type AuditEntry, COMMAND_LINE } from "../../src/model/audit.ts";
import type { StoredEvent } from "../../src/model/event.ts";
import type { Attempt, StoredRecovery, StoredWebhook } from "../../src/model/webhook.ts";
import type { PageRequest } from "../../src/shared/page.ts";
import type { Store } from "../../src/store/collection.ts";
import { createDeliveryRepository } from "../../src/store/repositories/deliveries.ts";
import { createDispatchWrites } from "../../src/store/repositories/dispatch-writes.ts";
import { createDispatcherRepository } from "../../src/store/repositories/dispatchers.ts";
import { createEventRepository } from "../../src/store/repositories/events.ts";
import { createRecoveryRepository } from "../../src/store/repositories/recoveries.ts";
import { createWebhookRepository } from "../../src/store/repositories/webhooks.ts";

const ORG = "o";
const WEBHOOK = "w";
const AT = 1_000;

const webhook: Omit<StoredWebhook, "revision"> = {
  org: ORG,
  id: WEBHOOK,
  createdAt: AT,
  url: "https://example.com",
  events: ["batches.completed"],
  enabled: true,
  ordered: false,
  ca: null,
  tokens: [],
  secrets: [],
  health: {
    consecutiveFailures: 0,
    lastSuccessAt: null,
    enabledAt: AT,
    disabledAt: null,
    disabledReason: null,
    lastError: null,
  },
};

const entry = (id: string): AuditEntry => ({
  ...COMMAND_LINE,
  org: ORG,
  id,
  createdAt: AT,
  action: "webhook.changed",
  subject: WEBHOOK,
  details: {},
});

const eventOf = (index: number): StoredEvent => ({
  org: ORG,
  eventId: `e${String(index)}`,
  eventType: "batches.completed",
  resourceId: "b",
  sequence: index + 1,
  createdAt: AT + index,
  body: "{}",
});

const attempt: Attempt = {
  number: 1,
  eventId: "e0",
  at: AT,
  status: 200,
  error: null,
  detail: null,
  timings: { dns: null, connect: null, tls: null, firstByte: null, total: 1 },
  responseBody: null,
  retryAfter: null,
  replay: false,
  requestId: "q",
  keyIds: ["k"],
};

export function webhookRepositoriesOf(store: Store) {
  const webhooks = createWebhookRepository(store);
  const events = createEventRepository(store);
  const deliveries = createDeliveryRepository(store);
  const recoveries = createRecoveryRepository(store);
  const writes = createDispatchWrites(store, events, deliveries, recoveries);
  const dispatchers = createDispatcherRepository(store);
  return { webhooks, events, deliveries, recoveries, writes, dispatchers };
}

export async function useWebhooks(store: Store, pages: readonly PageRequest[]): Promise<void> {
  const { webhooks, events, deliveries, recoveries, writes, dispatchers } =
    webhookRepositoriesOf(store);

  await webhooks.insert(webhook, 10, entry("n0"));
  const seen = await webhooks.get(ORG, WEBHOOK);
  if (seen === null) throw new Error("The webhook should be there");
  await webhooks.replace(seen, { ...seen, enabled: true });
  await webhooks.replace({ ...seen, revision: seen.revision + 1 }, seen, entry("n1"));
  await webhooks.ofOrganization(ORG);
  const all = [0, 1, 2, 3].map(eventOf);
  for (const event of all) await store.write(events.insertSteps(event));
  await events.get(ORG, "e0");
  await events.getMany(ORG, ["e0", "e1"]);
  const { entries } = await events.outbox(4);
  await events.outbox(1);
  await writes.relayed(entries);
  await writes.deliver(all.map((event) => ({ event, webhookIds: [WEBHOOK] })));
  for await (const queue of deliveries.dueEndpoints()) await deliveries.nextDueAt(queue.webhookId);
  await deliveries.countDue(WEBHOOK, 5_000, 10);
  const taken = await deliveries.take(WEBHOOK, 5_000, 9_000, "token", 3);
  const [first, second, third] = taken;
  if (first === undefined || second === undefined || third === undefined)
    throw new Error("Three deliveries should be there");
  await writes.record([
    { taken: first, outcome: { state: "delivered", dueAt: 1, attempt } },
    { taken: second, outcome: { state: "exhausted", dueAt: 1, attempt: null } },
  ]);
  await writes.giveBack([third]);
  await writes.reschedule([{ taken: third, until: 5_000 }]);
  await events.outboxOf(ORG, ["b"]);
  await deliveries.pendingOf(ORG, WEBHOOK, ["b"]);
  const failed = "secret_unavailable" as const;
  const place = await deliveries.retryFailed(ORG, WEBHOOK, failed, AT, null, 1);
  await deliveries.retryFailed(ORG, WEBHOOK, failed, AT, place, 1);
  await deliveries.get(ORG, WEBHOOK, "e0");
  await deliveries.attempts(ORG, WEBHOOK, "e0");
  for (const page of pages) {
    await webhooks.list(ORG, page);
    await deliveries.list(ORG, WEBHOOK, null, page);
    await deliveries.list(ORG, WEBHOOK, "delivered", page);
  }
  await dispatchers.seen("d", AT);
  await dispatchers.countSince(AT);
  await dispatchers.remove("d", AT - 1);
  await useRecovery(recoveries, deliveries, writes);
  await writes.resend(ORG, WEBHOOK, "e1", 6_000);
  await deliveries.expire(ORG, WEBHOOK, 100_000, 200_000, 1);
  for await (const { org } of deliveries.ended()) await webhooks.ofOrganization(org);
  await deliveries.removeAttempts(AT, 10);
  await writes.purge(AT + 1, 10, () => Promise.resolve([WEBHOOK]));
  await webhooks.remove(ORG, WEBHOOK, entry("n2"));
  await deliveries.removeOfWebhook(ORG, WEBHOOK, 10);
}

async function useRecovery(
  recoveries: ReturnType<typeof createRecoveryRepository>,
  deliveries: ReturnType<typeof createDeliveryRepository>,
  writes: ReturnType<typeof createDispatchWrites>,
): Promise<void> {
  const recovery: StoredRecovery = {
    org: ORG,
    id: "r",
    webhookId: WEBHOOK,
    createdAt: AT,
    since: 0,
    until: 100_000,
    states: ["delivered", "exhausted"],
    status: "running",
    resent: 0,
    after: null,
  };
  await recoveries.insert(recovery);
  const [running] = await recoveries.running(5);
  await recoveries.runningOf(ORG, WEBHOOK);
  if (running === undefined) throw new Error("The recovery should be there");
  const found = await deliveries.recoverable(ORG, WEBHOOK, running, null, 1);
  const last = found[0];
  if (last === undefined) throw new Error("A delivery should be there");
  const after = { createdAt: last.createdAt, eventId: last.eventId };
  await deliveries.recoverable(ORG, WEBHOOK, running, after, 1);
  await writes.recover(running, { ...running, resent: 1, after }, [last.eventId], 7_000);
  await recoveries.get(ORG, WEBHOOK, "r");
  await recoveries.removeCompleted(AT, 10);
}
