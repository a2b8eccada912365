// Everything that a service keeps, for tests that say that nothing of it changes.
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { BSON, MongoClient } from "mongodb";
import type { DistributedConfig } from "../../src/config/config.ts";
import { FILES_FOLDER } from "../../src/store/folder/files.ts";
import { createTestKafka } from "./distributed.ts";
import { until } from "./poll.ts";
import type { TestService } from "./service.ts";

/** The rows of each table or collection, and how far each topic goes, as text that is equal where they are. */
export type Snapshot = Readonly<Record<string, readonly string[]>>;

export interface Snapshots {
  take(): Promise<Snapshot>;
  /** Taken when nothing that was begun is being done any more. */
  takeAtRest(): Promise<Snapshot>;
  close(): Promise<void>;
}

/**
 * The end of the log at the last query: a record of the topic `clock`, or a row of the topic `head`. A query is not a
 * change, and creating an account holder queries it before it checks whether the account holder exists.
 */
const CLOCK_TOPIC = "clock";
const HEAD = '"topic":"head"';
/** Retention jobs write once a minute how late it is. */
const RETENTION_TIME = '"retention_time"';
/** The dispatcher that relays renews its lease every two seconds. */
const RELAY_LEASE = '"relay_lease"';
/** What processes write of themselves, whether there are requests or not. */
const isOfProcesses = (row: string): boolean =>
  row.includes(RETENTION_TIME) || row.includes(RELAY_LEASE);
/** Processes that dispatch say every two seconds that they are there. */
const HEARTBEATS = "dispatchers";

/** Opens a second way into what this service keeps; it must be closed before the service's installation is removed. */
export async function openSnapshots({ config }: TestService): Promise<Snapshots> {
  const { distributed, dataFolder } = config;
  const { take, close } =
    distributed === null ? openFile(dataFolder) : await openServices(distributed);
  const takeAtRest = async (): Promise<Snapshot> => {
    let before = JSON.stringify(await take());
    let equal = 0;
    return until("the service at rest", async () => {
      const now = await take();
      const text = JSON.stringify(now);
      equal = text === before ? equal + 1 : 0;
      before = text;
      return equal >= EQUAL_AT_REST ? now : null;
    });
  };
  return { take, takeAtRest, close };
}

/** What is begun shows itself within some of these. */
const EQUAL_AT_REST = 30;

function openFile(dataFolder: string): Omit<Snapshots, "takeAtRest"> {
  const file = new DatabaseSync(join(dataFolder, "ledgerline.db"), { readOnly: true });
  const tables = (): string[] =>
    file
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .all()
      .map((row) => String(row["name"]));
  const rowsOf = (table: string): string[] =>
    file
      .prepare(`SELECT * FROM "${table}"`)
      .all()
      .map((row) => JSON.stringify(row, bytesAsText))
      .filter((row) => table !== "log_commits" || !row.includes(HEAD))
      .filter((row) => !isOfProcesses(row))
      .sort();
  return {
    take: () =>
      Promise.resolve({
        ...Object.fromEntries(tables().map((name) => [name, rowsOf(name)])),
        files: filesIn(join(dataFolder, FILES_FOLDER)),
      }),
    close: () => {
      file.close();
      return Promise.resolve();
    },
  };
}

/** Files of this name and length. */
function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).sort();
  return names.map((name) => `${name} ${String(statSync(join(folder, name)).size)}`);
}

const bytesAsText = (_: string, value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;

async function openServices({
  mongodbUrl,
  kafka,
}: DistributedConfig): Promise<Omit<Snapshots, "takeAtRest">> {
  const mongo = await new MongoClient(mongodbUrl).connect();
  const admin = createTestKafka(kafka.brokers).admin();
  await admin.connect();
  const database = mongo.db();
  const rowsOf = async (name: string): Promise<[string, string[]]> => {
    const rows = await database.collection(name).find().toArray();
    const texts = rows.map((row) => BSON.EJSON.stringify(row));
    return [name, texts.filter((row) => !isOfProcesses(row)).sort()];
  };
  const endsOf = async (topic: string): Promise<[string, string[]]> => {
    const ends = await admin.fetchTopicOffsets(topic);
    return [topic, ends.map(({ partition, high }) => `${String(partition)}: ${high}`).sort()];
  };
  return {
    take: async () => {
      const collections = await database.listCollections({}, { nameOnly: true }).toArray();
      const topics = (await admin.listTopics()).filter(
        (topic) => topic.startsWith(kafka.topicPrefix) && !topic.endsWith(`.${CLOCK_TOPIC}`),
      );
      const found = await Promise.all([
        ...collections.filter(({ name }) => name !== HEARTBEATS).map(({ name }) => rowsOf(name)),
        ...topics.map(endsOf),
      ]);
      return Object.fromEntries(found.sort(([one], [other]) => (one < other ? -1 : 1)));
    },
    close: async () => {
      await admin.disconnect();
      await mongo.close();
    },
  };
}
