// An installation while it is measured: its processes, its producer's view of Kafka, and its database.
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Kafka } from "kafkajs";
import { type Collection, MongoClient } from "mongodb";
import type { DistributedConfig } from "../../src/config/config.ts";
import { createKafkaClient } from "../../src/log/kafka/client.ts";
import { distributedEnvironment, dropInstallation } from "../../test/support/distributed.ts";
import { until } from "../../test/support/poll.ts";
import {
  type ServiceProcess,
  type SpawnedProcess,
  spawnProcess,
} from "../../test/support/process.ts";
import { type BenchClient, createBenchClient } from "../http.ts";

/** Each transaction of a feed is another account's, as it is where many people's cards are enriched. */
export const HOLDERS: readonly string[] = Array.from(
  { length: 100 },
  (_, index) => `holder-${String(index)}`,
);

export interface InstallationOptions {
  readonly config: DistributedConfig;
  /** How many processes enrich; 0 where something else does. */
  readonly enrichers: number;
  /** Added to the environment of the processes that enrich. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface Installation {
  readonly config: DistributedConfig;
  readonly ingest: ServiceProcess;
  readonly enrichers: readonly ServiceProcess[];
  readonly client: BenchClient;
  readonly kafka: Kafka;
  readonly transactions: Collection;
  close(): Promise<void>;
}

const running = new Set<SpawnedProcess>();

/** Nothing of a run is left behind when it is cut off. */
process.on("exit", () => {
  for (const one of running) one.kill("SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => process.exit(1));
}

/**
 * Starts `serve` of this installation with these arguments and waits until it serves.
 * @throws Error with what it printed when it ends instead
 */
export async function startRole(
  config: DistributedConfig,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<ServiceProcess> {
  const spawned = spawnProcess({
    // Nothing is stored there, but it must not be the folder of another installation.
    dataFolder: join(tmpdir(), config.kafka.topicPrefix),
    env: { ...distributedEnvironment(config), ...environment },
    args: ["serve", ...args],
  });
  running.add(spawned);
  const url = await spawned.listening;
  if (url === null) throw new Error(`It ended instead of serving:\n${spawned.output()}`);
  return { ...spawned, url };
}

export async function stopProcess(one: ServiceProcess): Promise<void> {
  one.kill("SIGTERM");
  await one.exited;
  // Warnings are rare and help to interpret the figures.
  const warnings = one
    .output()
    .replace(/^Ledgerline listens on .*$/m, "")
    .trim();
  if (warnings !== "") process.stderr.write(`${warnings.slice(0, OUTPUT_SHOWN_MAX)}\n`);
}

const OUTPUT_SHOWN_MAX = 2_000;

/** @param key of another organization than the one of the client */
export async function createHolders(client: BenchClient, key?: string): Promise<void> {
  for (const id of HOLDERS) {
    await client.post("/v3/account_holders", JSON.stringify({ id, type: "consumer" }), key);
  }
}

/** Starts a process that takes in and those that enrich; resolves once they share the work. */
export async function openInstallation(options: InstallationOptions): Promise<Installation> {
  const { config, enrichers: count } = options;
  const processes: ServiceProcess[] = [];
  const start = async (role: string): Promise<ServiceProcess> => {
    const environment = role === "enrich" ? options.environment : {};
    const started = await startRole(config, ["--role", role], environment);
    processes.push(started);
    return started;
  };
  const mongo = new MongoClient(config.mongodbUrl);
  try {
    const ingest = await start("ingest");
    const enrichers = await Promise.all(Array.from({ length: count }, () => start("enrich")));
    const client = createBenchClient(ingest.url);
    await createHolders(client);
    const kafka = createKafkaClient(config.kafka, () => undefined);
    if (count > 0) await untilJoined(kafka, `${config.kafka.groupPrefix}enrich-requests`, count);
    return {
      config,
      ingest,
      enrichers,
      client,
      kafka,
      transactions: mongo.db().collection("transactions"),
      close: async () => {
        client.close();
        await Promise.all(processes.map(stopProcess));
        await mongo.close();
        await dropInstallation(config);
      },
    };
  } catch (error) {
    await Promise.all(processes.map(stopProcess));
    await mongo.close();
    throw error;
  }
}

/** Before all are in the group, the first has the work of the others too. */
export async function untilJoined(kafka: Kafka, groupId: string, members: number): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    await until(`${String(members)} members of ${groupId}`, async () => {
      const { groups } = await admin.describeGroups([groupId]);
      const [group] = groups;
      return group?.state === "Stable" && group.members.length === members ? true : null;
    });
  } finally {
    await admin.disconnect();
  }
}
