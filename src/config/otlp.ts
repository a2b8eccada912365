// The settings of OpenTelemetry, under the names that its specification gives them, as a part of all settings.
import {
  ConfigError,
  readChoice,
  readInteger,
  readUrlSetting,
  type ReadSetting,
} from "./values.ts";

/** Where metrics are pushed. */
export interface OtlpConfig {
  readonly url: string;
  /** Sent with each push; they may be secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** From one push to the next. */
  readonly intervalMs: number;
  /** A push that takes longer has failed. */
  readonly timeoutMs: number;
  /** Resource attributes of the metrics. */
  readonly resource: Readonly<Record<string, string>>;
}

const PROTOCOL = "http/protobuf";
const INTERVAL_MIN_MS = 100;
/** A day. */
const INTERVAL_MAX_MS = 86_400_000;
const TIMEOUT_MAX_MS = 60_000;
const PAIRS_MAX = 64;
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;

/**
 * Null when no collector is set or another exporter than that to a collector; nothing else is read then, since these names
 * are set for all programs of a machine.
 * @throws ConfigError for a bad value
 */
export function readOtlp(value: ReadSetting): OtlpConfig | null {
  const url = readEndpoint(value);
  if (url === null) return null;
  const exporter = readChoice("OTEL_METRICS_EXPORTER", value("OTEL_METRICS_EXPORTER") ?? "otlp", [
    "otlp",
    "prometheus",
    "none",
  ]);
  if (exporter !== "otlp") return null;
  readChoice("OTEL_EXPORTER_OTLP_PROTOCOL", value("OTEL_EXPORTER_OTLP_PROTOCOL") ?? PROTOCOL, [
    PROTOCOL,
  ]);
  const attributes = readPairs("OTEL_RESOURCE_ATTRIBUTES", value("OTEL_RESOURCE_ATTRIBUTES"));
  const serviceName = value("OTEL_SERVICE_NAME") ?? attributes["service.name"] ?? "ledgerline";
  return {
    url,
    headers: readHeaders("OTEL_EXPORTER_OTLP_HEADERS", value("OTEL_EXPORTER_OTLP_HEADERS")),
    intervalMs: readInteger(
      "OTEL_METRIC_EXPORT_INTERVAL",
      value("OTEL_METRIC_EXPORT_INTERVAL") ?? "60000",
      INTERVAL_MIN_MS,
      INTERVAL_MAX_MS,
    ),
    timeoutMs: readInteger(
      "OTEL_EXPORTER_OTLP_TIMEOUT",
      value("OTEL_EXPORTER_OTLP_TIMEOUT") ?? "10000",
      1,
      TIMEOUT_MAX_MS,
    ),
    resource: { ...attributes, "service.name": serviceName },
  };
}

/** The address for metrics is taken as it is; that for everything gets the path that is usual for metrics. */
function readEndpoint(value: ReadSetting): string | null {
  const protocols = ["http:", "https:"];
  const ofMetrics = value("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT");
  if (ofMetrics !== null)
    return readUrlSetting("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", ofMetrics, protocols);
  const ofAll = value("OTEL_EXPORTER_OTLP_ENDPOINT");
  if (ofAll === null) return null;
  const url = new URL(readUrlSetting("OTEL_EXPORTER_OTLP_ENDPOINT", ofAll, protocols));
  url.pathname = `${url.pathname.replace(/\/$/, "")}/v1/metrics`;
  return url.href;
}

function readHeaders(name: string, text: string | null): Record<string, string> {
  const headers = readPairs(name, text);
  const isSendable = Object.entries(headers).every(
    ([header, content]) => HEADER_NAME.test(header) && HEADER_VALUE.test(content),
  );
  if (!isSendable)
    throw new ConfigError(
      `${name} contains an invalid HTTP header: a name or value has characters that HTTP does not allow.`,
    );
  return headers;
}

/** `key=value,key=value`, percent-encoded. The values may be secrets: messages must not repeat them. */
function readPairs(name: string, text: string | null): Record<string, string> {
  const parts = (text ?? "").split(",").map((part) => part.trim());
  const pairs = parts.filter((part) => part !== "").map(readPair);
  const read = pairs.filter((pair) => pair !== null);
  if (read.length < pairs.length || read.length > PAIRS_MAX)
    throw new ConfigError(
      `${name} must be at most ${String(PAIRS_MAX)} pairs such as key=value, separated by commas, with commas and percent signs percent-encoded.`,
    );
  return Object.fromEntries(read);
}

function readPair(text: string): readonly [string, string] | null {
  const [key = "", ...rest] = text.split("=");
  if (key.trim() === "" || rest.length === 0) return null;
  try {
    return [decodeURIComponent(key.trim()), decodeURIComponent(rest.join("=").trim())];
  } catch {
    return null;
  }
}
