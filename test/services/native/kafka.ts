// Kafka as one broker, or as three that are killed and started again one by one.
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { until } from "../../support/poll.ts";
import { withKafkaAdmin } from "../clients.ts";
import { type KafkaSettings, kafkaSettings } from "../kafka-settings.ts";
import { runCommand } from "./command.ts";
import { fetchKafka } from "./downloads.ts";
import { findJava, KAFKA_JAVA_MIN } from "./java.ts";
import { claimPort, type PortClaim } from "./ports.ts";
import {
  createServerFolder,
  type KillSignal,
  removeServerFolder,
  type ServerProcess,
  startServer,
} from "./server.ts";

export interface KafkaOptions {
  readonly brokers?: 1 | 3;
  /** Starts faster and needs less memory by using the quick compiler only; false for benchmarks. */
  readonly tiered?: boolean;
  /** Largest heap of a node. */
  readonly heapMb?: number;
  /** Lines of server.properties that come on top of ours or replace them. */
  readonly settings?: KafkaSettings;
  /** A listener SECURE with TLS and SASL on this port of localhost, as well as the plain one; `settings` contain the rest. */
  readonly securePort?: number;
  /** Users with SCRAM passwords, as the format tool takes them: `SCRAM-SHA-256=[name=…,password=…]`. */
  readonly scramUsers?: readonly string[];
}

export interface KafkaNode {
  /** Its `node.id`, from 1. */
  readonly id: number;
  /** host:port */
  readonly address: string;
  readonly logFile: string;
  pid(): number | null;
  kill(signal: KillSignal): Promise<void>;
  /** Same port, same data; waits until it serves again, which is before its replicas have caught up. */
  restart(): Promise<void>;
}

export interface KafkaCluster {
  /** Addresses of all nodes, separated by commas. */
  readonly brokerList: string;
  readonly nodes: readonly KafkaNode[];
  /**
   * Resolves when every replica of every partition is in sync. Between a restart and this, losing another node can
   * leave partitions with too few replicas to write to, for half a minute and longer.
   * @throws Error when that takes too long
   */
  untilInSync(): Promise<void>;
  stop(): Promise<void>;
}

interface NodePlan {
  readonly id: number;
  readonly folder: string;
  readonly broker: PortClaim;
  readonly controller: PortClaim;
}

interface Program {
  readonly java: string;
  readonly classPath: string;
  readonly jvmArgs: readonly string[];
}

const HOST = "127.0.0.1";
const FORMAT_MS_MAX = 120_000;
const IN_SYNC_MS_MAX = 90_000;

/** The log on standard output; without a configuration Kafka prints errors only. */
const LOG4J = `status = error
appender.out.type = Console
appender.out.name = out
appender.out.layout.type = PatternLayout
appender.out.layout.pattern = %d{ISO8601} %p %m (%c{1})%n
rootLogger.level = info
rootLogger.appenderRef.out.ref = out
`;

/**
 * Starts Kafka in its own folders on its own ports.
 * @throws Error with the end of a node's log when it does not start
 */
export async function startKafka({
  brokers = 1,
  tiered = true,
  heapMb = 256,
  settings = {},
  securePort,
  scramUsers = [],
}: KafkaOptions = {}): Promise<KafkaCluster> {
  const program = await prepareProgram(tiered, heapMb);
  const plans = await Promise.all(
    Array.from({ length: brokers }, (_, index) => planNode(index + 1)),
  );
  const clusterId = randomBytes(16).toString("base64url");
  const servers: ServerProcess[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()));
    await Promise.all(plans.map(releaseNode));
  };
  const results = await Promise.allSettled(
    plans.map(async (plan) => {
      const own = withSecureListener(nodeSettings(plan, plans), securePort);
      await formatNode(program, plan, clusterId, { ...own, ...settings }, scramUsers);
      const server = await startNode(program, plan, brokers);
      servers.push(server);
      return createNode(plan, server);
    }),
  );
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }
  const nodes = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const untilInSync = async (): Promise<void> => {
    await until("all replicas of Kafka to be in sync", () => areInSync(plans), IN_SYNC_MS_MAX);
  };
  return { brokerList: nodes.map((node) => node.address).join(","), nodes, untilInSync, stop };
}

async function prepareProgram(tiered: boolean, heapMb: number): Promise<Program> {
  const [jars, java] = await Promise.all([fetchKafka(), findJava(KAFKA_JAVA_MIN)]);
  if (java === null) throw new Error(`Kafka needs Java ${String(KAFKA_JAVA_MIN)} or newer`);
  return {
    java: java.command,
    classPath: join(jars, "*"),
    jvmArgs: [
      `-Xmx${String(heapMb)}m`,
      "-XX:+UseSerialGC",
      ...(tiered ? ["-XX:TieredStopAtLevel=1"] : []),
    ],
  };
}

async function planNode(id: number): Promise<NodePlan> {
  const folder = await createServerFolder("kafka");
  return { id, folder, broker: await claimPort(), controller: await claimPort() };
}

async function releaseNode(plan: NodePlan): Promise<void> {
  await Promise.all([plan.broker.release(), plan.controller.release()]);
  await removeServerFolder(plan.folder);
}

function nodeSettings(plan: NodePlan, plans: readonly NodePlan[]): KafkaSettings {
  const voters = plans.map(({ id, controller }) => `${String(id)}@${address(controller)}`);
  return {
    ...kafkaSettings(plans.length),
    "node.id": plan.id,
    "controller.quorum.voters": voters.join(","),
    listeners: `PLAINTEXT://${address(plan.broker)},CONTROLLER://${address(plan.controller)}`,
    "advertised.listeners": `PLAINTEXT://${address(plan.broker)}`,
    "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
    "log.dirs": join(plan.folder, "data"),
  };
}

function withSecureListener(settings: KafkaSettings, port: number | undefined): KafkaSettings {
  if (port === undefined) return settings;
  const place = `,SECURE://localhost:${String(port)}`;
  const also = (name: string, more: string): KafkaSettings => ({
    [name]: `${String(settings[name])}${more}`,
  });
  return {
    ...settings,
    ...also("listeners", place),
    ...also("advertised.listeners", place),
    ...also("listener.security.protocol.map", ",SECURE:SASL_SSL"),
    // Required when a listener has a custom name: which listener brokers use among themselves.
    "inter.broker.listener.name": "PLAINTEXT",
  };
}

async function formatNode(
  program: Program,
  plan: NodePlan,
  clusterId: string,
  settings: KafkaSettings,
  scramUsers: readonly string[],
): Promise<void> {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${String(value)}\n`);
  await writeFile(settingsFile(plan), lines.join(""));
  await writeFile(log4jFile(plan), LOG4J);
  await runCommand(
    program.java,
    [
      ...["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", program.classPath],
      ...["kafka.tools.StorageTool", "format", "-c", settingsFile(plan)],
      // One word: an id may start with a minus, and would be taken for an option by itself.
      `--cluster-id=${clusterId}`,
      ...scramUsers.flatMap((user) => ["--add-scram", user]),
    ],
    FORMAT_MS_MAX,
  );
}

async function startNode(
  program: Program,
  plan: NodePlan,
  brokers: number,
): Promise<ServerProcess> {
  // A new cluster is ready when it is whole; a node that comes back may find others down.
  let knownMin = brokers;
  const server = await startServer({
    name: `kafka-${String(plan.id)}`,
    command: program.java,
    args: [
      ...program.jvmArgs,
      `-Dlog4j2.configurationFile=${log4jFile(plan)}`,
      ...["-cp", program.classPath, "kafka.Kafka", settingsFile(plan)],
    ],
    folder: plan.folder,
    probe: () => isServing(plan, knownMin),
  });
  knownMin = 1;
  return server;
}

/** Whether this node answers and the cluster has taken it in, together with as many as `knownMin`. */
async function isServing(plan: NodePlan, knownMin: number): Promise<boolean> {
  return withKafkaAdmin([address(plan.broker)], async (admin) => {
    const { brokers } = await admin.describeCluster();
    return brokers.length >= knownMin && brokers.some(({ nodeId }) => nodeId === plan.id);
  });
}

async function areInSync(plans: readonly NodePlan[]): Promise<true | null> {
  const addresses = plans.map((plan) => address(plan.broker));
  const inSync = await withKafkaAdmin(addresses, async (admin) => {
    const { topics } = await admin.fetchTopicMetadata();
    const partitions = topics.flatMap((topic) => topic.partitions);
    return partitions.every(({ isr, replicas }) => isr.length === replicas.length);
  }).catch(() => false);
  return inSync ? true : null;
}

function createNode(plan: NodePlan, server: ServerProcess): KafkaNode {
  return {
    id: plan.id,
    address: address(plan.broker),
    logFile: server.logFile,
    pid: server.pid,
    kill: server.kill,
    restart: server.restart,
  };
}

function address(claim: PortClaim): string {
  return `${HOST}:${String(claim.port)}`;
}

function settingsFile(plan: NodePlan): string {
  return join(plan.folder, "server.properties");
}

function log4jFile(plan: NodePlan): string {
  return join(plan.folder, "log4j2.properties");
}
