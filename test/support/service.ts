// The service under test inside the test, and folders for either kind.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { openService, type ServiceOptions } from "../../src/app/app.ts";
import { type Config, readConfig } from "../../src/config/config.ts";
import { createLogger } from "../../src/observability/logger.ts";
import { API_KEY, type Client, createClient } from "./client.ts";
import { distributedConfig, dropInstallation, ENCRYPTION_KEY } from "./distributed.ts";

/** Where a helper leaves what is to be done in the end, last first. */
export type AtEnd = (cleanUp: () => Promise<void> | void) => void;

/** An empty folder that is removed when the test ends. */
export function temporaryFolder(atEnd: AtEnd = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), "ledgerline-test-"));
  atEnd(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/**
 * Opens what all tests of a file share and gives a way to it. `open` is called once, before the first of them; what it
 * leaves for the end is done after the last.
 */
export function shared<Thing>(open: (atEnd: AtEnd) => Promise<Thing>): () => Thing {
  const cleanUps: (() => Promise<void> | void)[] = [];
  let opened: { readonly thing: Thing } | null = null;
  beforeAll(async () => {
    opened = { thing: await open((cleanUp) => cleanUps.push(cleanUp)) };
  });
  afterAll(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  });
  return () => {
    if (opened === null) throw new Error("It is there inside tests only");
    return opened.thing;
  };
}

export interface TestService {
  readonly url: string;
  readonly client: Client;
  readonly dataFolder: string;
  readonly config: Config;
  close(): Promise<void>;
}

export type TestServiceOptions = ServiceOptions & {
  readonly config?: Partial<Config>;
};

/**
 * Opens the service inside the test, silent, on a free port and an own folder, or on topics and a database named after it
 * where the tests run on the real services; closes it when the test ends.
 */
export async function startService(
  { config: settings, ...options }: TestServiceOptions = {},
  atEnd: AtEnd = onTestFinished,
): Promise<TestService> {
  const dataFolder = settings?.dataFolder ?? temporaryFolder(atEnd);
  const { distributed = distributedConfig(dataFolder) } = settings ?? {};
  const defaults = readConfig({}, 1);
  const config: Config = {
    host: "127.0.0.1",
    port: 0,
    publicUrl: null,
    apiKey: API_KEY,
    logLevel: "silent",
    logFormat: defaults.logFormat,
    unknownSettings: defaults.unknownSettings,
    poolThreads: 1,
    role: "all",
    distributed,
    // The data folder has a key of its own.
    encryptionKeys: distributed === null ? null : [ENCRYPTION_KEY],
    webhooks: defaults.webhooks,
    // None, also where several processes have some: tests send what they like.
    limits: defaults.limits,
    corsOrigins: defaults.corsOrigins,
    strict: defaults.strict,
    auditDays: defaults.auditDays,
    batchRetentionDays: defaults.batchRetentionDays,
    recognition: defaults.recognition,
    otlp: defaults.otlp,
    ...settings,
    dataFolder,
  };
  atEnd(() => dropInstallation(config.distributed));
  const service = await openService(config, createLogger("silent"), options);
  const close = async (): Promise<void> => {
    // The client's idle connections would otherwise be waited for.
    service.closeAllConnections();
    await service.close();
  };
  atEnd(close);
  return { url: service.url, client: createClient(service.url), dataFolder, config, close };
}
