import { describe, expect, it } from "vitest";
import { configSummary } from "./summary.ts";
import { readConfig } from "./config.ts";

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };

describe("a collector", () => {
  it("is pushed to each minute, as ledgerline", () => {
    expect(readConfig(ENDPOINT, 1).otlp).toEqual({
      url: "http://collector:4318/v1/metrics",
      headers: {},
      intervalMs: 60_000,
      timeoutMs: 10_000,
      resource: { "service.name": "ledgerline" },
    });
  });

  it("is pushed to as it is set", () => {
    const set = {
      OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector/of-bank/",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
      OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Basic%20YTpi==, x-tenant = a%2Cb",
      OTEL_EXPORTER_OTLP_TIMEOUT: "500",
      OTEL_METRIC_EXPORT_INTERVAL: "1000",
      OTEL_METRICS_EXPORTER: "otlp",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test,service.name=other",
    };
    const otlp = {
      url: "https://collector/of-bank/v1/metrics",
      headers: { Authorization: "Basic YTpi==", "x-tenant": "a,b" },
      intervalMs: 1_000,
      timeoutMs: 500,
      resource: { "deployment.environment.name": "test", "service.name": "other" },
    };
    expect(readConfig(set, 1).otlp).toEqual(otlp);
    const resource = { ...otlp.resource, "service.name": "bank" };
    const named = { ...set, OTEL_SERVICE_NAME: "bank" };
    expect(readConfig(named, 1).otlp).toEqual({ ...otlp, resource });
  });

  it("for metrics alone is taken as it is, and counts before that for everything", () => {
    const url = "http://metrics/api/v1/otlp";
    const set = { ...ENDPOINT, OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: url };
    expect(readConfig(set, 1).otlp?.url).toBe(url);
  });

  it.each([
    [
      "none is set, whatever else is",
      { OTEL_METRIC_EXPORT_INTERVAL: "often", OTEL_SERVICE_NAME: "x" },
    ],
    ["it is empty", { OTEL_EXPORTER_OTLP_ENDPOINT: " " }],
    ["metrics go nowhere", { ...ENDPOINT, OTEL_METRICS_EXPORTER: "none" }],
    ["metrics are read by Prometheus", { ...ENDPOINT, OTEL_METRICS_EXPORTER: "prometheus" }],
  ])("is not pushed to when %s", (_, set) => {
    expect(readConfig(set, 1).otlp).toBeNull();
  });

  it.each([
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4317"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "grpc://secret-of:secret-of@collector"],
    ["OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "/v1/metrics"],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "secret-of-the-collector"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "x-token=secret-of%"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "x-token=secret-of%0D%0Aanother: header"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "two words=secret-of"],
    ["OTEL_EXPORTER_OTLP_TIMEOUT", "10s"],
    ["OTEL_EXPORTER_OTLP_TIMEOUT", "0"],
    ["OTEL_METRIC_EXPORT_INTERVAL", "often"],
    ["OTEL_METRIC_EXPORT_INTERVAL", "1"],
    ["OTEL_METRICS_EXPORTER", "console"],
    ["OTEL_RESOURCE_ATTRIBUTES", "=x"],
    ["OTEL_RESOURCE_ATTRIBUTES", Array.from({ length: 65 }, (_, i) => `k${String(i)}=v`).join()],
  ])("%s=%s is refused with one sentence that names the setting and no secret", (name, text) => {
    const read = (): unknown => readConfig({ ...ENDPOINT, [name]: text }, 1);
    expect(read).toThrow(new RegExp(`^${name} (?!.*secret-of).*\\.$`));
  });

  it("is in the summary of settings without its secrets", () => {
    const set = {
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://user:secret-of@collector/?key=secret-of",
      OTEL_EXPORTER_OTLP_HEADERS: "x-token=secret-of-the-collector",
    };
    const summary = JSON.stringify(configSummary(readConfig(set, 1)));
    expect(summary).not.toContain("secret-of");
    expect(summary).toContain("http://collector/v1/metrics");
    expect(summary).toContain("x-token");
  });
});
