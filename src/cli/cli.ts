// The commands, their arguments and what they print. What a command does is in a file of its own.
import { Command, CommanderError, Option } from "commander";
import { type CreditLimits, type Role, ROLES } from "../model/api-key.ts";
import { PROCESS_ROLES, type ProcessRole } from "../model/process-role.ts";
import type { AccountType } from "../model/transaction.ts";
import { type AccessCliDeps, addAccessCommands } from "./access.ts";
import {
  type Expiry,
  parseAmountOption,
  parseCountry,
  parseCredits,
  parseCurrency,
  parseDescription,
  parseExpiry,
  parseNameOption,
  parseOrganization,
  parseRate,
} from "./arguments.ts";
import { addEnrichCommand } from "./enrich/commands.ts";
import type { EnrichFileOptions } from "./enrich/enrich.ts";
import {
  type DeadLetterCommandDeps,
  dropDeadLetters,
  listDeadLetters,
  replayDeadLetters,
  showDeadLetter,
} from "./dead-letters.ts";
import type { ExplainOptions } from "./explain/explain.ts";
import { addImportCommand, type ImportCliDeps } from "./import/commands.ts";
import { addBackupCommands, type BackupCliDeps } from "./backup.ts";
import { addKafkaCommands, type KafkaCliDeps } from "./kafka/commands.ts";
import { addModelCommands, type ModelCliDeps } from "./models/commands.ts";
import { createKey, type KeyCommandDeps, listKeys, revokeKey } from "./keys.ts";
import { addReportCommands, type ReportCliDeps } from "./reports/commands.ts";
import { addRuleCommands, type RuleCliDeps } from "./rules/commands.ts";
import { addStatementCommand, type StatementCliDeps } from "./statement/commands.ts";
import { addWebhookCommands, type WebhookCliDeps } from "./webhooks/commands.ts";

export interface CliDeps
  extends WebhookCliDeps,
    RuleCliDeps,
    ModelCliDeps,
    ReportCliDeps,
    AccessCliDeps,
    ImportCliDeps,
    KafkaCliDeps,
    StatementCliDeps,
    BackupCliDeps {
  readonly version: string;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  /** @param role null: from the environment */
  serve(role: ProcessRole | null): Promise<number>;
  /**
   * Opens the keys for one command and closes them after it.
   * @param isFirst whether the command may run before the first start
   */
  withKeys(isFirst: boolean, command: (deps: KeyCommandDeps) => Promise<number>): Promise<number>;
  /**
   * Encrypts stored secrets again, with the newest key.
   * @param acceptsLost whether to continue without lost keys
   */
  rotateEncryption(acceptsLost: boolean): Promise<number>;
  /** Opens the dead letters for one command and closes them after it. */
  withDeadLetters(command: (deps: DeadLetterCommandDeps) => Promise<number>): Promise<number>;
  enrichFile(options: EnrichFileOptions): Promise<number>;
  explain(options: ExplainOptions): Promise<number>;
}

const EXIT_USAGE = 2;
const DEFAULT_ROLES: readonly Role[] = ["read", "write"];

/** Runs the command in `args` (without the program's name). Resolves with the exit code: 2 for a wrong command line. */
export async function runCli(args: readonly string[], deps: CliDeps): Promise<number> {
  let exitCode = 0;
  const done = (code: number): void => {
    exitCode = code;
  };
  const program = new Command("ledgerline")
    .description(
      "Enriches bank and card transactions: counterparty, intermediaries, category and location.",
    )
    .version(deps.version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => deps.stdout.write(text),
      writeErr: (text) => deps.stderr.write(text),
    });
  program
    .command("serve")
    .description("serve the API; settings come from the environment")
    .addOption(
      new Option("--role <role>", "role of this process (default: LEDGERLINE_ROLE or all)").choices(
        PROCESS_ROLES,
      ),
    )
    .action(async ({ role }: { role?: ProcessRole }) => {
      done(await deps.serve(role ?? null));
    });
  addKeyCommands(program, deps, done);
  addAccessCommands(program, deps, done);
  addDeadLetterCommands(program, deps, done);
  addKafkaCommands(program, deps, done);
  addWebhookCommands(program, deps, done);
  addEnrichCommand(program, deps, done);
  addImportCommand(program, deps, done);
  addStatementCommand(program, deps, done);
  addExplainCommand(program, deps, done);
  addRuleCommands(program, deps, done);
  addModelCommands(program, deps, done);
  addReportCommands(program, deps, done);
  addBackupCommands(program, deps);
  try {
    refuseUnknownCommand(program, args);
    await program.parseAsync([...args], { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : EXIT_USAGE;
  }
}

/** With a hint that the library's own message does not have. */
function refuseUnknownCommand(program: Command, [first = "-"]: readonly string[]): void {
  const known = ["help", ...program.commands.map((command) => command.name())];
  if (first.startsWith("-") || known.includes(first)) return;
  program.error(`error: unknown command '${first}' (see ledgerline --help)`);
}

interface NewKeyFlags {
  readonly organization: string;
  readonly name?: string;
  readonly role?: Role[];
  readonly expires?: Expiry;
  readonly rate?: number;
  readonly credits?: CreditLimits;
}

function addKeyCommands(program: Command, deps: CliDeps, done: (code: number) => void): void {
  const keys = program
    .command("keys")
    .description("create, list and revoke API keys; rotate the encryption of secrets");
  keys
    .command("create")
    .description("create a key and print it once on standard output")
    .requiredOption(
      "--organization <name>",
      "the organization that the key gives access to",
      parseOrganization,
    )
    .option("--name <text>", "purpose of the key", parseNameOption)
    .addOption(
      new Option("--role <role...>", "roles of the key (default: read write)").choices(ROLES),
    )
    .option("--expires <when>", "90d, 12h, or the end of a day in UTC: 2027-01-31", parseExpiry)
    .option("--rate <number>", "requests a second, 0: any (default: RATE_PER_S)", parseRate)
    .option(
      "--credits <max:refill>",
      "transactions at once and a second, 0: any (default: CREDITS_MAX, CREDITS_PER_S)",
      parseCredits,
    )
    .action(async (flags: NewKeyFlags) => {
      const { organization: org, name = null, expires: expiry = null } = flags;
      const roles = ROLES.filter((role) => (flags.role ?? DEFAULT_ROLES).includes(role));
      const limits = { ratePerSecond: flags.rate ?? null, credits: flags.credits ?? null };
      done(
        await deps.withKeys(true, (part) => createKey(part, { org, name, roles, expiry, limits })),
      );
    });
  keys
    .command("list")
    .description("list all keys without their secrets")
    .action(async () => {
      done(await deps.withKeys(false, listKeys));
    });
  keys
    .command("revoke <id>")
    .description("revoke a key at once")
    .action(async (id: string) => {
      done(await deps.withKeys(false, (part) => revokeKey(part, id)));
    });
  keys
    .command("rotate-encryption")
    .description("encrypt stored secrets again, with the newest encryption key")
    .option("--accept-lost", "continue without lost keys; their secrets must be set again")
    .action(async ({ acceptLost = false }: { acceptLost?: boolean }) => {
      done(await deps.rotateEncryption(acceptLost));
    });
}

function addDeadLetterCommands(
  program: Command,
  deps: CliDeps,
  done: (code: number) => void,
): void {
  const letters = program
    .command("dead-letters")
    .description("list, show, replay and delete records that could not be processed");
  letters
    .command("list")
    .description("list dead letters, oldest first: id, time, reason, size, error")
    .action(async () => {
      done(await deps.withDeadLetters(listDeadLetters));
    });
  letters
    .command("show <id>")
    .description("print a dead letter as JSON, its bytes in base64")
    .option("--raw", "print only the bytes of the record")
    .action(async (id: string, { raw = false }: { raw?: boolean }) => {
      done(await deps.withDeadLetters((part) => showDeadLetter(part, id, raw)));
    });
  letters
    .command("replay <id...>")
    .description("put dead letters back into the log, to be processed again")
    .action(async (ids: string[]) => {
      done(await deps.withDeadLetters((part) => replayDeadLetters(part, ids)));
    });
  letters
    .command("drop <id...>")
    .description("delete dead letters permanently")
    .action(async (ids: string[]) => {
      done(await deps.withDeadLetters((part) => dropDeadLetters(part, ids)));
    });
}

interface ExplainFlags {
  readonly amount: number;
  readonly incoming?: boolean;
  readonly currency: string;
  readonly country?: string;
  readonly accountType: AccountType;
  readonly json?: boolean;
}

function addExplainCommand(program: Command, deps: CliDeps, done: (code: number) => void): void {
  program
    .command("explain")
    .description("explain how a descriptor is recognised; needs no server")
    .argument("<text>", "the descriptor, as the bank printed it", parseDescription)
    .option(
      "--amount <number>",
      "amount in units of the currency, without a sign",
      parseAmountOption,
      0,
    )
    .addOption(new Option("--outgoing", "money leaves the account (default)").conflicts("incoming"))
    .option("--incoming", "money arrives")
    .option("--currency <code>", "ISO 4217", parseCurrency, "USD")
    .option("--country <code>", "ISO 3166-1 alpha-2 code, if known", parseCountry)
    .addOption(
      new Option("--account-type <type>", "type of the account holder")
        .choices(["consumer", "business"])
        .default("consumer"),
    )
    .option("--json", "print everything as JSON")
    .action(async (description: string, flags: ExplainFlags) => {
      const { amount, currency, accountType, country = null, incoming = false } = flags;
      const entryType = incoming ? "incoming" : "outgoing";
      const item = { description, amount, entryType, currency, country, accountType } as const;
      done(await deps.explain({ ...item, isJson: flags.json ?? false }));
    });
}
