// The names of all settings, and names in the environment that were probably meant to be one of them.
import { nearestName } from "../shared/nearest-name.ts";

export const SETTING_NAMES = [
  "AUDIT_DAYS",
  "BATCH_RETENTION_DAYS",
  "CORS_ORIGINS",
  "CREDITS_MAX",
  "CREDITS_PER_S",
  "ENCRYPTION_KEYS",
  "HOST",
  "KAFKA_BATCH_MINUTES",
  "KAFKA_BROKERS",
  "KAFKA_ENRICHED",
  "KAFKA_ENRICHED_COMPRESSION",
  "KAFKA_ENRICHED_SHARED",
  "KAFKA_GROUP_PREFIX",
  "KAFKA_MIN_INSYNC_REPLICAS",
  "KAFKA_PARTITIONS",
  "KAFKA_PRODUCERS",
  "KAFKA_REPLICATION_FACTOR",
  "KAFKA_RETENTION_HOURS",
  "KAFKA_SASL_MECHANISM",
  "KAFKA_SASL_PASSWORD",
  "KAFKA_SASL_USERNAME",
  "KAFKA_TLS",
  "KAFKA_TOPIC_PREFIX",
  "LEDGERLINE_API_KEY",
  "LEDGERLINE_DATA",
  "LEDGERLINE_ROLE",
  "LEDGERLINE_STRICT",
  "LOG_FORMAT",
  "LOG_LEVEL",
  "MONGODB_URL",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
  "OTEL_EXPORTER_OTLP_PROTOCOL",
  "OTEL_EXPORTER_OTLP_TIMEOUT",
  "OTEL_METRICS_EXPORTER",
  "OTEL_METRIC_EXPORT_INTERVAL",
  "OTEL_RESOURCE_ATTRIBUTES",
  "OTEL_SERVICE_NAME",
  "POOL_THREADS",
  "PORT",
  "PUBLIC_URL",
  "RATE_PER_S",
  "SCHEMA_REGISTRY_URL",
  "STATEMENT_LANGUAGES",
  "STATEMENT_TESSDATA",
  "WEBHOOK_ALLOW_CIDRS",
  "WEBHOOK_ALLOW_HTTP",
  "WEBHOOK_ED25519",
  "WEBHOOK_FAILING_HOURS",
  "WEBHOOK_FAILURES_MAX",
  "WEBHOOK_GRACE_HOURS",
  "WEBHOOK_OPERATOR_SECRET",
  "WEBHOOK_OPERATOR_URL",
  "WEBHOOK_PORTS",
  "WEBHOOK_RATE",
] as const;

const KNOWN: ReadonlySet<string> = new Set(SETTING_NAMES);
/** Names that begin like this are ours. Others, such as `OTEL_`, have settings that other programs read. */
const OWN_PREFIXES = /^(?:CORS|CREDITS|KAFKA|MONGODB|WEBHOOK)_/;
/** Kubernetes and Docker links describe each service under its name: `KAFKA_SERVICE_HOST`, `MONGODB_PORT_27017_TCP_ADDR`. */
const SERVICE_LINK = /_(?:SERVICE_HOST|SERVICE_PORT\w*|PORT|PORT_\d+_(?:TCP|UDP)\w*)$/;
/** The environment is full of names of other programs: fewer edits than in a request. */
const LETTERS_PER_EDIT = 6;
/** A longer list would hide what matters. */
const UNKNOWN_MAX = 20;

/** One sentence for each name in the environment that looks like a setting but is not one; values are not looked at. */
export function unknownSettingWarnings(names: readonly string[]): string[] {
  const isUnknown = (name: string): boolean => !KNOWN.has(name) && !SERVICE_LINK.test(name);
  return names
    .filter(isUnknown)
    .flatMap((name) => {
      const nearest = nearestSetting(name);
      if (nearest === null && !OWN_PREFIXES.test(name)) return [];
      return [`${name} is not a setting${suggestion(nearest)}.`];
    })
    .slice(0, UNKNOWN_MAX);
}

/** The setting that a name was probably meant to be. */
export const nearestSetting = (name: string): string | null =>
  nearestName(name, SETTING_NAMES, LETTERS_PER_EDIT);

export const suggestion = (nearest: string | null): string =>
  nearest === null ? "" : `; did you mean ${nearest}?`;
