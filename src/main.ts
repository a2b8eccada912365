// The process: environment and arguments in, exit code out. The only reader of process.env.
import { availableParallelism } from "node:os";
import { readFileSync } from "node:fs";
import { openDeadLetters, openKeys, openPoolAlone, openService } from "./app.ts";
import { runCli } from "./cli/cli.ts";
import { type EnrichFileOptions, enrichFile } from "./cli/enrich/enrich.ts";
import { explainLine, type ExplainOptions } from "./cli/explain/explain.ts";
import { serve } from "./cli/serve.ts";
import { type Config, ConfigError, readConfig } from "./config.ts";
import { LedgerlineError } from "./domain/errors.ts";
import type { ProcessRole } from "./domain/process-role.ts";
import { createLogger, type Logger } from "./ops/logger.ts";

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const EXIT_AFTER_MS = 1_000;

const config = (role: ProcessRole | null = null): Config =>
  readConfig(process.env, availableParallelism(), role);

/** Lines for people go to standard output: what a command logs must not come between them. */
const commandLogger = (settings: Config): Logger => createLogger(settings.logLevel, process.stderr);

function runServe(role: ProcessRole | null): Promise<number> {
  const settings = config(role);
  const logger = createLogger(settings.logLevel);
  return serve({
    open: (onFirstKey, onFatal) => openService(settings, logger, { onFirstKey, onFatal }),
    logger,
    stdout: process.stdout,
    stderr: process.stderr,
    onStopSignal: (handler) => {
      process.on("SIGTERM", handler);
      process.on("SIGINT", handler);
    },
    exit: (code) => process.exit(code),
  });
}

async function runEnrich(options: EnrichFileOptions): Promise<number> {
  const settings = config();
  const pool = await openPoolAlone(settings, commandLogger(settings));
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => {
      stop.abort();
    });
  }
  try {
    return await enrichFile(options, {
      enrichChunk: (lines) => pool.enrich(lines, "batch"),
      stdin: process.stdin,
      stdout: process.stdout,
      stderr: process.stderr,
      now: Date.now,
      signal: stop.signal,
      runId: String(process.pid),
    });
  } finally {
    await pool.close();
  }
}

async function runExplain(options: ExplainOptions): Promise<number> {
  const settings = config();
  // One line: a second thread would only take time to start.
  const pool = await openPoolAlone({ ...settings, poolThreads: 1 }, commandLogger(settings));
  try {
    const { stdout, stderr } = process;
    return await explainLine(options, { explain: pool.explain, stdout, stderr });
  } finally {
    await pool.close();
  }
}

async function main(): Promise<number> {
  const packageJson = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  const { version } = JSON.parse(packageJson) as { version: string };
  try {
    return await runCli(process.argv.slice(2), {
      version,
      stdout: process.stdout,
      stderr: process.stderr,
      serve: runServe,
      withKeys: async (command) => {
        const settings = config();
        const opened = await openKeys(settings, commandLogger(settings));
        try {
          return await command({
            keys: opened.keys,
            stdout: process.stdout,
            stderr: process.stderr,
          });
        } finally {
          await opened.close();
        }
      },
      withDeadLetters: async (command) => {
        const settings = config();
        const opened = await openDeadLetters(settings, commandLogger(settings));
        try {
          return await command({
            deadLetters: opened.deadLetters,
            stdout: process.stdout,
            stderr: process.stderr,
          });
        } finally {
          await opened.close();
        }
      },
      enrichFile: runEnrich,
      explain: runExplain,
    });
  } catch (error) {
    if (error instanceof ConfigError || error instanceof LedgerlineError) {
      process.stderr.write(`${error.message}\n`);
      return error instanceof ConfigError ? EXIT_USAGE : EXIT_FAILED;
    }
    throw error;
  }
}

process.exitCode = await main();
// What is left are clients of services that do not answer; they would keep the process for as long as they wait.
setTimeout(() => process.exit(), EXIT_AFTER_MS).unref();
