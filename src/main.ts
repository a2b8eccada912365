// The process: environment and arguments in, exit code out. The only reader of process.env.
//
// Each command imports what it works with when it is given: what a service never uses stays out of its memory, and a
// command does not wait for the code of a service.
import { flushCompileCache } from "node:module";
import { availableParallelism } from "node:os";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { AccessCliDeps } from "./cli/access.ts";
import { runCli } from "./cli/cli.ts";
import type { EnrichFileOptions } from "./cli/enrich/enrich.ts";
import type { ExplainOptions } from "./cli/explain/explain.ts";
import type { ImportOptions } from "./cli/import/import.ts";
import type { KafkaCliDeps } from "./cli/kafka/commands.ts";
import type { ModelCommand, ModelServerOptions } from "./cli/models/models.ts";
import type { ReportCommandDeps } from "./cli/reports/reports.ts";
import type { RuleTestOptions } from "./cli/rules/rules.ts";
import { serve } from "./cli/serve.ts";
import type { StatementCommandOptions, StatementDeps } from "./cli/statement/statement.ts";
import type { ListenOptions } from "./cli/webhooks/listen.ts";
import type { WebhookCommandDeps, WebhookCommandPort } from "./cli/webhooks/webhooks.ts";
import { type Config, readConfig } from "./config/config.ts";
import { ConfigError } from "./config/values.ts";
import { COMMAND_LINE } from "./model/audit.ts";
import { LedgerlineError } from "./shared/errors.ts";
import type { PageRequest } from "./shared/page.ts";
import type { ProcessRole } from "./model/process-role.ts";
import { FEATURES } from "./model/tenant-settings.ts";
import { WEBHOOKS_MAX } from "./model/webhook.ts";
import { createLoggerFor, type Logger } from "./observability/logger.ts";
import { programVersion } from "./config/version.ts";

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const EXIT_AFTER_MS = 1_000;

const config = (role: ProcessRole | null = null): Config =>
  readConfig(process.env, availableParallelism(), role);

/** Lines for people go to standard output: what a command logs must not come between them. */
const commandLogger = ({ logLevel, logFormat }: Config): Logger =>
  createLoggerFor(logLevel, logFormat, process.stderr);

function runServe(role: ProcessRole | null): Promise<number> {
  const settings = config(role);
  const logger = createLoggerFor(settings.logLevel, settings.logFormat, process.stdout);
  return serve({
    open: async (onFirstKey, onFatal) => {
      const { openService } = await import("./app/app.ts");
      const service = await openService(settings, logger, { onFirstKey, onFatal });
      // Where the operator lets Node keep compiled code, a process that is killed leaves it too.
      flushCompileCache();
      return service;
    },
    logger,
    stdout: process.stdout,
    stderr: process.stderr,
    isTerminal: process.stdout.isTTY,
    onStopSignal: (handler) => {
      process.on("SIGTERM", handler);
      process.on("SIGINT", handler);
    },
    exit: (code) => process.exit(code),
  });
}

async function runEnrich(options: EnrichFileOptions): Promise<number> {
  const settings = config();
  const { openPoolAlone } = await import("./app/commands.ts");
  const { shareSettings: shareProfile } = await import("./pool/shared-settings.ts");
  const { enrichFile } = await import("./cli/enrich/enrich.ts");
  const pool = await openPoolAlone(settings, commandLogger(settings));
  // No organization, so nothing that would have to be switched on.
  const everything = shareProfile("command line", {
    rules: [],
    mappings: {},
    corrections: [],
    features: FEATURES,
  });
  const signal = stopSignal();
  try {
    return await enrichFile(options, {
      enrichChunk: (lines) => pool.enrich(lines, "batch", everything),
      readBankCategories: (texts, accountType) =>
        pool.ask({ kind: "bank_categories", texts, accountType }),
      stdin: process.stdin,
      stdout: process.stdout,
      stderr: process.stderr,
      now: Date.now,
      signal,
      runId: String(process.pid),
      profileFolder: profileFolder(settings),
    });
  } finally {
    await pool.close();
  }
}

const withKafkaGrants: KafkaCliDeps["withKafkaGrants"] = async (command) => {
  const settings = config();
  const { openKafkaGrants } = await import("./app/kafka-commands.ts");
  const opened = await openKafkaGrants(settings, commandLogger(settings));
  try {
    return await command({ ...opened, stdout: process.stdout, stderr: process.stderr });
  } finally {
    await opened.close();
  }
};

const withKafkaProgram: KafkaCliDeps["withKafkaProgram"] = async (command) => {
  const { readKafkaProgram } = await import("./config/kafka-program.ts");
  const { createKafkaProgram } = await import("./log/kafka/program.ts");
  const { kafka, schemaRegistryUrl, organization, groupPrefix, key } = readKafkaProgram(
    process.env,
  );
  const program = createKafkaProgram({
    ...{ settings: kafka, registryUrl: schemaRegistryUrl, org: organization, groupPrefix, key },
    nowMs: Date.now,
  });
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => {
      stop.abort();
    });
  }
  const { stdin, stdout, stderr } = process;
  try {
    return await command({
      ...{ program, stdin, stdout, stderr, signal: stop.signal, now: Date.now },
      profileFolder: () => profileFolder(config()),
    });
  } finally {
    await program.close();
  }
};

const profileFolder = ({ dataFolder }: Pick<Config, "dataFolder">): string =>
  join(dataFolder, "parse-profiles");

async function runExplain(options: ExplainOptions): Promise<number> {
  const settings = config();
  const { openPoolAlone } = await import("./app/commands.ts");
  const { explainLine } = await import("./cli/explain/explain.ts");
  // One line: a second thread would only take time to start.
  const pool = await openPoolAlone({ ...settings, poolThreads: 1 }, commandLogger(settings));
  try {
    const { stdout, stderr } = process;
    return await explainLine(options, { explain: pool.explain, stdout, stderr });
  } finally {
    await pool.close();
  }
}

/** Aborted by the first SIGINT or SIGTERM; a second one ends the process. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => {
      stop.abort();
    });
  }
  return stop.signal;
}

async function runImport(options: ImportOptions): Promise<number> {
  const { importFile } = await import("./cli/import/import.ts");
  const { setTimeout: sleep } = await import("node:timers/promises");
  const signal = stopSignal();
  const apiKey = options.apiKey ?? process.env["LEDGERLINE_API_KEY"] ?? null;
  const { stdin, stdout, stderr } = process;
  return importFile(
    { ...options, apiKey },
    {
      ...{ stdin, stdout, stderr, fetch, now: Date.now, signal },
      profileFolder: () => profileFolder(config()),
      wait: (ms) => sleep(ms, undefined, { signal }),
    },
  );
}

async function runModels(command: ModelCommand, options: ModelServerOptions): Promise<number> {
  const { runModelCommand } = await import("./cli/models/models.ts");
  const { setTimeout: sleep } = await import("node:timers/promises");
  const apiKey = options.apiKey ?? process.env["LEDGERLINE_API_KEY"] ?? null;
  const { stdout, stderr } = process;
  const until = (signal: AbortSignal) => ({
    signal,
    wait: (ms: number) => sleep(ms, undefined, { signal }),
  });
  return runModelCommand(
    command,
    { ...options, apiKey },
    {
      ...{ stdout, stderr, fetch, newId: randomUUID, ...until(stopSignal()) },
      cleaning: until(new AbortController().signal),
    },
  );
}

async function runStatements(options: StatementCommandOptions): Promise<number> {
  const { readStatements } = await import("./cli/statement/statement.ts");
  const { openStatementPool } = await import("./pool/statements.ts");
  const { recognition, poolThreads } = config();
  // One document after the other: a second thread starts only where pages must be recognised.
  const pool = openStatementPool(Math.min(poolThreads, 2), { recognition });
  try {
    const { stdout, stderr } = process;
    const read: StatementDeps["read"] = (bytes, password, onPages) =>
      pool.read(bytes, password, { onPages });
    return await readStatements(options, { read, stdout, stderr, now: Date.now });
  } finally {
    await pool.close();
  }
}

async function runTestRules(options: RuleTestOptions): Promise<number> {
  const { testRules } = await import("./cli/rules/rules.ts");
  const { stdin, stdout, stderr } = process;
  return testRules(options, {
    ...{ stdin, stdout, stderr, now: Date.now },
    withRecogniser: async (work) => {
      const settings = config();
      const { openRuleTester } = await import("./app/commands.ts");
      const tester = await openRuleTester(settings, commandLogger(settings));
      try {
        return await work(tester.run);
      } finally {
        await tester.close();
      }
    },
  });
}

async function runListen(options: ListenOptions): Promise<number> {
  const { listen } = await import("./cli/webhooks/listen.ts");
  const signal = stopSignal();
  const { stdout, stderr } = process;
  return listen(options, { stdout, stderr, now: Date.now, signal });
}

const firstPage = (limit: number): PageRequest => ({
  limit,
  createdAfter: null,
  createdBefore: null,
  after: null,
});

async function withWebhooks(
  command: (deps: WebhookCommandDeps) => Promise<number>,
): Promise<number> {
  const settings = config();
  const { openWebhooks } = await import("./app/commands.ts");
  const opened = await openWebhooks(settings, commandLogger(settings));
  const { webhooks } = opened;
  const port: WebhookCommandPort = {
    ...webhooks,
    list: async (org) => (await webhooks.list(org, firstPage(WEBHOOKS_MAX))).rows,
    deliveries: async (org, id, state, limit) =>
      (await webhooks.deliveries(org, id, { state }, firstPage(limit)))?.rows ?? null,
    recover: (org, id, request) => webhooks.recover(org, id, request, randomUUID()),
  };
  try {
    const { stdout, stderr } = process;
    return await command({ webhooks: port, stdout, stderr, now: Date.now });
  } finally {
    await opened.close();
  }
}

async function withReports(command: (deps: ReportCommandDeps) => Promise<number>): Promise<number> {
  const settings = config();
  const { openReports } = await import("./app/commands.ts");
  const { reports, close } = await openReports(settings, commandLogger(settings));
  try {
    const { stdout, stderr } = process;
    return await command({ reports, stdout, stderr });
  } finally {
    await close();
  }
}

async function withOrganizations(
  command: Parameters<AccessCliDeps["withOrganizations"]>[0],
): Promise<number> {
  const settings = config();
  const { openOrganizations } = await import("./app/commands.ts");
  const opened = await openOrganizations(settings, commandLogger(settings));
  const { organizations, audit } = opened;
  try {
    const { stdout, stderr } = process;
    return await command({
      organizations: {
        ...organizations,
        setFeatures: (org, changes) => organizations.setFeatures(org, changes, COMMAND_LINE),
      },
      listAudit: async (org, action, limit) =>
        (await audit.list(org, { action }, firstPage(limit))).rows,
      stdout,
      stderr,
    });
  } finally {
    await opened.close();
  }
}

async function runRotateEncryption(acceptsLost: boolean): Promise<number> {
  const settings = config();
  const { rotateEncryption } = await import("./app/commands.ts");
  const count = await rotateEncryption(settings, commandLogger(settings), acceptsLost);
  const webhooks = count === 1 ? "1 webhook" : `${String(count)} webhooks`;
  process.stdout.write(`The secrets of ${webhooks} were encrypted with the current key.\n`);
  return 0;
}

async function main(): Promise<number> {
  try {
    return await runCli(process.argv.slice(2), {
      version: programVersion(),
      stdout: process.stdout,
      stderr: process.stderr,
      serve: runServe,
      withKeys: async (isFirst, command) => {
        const settings = config();
        const { openKeys } = await import("./app/commands.ts");
        const opened = await openKeys(settings, commandLogger(settings), isFirst);
        try {
          return await command({
            keys: opened.keys,
            stdout: process.stdout,
            stderr: process.stderr,
            now: Date.now,
          });
        } finally {
          await opened.close();
        }
      },
      withDeadLetters: async (command) => {
        const settings = config();
        const { openDeadLetters } = await import("./app/commands.ts");
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
      withKafkaGrants,
      withKafkaProgram,
      withOrganizations,
      withWebhooks,
      withReports,
      listen: runListen,
      rotateEncryption: runRotateEncryption,
      backup: async (file, hasKeys) => {
        const { backUp } = await import("./app/backup-commands.ts");
        return backUp(config(), file, hasKeys);
      },
      restore: async (file, isForced) => {
        const { restore } = await import("./app/backup-commands.ts");
        return restore(config(), file, isForced);
      },
      enrichFile: runEnrich,
      importFile: runImport,
      runModels,
      readStatements: runStatements,
      explain: runExplain,
      testRules: runTestRules,
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
