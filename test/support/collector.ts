// A collector of OpenTelemetry inside the test: reads what is pushed to it with a reader of protobuf of its own.
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import protobuf from "protobufjs";
import { onTestFinished } from "vitest";
import type { AtEnd } from "./service.ts";

/** As much of opentelemetry/proto/metrics/v1/metrics.proto as the tests ask about. */
const PROTO = `
syntax = "proto3";
message Request { repeated ResourceMetrics resource_metrics = 1; }
message ResourceMetrics { Resource resource = 1; repeated ScopeMetrics scope_metrics = 2; }
message Resource { repeated KeyValue attributes = 1; }
message ScopeMetrics { Scope scope = 1; repeated Metric metrics = 2; }
message Scope { string name = 1; string version = 2; }
message Metric {
  string name = 1; string description = 2; string unit = 3; Gauge gauge = 5; Sum sum = 7; Histogram histogram = 9;
}
message Gauge { repeated NumberDataPoint data_points = 1; }
message Sum { repeated NumberDataPoint data_points = 1; int32 aggregation_temporality = 2; bool is_monotonic = 3; }
message Histogram { repeated HistogramDataPoint data_points = 1; int32 aggregation_temporality = 2; }
message NumberDataPoint {
  fixed64 start_time_unix_nano = 2; fixed64 time_unix_nano = 3; double as_double = 4; repeated KeyValue attributes = 7;
}
message HistogramDataPoint {
  fixed64 start_time_unix_nano = 2; fixed64 time_unix_nano = 3; fixed64 count = 4; double sum = 5;
  repeated fixed64 bucket_counts = 6; repeated double explicit_bounds = 7; repeated KeyValue attributes = 9;
}
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue { string string_value = 1; }
`;
const request = protobuf.parse(PROTO).root.lookupType("Request");

/** The value of aggregation_temporality that means "since the start". */
export const CUMULATIVE = 2;

interface KeyValue {
  readonly key: string;
  readonly value: { readonly stringValue: string };
}

interface Point {
  readonly attributes: readonly KeyValue[];
  /** Nanoseconds since 1970, less exact than that. */
  readonly startTimeUnixNano: number;
  readonly timeUnixNano: number;
}

interface NumberPoint extends Point {
  readonly asDouble: number;
}

interface HistogramPoint extends Point {
  readonly count: number;
  readonly sum: number;
  readonly bucketCounts: readonly number[];
  readonly explicitBounds: readonly number[];
}

interface PushedMetric {
  readonly name: string;
  readonly description: string;
  readonly unit: string;
  readonly gauge: { readonly dataPoints: readonly NumberPoint[] } | null;
  readonly sum: {
    readonly dataPoints: readonly NumberPoint[];
    readonly aggregationTemporality: number;
    readonly isMonotonic: boolean;
  } | null;
  readonly histogram: {
    readonly dataPoints: readonly HistogramPoint[];
    readonly aggregationTemporality: number;
  } | null;
}

interface DecodedRequest {
  readonly resourceMetrics: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeMetrics: readonly {
      readonly scope: { readonly name: string; readonly version: string };
      readonly metrics: readonly PushedMetric[];
    }[];
  }[];
}

export interface Push {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly resource: Readonly<Record<string, string>>;
  readonly scope: { readonly name: string; readonly version: string };
  readonly metrics: ReadonlyMap<string, PushedMetric>;
}

export interface Collector {
  readonly url: string;
  readonly pushes: readonly Push[];
  /** What it answers from now on; null: nothing at all. 200 in the beginning. */
  status: number | null;
}

export const labelsOf = (attributes: readonly KeyValue[]): Record<string, string> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]));

/** The value of the counter or the gauge with exactly these labels; null when there is none. */
export function valueOf(push: Push, name: string, labels: object = {}): number | null {
  const metric = push.metrics.get(name);
  const points = metric?.sum?.dataPoints ?? metric?.gauge?.dataPoints ?? [];
  const wanted = JSON.stringify(Object.entries(labels).sort());
  const found = points.find(
    ({ attributes }) => JSON.stringify(Object.entries(labelsOf(attributes)).sort()) === wanted,
  );
  return found?.asDouble ?? null;
}

function readPush(path: string, headers: IncomingHttpHeaders, body: Buffer): Push {
  const options = { longs: Number, arrays: true, defaults: true };
  const decoded = request.toObject(request.decode(body), options) as DecodedRequest;
  const [of] = decoded.resourceMetrics;
  const [scoped] = of?.scopeMetrics ?? [];
  if (of === undefined || scoped === undefined) throw new Error("Nothing was pushed");
  const metrics = new Map(scoped.metrics.map((metric) => [metric.name, metric]));
  return {
    path,
    headers,
    resource: labelsOf(of.resource.attributes),
    scope: scoped.scope,
    metrics,
  };
}

/** Starts a collector on a free port of this machine; it ends with the test. */
export async function startCollector(atEnd: AtEnd = onTestFinished): Promise<Collector> {
  const pushes: Push[] = [];
  const server = createServer((incoming, response) => {
    const parts: Buffer[] = [];
    incoming.on("data", (part: Buffer) => parts.push(part));
    incoming.on("end", () => {
      pushes.push(readPush(incoming.url ?? "", incoming.headers, Buffer.concat(parts)));
      if (collector.status === null) return;
      response.writeHead(collector.status, { "content-type": "text/plain" });
      response.end(collector.status === 200 ? "" : "words of the collector");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const collector: Collector = { url: `http://127.0.0.1:${String(port)}`, pushes, status: 200 };
  return collector;
}
