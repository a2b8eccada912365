// The Kafka commands and their arguments. What they do is in grant.ts and records.ts.
import { Argument, type Command } from "commander";
import type { CreditLimits } from "../../model/api-key.ts";
import {
  parseGrace,
  parseGrantCredits,
  parseLimit,
  parseOrganization,
  parsePrincipal,
  type SetExitCode,
} from "../arguments.ts";
import { addParseOptions, type ParseFlags, parseSettingsOf } from "../enrich/parse-flags.ts";
import { grantAccess, type KafkaGrantDeps, listGrants, revokeAccess } from "./grant.ts";
import type { KafkaRecordDeps } from "./records.ts";
import { TAIL_KINDS, type TailKind } from "./tail-kinds.ts";

export interface KafkaCliDeps {
  /** Joins Kafka as a program of the organization that the environment names, for one command. */
  withKafkaProgram(command: (deps: KafkaRecordDeps) => Promise<number>): Promise<number>;
  /** Opens grants for one command and closes them after it. */
  withKafkaGrants(command: (deps: KafkaGrantDeps) => Promise<number>): Promise<number>;
}

interface GrantFlags {
  readonly organization: string;
  readonly principal?: readonly string[];
  readonly rotate?: boolean;
  /** Milliseconds. */
  readonly grace: number;
  readonly credits?: CreditLimits | "settings";
}

interface RevokeFlags {
  readonly organization: string;
  readonly key?: string;
  readonly deleteTopics?: boolean;
}

const WEEK_MS = 7 * 86_400_000;

export function addKafkaCommands(program: Command, deps: KafkaCliDeps, done: SetExitCode): void {
  const kafka = program
    .command("kafka")
    .description("give programs of an organization access to Kafka; send and follow its records");
  addGrantCommands(kafka, deps, done);
  addRecordCommands(kafka, deps, done);
}

interface SendFlags extends ParseFlags {
  readonly accountHolder?: string;
}

interface TailFlags {
  readonly fromBeginning?: boolean;
  readonly max?: number;
}

/** Readers of bank files: a service, which has these commands too, does not load them. */
const loadRecords = () => import("./records.ts");

function addRecordCommands(kafka: Command, deps: KafkaCliDeps, done: SetExitCode): void {
  const send = kafka
    .command("send <file>")
    .description(
      "send a bank file, or JSON lines of the API (.jsonl, - for standard input), as signed records",
    )
    .option("--account-holder <id>", "id of the account holder of a bank file");
  addParseOptions(send).action(async (file: string, flags: SendFlags) => {
    const options = { file, accountHolder: flags.accountHolder ?? null, ...parseSettingsOf(flags) };
    const { sendFile } = await loadRecords();
    done(await deps.withKafkaProgram((part) => sendFile(part, options)));
  });
  kafka
    .command("tail")
    .description("print the records of a topic of the organization as JSON lines, as they come")
    .addArgument(new Argument("<kind>", "which topic").choices(TAIL_KINDS))
    .option("--from-beginning", "also those that are there already")
    .option("--max <number>", "stop after so many", parseLimit)
    .action(async (kind: TailKind, flags: TailFlags) => {
      const { fromBeginning = false, max = null } = flags;
      const { tailTopic } = await loadRecords();
      done(await deps.withKafkaProgram((part) => tailTopic(part, kind, fromBeginning, max)));
    });
}

function addGrantCommands(kafka: Command, deps: KafkaCliDeps, done: SetExitCode): void {
  kafka
    .command("grant")
    .description(
      "make the topics, access lists and signing secret of an organization; print its settings",
    )
    .requiredOption("--organization <name>", "which one", parseOrganization)
    .option(
      "--principal <user>",
      "a Kafka user of its programs, as User:NAME; repeatable",
      parsePrincipal,
    )
    .option("--rotate", "make a new signing secret; the older one ends after --grace")
    .option("--grace <time>", "how long the older one stays valid, up to 90d", parseGrace, WEEK_MS)
    .option(
      "--credits <max:refill>",
      "transactions in its records at once and a second, 0: any number (as at first), default: as the settings say",
      parseGrantCredits,
    )
    .action(async (flags: GrantFlags) => {
      const { organization: org, principal: principals = [], rotate = false, grace } = flags;
      const rotationGraceMs = rotate ? grace : null;
      const credits = flags.credits === undefined ? {} : { credits: flags.credits };
      const options = { org, principals, rotationGraceMs, ...credits };
      done(await deps.withKafkaGrants((part) => grantAccess(part, options)));
    });
  kafka
    .command("list")
    .description("list all grants without their secrets")
    .action(async () => {
      done(await deps.withKafkaGrants(listGrants));
    });
  kafka
    .command("revoke")
    .description("end a grant with its access lists and secrets, or one secret")
    .requiredOption("--organization <name>", "which one", parseOrganization)
    .option("--key <id>", "end only the secret of this key id")
    .option("--delete-topics", "delete the organization's topics with what is in them")
    .action(async (flags: RevokeFlags, command: Command) => {
      const { organization: org, key = null, deleteTopics = false } = flags;
      if (key !== null && deleteTopics)
        command.error("error: --delete-topics ends the whole grant: leave out --key.");
      done(await deps.withKafkaGrants((part) => revokeAccess(part, org, key, deleteTopics)));
    });
}
