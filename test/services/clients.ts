// Readiness checks of the servers: real requests, as tests make them.
import { createConnection } from "node:net";
import { type Admin, Kafka, logLevel } from "kafkajs";
import { type Document, MongoClient } from "mongodb";
import { fixClient } from "../../src/log/kafka/client-fixes.ts";
import { until } from "../support/poll.ts";

/** One request; the caller repeats it until a deadline of its own. */
const REQUEST_MS_MAX = 5_000;

/** A MongoDB node's description of itself. */
export interface MongoHello {
  readonly isWritablePrimary: boolean;
  readonly secondary: boolean;
}

/** With a new client each time: one that has met a frozen broker goes on waiting for it. */
export async function withKafkaAdmin<T>(
  brokers: readonly string[],
  use: (admin: Admin) => Promise<T>,
): Promise<T> {
  await connectToAny(brokers);
  // Else each idle connection sets timers in the past, of which Node warns.
  fixClient();
  const kafka = new Kafka({
    clientId: "readiness",
    brokers: [...brokers],
    // A refused connection is what is waited out here.
    logLevel: logLevel.NOTHING,
    retry: { retries: 0 },
    connectionTimeout: REQUEST_MS_MAX,
    requestTimeout: REQUEST_MS_MAX,
  });
  const admin = kafka.admin();
  try {
    await admin.connect();
    return await use(admin);
  } finally {
    await admin.disconnect();
  }
}

/**
 * As `withKafkaAdmin`, again until there is an answer: on a busy machine one may come too late, and a broker that was away may not
 * lead its partitions yet.
 * @throws Error when there is none within a minute
 */
export async function askKafka<T>(
  brokers: readonly string[],
  use: (admin: Admin) => Promise<T>,
): Promise<T> {
  const ask = async (): Promise<{ readonly answer: T }> => ({
    answer: await withKafkaAdmin(brokers, use),
  });
  const { answer } = await until("an answer of Kafka", () => ask().catch(() => null));
  return answer;
}

/** Whether the registry lists its subjects. */
export async function isRegistryServing(url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(REQUEST_MS_MAX);
  const response = await fetch(`${url}/subjects`, { signal });
  await response.arrayBuffer();
  return response.ok;
}

/** Sends a command to one node of MongoDB, whatever its part in the replica set is. */
export async function commandMongo(address: string, command: Document): Promise<Document> {
  await connectToAny([address]);
  const client = new MongoClient(`mongodb://${address}`, {
    directConnection: true,
    serverSelectionTimeoutMS: REQUEST_MS_MAX,
    connectTimeoutMS: REQUEST_MS_MAX,
    socketTimeoutMS: REQUEST_MS_MAX,
  });
  try {
    return await client.db("admin").command(command);
  } finally {
    await client.close();
  }
}

export async function helloMongo(address: string): Promise<MongoHello> {
  const answer = await commandMongo(address, { hello: 1 });
  return {
    isWritablePrimary: answer["isWritablePrimary"] === true,
    secondary: answer["secondary"] === true,
  };
}

/**
 * Rejects at once when nothing listens: the clients take seconds to say so, because to them it is an outage.
 */
async function connectToAny(addresses: readonly string[]): Promise<void> {
  await Promise.any(addresses.map(connect));
}

function connect(address: string): Promise<void> {
  const { hostname: host, port } = new URL(`tcp://${address}`);
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host, port: Number(port) });
    socket.setTimeout(REQUEST_MS_MAX, () => {
      socket.destroy(new Error(`${address} does not accept connections`));
    });
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.destroy();
      resolve();
    });
  });
}
