// Kafka, the schema registry and MongoDB of a run, with the ids of their processes where they are started here.
import { randomBytes } from "node:crypto";
import type { DistributedConfig } from "../../src/config/config.ts";
import { fixClient } from "../../src/log/kafka/client-fixes.ts";
import type { KafkaSettings } from "../../src/log/kafka/settings.ts";
import { commandMongo } from "../../test/services/clients.ts";
import { type Endpoints, readEndpoints, toEnvironment } from "../../test/services/endpoints.ts";
import { startKafka } from "../../test/services/native/kafka.ts";
import { startMongo } from "../../test/services/native/mongo.ts";
import { startRegistry } from "../../test/services/native/registry.ts";
import { realServices } from "../../test/support/distributed.ts";

export interface BenchServices {
  readonly how: "environment" | "native";
  /** Process ids by name; none of services that run elsewhere. */
  readonly pids: Readonly<Record<string, number | null>>;
  /** A new installation on them; remove it with `dropInstallation`. */
  configOf(
    name: string,
    enriched: KafkaSettings["enriched"],
    results?: Partial<Pick<KafkaSettings, "isEnrichedShared" | "enrichedCompression">>,
  ): DistributedConfig;
  stop(): Promise<void>;
}

const PARTITIONS = 4;
const KAFKA_HEAP_MB = 512;
/** The tests get by with a quarter of this; an installation that is measured should not wait for its disk. */
const MONGODB_CACHE = "cache_size=1G";

/** Services that the TEST_… variables name, or else new ones on this machine. */
export async function openServices(): Promise<BenchServices> {
  // Idle connections of the client wake this process all the time, which would be measured too.
  fixClient();
  const endpoints = readEndpoints(process.env);
  const started = endpoints === null ? await start() : null;
  // Where the installations of the tests look for them.
  if (started !== null) Object.assign(process.env, toEnvironment(started.endpoints));
  // Services that are not ours may know installations of an earlier run.
  const run = randomBytes(4).toString("hex");
  return {
    how: started === null ? "environment" : "native",
    pids: started?.pids ?? { kafka: null, mongodb: null, "schema registry": null },
    configOf: (name, enriched, results = {}) =>
      realServices(`bench-${run}-${name}`, { partitions: PARTITIONS, enriched, ...results }),
    stop: started?.stop ?? (() => Promise.resolve()),
  };
}

interface Started {
  readonly endpoints: Endpoints;
  readonly pids: Readonly<Record<string, number | null>>;
  stop(): Promise<void>;
}

async function start(): Promise<Started> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(stops.splice(0).map((one) => one()));
  };
  try {
    // One after the other: on few cores, starting together takes as long.
    const kafka = await startKafka({ tiered: false, heapMb: KAFKA_HEAP_MB });
    stops.push(kafka.stop);
    const registry = await startRegistry();
    stops.push(registry.stop);
    const mongo = await startMongo();
    stops.push(mongo.stop);
    const [broker] = kafka.nodes;
    const [mongod] = mongo.nodes;
    if (mongod !== undefined) {
      await commandMongo(mongod.address, {
        setParameter: 1,
        wiredTigerEngineRuntimeConfig: MONGODB_CACHE,
      });
    }
    return {
      endpoints: {
        kafkaBrokers: kafka.brokerList,
        schemaRegistryUrl: registry.url,
        mongodbUrl: mongo.url,
      },
      pids: {
        kafka: broker?.pid() ?? null,
        mongodb: mongod?.pid() ?? null,
        "schema registry": registry.pid(),
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
