import type { Config } from "./config.ts";

/** The settings as they may be logged. */
export function configSummary(config: Config): object {
  const { distributed } = config;
  const apiKey = config.apiKey !== null;
  const encryptionKeys = config.encryptionKeys?.length ?? 0;
  const webhooks = { ...config.webhooks, operator: config.webhooks.operator !== null };
  if (distributed === null) return { ...config, apiKey, encryptionKeys, webhooks };
  const { kafka, schemaRegistryUrl, mongodbUrl } = distributed;
  return {
    ...config,
    apiKey,
    encryptionKeys,
    webhooks,
    distributed: {
      kafka: { ...kafka, sasl: kafka.sasl?.mechanism ?? null },
      schemaRegistryUrl: withoutSecrets(schemaRegistryUrl),
      mongodbUrl: withoutSecrets(mongodbUrl),
    },
  };
}

/** A URL may carry a user's name and password before the last @ of its authority, and more among its parameters. */
function withoutSecrets(url: string): string {
  return url.replace(/\/\/[^/]*@/, "//").replace(/\?.*$/, "");
}
