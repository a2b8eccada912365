// Programs that run to their end: downloads, unpacking, formatting.
import { execFile } from "node:child_process";

/** More than any of them prints; a runaway program is stopped by it. */
const OUTPUT_BYTES_MAX = 10_000_000;
const SHOWN_CHARACTERS_MAX = 4_000;

/**
 * Runs a program to its end and gives what it printed.
 * @throws Error with the end of its output when it fails or takes longer than `timeoutMs`
 */
export function runCommand(
  command: string,
  args: readonly string[],
  timeoutMs: number,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = {
      timeout: timeoutMs,
      killSignal: "SIGKILL",
      maxBuffer: OUTPUT_BYTES_MAX,
    } as const;
    execFile(command, args, options, (error, stdout, stderr) => {
      if (error === null) {
        resolve(stdout);
        return;
      }
      const why = error.killed === true ? `was stopped after ${String(timeoutMs)} ms` : "failed";
      const output = `${stdout}${stderr}`.trim() || error.message;
      reject(
        new Error(`${command} ${why}: ${output.slice(-SHOWN_CHARACTERS_MAX)}`, { cause: error }),
      );
    });
  });
}

/** Whether a program can be started at all and answers to these arguments. */
export async function canRun(command: string, args: readonly string[]): Promise<boolean> {
  try {
    await runCommand(command, args, 20_000);
    return true;
  } catch {
    return false;
  }
}
