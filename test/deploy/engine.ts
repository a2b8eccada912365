// Where the tests find a container engine. On a CI machine that has none, it is installed and started; on a person's
// machine nothing is installed, ever.
import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { until } from "../support/poll.ts";
import { cacheFolder } from "../services/native/cache.ts";
import { canRun, runCommand } from "../services/native/command.ts";

export interface Engine {
  /** Ends the engine if it was started here. */
  stop(): Promise<void>;
}

const UPDATE_MS_MAX = 120_000;
const INSTALL_MS_MAX = 300_000;
const START_MS_MAX = 60_000;
const STOP_MS_MAX = 60_000;

/** What has to be there, by the program that shows it, and the package that brings it. */
const NEEDED = [
  { program: "dockerd", packageName: "docker.io" },
  { program: "docker", packageName: "docker.io" },
  { program: "docker-compose", packageName: "docker-compose" },
  { program: "debootstrap", packageName: "debootstrap" },
] as const;

function isCi(): boolean {
  return process.env["CI"] === "true";
}

/**
 * An engine that answers.
 * @throws Error that names what is missing
 */
export async function findEngine(): Promise<Engine> {
  const found: Engine = { stop: () => Promise.resolve() };
  // The other programs are needed too, and a CI machine may have lost them.
  if (isCi() && isRoot()) await install();
  if (await isAnswering()) return found;
  if (!isCi()) throw new Error("No container engine answers to `docker version`");
  if (!isRoot()) throw new Error("No container engine answers, and only root could start one");
  return startEngine();
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function isAnswering(): Promise<boolean> {
  return canRun("docker", ["version", "--format", "{{.Server.Version}}"]);
}

async function install(): Promise<void> {
  const packages = new Set<string>();
  for (const { program, packageName } of NEEDED) {
    if (!(await canRun("sh", ["-c", `command -v ${program}`]))) packages.add(packageName);
  }
  if (packages.size === 0) return;
  const apt = (args: readonly string[], timeoutMs: number): Promise<string> =>
    runCommand("env", ["DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", ...args], timeoutMs);
  await apt(["update"], UPDATE_MS_MAX);
  await apt(["install", "-y", "--no-install-recommends", ...packages], INSTALL_MS_MAX);
}

async function startEngine(): Promise<Engine> {
  mkdirSync(cacheFolder(), { recursive: true });
  const logFile = join(cacheFolder(), "dockerd.log");
  const log = openSync(logFile, "w");
  const child = spawn("dockerd", [], { stdio: ["ignore", log, log], detached: true });
  closeSync(log);
  let hasEnded = false;
  const end = (): void => {
    hasEnded = true;
  };
  child.once("close", end);
  child.once("error", end);
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await until("the end of dockerd", () => (hasEnded ? true : null), STOP_MS_MAX);
  };
  const isUp = async (): Promise<true | null> => {
    if (hasEnded) throw new Error(`dockerd ended; see ${logFile}`);
    return (await isAnswering()) ? true : null;
  };
  try {
    await until("an answer of dockerd", isUp, START_MS_MAX);
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
  return { stop };
}
