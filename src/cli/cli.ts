// The commands, their arguments and what they print. What a command does is in a file of its own.
import { Command, CommanderError, Option } from "commander";
import { type CreditLimits, type Role, ROLES } from "../model/api-key.ts";
import { PROCESS_ROLES, type ProcessRole } from "../model/process-role.ts";
import type { AccountType } from "../model/transaction.ts";
import { type AccessCliDeps, addAccessCommands } from "./access.ts";
import {
  type Expiry,
  parseAmount,
  parseCountry,
  parseCredits,
  parseCurrency,
  parseDescription,
  parseExpiry,
  parseName,
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
import { createKey, type KeyCommandDeps, listKeys, revokeKey } from "./keys.ts";
import { addReportCommands, type ReportCliDeps } from "./reports/commands.ts";
import { addRuleCommands, type RuleCliDeps } from "./rules/commands.ts";
import { addWebhookCommands, type WebhookCliDeps } from "./webhooks/commands.ts";

export interface CliDeps
  extends WebhookCliDeps,
    RuleCliDeps,
    ReportCliDeps,
    AccessCliDeps,
    ImportCliDeps,
    BackupCliDeps {
  readonly version: string;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  /** @param role null: as the environment says */
  serve(role: ProcessRole | null): Promise<number>;
  /**
   * Opens the keys for one command and closes them after it.
   * @param isFirst whether the command may be the first there is
   */
  withKeys(isFirst: boolean, command: (deps: KeyCommandDeps) => Promise<number>): Promise<number>;
  /**
   * Encrypts what is kept encrypted again, with the newest key.
   * @param acceptsLost whether to go on without keys that are lost
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
    .description("Finds out who was paid, through whom, for what and where.")
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
      new Option(
        "--role <role>",
        "what this process does (default: LEDGERLINE_ROLE or all)",
      ).choices(PROCESS_ROLES),
    )
    .action(async ({ role }: { role?: ProcessRole }) => {
      done(await deps.serve(role ?? null));
    });
  addKeyCommands(program, deps, done);
  addAccessCommands(program, deps, done);
  addDeadLetterCommands(program, deps, done);
  addWebhookCommands(program, deps, done);
  addEnrichCommand(program, deps, done);
  addImportCommand(program, deps, done);
  addExplainCommand(program, deps, done);
  addRuleCommands(program, deps, done);
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
    .description("make, list and revoke API keys; renew the encryption of secrets");
  keys
    .command("create")
    .description("make a key and print it, this once, on standard output")
    .requiredOption(
      "--organization <name>",
      "whose transactions it gives access to",
      parseOrganization,
    )
    .option("--name <text>", "what it is for", parseName)
    .addOption(
      new Option("--role <role...>", "what it may do (default: read write)").choices(ROLES),
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
    .description("end a key at once")
    .action(async (id: string) => {
      done(await deps.withKeys(false, (part) => revokeKey(part, id)));
    });
  keys
    .command("rotate-encryption")
    .description("encrypt stored secrets again, with the newest encryption key")
    .option("--accept-lost", "go on without lost keys; secrets of these have to be set again")
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
    .description("look after records that could not be processed");
  letters
    .command("list")
    .description("list them, oldest first: id, when, why")
    .action(async () => {
      done(await deps.withDeadLetters(listDeadLetters));
    });
  letters
    .command("show <id>")
    .description("print one as JSON, its bytes in base64")
    .option("--raw", "print the bytes of the record alone")
    .action(async (id: string, { raw = false }: { raw?: boolean }) => {
      done(await deps.withDeadLetters((part) => showDeadLetter(part, id, raw)));
    });
  letters
    .command("replay <id...>")
    .description("put them back where they came from, to be processed again")
    .action(async (ids: string[]) => {
      done(await deps.withDeadLetters((part) => replayDeadLetters(part, ids)));
    });
  letters
    .command("drop <id...>")
    .description("remove them for good")
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
    .description("say why a line of a bank is recognised as it is; needs no server")
    .argument("<text>", "the description, as the bank wrote it", parseDescription)
    .option("--amount <number>", "units of the currency, never negative", parseAmount, 0)
    .addOption(new Option("--outgoing", "money leaves the account (default)").conflicts("incoming"))
    .option("--incoming", "money arrives")
    .option("--currency <code>", "ISO 4217", parseCurrency, "USD")
    .option("--country <code>", "ISO 3166-1 alpha-2, when it is known", parseCountry)
    .addOption(
      new Option("--account-type <type>", "whose account it is")
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
