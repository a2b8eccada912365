// Metrics as prom-client has them, as OpenTelemetry wants them. Pure.
import { type HrTime, ValueType } from "@opentelemetry/api";
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
} from "@opentelemetry/sdk-metrics";
import type { MetricSamples } from "../metrics.ts";

type MetricSample = MetricSamples["values"][number];
type Attributes = Record<string, string>;

interface TimeSpan {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

const MS_PER_S = 1000;
const NS_PER_MS = 1_000_000;

/**
 * Counters as sums that only grow, gauges, and histograms; names and labels as they are. A summary has no counterpart
 * and is left out, as is a metric that has no value yet.
 * @param startMs since when counters and histograms count, milliseconds since 1970
 * @param nowMs when `metrics` were read
 */
export function toMetricData(
  metrics: readonly MetricSamples[],
  startMs: number,
  nowMs: number,
): MetricData[] {
  const span = { startTime: toHrTime(startMs), endTime: toHrTime(nowMs) };
  return metrics
    .map((metric) => convert(metric, span))
    .filter((data): data is MetricData => data !== null && data.dataPoints.length > 0);
}

const toHrTime = (ms: number): HrTime => [
  Math.floor(ms / MS_PER_S),
  Math.round((ms % MS_PER_S) * NS_PER_MS),
];

function convert({ name, help, type, values }: MetricSamples, span: TimeSpan): MetricData | null {
  const base = {
    // The unit is the end of the name, as is usual with Prometheus: another one would be put behind it.
    descriptor: { name, description: help, unit: "", valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const points = (): DataPoint<number>[] =>
    values.map(({ value, labels }) => ({ ...span, value, attributes: attributesOf(labels) }));
  switch (type) {
    case "counter":
      return { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points() };
    case "gauge":
      return { ...base, dataPointType: DataPointType.GAUGE, dataPoints: points() };
    case "histogram":
      return {
        ...base,
        dataPointType: DataPointType.HISTOGRAM,
        dataPoints: [...bySeries(values).values()].map((series) => ({
          ...span,
          value: toHistogram(name, series),
          attributes: attributesOf(series[0]?.labels ?? {}),
        })),
      };
    case "summary":
      return null;
  }
}

/** The samples of a histogram by their labels, other than the bound of the bucket. */
function bySeries(values: readonly MetricSample[]): Map<string, MetricSample[]> {
  return Map.groupBy(values, ({ labels }) =>
    JSON.stringify(Object.entries(attributesOf(labels)).sort()),
  );
}

function attributesOf(labels: MetricSample["labels"]): Attributes {
  const pairs = Object.entries(labels).filter(([label]) => label !== "le");
  return Object.fromEntries(pairs.map(([label, value]) => [label, String(value)]));
}

/** Each bucket of Prometheus counts what is in those below it too; each of OpenTelemetry has its own alone. */
function toHistogram(name: string, series: readonly MetricSample[]): Histogram {
  const valueOf = (suffix: string): number =>
    series.find(({ metricName }) => metricName === `${name}_${suffix}`)?.value ?? 0;
  const buckets = series
    .filter(({ labels }) => labels["le"] !== undefined && labels["le"] !== "+Inf")
    .map(({ labels, value }) => ({ bound: Number(labels["le"]), upTo: value }))
    .sort((a, b) => a.bound - b.bound);
  const count = valueOf("count");
  const upTo = [0, ...buckets.map((bucket) => bucket.upTo), count];
  return {
    buckets: {
      boundaries: buckets.map(({ bound }) => bound),
      // One more than there are bounds: what is above the last.
      counts: upTo.slice(1).map((value, index) => value - (upTo[index] ?? 0)),
    },
    sum: valueOf("sum"),
    count,
  };
}
