// The command line as people use it: a process of its own, with what it wrote where.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { distributedEnvironment } from "./distributed.ts";
import { compiledCode } from "./process.ts";
import type { TestService } from "./service.ts";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const COMMAND_MS_MAX = 60_000;
const OUTPUT_BYTES_MAX = 100_000_000;

export interface CommandResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs `ledgerline …` on the data of a service while the service runs. */
export function runCommandOn(
  { config }: TestService,
  ...args: readonly string[]
): Promise<CommandResult> {
  const env = {
    LEDGERLINE_DATA: config.dataFolder,
    LOG_LEVEL: "warn",
    ...(config.distributed === null ? {} : distributedEnvironment(config.distributed)),
  };
  return runCommand(env, ...args);
}

/** Runs `ledgerline …` with this environment and no more than where compiled code is. */
export function runCommand(
  env: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const options = {
      env: { ...compiledCode(), ...env },
      encoding: "buffer",
      timeout: COMMAND_MS_MAX,
      maxBuffer: OUTPUT_BYTES_MAX,
    } as const;
    execFile(process.execPath, [MAIN, ...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      if (typeof code === "number") resolve({ code, stdout, stderr: stderr.toString("utf8") });
      else reject(error ?? new Error("no exit code"));
    });
  });
}

/** The lines of `dead-letters list`, without its heading. */
export async function listDeadLetters(service: TestService): Promise<readonly ListedLetter[]> {
  const { stdout } = await runCommandOn(service, "dead-letters", "list");
  const [, ...lines] = stdout.toString("utf8").trimEnd().split("\n");
  return lines.map((line) => {
    const [id = "", failedAt = "", reason = "", bytes = "", error = ""] = line.split("\t");
    return { id, failedAt, reason, bytes: Number(bytes), error };
  });
}

export interface ListedLetter {
  readonly id: string;
  readonly failedAt: string;
  readonly reason: string;
  readonly bytes: number;
  readonly error: string;
}
