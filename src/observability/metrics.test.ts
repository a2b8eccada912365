import { expect, it } from "vitest";
import { createMetrics } from "./metrics.ts";

it("counters that alarms ask about are there before anything is counted", async () => {
  const { body } = await createMetrics().text();
  for (const sample of [
    'ledgerline_transactions_total{outcome="failed"} 0',
    'ledgerline_dead_letters_total{reason="handler_failed"} 0',
    'ledgerline_webhooks_disabled_total{reason="failures"} 0',
    "ledgerline_pool_tasks_lost_total 0",
  ])
    expect(body.split("\n")).toContain(sample);
});

it("no gauge has a name that ends like a counter's, which promtool refuses", async () => {
  const metrics = createMetrics();
  const { body } = await metrics.text();
  const gauges = [...body.matchAll(/^# TYPE (\S+) gauge$/gm)].map(([, name = ""]) => name);
  expect(gauges.length).toBeGreaterThan(5);
  expect(gauges.filter((name) => name.endsWith("_total"))).toEqual([]);
});

it("attempts are counted by organization, but for those beyond the first hundred", async () => {
  const metrics = createMetrics();
  for (let index = 0; index < 130; index += 1)
    metrics.webhookAttempt(`o${String(index)}`, "status", "pending", null);
  metrics.webhookAttempt("o7", "delivered", "delivered", 3);
  const lines = (await metrics.text()).body.split("\n");
  const attempts = lines.filter((line) => line.startsWith("ledgerline_webhook_attempts_total"));
  const of = (organization: string, outcome: string): string =>
    `ledgerline_webhook_attempts_total{outcome="${outcome}",organization="${organization}"}`;
  expect(attempts).toHaveLength(102);
  expect(attempts).toContain(`${of("o7", "delivered")} 1`);
  expect(attempts).toContain(`${of("_other", "status")} 30`);
});

it("webhook metrics show queue, breakers, delays and quotas", async () => {
  const metrics = createMetrics();
  metrics.observeDispatch(() => ({
    ...{ dispatchers: 2, queues: 3, inFlight: 4, queueAgeMs: 1_500, overdue: 5 },
    secretsUnavailable: 6,
    breakers: { closed: 1, open: 1, half_open: 1 },
  }));
  metrics.webhookAttempt("o", "delivered", "delivered", 30);
  const { body } = await metrics.text();
  for (const sample of [
    "ledgerline_webhook_queue_age_seconds 1.5",
    "ledgerline_webhook_overdue 5",
    "ledgerline_webhook_secrets_unavailable 6",
    "ledgerline_webhook_in_flight 4",
    "ledgerline_webhook_dispatchers 2",
    'ledgerline_webhook_breakers{state="half_open"} 1',
    'ledgerline_webhook_deliveries_total{state="delivered"} 1',
    // Any quantile of the delay can be had of this.
    'ledgerline_webhook_first_attempt_delay_seconds_bucket{le="0.05"} 1',
    'ledgerline_webhook_first_attempt_delay_seconds_bucket{le="0.025"} 0',
  ])
    expect(body.split("\n")).toContain(sample);
});

it("the metrics name the version of program and knowledge base", async () => {
  const metrics = createMetrics();
  metrics.observeBuild({ version: "1.2.3", knowledge: "abc" });
  const { body } = await metrics.text();
  expect(body).toContain('ledgerline_build_info{version="1.2.3",knowledge="abc"} 1');
});
