// The service under test inside the test, and folders for either kind.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openService, type ServiceOptions } from "../../src/app.ts";
import { type Config, readConfig } from "../../src/config.ts";
import { createLogger } from "../../src/ops/logger.ts";
import { API_KEY, type Client, createClient } from "./client.ts";
import { distributedConfig, dropInstallation, ENCRYPTION_KEY } from "./distributed.ts";

/** An empty folder that is removed when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "ledgerline-test-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
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
export async function startService({
  config: settings,
  ...options
}: TestServiceOptions = {}): Promise<TestService> {
  const dataFolder = settings?.dataFolder ?? temporaryFolder();
  const { distributed = distributedConfig(dataFolder) } = settings ?? {};
  const config: Config = {
    host: "127.0.0.1",
    port: 0,
    publicUrl: null,
    apiKey: API_KEY,
    logLevel: "silent",
    poolThreads: 1,
    role: "all",
    distributed,
    // The data folder has a key of its own.
    encryptionKeys: distributed === null ? null : [ENCRYPTION_KEY],
    webhooks: readConfig({}, 1).webhooks,
    ...settings,
    dataFolder,
  };
  onTestFinished(() => dropInstallation(config.distributed));
  const service = await openService(config, createLogger("silent"), options);
  const close = async (): Promise<void> => {
    // The client's idle connections would otherwise be waited for.
    service.closeAllConnections();
    await service.close();
  };
  onTestFinished(close);
  return { url: service.url, client: createClient(service.url), dataFolder, config, close };
}
