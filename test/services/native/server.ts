// A server that a test starts, kills, freezes and starts again.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

export type KillSignal = "SIGKILL" | "SIGTERM" | "SIGSTOP" | "SIGCONT";

export interface ServerSpec {
  /** What it is called in errors and in the name of its log file. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Its own folder, which holds its data and its log, and is removed when the test process dies. */
  readonly folder: string;
  /** Makes a real request; a rejection means "not yet". */
  probe(): Promise<boolean>;
}

export interface ServerProcess {
  /** Of the running process; null while there is none. */
  pid(): number | null;
  readonly logFile: string;
  /** Resolves when the signal has taken effect: after SIGKILL and SIGTERM the process is gone. */
  kill(signal: KillSignal): Promise<void>;
  /** Starts it again on its data, after a SIGKILL when it still runs, and waits until it answers. */
  restart(): Promise<void>;
  /** Ends it for good. Twice is safe. */
  stop(): Promise<void>;
}

interface Running {
  readonly pid: number;
  readonly child: ChildProcess;
  readonly exited: Promise<string>;
  hasExited(): boolean;
}

/** Servers start in seconds; a loaded machine may be ten times slower, and recovery after a kill comes on top. */
const READY_MS_MAX = 90_000;
/** A graceful end of Kafka hands leadership over first. */
const TERMINATE_MS_MAX = 60_000;
/** Short next to the seconds a server takes, long enough not to take processor time away from it. */
const PROBE_PAUSE_MS = 40;
const LOG_CHARACTERS_MAX = 4_000;

/**
 * Ends a server and removes its folder when the test process dies in whatever way: its standard input, a pipe from the
 * test process, then closes. Being in a session of its own it outlives a Ctrl-C in the terminal.
 */
const GUARD = 'read -r _; kill -9 "$1"; rm -rf "$2"';

/** A new folder for one server. */
export function createServerFolder(name: string): Promise<string> {
  return mkdtemp(join(tmpdir(), `ledgerline-test-${name}-`));
}

export function removeServerFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}

/**
 * Starts a server and waits until it answers.
 * @throws Error with the last lines of its log when it ends or does not answer in time
 */
export async function startServer(spec: ServerSpec): Promise<ServerProcess> {
  const logFile = join(spec.folder, `${spec.name}.log`);
  let running: Running | null = null;
  let isStopped = false;
  const start = async (): Promise<void> => {
    // A test may end while a node of it is being started again.
    if (isStopped) throw new Error(`${spec.name} was stopped`);
    running = await spawnServer(spec, logFile);
    try {
      await waitUntilReady(spec, running, logFile);
    } catch (error) {
      await end(running, "SIGKILL");
      throw error;
    }
  };
  const kill = async (signal: KillSignal): Promise<void> => {
    if (running === null || running.hasExited()) throw new Error(`${spec.name} does not run`);
    if (signal === "SIGSTOP" || signal === "SIGCONT") running.child.kill(signal);
    else await end(running, signal);
  };
  const restart = async (): Promise<void> => {
    if (running !== null) await end(running, "SIGKILL");
    await start();
  };
  const stop = async (): Promise<void> => {
    isStopped = true;
    if (running !== null) await end(running, "SIGKILL");
  };
  await start();
  const pid = (): number | null => (running === null || running.hasExited() ? null : running.pid);
  return { pid, logFile, kill, restart, stop };
}

async function spawnServer(spec: ServerSpec, logFile: string): Promise<Running> {
  const log = openSync(logFile, "a");
  const child = spawn(spec.command, spec.args, {
    cwd: spec.folder,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  if (child.pid === undefined) {
    const [error] = (await once(child, "error")) as [Error];
    throw new Error(`${spec.command} could not be started`, { cause: error });
  }
  const guard = spawn("sh", ["-c", GUARD, "guard", String(child.pid), spec.folder], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  let hasExited = false;
  const exited = new Promise<string>((resolve) => {
    child.once("exit", (code, signal) => {
      hasExited = true;
      // The id may be given to another process from now on.
      guard.kill("SIGKILL");
      resolve(String(code ?? signal));
    });
  });
  return { pid: child.pid, child, exited, hasExited: () => hasExited };
}

async function waitUntilReady(spec: ServerSpec, running: Running, logFile: string): Promise<void> {
  const end = performance.now() + READY_MS_MAX;
  for (;;) {
    if (await spec.probe().catch(() => false)) return;
    if (running.hasExited()) {
      throw await withLog(`${spec.name} ended with ${await running.exited}`, logFile);
    }
    if (performance.now() > end) {
      throw await withLog(`${spec.name} gave no answer in ${String(READY_MS_MAX)} ms`, logFile);
    }
    await delay(PROBE_PAUSE_MS);
  }
}

async function withLog(message: string, logFile: string): Promise<Error> {
  const log = await readFile(logFile, "utf8");
  return new Error(`${message}. The end of its log:\n${log.slice(-LOG_CHARACTERS_MAX)}`);
}

async function end(running: Running, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  if (running.hasExited()) return;
  running.child.kill(signal);
  const timeout = new AbortController();
  const late = delay(TERMINATE_MS_MAX, "late", { signal: timeout.signal }).catch(() => "ended");
  const first = await Promise.race([running.exited, late]);
  timeout.abort();
  if (first === "late") {
    throw new Error(`Process ${String(running.pid)} goes on after ${signal}`);
  }
}
