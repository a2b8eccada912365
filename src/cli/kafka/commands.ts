// The Kafka commands and their arguments. What they do is in grant.ts.
import type { Command } from "commander";
import { parseGrace, parseOrganization, parsePrincipal, type SetExitCode } from "../arguments.ts";
import { grantAccess, type KafkaGrantDeps, listGrants, revokeAccess } from "./grant.ts";

export interface KafkaCliDeps {
  /** Opens grants for one command and closes them after it. */
  withKafkaGrants(command: (deps: KafkaGrantDeps) => Promise<number>): Promise<number>;
}

interface GrantFlags {
  readonly organization: string;
  readonly principal?: readonly string[];
  readonly rotate?: boolean;
  /** Milliseconds. */
  readonly grace: number;
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
    .description("give programs of an organization access to Kafka");
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
    .action(async (flags: GrantFlags) => {
      const { organization: org, principal: principals = [], rotate = false, grace } = flags;
      const rotationGraceMs = rotate ? grace : null;
      done(
        await deps.withKafkaGrants((part) =>
          grantAccess(part, { org, principals, rotationGraceMs }),
        ),
      );
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
