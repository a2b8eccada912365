// The real process while it is asked: everything in one, embedded or on Kafka, a schema registry and MongoDB.
import { readdirSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { MongoClient } from "mongodb";
import { dropInstallation } from "../../test/support/distributed.ts";
import { startRole } from "../distributed/installation.ts";
import type { BenchServices } from "../distributed/services.ts";
import { submit, type Source, untilCompleted } from "../calls.ts";
import { type BenchClient, createBenchClient } from "../http.ts";
import { createInstallation, stopProcess } from "../webhooks/installation.ts";

export interface Installation {
  readonly url: string;
  readonly pid: number;
  readonly client: BenchClient;
  /** Between two looks at the status of a batch: what the looks cost is missing to the work. */
  readonly pauseMs: number;
  /** What its store takes on the disk, bytes: with its log where they are one file, without Kafka. */
  storedBytes(): Promise<number>;
  close(): Promise<void>;
}

export type OpenInstallation = (name: string) => Promise<Installation>;

export const BATCH_MAX = 24_960;
/** So that the service never waits for this process, which makes the next batch. */
const WORKERS = 2;

export async function openEmbedded(): Promise<Installation> {
  const installation = createInstallation(false);
  const service = await installation.start({ POOL_THREADS: String(availableParallelism()) });
  const client = createBenchClient(service.url);
  return {
    url: service.url,
    pid: service.pid,
    client,
    pauseMs: 2,
    storedBytes: () => Promise.resolve(folderBytes(installation.dataFolder)),
    close: async () => {
      client.close();
      await stopProcess(service, "SIGTERM");
      await installation.remove();
    },
  };
}

export const openDistributed =
  (services: BenchServices): OpenInstallation =>
  async (name) => {
    const config = services.configOf(name, "kafka");
    const service = await startRole(config, []);
    const client = createBenchClient(service.url);
    return {
      url: service.url,
      pid: service.pid,
      client,
      // Each look asks MongoDB twice.
      pauseMs: 10,
      storedBytes: () => databaseBytes(config.mongodbUrl),
      close: async () => {
        client.close();
        await stopProcess(service, "SIGTERM");
        await dropInstallation(config);
      },
    };
  };

/** Sends so many transactions in batches as large as they may be; returns the ids of the batches. */
export async function fill(
  { client, pauseMs }: Installation,
  source: Source,
  transactions: number,
  batchMax = BATCH_MAX,
): Promise<readonly string[]> {
  const ids: string[] = [];
  let left = transactions;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      const count = Math.min(left, batchMax);
      left -= count;
      const id = await submit(client, source.batchBody(count));
      ids.push(id);
      await untilCompleted(client, id, pauseMs);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
  return ids;
}

function folderBytes(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

/** Compressed, with the indexes. */
async function databaseBytes(url: string): Promise<number> {
  const mongo = new MongoClient(url);
  try {
    // What is not on the disk yet is not counted.
    await mongo.db("admin").command({ fsync: 1 });
    const { totalSize } = await mongo.db().stats();
    return Number(totalSize);
  } finally {
    await mongo.close();
  }
}
