// The three services under an installation, as processes that a test may kill, stop and start again.
import { afterAll, beforeAll } from "vitest";
import { toEnvironment } from "../services/endpoints.ts";
import { type KafkaCluster, startKafka } from "../services/native/kafka.ts";
import { type MongoReplicaSet, startMongo } from "../services/native/mongo.ts";
import { type Registry, startRegistry } from "../services/native/registry.ts";

export interface ClusterOptions {
  readonly brokers?: 1 | 3;
  readonly mongoNodes?: 1 | 3;
}

export interface Cluster {
  readonly kafka: KafkaCluster;
  readonly registry: Registry;
  readonly mongo: MongoReplicaSet;
  stop(): Promise<void>;
}

/** A cluster for the tests of a file, which may ask for it once they run. */
export function useCluster(options: ClusterOptions = {}): () => Cluster {
  let cluster: Cluster | null = null;
  beforeAll(async () => {
    cluster = await startCluster(options);
  });
  afterAll(async () => {
    await cluster?.stop();
  });
  return () => {
    if (cluster === null) throw new Error("The cluster has not started yet");
    return cluster;
  };
}

/**
 * Starts the services and names them to the installations of this file.
 * @throws what a service failed with; none is left running then
 */
async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { brokers = 1, mongoNodes = 1 } = options;
  const started = await Promise.allSettled([
    startKafka({ brokers }),
    startRegistry(),
    startMongo({ nodes: mongoNodes }),
  ]);
  const stop = async (): Promise<void> => {
    await Promise.all(
      started.map((one) => (one.status === "fulfilled" ? one.value.stop() : Promise.resolve())),
    );
  };
  const [kafka, registry, mongo] = started;
  if (
    kafka.status === "rejected" ||
    registry.status === "rejected" ||
    mongo.status === "rejected"
  ) {
    await stop();
    throw started.find((one) => one.status === "rejected")?.reason;
  }
  const endpoints = {
    kafkaBrokers: kafka.value.brokerList,
    schemaRegistryUrl: registry.value.url,
    mongodbUrl: mongo.value.url,
  };
  Object.assign(process.env, toEnvironment(endpoints));
  return { kafka: kafka.value, registry: registry.value, mongo: mongo.value, stop };
}
