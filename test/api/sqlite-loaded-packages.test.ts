// Libraries are most of what a service holds in memory while it has little to do.
import { expect, it } from "vitest";
import { answered, createClient } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { startCollector, valueOf } from "../support/collector.ts";
import { type ServiceProcess, startProcess } from "../support/process.ts";
import { temporaryFolder } from "../support/service.ts";

const RECORDER = new URL("../support/fixtures/loaded-packages.ts", import.meta.url);
/** Packages of Kafka, the schema registry, MongoDB, unused webhooks and other commands. */
const UNUSED = [
  ...["kafkajs", "@kafkajs/confluent-schema-registry", "mongodb", "bson"],
  ...["undici", "csv-parse", "cli-progress"],
  ...["sax", "yauzl", "fflate", "read-excel-file", "saxen"],
];

/** Who pushes metrics needs it; `@opentelemetry/api` comes with prom-client. */
const OF_COLLECTOR = /^@opentelemetry\/(?!api$)/;

/** The packages that each thread of a process that has ended loaded. */
function loadedBy(service: ServiceProcess): (thread: "main" | "thread") => string[] {
  const loaded = service.output().matchAll(/^loaded (main|thread) (\S+)$/gm);
  const byThread = Map.groupBy(loaded, ([, thread]) => thread);
  return (thread) => [...new Set(byThread.get(thread)?.map(([, , name]) => name ?? ""))];
}

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
  const packagesOf = loadedBy(service);
  expect(packagesOf("main")).toContain("express");
  expect(packagesOf("main").filter((name) => OF_COLLECTOR.test(name))).toEqual([]);
  expect(packagesOf("main").filter((name) => UNUSED.includes(name))).toEqual([]);
  expect(packagesOf("thread").sort()).toEqual(["piscina", "uuid"]);
});

it("with a collector set it loads what pushes to it, and pushes at SIGTERM", async () => {
  const collector = await startCollector();
  const service = await startProcess({
    dataFolder: temporaryFolder(),
    nodeArgs: [`--import=${RECORDER.href}`],
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: "x-token=of-the-collector",
      OTEL_SERVICE_NAME: "bank",
    },
  });
  answered(await createClient(service.url).enrich(coffee("t")), 200);
  service.kill("SIGTERM");
  expect(await service.exited).toEqual({ code: 0, signal: null });
  expect(loadedBy(service)("main")).toContain("@opentelemetry/sdk-metrics");
  expect(loadedBy(service)("thread").filter((name) => OF_COLLECTOR.test(name))).toEqual([]);
  const [push] = collector.pushes;
  if (push === undefined) throw new Error("Nothing was pushed");
  expect(collector.pushes).toHaveLength(1);
  expect(push).toMatchObject({
    path: "/v1/metrics",
    headers: { "x-token": "of-the-collector" },
    resource: { "service.name": "bank" },
  });
  expect(valueOf(push, "ledgerline_transactions_total", { outcome: "enriched" })).toBe(1);
});
