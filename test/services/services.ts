// Where a test finds Kafka, the schema registry and MongoDB: the first of these ways that works.
import { startContainers } from "./containers.ts";
import { type Endpoints, readEndpoints } from "./endpoints.ts";
import { startNative } from "./native/native.ts";

export interface Services extends Endpoints {
  readonly how: "environment" | "containers" | "native";
  /** Ends what was started here, and nothing else. */
  stop(): Promise<void>;
}

/** The ways to start new services, in this order. */
interface Ways {
  startContainers: typeof startContainers;
  startNative: typeof startNative;
}

/**
 * Services that the environment names, or else new ones.
 * @throws Error that names what is missing when there is no way to have them
 */
export async function resolveServices(
  env: NodeJS.ProcessEnv = process.env,
  ways?: Ways,
): Promise<Services> {
  const endpoints = readEndpoints(env);
  if (endpoints === null) return startServices(ways);
  return { ...endpoints, how: "environment", stop: () => Promise.resolve() };
}

/**
 * New services: in containers where an engine has the images, otherwise as processes of this machine.
 * @throws Error that names what is missing
 */
export async function startServices(
  ways: Ways = { startContainers, startNative },
): Promise<Services> {
  const containers = await ways.startContainers();
  if (containers.kind === "started") return { ...containers.services, how: "containers" };
  try {
    return { ...(await ways.startNative()), how: "native" };
  } catch (error) {
    throw new Error(
      "Kafka, the schema registry and MongoDB are needed. " +
        "Their addresses are not set (TEST_KAFKA_BROKERS, TEST_SCHEMA_REGISTRY_URL, TEST_MONGODB_URL). " +
        `Containers: ${containers.reason}. ` +
        `Native processes: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}
