// deploy/compose.yaml: the composer accepts it, and the engine makes of it what its comments promise.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { PROCESS_ROLES } from "../../src/model/process-role.ts";
import { readConfig } from "../../src/config/config.ts";
import { canRun } from "../services/native/command.ts";
import { API_KEY } from "../support/client.ts";
import { ENCRYPTION_KEY } from "../support/distributed.ts";
import { settingsSource } from "../support/settings-source.ts";
import { docker, inspect } from "./container.ts";

interface ContainerInfo {
  readonly Config: {
    readonly Env: readonly string[];
    readonly Labels: Readonly<Record<string, string>>;
    readonly StopTimeout: number;
  };
  readonly HostConfig: {
    readonly ReadonlyRootfs: boolean;
    readonly CapDrop: readonly string[];
    readonly SecurityOpt: readonly string[];
    readonly Memory: number;
    readonly NanoCpus: number;
    readonly PidsLimit: number;
    readonly Init: boolean;
    readonly RestartPolicy: { readonly Name: string };
    readonly Tmpfs: Readonly<Record<string, string>>;
    readonly PortBindings: Readonly<Record<string, readonly { readonly HostIp: string }[]>>;
  };
  readonly Mounts: readonly object[];
}

const COMPOSE_MS_MAX = 60_000;
const file = fileURLToPath(new URL("../../deploy/compose.yaml", import.meta.url));
const image = inject("image");
const project = `ledgerline-test-${randomBytes(4).toString("hex")}`;

/** Both kinds of the composer: a plug-in of the engine's command, or a program of its own. */
async function findCompose(): Promise<readonly string[]> {
  for (const command of [["docker", "compose"], ["docker-compose"]]) {
    const [program = "", ...args] = command;
    if (await canRun(program, [...args, "version"])) return command;
  }
  throw new Error("Neither `docker compose` nor `docker-compose` runs here");
}

async function compose(args: readonly string[], env: Record<string, string>): Promise<string> {
  const [program = "", ...rest] = await findCompose();
  const { stdout } = await promisify(execFile)(
    program,
    [...rest, "--project-name", project, "--file", file, ...args],
    { timeout: COMPOSE_MS_MAX, env: { PATH: process.env["PATH"], HOME: "/nonexistent", ...env } },
  );
  return stdout;
}

describe.skipIf(image === null)("compose.yaml", () => {
  const required = { LEDGERLINE_API_KEY: API_KEY, ENCRYPTION_KEYS: ENCRYPTION_KEY };
  const env = { ...required, IMAGE: image?.name ?? "" };
  const containers = new Map<string, ContainerInfo>();

  // Containers are made and not started: Kafka, the registry and MongoDB are images of others.
  beforeAll(async () => {
    await compose(
      ["up", "--no-start", "--no-deps", "ingest", "enrich", "statements", "dispatch"],
      env,
    );
    const label = `label=com.docker.compose.project=${project}`;
    const ids = await docker("ps", "--all", "--quiet", "--filter", label);
    for (const id of ids.trim().split("\n")) {
      const info = await inspect<ContainerInfo>(id);
      containers.set(info.Config.Labels["com.docker.compose.service"] ?? "", info);
    }
  });
  afterAll(async () => {
    await compose(["down", "--volumes"], env);
  });

  it("is accepted with an API key and an encryption key, and names the missing one", async () => {
    await compose(["config", "--quiet"], env);
    for (const name of Object.keys(required)) {
      const config = compose(["config", "--quiet"], { ...env, [name]: "" });
      await expect(config).rejects.toThrow(new RegExp(`: set ${name} to`));
    }
  });

  it("has one service of each role that is not the whole, with settings that exist", () => {
    const roles = PROCESS_ROLES.filter((role) => role !== "all");
    expect([...containers.keys()].sort()).toEqual([...roles].sort());
    for (const role of roles) {
      const lines = containers.get(role)?.Config.Env ?? [];
      const given = lines.map((line): [string, string] => {
        const end = line.indexOf("=");
        return [line.slice(0, end), line.slice(end + 1)];
      });
      const config = readConfig(Object.fromEntries(given), 1);
      expect(config.role).toBe(role);
      expect(config.distributed).not.toBeNull();
      const names = given.map(([name]) => name);
      const ours = names.filter((name) => !/^(PATH|NODE_|YARN_)/.test(name));
      expect(ours.filter((name) => !settingsSource.includes(`"${name}"`))).toEqual([]);
    }
  });

  it("gives each process limits and no rights", () => {
    for (const { HostConfig, Config, Mounts } of containers.values()) {
      expect(HostConfig).toMatchObject({
        ReadonlyRootfs: true,
        CapDrop: ["ALL"],
        SecurityOpt: ["no-new-privileges:true"],
        Init: true,
        RestartPolicy: { Name: "unless-stopped" },
      });
      expect(HostConfig.Memory).toBeGreaterThan(0);
      expect(HostConfig.NanoCpus).toBeGreaterThan(0);
      expect(HostConfig.PidsLimit).toBeGreaterThan(0);
      expect(Object.keys(HostConfig.Tmpfs).sort()).toEqual(["/tmp", "/var/lib/ledgerline"]);
      // No anonymous volume is left behind by processes that keep nothing.
      expect(Mounts).toEqual([]);
      // Longer than the 25 s in which the service drains.
      expect(Config.StopTimeout).toBeGreaterThan(25);
    }
  });

  it("publishes the API alone, and to this machine alone", () => {
    const published = (service: string): unknown =>
      containers.get(service)?.HostConfig.PortBindings ?? {};
    expect(published("ingest")).toEqual({
      "8080/tcp": [{ HostIp: "127.0.0.1", HostPort: "8080" }],
    });
    expect(published("enrich")).toEqual({});
    expect(published("dispatch")).toEqual({});
  });
});
