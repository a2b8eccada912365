import { DataPointType, type MetricData } from "@opentelemetry/sdk-metrics";
import { Counter, Gauge, Histogram, Registry, Summary } from "prom-client";
import { expect, it } from "vitest";
import { createMetrics, type MetricSamples } from "../metrics.ts";
import { toMetricData } from "./convert.ts";

const START_MS = 1_700_000_000_250;
const NOW_MS = 1_700_000_060_001;
const SPAN = { startTime: [1_700_000_000, 250_000_000], endTime: [1_700_000_060, 1_000_000] };

async function convertOnly(registry: Registry): Promise<readonly MetricData[]> {
  const samples = (await registry.getMetricsAsJSON()) as unknown as readonly MetricSamples[];
  return toMetricData(samples, START_MS, NOW_MS);
}

it("a counter is a sum that only grows, of what was counted since the start", async () => {
  const registry = new Registry();
  const counter = new Counter({
    ...{ name: "calls_total", help: "Calls.", registers: [registry] },
    labelNames: ["outcome", "organization"],
  });
  counter.inc({ outcome: "delivered", organization: "a" }, 3);
  counter.inc({ outcome: "status", organization: "a" });
  expect(await convertOnly(registry)).toEqual([
    {
      descriptor: { name: "calls_total", description: "Calls.", unit: "", valueType: 1 },
      aggregationTemporality: 1,
      dataPointType: DataPointType.SUM,
      isMonotonic: true,
      dataPoints: [
        { ...SPAN, value: 3, attributes: { outcome: "delivered", organization: "a" } },
        { ...SPAN, value: 1, attributes: { outcome: "status", organization: "a" } },
      ],
    },
  ]);
});

it("a gauge is a gauge, with what it reads now", async () => {
  const registry = new Registry();
  new Gauge({
    ...{ name: "age_seconds", help: "Age.", registers: [registry] },
    collect() {
      this.set(1.5);
    },
  });
  expect(await convertOnly(registry)).toMatchObject([
    { dataPointType: DataPointType.GAUGE, dataPoints: [{ ...SPAN, value: 1.5, attributes: {} }] },
  ]);
});

it("a bucket of a histogram counts its own, one more than there are bounds, for each series", async () => {
  const registry = new Registry();
  const histogram = new Histogram({
    ...{ name: "delay_seconds", help: "Delay.", registers: [registry] },
    labelNames: ["route"],
    buckets: [0.1, 1, 10],
  });
  for (const value of [0.1, 0.5, 0.5, 50, 60, 70]) histogram.observe({ route: "a" }, value);
  histogram.observe({ route: "b" }, 5);
  const boundaries = [0.1, 1, 10];
  expect(await convertOnly(registry)).toMatchObject([
    {
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: [
        {
          ...SPAN,
          attributes: { route: "a" },
          value: { buckets: { boundaries, counts: [1, 2, 0, 3] }, sum: 181.1, count: 6 },
        },
        {
          ...SPAN,
          attributes: { route: "b" },
          value: { buckets: { boundaries, counts: [0, 0, 1, 0] }, sum: 5, count: 1 },
        },
      ],
    },
  ]);
});

it("the order of a histogram's samples does not matter", async () => {
  const registry = new Registry();
  const histogram = new Histogram({
    ...{ name: "delay_seconds", help: "Delay.", registers: [registry] },
    buckets: [1, 2, 10],
  });
  for (const value of [0.5, 1.5, 1.5, 5, 20]) histogram.observe(value);
  const samples = (await registry.getMetricsAsJSON()) as unknown as MetricSamples[];
  const reversed = samples.map((metric) => ({ ...metric, values: metric.values.toReversed() }));
  const expected = { boundaries: [1, 2, 10], counts: [1, 2, 1, 1] };
  expect(toMetricData(reversed, START_MS, NOW_MS)).toMatchObject([
    { dataPoints: [{ value: { buckets: expected, count: 5, sum: 28.5 } }] },
  ]);
});

it("a metric without a value and a summary are left out", async () => {
  const registry = new Registry();
  const registers = [registry];
  new Counter({ name: "never_total", help: "Never.", labelNames: ["x"], registers });
  new Summary({ name: "s_seconds", help: "S.", registers }).observe(1);
  expect(await convertOnly(registry)).toEqual([]);
});

it("everything that the service shows has its counterpart", async () => {
  const metrics = createMetrics();
  metrics.observeBuild({ version: "1", knowledge: "k" });
  metrics.webhookAttempt("o", "delivered", "delivered", 30);
  metrics.httpRequest("/v3", "GET", 200, 0.1);
  metrics.observeDispatch(() => ({
    ...{ dispatchers: 1, queues: 1, inFlight: 1, queueAgeMs: 1, overdue: 1 },
    secretsUnavailable: 1,
    breakers: { closed: 1 },
  }));
  const samples = await metrics.samples();
  const withValue = samples.filter(({ values }) => values.length > 0).map(({ name }) => name);
  const converted = toMetricData(samples, START_MS, NOW_MS).map(
    ({ descriptor }) => descriptor.name,
  );
  expect(converted).toEqual(withValue);
  expect(converted).toEqual(
    expect.arrayContaining([
      "ledgerline_webhook_attempts_total",
      "ledgerline_webhook_queue_age_seconds",
      "ledgerline_webhook_breakers",
      "ledgerline_webhook_first_attempt_delay_seconds",
      "ledgerline_http_request_duration_seconds",
      "process_cpu_seconds_total",
    ]),
  );
});
