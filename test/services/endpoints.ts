// The three addresses that tests get, and the environment variables that carry them.

export interface Endpoints {
  /** host:port, several separated by commas. */
  readonly kafkaBrokers: string;
  readonly schemaRegistryUrl: string;
  readonly mongodbUrl: string;
}

/** One order everywhere: in messages, in what the command prints and in what it reads. */
const VARIABLES = {
  TEST_KAFKA_BROKERS: "kafkaBrokers",
  TEST_SCHEMA_REGISTRY_URL: "schemaRegistryUrl",
  TEST_MONGODB_URL: "mongodbUrl",
} as const;

/**
 * Services that already run, as the environment names them; null when it names none.
 * @throws Error when it names only some: the others would be started elsewhere without notice
 */
export function readEndpoints(env: NodeJS.ProcessEnv): Endpoints | null {
  const names = Object.keys(VARIABLES);
  const missing = names.filter((name) => (env[name] ?? "") === "");
  if (missing.length === names.length) return null;
  if (missing.length > 0) {
    throw new Error(
      `Set ${names.join(", ")} together or not at all; missing: ${missing.join(", ")}`,
    );
  }
  return {
    kafkaBrokers: env["TEST_KAFKA_BROKERS"] ?? "",
    schemaRegistryUrl: env["TEST_SCHEMA_REGISTRY_URL"] ?? "",
    mongodbUrl: env["TEST_MONGODB_URL"] ?? "",
  };
}

/** The environment variables for these services, by name. */
export function toEnvironment(endpoints: Endpoints): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(VARIABLES).map(([name, field]) => [name, endpoints[field]]),
  );
}
