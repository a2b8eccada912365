import type { OtlpConfig } from "./otlp.ts";
import type { Config } from "./config.ts";

/** The settings as they may be logged. */
export function configSummary(all: Config): object {
  // They are logged by themselves.
  const config = { ...all, unknownSettings: undefined };
  const { distributed } = config;
  const apiKey = config.apiKey !== null;
  const encryptionKeys = config.encryptionKeys?.length ?? 0;
  const webhooks = { ...config.webhooks, operator: config.webhooks.operator !== null };
  const otlp = otlpSummary(config.otlp);
  if (distributed === null) return { ...config, apiKey, encryptionKeys, webhooks, otlp };
  const { kafka, schemaRegistryUrl, mongodbUrl } = distributed;
  return {
    ...config,
    apiKey,
    encryptionKeys,
    webhooks,
    otlp,
    distributed: {
      kafka: { ...kafka, sasl: kafka.sasl?.mechanism ?? null },
      schemaRegistryUrl: withoutSecrets(schemaRegistryUrl),
      mongodbUrl: withoutSecrets(mongodbUrl),
    },
  };
}

function otlpSummary(otlp: OtlpConfig | null): object | null {
  return otlp === null
    ? null
    : { ...otlp, url: withoutSecrets(otlp.url), headers: Object.keys(otlp.headers) };
}

/** A URL may carry a user's name and password before the last @ of its authority, and more among its parameters. */
function withoutSecrets(url: string): string {
  return url.replace(/\/\/[^/]*@/, "//").replace(/\?.*$/, "");
}
