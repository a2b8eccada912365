// Metrics pushed to a collector of OpenTelemetry, over real HTTP.
import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { type Config, readConfig } from "../../src/config/config.ts";
import { answered } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { type Push, startCollector, valueOf } from "../support/collector.ts";
import { until } from "../support/poll.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { startService, type TestService } from "../support/service.ts";
import { callableWebhooks } from "../support/webhooks.ts";

const ORG_LABELS = { outcome: "delivered", organization: "default" };

const startPushing = (
  url: string,
  settings: Readonly<Record<string, string>>,
): Promise<TestService> => {
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: url, ...settings };
  const otlp: Config["otlp"] = readConfig(environment, 1).otlp;
  return startService({ config: { otlp, webhooks: callableWebhooks } });
};

const attempts = (push: Push): number | null =>
  valueOf(push, "ledgerline_webhook_attempts_total", ORG_LABELS);

/** Until the receiver is called about a batch. */
async function deliverEvent({ client }: TestService, receiver: Receiver): Promise<void> {
  const webhook = { url: `${receiver.url}/hook`, events: ["batches.completed"] };
  answered(await client.call("POST", "/v3/webhooks", webhook), 200);
  answered(await client.submitBatch([coffee("pushed")]), 200);
  await until("the event", () => receiver.calls.at(0) ?? null);
}

it("outcomes of webhook calls arrive at the collector, without any content", async () => {
  const collector = await startCollector();
  const service = await startPushing(collector.url, {
    OTEL_METRIC_EXPORT_INTERVAL: "100",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
  });
  await deliverEvent(service, await startReceiver());
  const push = await until(
    "the attempt",
    () => collector.pushes.find((pushed) => attempts(pushed) === 1) ?? null,
  );
  expect(push.resource).toMatchObject({
    "service.name": "ledgerline",
    "service.version": expect.stringMatching(/^\d+\./) as string,
    "service.instance.id": expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    "ledgerline.role": "all",
    "deployment.environment.name": "test",
  });
  expect(valueOf(push, "ledgerline_webhook_queue_age_seconds")).toBe(0);
  expect(valueOf(push, "ledgerline_webhook_breakers", { state: "open" })).toBe(0);
  const delay = push.metrics.get("ledgerline_webhook_first_attempt_delay_seconds")?.histogram;
  expect(delay?.dataPoints).toMatchObject([{ count: 1 }]);
  const text = JSON.stringify([...push.metrics.values(), push.resource]);
  expect(text).not.toMatch(/coffee|blue bottle|pushed/i);
});

it("the last push comes when everything else is closed: what ends with the service is in it", async () => {
  const collector = await startCollector();
  const service = await startPushing(collector.url, {});
  const held: ServerResponse[] = [];
  await deliverEvent(
    service,
    await startReceiver((response) => {
      held.push(response);
    }),
  );
  expect(collector.pushes).toEqual([]);
  const closing = service.close();
  held[0]?.writeHead(200).end();
  await closing;
  expect(collector.pushes.map(attempts)).toEqual([1]);
});
