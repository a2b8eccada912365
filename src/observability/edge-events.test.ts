import { expect, it } from "vitest";
import { createMetrics } from "./metrics.ts";
import {
  createExportReport,
  reportConsumer,
  reportDispatch,
  reportEnriched,
} from "./edge-events.ts";

it("a dead letter is logged with its place and reason, without its content", async () => {
  const lines: unknown[] = [];
  const log = (...line: unknown[]) => lines.push(line);
  const logger = { debug: log, info: log, warn: log, error: log };
  const metrics = createMetrics();
  const place = { partition: 3, offset: 17 };
  const event = { kind: "dead_letter", ...place, reason: "invalid" } as const;
  reportConsumer({ ...event, error: "MAX MUSTERMANN is not a date" }, "requests", logger, metrics);
  const logged = { topic: "requests", ...place, reason: "invalid" };
  expect(lines).toEqual([[logged, "log.dead_letter"]]);
  const { body } = await metrics.text();
  expect(body).toContain('ledgerline_dead_letters_total{reason="invalid"} 1');
});

it("transactions of a chunk are counted by outcome", async () => {
  const metrics = createMetrics();
  reportEnriched([{ facts: "{}" }, { facts: null }, { facts: "{}" }], metrics);
  const { body } = await metrics.text();
  expect(body).toContain('_total{outcome="enriched"} 2');
  expect(body).toContain('_total{outcome="failed"} 1');
});

it("a failing webhook and its deactivation are logged and counted", async () => {
  const lines: unknown[] = [];
  const log = (...line: unknown[]) => lines.push(line);
  const logger = { debug: log, info: log, warn: log, error: log };
  const metrics = createMetrics();
  const of = { org: "o", webhookId: "w" };
  reportDispatch({ kind: "warning", ...of, level: 80 }, logger, metrics);
  reportDispatch({ kind: "disabled", ...of, reason: "failures" }, logger, metrics);
  expect(lines).toEqual([
    [{ ...of, percent: 80 }, "webhook.failing"],
    [{ ...of, reason: "failures" }, "webhook.disabled"],
  ]);
  const { body } = await metrics.text();
  expect(body).toContain('ledgerline_webhook_warnings_total{percent="80"} 1');
  expect(body).toContain('ledgerline_webhooks_disabled_total{reason="failures"} 1');
});

it("an unavailable collector is logged once, its recovery too; each failure counts", async () => {
  const lines: unknown[] = [];
  const at =
    (level: string) =>
    (...line: unknown[]) =>
      lines.push([level, ...line]);
  const logger = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
  const metrics = createMetrics();
  const pushed = createExportReport(logger, metrics);
  const failure = "ECONNREFUSED";
  for (const outcome of [null, failure, failure, "status 401", null, null, failure])
    pushed(outcome);
  expect(lines).toEqual([
    ["warn", { reason: failure }, "otlp.failing"],
    ["info", {}, "otlp.recovered"],
    ["warn", { reason: failure }, "otlp.failing"],
  ]);
  expect((await metrics.text()).body).toContain("ledgerline_otlp_exports_failed_total 4");
});
