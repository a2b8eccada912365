import { expect, it } from "vitest";
import {
  type Collector,
  CUMULATIVE,
  labelsOf,
  startCollector,
  valueOf,
} from "../../../test/support/collector.ts";
import { until } from "../../../test/support/poll.ts";
import { createMetrics, type Metrics } from "../metrics.ts";
import { type OtlpDeps, type OtlpOptions, startOtlp } from "./otlp.ts";

const NOW_MS = 1_700_000_000_000;
const NEVER_MS = 86_400_000;
const SECRET = "secret-of-the-collector";

function start(
  { url }: Pick<Collector, "url">,
  options: Partial<OtlpOptions> = {},
  deps: Partial<OtlpDeps> = {},
): { metrics: Metrics; outcomes: (string | null)[]; close: () => Promise<void> } {
  const metrics = createMetrics();
  const outcomes: (string | null)[] = [];
  const close = startOtlp(
    {
      url: `${url}/v1/metrics`,
      headers: { "x-token": SECRET },
      intervalMs: 100,
      timeoutMs: 10_000,
      lastTimeoutMs: 2_000,
      resource: { "service.name": "bank", "ledgerline.role": "all" },
      ...options,
    },
    {
      samples: metrics.samples,
      nowMs: () => NOW_MS,
      version: "1.2.3",
      pushed: (failure) => outcomes.push(failure),
      ...deps,
    },
  );
  return { metrics, outcomes, close };
}

it("counters, gauges and histograms arrive with their values, labels, times and what they are of", async () => {
  const collector = await startCollector();
  const { metrics, outcomes, close } = start(collector, { intervalMs: NEVER_MS });
  metrics.webhookAttempt("acme", "status", "pending", 30);
  metrics.webhookAttempt("acme", "delivered", "delivered", null);
  metrics.observeBuild({ version: "1", knowledge: "" });
  await close();
  const [push] = collector.pushes;
  if (push === undefined) throw new Error("Nothing was pushed");
  expect(push).toMatchObject({
    path: "/v1/metrics",
    headers: { "x-token": SECRET, "content-type": "application/x-protobuf" },
    resource: {
      "service.name": "bank",
      "ledgerline.role": "all",
      "telemetry.sdk.name": "opentelemetry",
    },
    scope: { name: "ledgerline", version: "1.2.3" },
  });
  const attempts = push.metrics.get("ledgerline_webhook_attempts_total");
  expect(attempts?.sum).toMatchObject({ isMonotonic: true, aggregationTemporality: CUMULATIVE });
  expect(attempts?.sum?.dataPoints).toHaveLength(2);
  for (const outcome of ["status", "delivered"]) {
    const labels = { outcome, organization: "acme" };
    expect(valueOf(push, "ledgerline_webhook_attempts_total", labels)).toBe(1);
  }
  expect(valueOf(push, "ledgerline_build_info", { version: "1", knowledge: "" })).toBe(1);
  const delay = push.metrics.get("ledgerline_webhook_first_attempt_delay_seconds")?.histogram;
  expect(delay).toMatchObject({
    aggregationTemporality: CUMULATIVE,
    dataPoints: [
      {
        startTimeUnixNano: NOW_MS * 1e6,
        timeUnixNano: NOW_MS * 1e6,
        count: 1,
        sum: 0.03,
        bucketCounts: [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        explicitBounds: [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      },
    ],
  });
  expect(labelsOf(delay?.dataPoints[0]?.attributes ?? [])).toEqual({});
  expect(outcomes).toEqual([null]);
});

it("it pushes again and again, each time everything counted since the start", async () => {
  const collector = await startCollector();
  const { metrics, close } = start(collector);
  metrics.threadLost();
  await until("a first push", () => collector.pushes.at(0) ?? null);
  metrics.threadLost();
  const name = "ledgerline_pool_tasks_lost_total";
  await until("both", () => collector.pushes.find((push) => valueOf(push, name) === 2) ?? null);
  expect(collector.pushes.map((push) => valueOf(push, name))).toContain(1);
  await close();
});

it.each([
  [400, "status 400"],
  [503, "Export failed with retryable status"],
  [null, "Request timed out"],
])(
  "a collector that answers %s is reported as failing, and later as recovered",
  async (status, failure) => {
    const collector = await startCollector();
    collector.status = status;
    const { outcomes, close } = start(collector);
    await until("a failure", () => outcomes.at(0) ?? null);
    collector.status = 200;
    await until("a success", () => (outcomes.includes(null) ? true : null));
    await close();
    expect(outcomes[0]).toBe(failure);
    expect(outcomes.at(-1)).toBeNull();
    expect(outcomes.join()).not.toMatch(/secret-of|words of the collector/);
  },
);

it("a collector that does not listen is reported as failing", async () => {
  const options = { intervalMs: NEVER_MS, timeoutMs: 100 };
  const { outcomes, close } = start({ url: "http://127.0.0.1:1" }, options);
  await close();
  expect(outcomes).toEqual(["ECONNREFUSED"]);
});

it("a collector that does not answer the last push does not keep the end from coming", async () => {
  const collector = await startCollector();
  collector.status = null;
  const options = { intervalMs: NEVER_MS, timeoutMs: NEVER_MS, lastTimeoutMs: 100 };
  const { outcomes, close } = start(collector, options);
  await close();
  expect(outcomes).toEqual(["Operation timed out."]);
});

it("metrics that cannot be read are a push that failed", async () => {
  const collector = await startCollector();
  const samples = (): Promise<never> => Promise.reject(new TypeError("no metrics"));
  const { outcomes, close } = start(collector, { intervalMs: NEVER_MS }, { samples });
  await close();
  expect(outcomes).toEqual(["no metrics"]);
  expect(collector.pushes).toEqual([]);
});
