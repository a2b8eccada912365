// The image behaves as docs/operate/containers.md describes, with a read-only root file system.
import { readFileSync } from "node:fs";
import { describe, expect, inject, it } from "vitest";
import { answered, createClient } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { SERVICE_NODE_ARGS } from "../support/process.ts";
import { createVolume, docker, inspect, PORT, remove, startContainer, stop } from "./container.ts";

interface ImageInfo {
  readonly Config: {
    readonly User: string;
    readonly Env: readonly string[];
    readonly Labels: Readonly<Record<string, string>>;
    readonly StopSignal: string;
    readonly ExposedPorts: object;
    readonly Volumes: object;
  };
}

interface ContainerInfo {
  readonly State: { readonly Health: { readonly Status: string } };
  readonly HostConfig: { readonly ReadonlyRootfs: boolean };
}

const image = inject("image");
const name = image?.name ?? "";
const base = image?.base ?? "";
const read = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), "utf8"));
const { version, dependencies } = read("package.json") as {
  version: string;
  dependencies: Record<string, string>;
};
const lock = read("package-lock.json") as { packages: Record<string, { dev?: boolean }> };

/** Runs a command of the image in a container of its own. */
const run = (...command: string[]): Promise<string> =>
  docker("run", "--rm", "--read-only", name, ...command);
/** Runs a shell in the image instead of its program. */
const shell = (script: string): Promise<string> =>
  docker("run", "--rm", "--entrypoint", "sh", name, "-c", script);

describe.skipIf(image === null)("the image", () => {
  it("turns healthy and serves, with no rights and a root file system that can only be read", async () => {
    const { container, client } = await startContainer(name, {
      volume: await createVolume(),
      untilHealthy: true,
    });
    const info = await inspect<ContainerInfo>(container.getId());
    expect(info.State.Health.Status).toBe("healthy");
    expect(info.HostConfig.ReadonlyRootfs).toBe(true);

    const enriched = answered(await client.enrich(coffee("a")), 200);
    expect(JSON.stringify(enriched.entities)).toContain("Blue Bottle Coffee");

    const { output: status } = await container.exec(["cat", "/proc/1/status"]);
    expect(status).toMatch(/^Uid:\s+10001\s+10001\s+10001\s+10001$/m);
    expect(status).toMatch(/^CapEff:\s+0+$/m);
    expect((await container.exec(["touch", "/app/file"])).exitCode).not.toBe(0);
    const files = await container.exec(["ls", "-l", "/var/lib/ledgerline"]);
    expect(files.output).toMatch(/^-rw------- .* ledgerline\.db$/m);
  });

  it("keeps what it acknowledged for another container on the same volume", async () => {
    const volume = await createVolume();
    const first = await startContainer(name, { volume });
    const enriched = answered(await first.client.enrich(coffee("kept")), 200);
    // As a machine that goes away would: without a goodbye.
    await docker("kill", first.container.getId());
    await remove(first.container.getId());
    const second = await startContainer(name, { volume });
    expect(answered(await second.client.getTransaction("kept"), 200)).toMatchObject({
      ...enriched,
      description: coffee("kept").description,
    });
  });

  it("ends with exit code 0 at SIGTERM", async () => {
    const { container } = await startContainer(name, { volume: await createVolume() });
    const { exitCode, seconds } = await stop(container.getId());
    expect(exitCode).toBe(0);
    // The engine kills after 30 s; the service stops before that.
    expect(seconds).toBeLessThan(25);
    expect(await docker("logs", container.getId())).toContain("ledgerline.stopped");
  });

  it("creates keys while the service runs; they work at once", async () => {
    const { container, url } = await startContainer(name, { volume: await createVolume() });
    const create = ["ledgerline", "keys", "create", "--organization", "acme"];
    const { stdout, exitCode } = await container.exec(create);
    expect(exitCode).toBe(0);
    const acme = createClient(url, stdout.trim());
    answered(await acme.enrich(coffee("b")), 200);
    const list = await container.exec(["ledgerline", "keys", "list"]);
    expect(list.stdout).toContain("acme");
  });

  it("reports that it is unhealthy when nothing answers", async () => {
    const { container } = await startContainer(name, { volume: await createVolume() });
    const check = ["node", "/app/deploy/healthcheck.mjs"];
    const healthy = await container.exec(check);
    expect(healthy).toMatchObject({ exitCode: 0, output: '{"status":"ready","reasons":[]}' });
    const alone = await container.exec(["env", "PORT=1", ...check]);
    expect(alone.exitCode).toBe(1);
    expect(alone.output).toContain("ECONNREFUSED");
  });

  it("takes commands in place of serve", async () => {
    expect((await run("--version")).trim()).toBe(version);
    expect(await run("keys", "create", "--organization", "o")).toMatch(/^ll_\w+$/m);
    // A container of its own has nothing yet.
    await expect(run("keys", "list")).rejects.toThrow("There is nothing of Ledgerline");
    await expect(run("serve", "--role", "ingest")).rejects.toThrow("KAFKA_BROKERS");
  });

  it("has labels that describe it", async () => {
    const { Config } = await inspect<ImageInfo>(name);
    expect(Config).toMatchObject({
      User: "10001:10001",
      StopSignal: "SIGTERM",
      ExposedPorts: { [`${String(PORT)}/tcp`]: {} },
      Volumes: { "/var/lib/ledgerline": {} },
    });
    expect(Config.Labels).toMatchObject({
      "org.opencontainers.image.title": "Ledgerline",
      "org.opencontainers.image.version": version,
      "org.opencontainers.image.licenses": "Apache-2.0",
    });
  });

  it("has the packages that the lock file calls production, and no others", async () => {
    const found = await shell("cd /app && find node_modules -name package.json");
    // Packages have others of these within, which the lock file does not know.
    const installed = found
      .trim()
      .split("\n")
      .map((path) => path.slice(0, -"/package.json".length))
      .filter((path) => path in lock.packages);
    expect(installed.length).toBeGreaterThan(50);
    const surplus = installed.filter((path) => lock.packages[path]?.dev === true);
    expect(surplus).toEqual([]);
    const declared = Object.keys(dependencies).map((dependency) => `node_modules/${dependency}`);
    expect(installed).toEqual(expect.arrayContaining(declared));
  });

  it("has no package manager, no compiler and no left-overs of its making", async () => {
    const tools = "npm npx tsc gcc cc make python3";
    const script = `for tool in ${tools}; do command -v $tool; done; find /tmp /root -mindepth 1 -name '*npm*'`;
    expect(await shell(`${script}; true`)).toBe("");
  });

  it("has nothing of the project but what runs, and no secrets in its settings or its history", async () => {
    const files = await shell("ls -A /app /app/deploy");
    expect(files.trim().split(/\s+/)).toEqual(
      expect.arrayContaining(["/app:", "src", "workers", "schemas", "healthcheck.mjs"]),
    );
    expect(files).not.toMatch(/\.git|\.env|\.ledgerline|test|bench/);
    const ours = await inspect<ImageInfo>(name);
    const theirs = await inspect<ImageInfo>(base);
    const added = ours.Config.Env.filter((line) => !theirs.Config.Env.includes(line));
    expect(added.sort()).toEqual([
      "HOST=0.0.0.0",
      "LEDGERLINE_DATA=/var/lib/ledgerline",
      "NODE_ENV=production",
      `NODE_OPTIONS=${SERVICE_NODE_ARGS.join(" ")}`,
      "PORT=8080",
    ]);
    const history = await docker("history", "--no-trunc", "--format", "{{.CreatedBy}}", name);
    expect(history).not.toMatch(/api.?key|_auth|password|secret|token/i);
  });
});
