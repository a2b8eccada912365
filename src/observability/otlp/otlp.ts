// Pushes the metrics to a collector of OpenTelemetry. Loaded only where one is set: these libraries take two tenths of a
// second and some thirty megabytes.
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-proto";
import { defaultResource, resourceFromAttributes } from "@opentelemetry/resources";
import {
  MeterProvider,
  type MetricProducer,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from "@opentelemetry/sdk-metrics";
import type { Clock } from "../../shared/clock.ts";
import type { MetricSamples } from "../metrics.ts";
import { toMetricData } from "./convert.ts";

export interface OtlpOptions {
  /** Where metrics are posted as protobuf. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly intervalMs: number;
  /** Of a push, with those that repeat it. */
  readonly timeoutMs: number;
  /** Of the last push, when the process wants to end. */
  readonly lastTimeoutMs: number;
  /** Resource attributes of the metrics. */
  readonly resource: Readonly<Record<string, string>>;
}

export interface OtlpDeps {
  samples(): Promise<readonly MetricSamples[]>;
  readonly nowMs: Clock;
  readonly version: string;
  /** Called after each push with why it failed, in words without anything of what was sent, or null. */
  pushed(failure: string | null): void;
}

/**
 * Starts to push what `samples` gives, cumulative since now. Nothing that goes wrong with it is thrown.
 * @returns pushes a last time and ends it
 */
export function startOtlp(options: OtlpOptions, deps: OtlpDeps): () => Promise<void> {
  const reader = new PeriodicExportingMetricReader({
    exporter: createExporter(options, deps.pushed),
    metricProducers: [createProducer(deps)],
    exportIntervalMillis: options.intervalMs,
    exportTimeoutMillis: options.intervalMs,
  });
  const provider = new MeterProvider({ readers: [reader], resource: resourceOf(options) });
  return async () => {
    try {
      await provider.shutdown({ timeoutMillis: options.lastTimeoutMs });
    } catch (error) {
      deps.pushed(reasonOf(error));
    }
  };
}

/** Includes the attributes of the library, which the specification requires. */
const resourceOf = ({ resource }: OtlpOptions): ReturnType<typeof resourceFromAttributes> =>
  defaultResource().merge(resourceFromAttributes({ ...resource }));

function createExporter(options: OtlpOptions, pushed: OtlpDeps["pushed"]): PushMetricExporter {
  const exporter = new OTLPMetricExporter({
    url: options.url,
    headers: { ...options.headers },
    timeoutMillis: Math.min(options.timeoutMs, options.intervalMs),
    // A collector that never comes to an end with its answer holds one push, not all.
    concurrencyLimit: 1,
  });
  return {
    export: (metrics, done) => {
      exporter.export(metrics, (result) => {
        pushed(result.error === undefined ? null : reasonOf(result.error));
        done(result);
      });
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}

function createProducer({ samples, nowMs, version, pushed }: OtlpDeps): MetricProducer {
  const startMs = nowMs();
  const resource = resourceFromAttributes({});
  const scope = { name: "ledgerline", version };
  return {
    collect: async () => {
      try {
        const metrics = toMetricData(await samples(), startMs, nowMs());
        return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics }] }, errors: [] };
      } catch (error) {
        // The library would not report it.
        pushed(reasonOf(error));
        return { resourceMetrics: { resource, scopeMetrics: [] }, errors: [error] };
      }
    },
  };
}

/** Without the collector's own message, whose content is unknown. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const code = "code" in error ? error.code : undefined;
  if (typeof code === "number") return `status ${String(code)}`;
  return typeof code === "string" ? code : error.message;
}
