import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { until } from "../../support/poll.ts";
import { claimPort } from "./ports.ts";
import { createServerFolder, removeServerFolder, type ServerSpec, startServer } from "./server.ts";

/** Serves how often it was started: it counts in its folder. */
const COUNTER = `
  import { appendFileSync, readFileSync } from "node:fs";
  appendFileSync("starts", "x");
  const { createServer } = await import("node:http");
  createServer((_, response) => response.end(readFileSync("starts"))).listen(Number(process.argv[1]), "127.0.0.1");
`;

interface Counter {
  readonly spec: ServerSpec;
  starts(): Promise<number>;
}

async function planCounter(): Promise<Counter> {
  const claim = await claimPort();
  const folder = await createServerFolder("counter");
  onTestFinished(async () => {
    await claim.release();
    await removeServerFolder(folder);
  });
  const starts = async (): Promise<number> => {
    const headers = { Connection: "close" };
    const response = await fetch(`http://127.0.0.1:${String(claim.port)}/`, { headers });
    return (await response.text()).length;
  };
  const args = ["--input-type=module", "-e", COUNTER, "--", String(claim.port)];
  const probe = async (): Promise<boolean> => (await starts()) > 0;
  return { spec: { name: "counter", command: process.execPath, args, folder, probe }, starts };
}

it("starts a killed server again with its port and its data", async () => {
  const { spec, starts } = await planCounter();
  const server = await startServer(spec);
  onTestFinished(server.stop);
  expect(await starts()).toBe(1);
  await server.kill("SIGKILL");
  expect(server.pid()).toBeNull();
  await expect(starts()).rejects.toThrow();
  await server.restart();
  expect(await starts()).toBe(2);
});

it("stops a frozen server, and does not start a stopped one again", async () => {
  const { spec } = await planCounter();
  const server = await startServer(spec);
  await server.kill("SIGSTOP");
  await server.stop();
  await server.stop();
  expect(server.pid()).toBeNull();
  await expect(server.restart()).rejects.toThrow("counter was stopped");
});

it("shows the end of the log of a server that ends in place of answering", async () => {
  const { spec } = await planCounter();
  const args = ["-e", "console.error('no licence'); process.exit(3)"];
  await expect(startServer({ ...spec, args })).rejects.toThrow(/counter ended with 3.*no licence/s);
  const command = join(spec.folder, "missing");
  await expect(startServer({ ...spec, command })).rejects.toThrow("could not be started");
});

it("leaves no server and no folder behind when the test process is killed", async () => {
  const { spec, starts } = await planCounter();
  const parent = `
    const { startServer } = await import(process.argv[1]);
    const spec = JSON.parse(process.argv[2]);
    await startServer({ ...spec, probe: () => Promise.resolve(true) });
  `;
  const module = new URL("server.ts", import.meta.url).href;
  const args = ["--input-type=module", "-e", parent, "--", module, JSON.stringify(spec)];
  const child = spawn(process.execPath, args, { stdio: "ignore" });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  await until("the server", () => starts().catch(() => null));
  child.kill("SIGKILL");
  await once(child, "exit");
  await until("the folder to go", () => (existsSync(spec.folder) ? null : true));
  await expect(starts()).rejects.toThrow();
});
