// Libraries are most of what a service holds in memory while it has little to do.
import { expect, it } from "vitest";
import { answered, createClient } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { startProcess } from "../support/process.ts";
import { temporaryFolder } from "../support/service.ts";

const RECORDER = new URL("../support/fixtures/loaded-packages.ts", import.meta.url);
/** Of Kafka, the schema registry and MongoDB, of webhooks that nobody has, of commands that nobody gave. */
const UNUSED = [
  ...["kafkajs", "@kafkajs/confluent-schema-registry", "mongodb", "bson"],
  ...["undici", "csv-parse", "cli-progress"],
];

it("a service alone loads no library for what it does not do, and its threads load next to none", async () => {
  const service = await startProcess({
    dataFolder: temporaryFolder(),
    nodeArgs: [`--import=${RECORDER.href}`],
  });
  const client = createClient(service.url);
  answered(await client.createHolder("h", "consumer"), 200);
  answered(await client.enrich(coffee("t", { account_holder_id: "h" })), 200);
  service.kill("SIGTERM");
  await service.exited;
  const loaded = service.output().matchAll(/^loaded (main|thread) (\S+)$/gm);
  const byThread = Map.groupBy(loaded, ([, thread]) => thread);
  const packagesOf = (thread: string): string[] => [
    ...new Set(byThread.get(thread)?.map(([, , name]) => name ?? "")),
  ];
  expect(packagesOf("main")).toContain("express");
  expect(packagesOf("main").filter((name) => UNUSED.includes(name))).toEqual([]);
  expect(packagesOf("thread").sort()).toEqual(["piscina", "uuid"]);
});
