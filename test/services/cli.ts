// `npm run services up | status | down`: services that stay while a person works, so that tests start at once.
//
// `eval "$(npm run -s services up)"` sets the variables in a shell: standard output has these lines and nothing else.
import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Endpoints, toEnvironment } from "./endpoints.ts";
import { cacheFolder } from "./native/cache.ts";
import { askStatus, askToStop, supervise } from "./supervisor.ts";

/** The first start downloads 250 MB, or pulls images. */
const START_MS_MAX = 900_000;
const PAUSE_MS = 100;
const LOG_CHARACTERS_MAX = 6_000;
const USAGE = "Usage: npm run services up | status | down\n";

process.exitCode = await run(process.argv[2]);

async function run(command: string | undefined): Promise<number> {
  switch (command) {
    case "up":
      return up();
    case "down":
      process.stderr.write((await askToStop()) ? "Stopped.\n" : "Nothing runs.\n");
      return 0;
    case "status":
      return status();
    case "supervise":
      await supervise();
      return 0;
    case undefined:
    default:
      process.stderr.write(USAGE);
      return 2;
  }
}

async function up(): Promise<number> {
  const end = performance.now() + START_MS_MAX;
  let supervisor: { hasExited(): boolean } | null = null;
  for (;;) {
    const found = await askStatus();
    if (found?.kind === "ready") {
      process.stdout.write(toExports(found.endpoints));
      return 0;
    }
    if (found === null) {
      if (supervisor?.hasExited() === true) {
        process.stderr.write(`The services did not start:\n${readLog()}\n`);
        return 1;
      }
      if (supervisor === null) process.stderr.write("Starting the services.\n");
      supervisor ??= spawnSupervisor();
    }
    if (performance.now() > end) {
      process.stderr.write(`The services do not start; see ${logFile()}\n`);
      return 1;
    }
    await delay(PAUSE_MS);
  }
}

async function status(): Promise<number> {
  const found = await askStatus();
  if (found === null) {
    process.stderr.write("Nothing runs.\n");
    return 1;
  }
  const how = found.kind === "ready" ? ` (${found.how})` : "";
  process.stderr.write(`Process ${String(found.pid)}: ${found.kind}${how}\n`);
  if (found.kind === "ready") process.stdout.write(toExports(found.endpoints));
  return 0;
}

/** Starts a supervisor that outlives this command and its terminal. */
function spawnSupervisor(): { hasExited(): boolean } {
  mkdirSync(cacheFolder(), { recursive: true });
  const log = openSync(logFile(), "a");
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), "supervise"], {
    cwd: cacheFolder(),
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  let hasExited = false;
  child.once("exit", () => {
    hasExited = true;
  });
  child.unref();
  return { hasExited: () => hasExited };
}

function toExports(endpoints: Endpoints): string {
  return Object.entries(toEnvironment(endpoints))
    .map(([name, value]) => `export ${name}='${value}'\n`)
    .join("");
}

function logFile(): string {
  return join(cacheFolder(), "supervisor.log");
}

function readLog(): string {
  return readFileSync(logFile(), "utf8").slice(-LOG_CHARACTERS_MAX).trim();
}
