// The consumer that the table compares with Ledgerline, as a process of its own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type Installation, untilJoined } from "./installation.ts";

export interface Reference {
  readonly pid: number;
  stop(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL("./reference-consumer.ts", import.meta.url));

/** Starts it on the topic of requests of an installation in which nothing else enriches. */
export async function startReference({ config, kafka }: Installation): Promise<Reference> {
  const groupId = `${config.kafka.groupPrefix}reference`;
  const child = spawn(process.execPath, [PROGRAM], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      KAFKA_BROKERS: config.kafka.brokers.join(","),
      KAFKA_GROUP: groupId,
      KAFKA_TOPIC: `${config.kafka.topicPrefix}requests`,
      SCHEMA_REGISTRY_URL: config.schemaRegistryUrl,
      MONGODB_URL: config.mongodbUrl,
      // The client sets timers with negative times.
      NODE_NO_WARNINGS: "1",
    },
  });
  const { pid } = child;
  if (pid === undefined) throw new Error("The reference could not be started");
  const kill = (): void => {
    child.kill("SIGKILL");
  };
  process.on("exit", kill);
  const exited = once(child, "exit");
  const stop = async (): Promise<void> => {
    process.off("exit", kill);
    kill();
    await exited;
  };
  try {
    await untilJoined(kafka, groupId, 1);
  } catch (error) {
    await stop();
    throw error;
  }
  return { pid, stop };
}
