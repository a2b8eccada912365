// Metrics of webhooks: attempts and deliveries, and gauges of the dispatcher.
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { DISABLED_REASONS } from "../model/webhook.ts";

/** How the dispatcher of webhooks is doing. */
export interface DispatchSource {
  readonly dispatchers: number;
  readonly queues: number;
  readonly inFlight: number;
  readonly breakers: Readonly<Record<string, number>>;
  readonly queueAgeMs: number;
  readonly secretsUnavailable: number;
  readonly overdue: number;
}

export interface WebhookMetrics {
  /** `outcome`: delivered, or why not; `delayMs`: from the event to its first attempt, null for any other. */
  webhookAttempt(
    org: string,
    outcome: string,
    state: "pending" | "delivered" | "exhausted",
    delayMs: number | null,
  ): void;
  /** `percent` of the failures after which it is disabled. */
  webhookFailing(percent: number): void;
  webhookDisabled(reason: string): void;
  /** Connects the gauges of the dispatcher. */
  observeDispatch(state: () => DispatchSource): void;
}

export const LATENCY_BUCKETS_SECONDS = [
  0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];

/** Organizations that are counted one by one; each label of each value is a series to store. */
const ORGANIZATIONS_MAX = 100;

/** The name of an early organization, or "_other", which is not a valid name, for later ones. */
function createOrganizationLabels(): (org: string) => string {
  const named = new Set<string>();
  return (org) => {
    if (named.size < ORGANIZATIONS_MAX) named.add(org);
    return named.has(org) ? org : "_other";
  };
}

export function webhookMetrics(registers: Registry[]): Omit<WebhookMetrics, "observeDispatch"> {
  const labelOf = createOrganizationLabels();
  const attempts = new Counter({
    name: "ledgerline_webhook_attempts_total",
    help: "Calls to webhooks, by outcome.",
    labelNames: ["outcome", "organization"],
    registers,
  });
  const deliveries = new Counter({
    name: "ledgerline_webhook_deliveries_total",
    help: "Deliveries that ended, by state.",
    labelNames: ["state"],
    registers,
  });
  const delay = new Histogram({
    name: "ledgerline_webhook_first_attempt_delay_seconds",
    help: "Time from an event to its first call.",
    buckets: LATENCY_BUCKETS_SECONDS,
    registers,
  });
  const disabled = new Counter({
    name: "ledgerline_webhooks_disabled_total",
    help: "Webhooks that were disabled because their endpoint failed.",
    labelNames: ["reason"],
    registers,
  });
  for (const reason of DISABLED_REASONS) disabled.inc({ reason }, 0);
  const failing = new Counter({
    name: "ledgerline_webhook_warnings_total",
    help: "Warnings before a webhook is disabled, by per cent of the failures that disable it.",
    labelNames: ["percent"],
    registers,
  });
  return {
    webhookFailing: (percent) => {
      failing.inc({ percent: String(percent) });
    },
    webhookAttempt: (org, outcome, state, delayMs) => {
      attempts.inc({ outcome, organization: labelOf(org) });
      if (state !== "pending") deliveries.inc({ state });
      if (delayMs !== null) delay.observe(Math.max(0, delayMs) / 1000);
    },
    webhookDisabled: (reason) => {
      disabled.inc({ reason });
    },
  };
}

/** Registers the gauges of a dispatcher. */
export function observeDispatch(registers: Registry[], state: () => DispatchSource): void {
  const gauge = (name: string, help: string, read: (now: DispatchSource) => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read(state()));
      },
    });
  };
  gauge(
    "ledgerline_webhook_dispatchers",
    "Dispatchers that this process sees; each has an equal quota of the limits of an endpoint.",
    (now) => now.dispatchers,
  );
  gauge("ledgerline_webhook_in_flight", "Calls to webhooks in flight.", (now) => now.inFlight);
  gauge(
    "ledgerline_webhook_endpoints",
    "Webhooks with an endpoint queue in this process.",
    (now) => now.queues,
  );
  gauge(
    "ledgerline_webhook_queue_age_seconds",
    "How long the oldest delivery that waits only for this process has been due.",
    (now) => now.queueAgeMs / 1000,
  );
  gauge(
    "ledgerline_webhook_overdue",
    "Deliveries due for more than a minute that wait only for a dispatcher; above 0 is a fault.",
    (now) => now.overdue,
  );
  gauge(
    "ledgerline_webhook_secrets_unavailable",
    "Webhooks with pending deliveries whose token or signing secret cannot be decrypted.",
    (now) => now.secretsUnavailable,
  );
  new Gauge({
    name: "ledgerline_webhook_breakers",
    help: "Webhooks by the state of their circuit breaker.",
    labelNames: ["state"],
    registers,
    collect() {
      for (const [label, count] of Object.entries(state().breakers))
        this.set({ state: label }, count);
    },
  });
}
