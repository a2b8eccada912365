// The webhook commands and their arguments. What they do is in webhooks.ts and listen.ts.
import { type Command, Option } from "commander";
import {
  DELIVERY_STATES,
  type DeliveryState,
  OPERATOR_WEBHOOK,
  type RecoveryRequest,
} from "../../model/webhook.ts";
import {
  parseInstant,
  parseLimit,
  parseListOf,
  parseOrganization,
  parsePort,
  parseStatus,
  type SetExitCode,
} from "../arguments.ts";
import type { ListenOptions } from "./listen.ts";
import {
  listAttempts,
  listDeliveries,
  listWebhooks,
  recoverDeliveries,
  resendDelivery,
  type WebhookCommandDeps,
} from "./webhooks.ts";

export interface WebhookCliDeps {
  /** Opens the webhooks for one command and closes them after it. */
  withWebhooks(command: (deps: WebhookCommandDeps) => Promise<number>): Promise<number>;
  /** Receives webhooks until it is stopped; needs no service's settings. */
  listen(options: ListenOptions): Promise<number>;
}

interface OfOrganization {
  readonly organization: string;
}

const ORGANIZATION = "default";
const HOST = "127.0.0.1";
const STATUS = 200;
const DELIVERIES_SHOWN = 50;
const RECOVERABLE: RecoveryRequest["states"] = ["exhausted", "delivered"];

export function addWebhookCommands(
  program: Command,
  deps: WebhookCliDeps,
  done: SetExitCode,
): void {
  const webhooks = program
    .command("webhooks")
    .description(
      "list webhooks and deliveries, send them again; receive webhooks during development",
    );
  addListen(webhooks, deps, done);
  addLists(webhooks, deps, done);
  addSendingAgain(webhooks, deps, done);
}

interface ListenFlags {
  readonly port: number;
  readonly host: string;
  readonly secret?: string;
  readonly secretFile?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly status: number;
  readonly verbose?: boolean;
}

function addListen(webhooks: Command, { listen }: WebhookCliDeps, done: SetExitCode): void {
  webhooks
    .command("listen")
    .description("receive webhooks on this machine and print the checks of each call")
    .requiredOption("--port <port>", "port to listen on; 0: any free port", parsePort)
    .option("--host <address>", "address to listen on", HOST)
    .option("--secret-file <file>", "verify signatures with the hmac_secret in this file")
    .addOption(
      new Option(
        "--secret <secret>",
        "the same, but visible to all users of this machine",
      ).conflicts("secretFile"),
    )
    .option("--token-file <file>", "expect the token in this file in X-Service-Token")
    .addOption(
      new Option("--token <token>", "the same, but visible to all users of this machine").conflicts(
        "tokenFile",
      ),
    )
    .option("--status <code>", "status of the answer to valid calls", parseStatus, STATUS)
    .option("--verbose", "print the bodies too")
    .action(async (flags: ListenFlags) => {
      const { port, host, status, secret = null, token = null } = flags;
      const { secretFile = null, tokenFile = null, verbose: isVerbose = false } = flags;
      const options = { port, host, secret, secretFile, token, tokenFile, status, isVerbose };
      done(await listen(options));
    });
}

function addLists(webhooks: Command, deps: WebhookCliDeps, done: SetExitCode): void {
  ofOrganization(webhooks.command("list"))
    .description("list webhooks with the health of their endpoints")
    .action(async ({ organization: org }: OfOrganization) => {
      done(await deps.withWebhooks((part) => listWebhooks(part, org)));
    });
  ofOrganization(webhooks.command("deliveries <webhook-id>"))
    .description("list the newest deliveries of a webhook with their state")
    .addOption(new Option("--state <state>", "only these").choices(DELIVERY_STATES))
    .option("--limit <number>", "number of deliveries at most", parseLimit, DELIVERIES_SHOWN)
    .action(
      async (
        webhookId: string,
        flags: OfOrganization & { readonly state?: DeliveryState; readonly limit: number },
      ) => {
        const { organization: org, state = null, limit } = flags;
        const name = { org, webhookId };
        done(await deps.withWebhooks((part) => listDeliveries(part, name, state, limit)));
      },
    );
  ofOrganization(webhooks.command("attempts <webhook-id> <event-id>"))
    .description("list every attempt to deliver an event to a webhook, and its outcome")
    .action(async (webhookId: string, eventId: string, { organization: org }: OfOrganization) => {
      const name = { org, webhookId };
      done(await deps.withWebhooks((part) => listAttempts(part, name, eventId)));
    });
}

interface RecoverFlags extends OfOrganization {
  readonly since: number;
  readonly until: number;
  readonly state: RecoveryRequest["states"];
  readonly dryRun?: boolean;
}

function addSendingAgain(webhooks: Command, deps: WebhookCliDeps, done: SetExitCode): void {
  ofOrganization(webhooks.command("resend <webhook-id> <event-id>"))
    .description("send an event to a webhook again, with the same id and the same bytes")
    .action(async (webhookId: string, eventId: string, { organization: org }: OfOrganization) => {
      const name = { org, webhookId };
      done(await deps.withWebhooks((part) => resendDelivery(part, name, eventId)));
    });
  ofOrganization(webhooks.command("recover <webhook-id>"))
    .description("send the deliveries of a time range again")
    .requiredOption("--since <time>", "events from this time on (ISO 8601)", parseInstant)
    .requiredOption("--until <time>", "events before this time", parseInstant)
    .addOption(
      new Option(
        "--state <states>",
        `states of the deliveries: ${RECOVERABLE.join(", ")} or both, with a comma`,
      )
        .argParser(parseListOf(RECOVERABLE))
        .default(["exhausted"], "exhausted"),
    )
    .option("--dry-run", "only count the deliveries")
    .action(async (webhookId: string, flags: RecoverFlags, command: Command) => {
      const { organization: org, since, until, state: states, dryRun = false } = flags;
      if (since >= until) command.error("error: --since must be before --until.");
      const request = { since, until, states };
      const name = { org, webhookId };
      done(await deps.withWebhooks((part) => recoverDeliveries(part, name, request, dryRun)));
    });
}

const ofOrganization = (command: Command): Command =>
  command.option(
    "--organization <name>",
    `organization of the webhook; ${OPERATOR_WEBHOOK.org}: that of WEBHOOK_OPERATOR_URL`,
    (text) => (text === OPERATOR_WEBHOOK.org ? text : parseOrganization(text)),
    ORGANIZATION,
  );
