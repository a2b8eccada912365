// The service under test inside the test, and folders for either kind.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openService, type ServiceOptions } from "../../src/app.ts";
import type { Config } from "../../src/config.ts";
import { createLogger } from "../../src/ops/logger.ts";
import { API_KEY, type Client, createClient } from "./client.ts";

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
  close(): Promise<void>;
}

export type TestServiceOptions = ServiceOptions & {
  readonly config?: Partial<Config>;
};

/** Opens the service inside the test, silent, on a free port and an own folder; closes it when the test ends. */
export async function startService({
  config,
  ...options
}: TestServiceOptions = {}): Promise<TestService> {
  const dataFolder = config?.dataFolder ?? temporaryFolder();
  const service = await openService(
    {
      host: "127.0.0.1",
      port: 0,
      apiKey: API_KEY,
      logLevel: "silent",
      poolThreads: 1,
      ...config,
      dataFolder,
    },
    createLogger("silent"),
    options,
  );
  const close = async (): Promise<void> => {
    // The client's idle connections would otherwise be waited for.
    service.closeAllConnections();
    await service.close();
  };
  onTestFinished(close);
  return { url: service.url, client: createClient(service.url), dataFolder, close };
}
