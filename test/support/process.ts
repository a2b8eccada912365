// The service under test as a process of its own, as an operator runs it.
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { API_KEY } from "./client.ts";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process of Ledgerline that may not be serving yet. */
export interface SpawnedProcess {
  readonly pid: number;
  /** Resolves with the base URL once it listens; null when it ends before that. */
  readonly listening: Promise<string | null>;
  readonly exited: Promise<Exit>;
  kill(signal: NodeJS.Signals): void;
  /** Everything it has printed so far. */
  output(): string;
}

export interface ServiceProcess extends SpawnedProcess {
  readonly url: string;
}

export interface ProcessOptions {
  readonly dataFolder: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Command line after the program; `serve` when left out. */
  readonly args?: readonly string[];
  /** Options of Node, those of `npm start` when left out; worker threads have them too, other than those in NODE_OPTIONS. */
  readonly nodeArgs?: readonly string[];
}

/** Where Node keeps compiled code between processes of a run of CI; without it nothing is kept. */
export function compiledCode(): Readonly<Record<string, string>> {
  const folder = process.env["NODE_COMPILE_CACHE"];
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}

/** Options of Node that `npm start`, the image and the systemd unit have. */
export const SERVICE_NODE_ARGS: readonly string[] = ["--max-semi-space-size=4"];

/** Starts the real program and does not wait for anything. */
export function spawnProcess({
  dataFolder,
  env = {},
  args = ["serve"],
  nodeArgs = SERVICE_NODE_ARGS,
}: ProcessOptions): SpawnedProcess {
  const child = spawn(process.execPath, [...nodeArgs, MAIN, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      HOST: "127.0.0.1",
      PORT: "0",
      LEDGERLINE_DATA: dataFolder,
      LEDGERLINE_API_KEY: API_KEY,
      LOG_LEVEL: "warn",
      ...compiledCode(),
      ...env,
    },
  });
  const printed: string[] = [];
  const exited = new Promise<Exit>((resolve) => {
    // `close` and not `exit`: everything it printed has arrived then.
    child.once("close", (code, signal) => {
      resolve({ code, signal });
    });
  });
  return {
    pid: pidOf(child),
    exited,
    listening: listeningUrl(child, printed),
    kill: (signal) => {
      child.kill(signal);
    },
    output: () => printed.join(""),
  };
}

/**
 * Starts the real program and waits until it serves.
 * @throws Error with what it printed when it ends instead
 */
export async function startProcess(options: ProcessOptions): Promise<ServiceProcess> {
  const spawned = spawnProcess(options);
  const url = await spawned.listening;
  if (url === null) {
    const { code, signal } = await spawned.exited;
    throw new Error(`It ended with ${String(code ?? signal)}:\n${spawned.output()}`);
  }
  return { ...spawned, url };
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error("The process could not be started");
  return child.pid;
}

function listeningUrl(child: ChildProcess, printed: string[]): Promise<string | null> {
  return new Promise((resolve) => {
    let isFound = false;
    const add = (text: string): void => {
      printed.push(text);
      if (isFound) return;
      const found = /Ledgerline listens on (http:\/\/\S+)/.exec(printed.join(""));
      if (found?.[1] === undefined) return;
      isFound = true;
      resolve(found[1]);
    };
    child.stdout?.setEncoding("utf8").on("data", add);
    child.stderr?.setEncoding("utf8").on("data", add);
    child.once("close", () => {
      resolve(null);
    });
  });
}
