// A service with two organizations: one that floods it, and one that is measured.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import type { DistributedConfig } from "../../src/config/config.ts";
import { API_KEY } from "../../test/support/client.ts";
import { runCommand } from "../../test/support/command.ts";
import { distributedEnvironment, dropInstallation } from "../../test/support/distributed.ts";
import { type SpawnedProcess, spawnProcess } from "../../test/support/process.ts";
import { type BenchClient, createBenchClient } from "../http.ts";

export interface Installation {
  readonly client: BenchClient;
  readonly pid: number;
  /** Creates an API key of an organization. */
  createKey(org: string): Promise<string>;
  close(): Promise<void>;
}

const running = new Set<SpawnedProcess>();

/** No process of a run is left behind when it is cut off. */
process.on("exit", () => {
  for (const one of running) one.kill("SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => process.exit(1));
}

/** @param config null: embedded */
export async function openInstallation(config: DistributedConfig | null): Promise<Installation> {
  const dataFolder = mkdtempSync(join(tmpdir(), "ledgerline-bench-"));
  const env = {
    LEDGERLINE_API_KEY: API_KEY,
    POOL_THREADS: String(availableParallelism()),
    ...(config === null ? {} : distributedEnvironment(config)),
  };
  const spawned = spawnProcess({ dataFolder, env, args: ["serve"] });
  running.add(spawned);
  const url = await spawned.listening;
  if (url === null) throw new Error(`It ended instead of serving:\n${spawned.output()}`);
  const client = createBenchClient(url);
  return {
    client,
    pid: spawned.pid,
    createKey: async (org) => {
      const commandEnv = { ...env, LEDGERLINE_DATA: dataFolder, LOG_LEVEL: "warn" };
      const args = ["keys", "create", "--organization", org, "--name", randomUUID()];
      const { code, stdout, stderr } = await runCommand(commandEnv, ...args);
      if (code !== 0) throw new Error(stderr);
      return stdout.toString("utf8").trim();
    },
    close: async () => {
      client.close();
      // What the flood has left would take minutes.
      spawned.kill("SIGKILL");
      await spawned.exited;
      if (config !== null) await dropInstallation(config);
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}
