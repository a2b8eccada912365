// An installation with webhooks while it is measured: what the benchmark puts into its store, and the process that tells
// subscribers.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../src/config/config.ts";
import { ROLES } from "../../src/model/api-key.ts";
import { COMMAND_LINE } from "../../src/model/audit.ts";
import type { StoredEvent } from "../../src/model/event.ts";
import { type Engine, openEngine } from "../../src/app/engine.ts";
import { batchEvent } from "../../src/events/events.ts";
import { createLogger } from "../../src/observability/logger.ts";
import { createKeysOf } from "../../src/app/access.ts";
import type { DeliveryRepository } from "../../src/store/repositories/deliveries.ts";
import type { EventRepository } from "../../src/store/repositories/events.ts";
import { openWebhookStage } from "../../src/app/webhooks.ts";
import {
  distributedEnvironment,
  dropInstallation,
  realServices,
} from "../../test/support/distributed.ts";
import {
  type ServiceProcess,
  type SpawnedProcess,
  spawnProcess,
} from "../../test/support/process.ts";

/** A webhook of the installation. */
export interface Endpoint {
  readonly org: string;
  readonly id: string;
  readonly url: string;
}

/** The store of an installation, opened while its process runs, as the command line opens it. */
export interface OpenStore {
  readonly engine: Engine;
  readonly events: EventRepository;
  readonly deliveries: DeliveryRepository;
  createEndpoint(org: string, url: string): Promise<Endpoint>;
  createKey(org: string): Promise<string>;
  close(): Promise<void>;
}

export interface Installation {
  /** Everything is in it, unless it is distributed. */
  readonly dataFolder: string;
  openStore(): Promise<OpenStore>;
  /** The process that tells subscribers, and does everything else too where it is the only one. */
  start(environment?: Readonly<Record<string, string>>): Promise<ServiceProcess>;
  remove(): Promise<void>;
}

const RATE = "100000";
/** Steps of one write: enough to be quick, few enough for one call to MongoDB. */
const STEPS = 1_000;
const running = new Set<SpawnedProcess>();
const folders = new Set<string>();

/** Nothing of a run is left behind on this machine when it is cut off. */
process.on("exit", () => {
  for (const one of running) one.kill("SIGKILL");
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => process.exit(1));
}

/** @param isDistributed on the services that the TEST_… variables name; else everything is in a data folder */
export function createInstallation(isDistributed: boolean): Installation {
  const dataFolder = mkdtempSync(join(tmpdir(), "ledgerline-bench-"));
  folders.add(dataFolder);
  const services = isDistributed ? realServices(`bench-${randomUUID()}`) : null;
  const settings = {
    ...WEBHOOK_SETTINGS,
    ...(services === null ? {} : distributedEnvironment(services)),
    // A process that does nothing else.
    ...(services === null ? {} : { LEDGERLINE_ROLE: "dispatch" }),
  };
  const config = readConfig({ LEDGERLINE_DATA: dataFolder, ...settings }, 1);
  const openStore = async (): Promise<OpenStore> => {
    const logger = createLogger("warn", process.stderr);
    const engine = await openEngine(config, logger, "first_command");
    const { repositories } = engine;
    const stage = await openWebhookStage(repositories, config, Date.now, () => undefined);
    const keys = createKeysOf(repositories, config, Date.now);
    const { events, deliveries } = repositories;
    await engine.ready();
    return {
      engine,
      events,
      deliveries,
      createEndpoint: async (org, endpointUrl) => {
        const id = randomUUID();
        const input = {
          url: endpointUrl,
          events: ["batches.completed"] as const,
          token: "token",
          hmacSecret: "secret of the benchmark",
          ordered: false,
          ca: null,
        };
        const created = await stage.webhooks.create(org, input, id, COMMAND_LINE);
        if (!created.ok) throw new Error(`${org} is full`);
        return { org, id, url: endpointUrl };
      },
      createKey: async (org) => (await keys.create(org, null, ROLES)).secret,
      close: async () => {
        await stage.close();
        await engine.close();
      },
    };
  };
  return {
    dataFolder,
    openStore,
    start: async (environment = {}) => {
      const spawned = spawnProcess({ dataFolder, env: { ...settings, ...environment } });
      running.add(spawned);
      void spawned.exited.then(() => running.delete(spawned));
      const listening = await spawned.listening;
      if (listening === null) throw new Error(`It ended instead of serving:\n${spawned.output()}`);
      return { ...spawned, url: listening };
    },
    remove: async () => {
      rmSync(dataFolder, { recursive: true, force: true });
      await dropInstallation(services);
    },
  };
}

const WEBHOOK_SETTINGS = {
  POOL_THREADS: "1",
  WEBHOOK_ALLOW_HTTP: "on",
  WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
  WEBHOOK_RATE: RATE,
};

/** Stops it as an operator does; prints its output, which is rare and helps to interpret the figures. */
export async function stopProcess(service: ServiceProcess, signal: NodeJS.Signals): Promise<void> {
  service.kill(signal);
  await service.exited;
  const output = service.output().replace(/^Ledgerline listens on .*$/m, "");
  // An endpoint that fails is what some of the runs are about.
  const lines = output.split("\n").filter((line) => line !== "" && !line.includes("webhook."));
  if (lines.length > 0) process.stderr.write(`${lines.slice(0, LINES_SHOWN_MAX).join("\n")}\n`);
}

const LINES_SHOWN_MAX = 10;

/** An event like that of a batch of one transaction. */
export function eventOf(org: string, createdAt: number): StoredEvent {
  return batchEvent({
    org,
    id: randomUUID(),
    status: "completed",
    priority: "default",
    createdAt,
    updatedAt: createdAt,
    progress: 1,
    total: 1,
  });
}

/** Puts events into the store as the stages do. */
export async function insertEvents(
  { engine, events }: OpenStore,
  made: readonly StoredEvent[],
): Promise<void> {
  for (let from = 0; from < made.length; from += STEPS) {
    const part = made.slice(from, from + STEPS);
    await engine.store.apply(part.flatMap((event) => events.insertSteps(event)));
  }
}

/** Puts events and their deliveries into the store as they are after the relay. */
export async function insertPending(
  { engine, events, deliveries }: OpenStore,
  made: readonly StoredEvent[],
  endpoints: readonly Endpoint[],
): Promise<void> {
  const part = Math.ceil(STEPS / endpoints.length);
  for (let from = 0; from < made.length; from += part) {
    const some = made.slice(from, from + part);
    // Without the second step, which would have them relayed.
    await engine.store.apply(some.flatMap((event) => events.insertSteps(event).slice(0, 1)));
    await engine.store.apply(
      some.flatMap((event) => endpoints.map(({ id }) => deliveries.insertStep(event, id))),
    );
  }
}

/** When each event happened, milliseconds since 1970. */
export async function eventTimes({ events }: OpenStore): Promise<Map<string, number>> {
  const all = await events.older(Number.MAX_SAFE_INTEGER, EVENTS_MAX);
  return new Map(all.map(({ eventId, createdAt }) => [eventId, createdAt]));
}

const EVENTS_MAX = 100_000;
