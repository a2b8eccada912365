// ledgerline kafka grant, list and revoke: what programs of an organization may do on Kafka.
import type { CreditLimits } from "../../model/api-key.ts";
import type { KafkaGrant } from "../../model/kafka-grant.ts";
import { alignColumns } from "../columns.ts";
import { safeText } from "../explain/table.ts";
import { creditsText } from "../keys.ts";

/** What a program of an organization needs to know; nothing of it is secret. */
interface GrantNames {
  readonly brokers: readonly string[];
  readonly registryUrl: string;
  readonly topicPrefix: string;
  readonly requests: string;
  readonly subject: string;
  readonly topics: Readonly<Record<"enriched" | "replies" | "events" | "dead-letters", string>>;
  readonly groupPrefix: string;
}

interface KafkaGrantPort {
  grant(request: {
    readonly org: string;
    readonly principals: readonly string[];
    readonly rotationGraceMs: number | null;
    readonly credits?: CreditLimits | "settings";
  }): Promise<
    | {
        readonly kind: "granted";
        readonly grant: KafkaGrant;
        readonly secret: { readonly id: string; readonly text: string } | null;
      }
    | { readonly kind: "refused"; readonly why: string }
  >;
  revokeSecret(org: string, keyId: string): Promise<"revoked" | "not_found">;
  revoke(org: string, deletesTopics: boolean): Promise<"revoked" | "not_found">;
  /** In the order in which they were made. */
  list(): Promise<readonly KafkaGrant[]>;
}

export interface KafkaGrantDeps {
  readonly grants: KafkaGrantPort;
  namesOf(org: string): GrantNames;
  /** Whether the brokers check access lists. */
  hasAuthorizer(): Promise<boolean>;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

export interface GrantOptions {
  readonly org: string;
  readonly principals: readonly string[];
  /** Milliseconds for which the older secret stays valid; null: no new secret for a grant that exists. */
  readonly rotationGraceMs: number | null;
  /** What its records may cost; left out: it stays as it is. */
  readonly credits?: CreditLimits | "settings";
}

/**
 * Grants access and prints what the programs of the organization need on standard output, as settings of their
 * environment. The secret is among them only when it was just made.
 */
export async function grantAccess(deps: KafkaGrantDeps, options: GrantOptions): Promise<number> {
  const { grants, stdout, stderr } = deps;
  const { org } = options;
  const outcome = await grants.grant(options);
  if (outcome.kind === "refused") {
    stderr.write(`${outcome.why}\n`);
    return 1;
  }
  const { grant, secret } = outcome;
  for (const [name, value] of environmentOf(deps.namesOf(org), org, secret))
    stdout.write(`${name}=${value}\n`);
  stderr.write(`${secretSentence(grant, secret)}\n`);
  if (!(await deps.hasAuthorizer()))
    stderr.write(
      "The brokers have no authorizer: every program that reaches them reads and writes every topic.\n",
    );
  else if (grant.principals.length === 0)
    stderr.write(
      "No access lists were made: name the Kafka user of the programs with --principal User:NAME.\n",
    );
  else stderr.write(`Access lists: ${grant.principals.map(safeText).join(", ")}.\n`);
  stderr.write("Try it: ledgerline kafka send FILE.csv, with these settings in the environment.\n");
  return 0;
}

function environmentOf(
  names: GrantNames,
  org: string,
  secret: { readonly id: string; readonly text: string } | null,
): readonly (readonly [string, string])[] {
  const { topics } = names;
  return [
    ["KAFKA_BROKERS", names.brokers.join(",")],
    ["SCHEMA_REGISTRY_URL", names.registryUrl],
    ["KAFKA_TOPIC_PREFIX", names.topicPrefix],
    ["ORGANIZATION", org],
    ...(secret === null
      ? []
      : ([
          ["SIGNING_KEY_ID", secret.id],
          ["SIGNING_SECRET", secret.text],
        ] as const)),
    ["REQUESTS_TOPIC", names.requests],
    ["REQUESTS_SUBJECT", names.subject],
    ["ENRICHED_TOPIC", topics.enriched],
    ["REPLIES_TOPIC", topics.replies],
    ["EVENTS_TOPIC", topics.events],
    ["DEAD_LETTERS_TOPIC", topics["dead-letters"]],
    ["GROUP_PREFIX", names.groupPrefix],
  ];
}

function secretSentence(
  { org, secrets }: KafkaGrant,
  made: { readonly id: string } | null,
): string {
  if (made === null)
    return `${org} has a grant; its secrets stay as they are. --rotate makes a new one.`;
  const older = secrets.find(({ id, endsAt }) => id !== made.id && endsAt !== null);
  const end =
    older === undefined ? "" : ` ${older.id} stays valid until ${isoOf(older.endsAt ?? 0)}.`;
  return `Signing secret ${made.id} of ${org}. It is shown only this once.${end}`;
}

/** Ends one secret, or the whole grant. */
export async function revokeAccess(
  { grants, stderr }: KafkaGrantDeps,
  org: string,
  keyId: string | null,
  deletesTopics: boolean,
): Promise<number> {
  const outcome = await (keyId === null
    ? grants.revoke(org, deletesTopics)
    : grants.revokeSecret(org, keyId));
  const what =
    keyId === null ? `The grant of ${org}` : `Signing secret ${safeText(keyId)} of ${org}`;
  stderr.write(
    outcome === "revoked"
      ? `${what} is revoked; running services refuse its records within 10 s.\n`
      : `${what} does not exist.\n`,
  );
  return outcome === "revoked" ? 0 : 1;
}

/** Prints a table of all grants; secrets are not shown again. */
export async function listGrants({ grants, stdout }: KafkaGrantDeps): Promise<number> {
  const rows = (await grants.list()).map((grant) => [
    grant.org,
    grant.state,
    isoOf(grant.createdAt),
    grant.secrets
      .map(({ id, endsAt }) => (endsAt === null ? id : `${id} until ${isoOf(endsAt)}`))
      .join(", "),
    creditsText(grant),
    grant.principals.map(safeText).join(","),
  ]);
  const head = ["ORGANIZATION", "STATE", "CREATED", "KEYS", "CREDITS", "PRINCIPALS"];
  for (const line of alignColumns([head, ...rows])) stdout.write(`${line}\n`);
  return 0;
}

const isoOf = (at: number): string => new Date(at).toISOString();
