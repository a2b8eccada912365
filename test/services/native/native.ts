// The three services as processes of this machine, when there is nothing better.
import { listMissing } from "./downloads.ts";
import { startKafka } from "./kafka.ts";
import { startMongo } from "./mongo.ts";
import { startRegistry } from "./registry.ts";

export interface NativeServices {
  readonly kafkaBrokers: string;
  readonly schemaRegistryUrl: string;
  readonly mongodbUrl: string;
  stop(): Promise<void>;
}

/**
 * Starts one of each.
 * @throws Error that lists what this machine lacks
 */
export async function startNative(): Promise<NativeServices> {
  const missing = await listMissing();
  if (missing.length > 0) throw new Error(`This machine lacks ${missing.join("; ")}`);
  const [kafka, registry, mongo] = await Promise.allSettled([
    startKafka(),
    startRegistry(),
    startMongo(),
  ]);
  const stop = async (): Promise<void> => {
    await Promise.all([stopStarted(kafka), stopStarted(registry), stopStarted(mongo)]);
  };
  try {
    return {
      kafkaBrokers: valueOf(kafka).brokerList,
      schemaRegistryUrl: valueOf(registry).url,
      mongodbUrl: valueOf(mongo).url,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function stopStarted(result: PromiseSettledResult<{ stop(): Promise<void> }>): Promise<void> {
  if (result.status === "fulfilled") await result.value.stop();
}

function valueOf<T>(result: PromiseSettledResult<T>): T {
  if (result.status === "rejected") throw result.reason;
  return result.value;
}
