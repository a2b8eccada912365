// The connection to MongoDB and all its options.
import {
  type Document,
  MongoClient,
  type MongoClientOptions,
  ReadConcern,
  ReadPreference,
  WriteConcern,
} from "mongodb";
import { LedgerlineError } from "../../shared/errors.ts";
import { unavailable } from "./errors.ts";

/** What the server lists the connections under. */
const DEFAULT_DATABASE = "ledgerline";

export const DATABASE_OPTIONS = {
  /** A write is acknowledged when a majority of the members has it on disk; a failure of that is reported in time. */
  writeConcern: new WriteConcern("majority", 8_000, true),
  /** What only a primary has can be lost with it. */
  readConcern: new ReadConcern("majority"),
  readPreference: ReadPreference.primary,
};

/** Takes precedence over the URL, which sets only the servers and the credentials. */
const OPTIONS = {
  ...DATABASE_OPTIONS,
  /** Operations at a time. Those that find no connection wait for `waitQueueTimeoutMS`, then they are refused. */
  maxPoolSize: 50,
  waitQueueTimeoutMS: 2_000,
  /** Longer than a planned change of the primary takes, shorter than callers wait. */
  serverSelectionTimeoutMS: 5_000,
  // The driver sees that a server does not answer after the sum of these two, and ends what waits for it.
  connectTimeoutMS: 3_000,
  heartbeatFrequencyMS: 2_000,
  /** For what no call waits for any more, such as the end of a transaction: it must not keep its connection forever. */
  socketTimeoutMS: 10_000,
  retryWrites: true,
  retryReads: true,
  /** Servers are close to their clients; compressing costs the main thread more than it saves. */
  compressors: "none",
  ignoreUndefined: true,
  promoteBuffers: true,
} satisfies MongoClientOptions;

/**
 * What the connections of an installation are named at the server. Its database is part of the name: others may share the
 * server and the user.
 */
export const appNameOf = (database: string): string => `ledgerline/${database}`;

/**
 * A client for `url` that is not connected yet.
 * @param database instead of the one that the URL names
 * @throws LedgerlineError `unavailable` when the URL cannot be read
 */
export function createClient(url: string, database?: string): MongoClient {
  try {
    return new MongoClient(url, { ...OPTIONS, appName: appNameOf(database ?? databaseOf(url)) });
  } catch {
    // Without its cause: what the driver throws may quote the URL, and with it the password.
    throw new LedgerlineError(
      "unavailable",
      "The MongoDB URL cannot be read: it must be like mongodb://user:password@host:27017/database, " +
        "with special characters in user and password percent-encoded.",
    );
  }
}

/** The database that `url`, which a client has read, names, or the default. */
export function databaseOf(url: string): string {
  const path = /^mongodb(?:\+srv)?:\/\/[^/?]*\/([^?]*)/.exec(url)?.[1];
  return path === undefined || path === "" ? DEFAULT_DATABASE : decodeURIComponent(path);
}

/** @throws LedgerlineError `unavailable` when the server has no transactions */
export async function requireTransactions(client: MongoClient): Promise<void> {
  const hello: Document = await client.db("admin").command({ hello: 1 });
  if (typeof hello["setName"] === "string" || hello["msg"] === "isdbgrid") return;
  throw unavailable(
    "the MongoDB server is not a member of a replica set, which transactions need. " +
      "A single server can be a replica set of one",
  );
}
