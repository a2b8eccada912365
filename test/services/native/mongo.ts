// MongoDB as a replica set of one, or of three that are killed and started again one by one.
import { join } from "node:path";
import { mkdir } from "node:fs/promises";
import { MongoServerError } from "mongodb";
import { until } from "../../support/poll.ts";
import { commandMongo, helloMongo } from "../clients.ts";
import { MONGO_CACHE_OPTIONS } from "../mongo-settings.ts";
import { fetchMongod } from "./downloads.ts";
import { claimPort, type PortClaim } from "./ports.ts";
import {
  createServerFolder,
  type KillSignal,
  removeServerFolder,
  type ServerProcess,
  startServer,
} from "./server.ts";

export interface MongoOptions {
  readonly nodes?: 1 | 3;
}

export interface MongoNode {
  /** host:port */
  readonly address: string;
  readonly logFile: string;
  pid(): number | null;
  kill(signal: KillSignal): Promise<void>;
  /** Same port, same data; waits until it is a primary or a secondary again. */
  restart(): Promise<void>;
}

export interface MongoReplicaSet {
  /** With every node and the name of the replica set. */
  readonly url: string;
  readonly nodes: readonly MongoNode[];
  /**
   * Index of the node that takes writes, once there is one.
   * @throws Error when none is elected in time
   */
  primary(): Promise<number>;
  stop(): Promise<void>;
}

interface NodePlan {
  readonly index: number;
  readonly folder: string;
  readonly claim: PortClaim;
}

const HOST = "127.0.0.1";
const SET_NAME = "rs0";
/** An election takes a few seconds; a loaded machine may need several. */
const ELECTION_MS_MAX = 60_000;
/** The others call an election after missing the primary for this long, in place of 10 s. */
const ELECTION_TIMEOUT_MS = 2_000;

/** @throws Error with the end of a node's log when it does not start */
export async function startMongo({
  nodes: count = 1,
}: MongoOptions = {}): Promise<MongoReplicaSet> {
  const program = await fetchMongod();
  const plans = await Promise.all(Array.from({ length: count }, (_, index) => planNode(index)));
  const servers: ServerProcess[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()));
    await Promise.all(plans.map(releaseNode));
  };
  try {
    const started = await Promise.allSettled(plans.map((plan) => startNode(program, plan)));
    for (const result of started) if (result.status === "fulfilled") servers.push(result.value);
    const failed = started.find((result) => result.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    await initiate(plans);
    await findPrimary(plans);
  } catch (error) {
    await stop();
    throw error;
  }
  const hosts = plans.map(address).join(",");
  return {
    url: `mongodb://${hosts}/?replicaSet=${SET_NAME}`,
    nodes: servers.map((server, index) => createNode(plans, index, server)),
    primary: () => findPrimary(plans),
    stop,
  };
}

async function planNode(index: number): Promise<NodePlan> {
  return { index, folder: await createServerFolder("mongo"), claim: await claimPort() };
}

async function releaseNode({ folder, claim }: NodePlan): Promise<void> {
  await claim.release();
  await removeServerFolder(folder);
}

async function startNode(program: string, plan: NodePlan): Promise<ServerProcess> {
  const data = join(plan.folder, "data");
  await mkdir(data);
  return startServer({
    name: `mongod-${String(plan.index)}`,
    command: program,
    args: [
      ...["--dbpath", data, "--port", String(plan.claim.port), "--bind_ip", HOST],
      ...["--replSet", SET_NAME, ...MONGO_CACHE_OPTIONS],
      // Otherwise it leaves a socket in the system's temporary folder after a kill.
      "--nounixsocket",
      ...["--setParameter", "diagnosticDataCollectionEnabled=false"],
    ],
    folder: plan.folder,
    probe: async () => {
      await helloMongo(address(plan));
      return true;
    },
  });
}

function createNode(plans: readonly NodePlan[], index: number, server: ServerProcess): MongoNode {
  const plan = plans[index];
  if (plan === undefined) throw new Error(`There is no node ${String(index)}`);
  return {
    address: address(plan),
    logFile: server.logFile,
    pid: server.pid,
    kill: server.kill,
    restart: async () => {
      await server.restart();
      await until(
        `node ${String(index)} of MongoDB to be back`,
        async () => {
          const answer = await helloMongo(address(plan)).catch(() => null);
          return answer?.isWritablePrimary === true || answer?.secondary === true ? true : null;
        },
        ELECTION_MS_MAX,
      );
    },
  };
}

/** Makes the nodes a replica set. On a busy machine the first answer may come too late. */
async function initiate(plans: readonly NodePlan[]): Promise<void> {
  const [first] = plans;
  if (first === undefined) throw new Error("A replica set needs a node");
  const command = {
    replSetInitiate: {
      _id: SET_NAME,
      members: plans.map((plan) => ({ _id: plan.index, host: address(plan) })),
      settings: { electionTimeoutMillis: ELECTION_TIMEOUT_MS },
    },
  };
  const isMade = (): Promise<true | null> =>
    commandMongo(address(first), command).then(
      () => true,
      (error: unknown) => {
        if (!(error instanceof MongoServerError)) return null;
        // An earlier try got through, though its answer did not.
        if (error.codeName === "AlreadyInitialized") return true;
        if (error.codeName === "ConfigurationInProgress") return null;
        throw error;
      },
    );
  await until("the replica set of MongoDB", isMade, ELECTION_MS_MAX);
}

/** Each node is asked on its own, so that a killed or frozen one does not hold up the answer of the others. */
async function findPrimary(plans: readonly NodePlan[]): Promise<number> {
  let primary: number | null = null;
  const ask = async (plan: NodePlan): Promise<number | null> => {
    if (primary !== null) return primary;
    const { isWritablePrimary } = await helloMongo(address(plan));
    if (isWritablePrimary) primary = plan.index;
    return primary;
  };
  return Promise.race(
    plans.map((plan) =>
      until("a primary of MongoDB", () => ask(plan).catch(() => null), ELECTION_MS_MAX),
    ),
  );
}

function address(plan: NodePlan): string {
  return `${HOST}:${String(plan.claim.port)}`;
}
