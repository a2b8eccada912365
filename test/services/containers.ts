// The three services in containers.
import {
  GenericContainer,
  getContainerRuntimeClient,
  ImageName,
  type StartedTestContainer,
} from "testcontainers";
import { until } from "../support/poll.ts";
import { commandMongo, helloMongo, isRegistryServing, withKafkaAdmin } from "./clients.ts";
import type { Endpoints } from "./endpoints.ts";
import { kafkaSettings } from "./kafka-settings.ts";
import { MONGO_CACHE_OPTIONS } from "./mongo-settings.ts";
import { claimPort } from "./native/ports.ts";

export type ContainersOutcome =
  | { readonly kind: "started"; readonly services: Endpoints & { stop(): Promise<void> } }
  | { readonly kind: "unavailable"; readonly reason: string };

interface Started<T> {
  readonly value: T;
  stop(): Promise<void>;
}

const KAFKA_IMAGE = "apache/kafka:4.3.0";
const REGISTRY_IMAGE = "apicurio/apicurio-registry:3.3.3";
const MONGO_IMAGE = "mongo:8.0";

/** An engine of this machine answers in milliseconds. */
const ENGINE_MS_MAX = 5_000;
/** 500 MB on the first run. The engine fails at once when it cannot reach the image registry. */
const PULL_MS_MAX = 300_000;
const START_MS_MAX = 120_000;

const KAFKA_PORT = 9_092;
const REGISTRY_PORT = 8_080;
const MONGO_PORT = 27_017;

/** Starts the three, or returns the reason why that is impossible here. */
export async function startContainers(): Promise<ContainersOutcome> {
  try {
    const host = await within(ENGINE_MS_MAX, "the container engine", findEngine());
    await within(PULL_MS_MAX, "the images", pullImages());
    return { kind: "started", services: await startAll(host) };
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim() : String(error);
    return { kind: "unavailable", reason };
  }
}

/** The host name under which published ports are reached. */
async function findEngine(): Promise<string> {
  const engine = await getContainerRuntimeClient();
  return engine.info.containerRuntime.host;
}

async function pullImages(): Promise<void> {
  const engine = await getContainerRuntimeClient();
  await Promise.all(
    [KAFKA_IMAGE, REGISTRY_IMAGE, MONGO_IMAGE].map(async (name) => {
      const image = ImageName.fromString(name);
      await engine.image.pull(image);
      // A pull that breaks off half-way ends without an error.
      if (!(await engine.image.exists(image))) throw new Error(`${name} could not be pulled`);
    }),
  );
}

async function startAll(host: string): Promise<Endpoints & { stop(): Promise<void> }> {
  const [kafka, registry, mongo] = await Promise.allSettled([
    startKafka(host),
    startRegistry(),
    startMongo(),
  ]);
  const stop = async (): Promise<void> => {
    await Promise.all([stopStarted(kafka), stopStarted(registry), stopStarted(mongo)]);
  };
  try {
    return {
      kafkaBrokers: valueOf(kafka),
      schemaRegistryUrl: valueOf(registry),
      mongodbUrl: valueOf(mongo),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** One broker, which must know before it starts under which port clients will reach it. */
async function startKafka(host: string): Promise<Started<string>> {
  const claim = await claimPort();
  const address = `${host}:${String(claim.port)}`;
  const settings = {
    ...kafkaSettings(1),
    "node.id": 1,
    "controller.quorum.voters": "1@127.0.0.1:9093",
    // The broker talks to itself as well, and the published port does not exist inside the container.
    listeners: `PLAINTEXT://0.0.0.0:${String(KAFKA_PORT)},INTERNAL://127.0.0.1:9094,CONTROLLER://127.0.0.1:9093`,
    "advertised.listeners": `PLAINTEXT://${address},INTERNAL://127.0.0.1:9094`,
    "inter.broker.listener.name": "INTERNAL",
    "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,INTERNAL:PLAINTEXT,PLAINTEXT:PLAINTEXT",
  };
  const environment = Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [toVariable(name), String(value)]),
  );
  const container = new GenericContainer(KAFKA_IMAGE)
    .withEnvironment(environment)
    .withExposedPorts({ container: KAFKA_PORT, host: claim.port })
    .withStartupTimeout(START_MS_MAX);
  try {
    return await startReady(container, async () => {
      await until("Kafka", () => isKafkaServing(address), START_MS_MAX);
      return address;
    });
  } finally {
    // The engine holds the port from here on.
    await claim.release();
  }
}

function startRegistry(): Promise<Started<string>> {
  const container = new GenericContainer(REGISTRY_IMAGE)
    .withExposedPorts(REGISTRY_PORT)
    .withStartupTimeout(START_MS_MAX);
  return startReady(container, async (started) => {
    const address = `${started.getHost()}:${String(started.getMappedPort(REGISTRY_PORT))}`;
    const url = `http://${address}/apis/ccompat/v7`;
    const isServing = async (): Promise<true | null> =>
      (await isRegistryServing(url).catch(() => false)) ? true : null;
    await until("the schema registry", isServing, START_MS_MAX);
    return url;
  });
}

/**
 * A replica set of one. Clients connect directly: the address in its configuration exists only inside its container.
 */
function startMongo(): Promise<Started<string>> {
  const container = new GenericContainer(MONGO_IMAGE)
    .withCommand(["--replSet", "rs0", "--bind_ip_all", ...MONGO_CACHE_OPTIONS])
    .withExposedPorts(MONGO_PORT)
    .withStartupTimeout(START_MS_MAX);
  return startReady(container, async (started) => {
    const address = `${started.getHost()}:${String(started.getMappedPort(MONGO_PORT))}`;
    const hello = (): Promise<{ isWritablePrimary: boolean } | null> =>
      helloMongo(address).catch(() => null);
    await until("MongoDB", hello, START_MS_MAX);
    const members = [{ _id: 0, host: `127.0.0.1:${String(MONGO_PORT)}` }];
    await commandMongo(address, { replSetInitiate: { _id: "rs0", members } });
    const isPrimary = async (): Promise<true | null> =>
      (await hello())?.isWritablePrimary === true ? true : null;
    await until("a primary of MongoDB", isPrimary, START_MS_MAX);
    return `mongodb://${address}/?replicaSet=rs0&directConnection=true`;
  });
}

/** Starts a container and waits until `prepare` is done; a container that is not ready is removed. */
async function startReady<T>(
  container: GenericContainer,
  prepare: (started: StartedTestContainer) => Promise<T>,
): Promise<Started<T>> {
  const started = await container.start();
  const stop = async (): Promise<void> => {
    // Nothing in it is worth a graceful end.
    await started.stop({ timeout: 0, remove: true, removeVolumes: true });
  };
  try {
    return { value: await prepare(started), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function isKafkaServing(address: string): Promise<true | null> {
  return withKafkaAdmin([address], async (admin) => {
    const { brokers } = await admin.describeCluster();
    return brokers.length > 0 ? (true as const) : null;
  }).catch(() => null);
}

/** The image takes settings from the environment: `node.id` as KAFKA_NODE_ID. */
function toVariable(setting: string): string {
  return `KAFKA_${setting.toUpperCase().replaceAll(".", "_")}`;
}

async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`Waited ${String(ms)} ms without success for ${what}`));
    }, ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function stopStarted(result: PromiseSettledResult<Started<unknown>>): Promise<void> {
  if (result.status === "fulfilled") await result.value.stop();
}

function valueOf<T>(result: PromiseSettledResult<Started<T>>): T {
  if (result.status === "rejected") throw result.reason;
  return result.value.value;
}
