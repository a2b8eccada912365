// The settings of a program of an organization, as `ledgerline kafka grant` prints them: Kafka and the registry, and nothing of
// the installation behind them.
import type { KafkaSettings } from "../log/kafka/settings.ts";
import { readKafka } from "./kafka.ts";
import { ConfigError, readUrlSetting, type ReadSetting } from "./values.ts";

export interface KafkaProgramConfig {
  readonly kafka: KafkaSettings;
  readonly schemaRegistryUrl: string;
  readonly organization: string;
  /** What the names of its consumer groups must begin with. */
  readonly groupPrefix: string;
  /** Null: it only reads. */
  readonly key: { readonly id: string; readonly secret: string } | null;
}

/** @throws ConfigError that names what is missing */
export function readKafkaProgram(
  environment: Readonly<Record<string, string | undefined>>,
): KafkaProgramConfig {
  const value: ReadSetting = (name) => {
    const text = environment[name]?.trim() ?? "";
    return text === "" ? null : text;
  };
  const required = (name: string): string => {
    const text = value(name);
    if (text !== null) return text;
    throw new ConfigError(
      `${name} must be set: "ledgerline kafka grant" prints the settings of an organization's programs.`,
    );
  };
  required("KAFKA_BROKERS");
  const [id, secret] = [value("SIGNING_KEY_ID"), value("SIGNING_SECRET")];
  return {
    kafka: readKafka(value),
    schemaRegistryUrl: readUrlSetting("SCHEMA_REGISTRY_URL", required("SCHEMA_REGISTRY_URL"), [
      "http:",
      "https:",
    ]),
    organization: required("ORGANIZATION"),
    groupPrefix: required("GROUP_PREFIX"),
    key: id === null || secret === null ? null : { id, secret },
  };
}
