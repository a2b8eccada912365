// What a grant is on Kafka: the topics of an organization, and access lists for its programs where the broker has an
// authorizer. Who has a grant is in the store.
import kafkajs, { type AclEntry, type AclResourceTypes as ResourceType, type Admin } from "kafkajs";
import { LedgerlineError } from "../../shared/errors.ts";
import type { LogReport } from "../log.ts";
import { createAdminClient } from "./admin.ts";
import { createKafkaClient } from "./client.ts";
import { PRIVATE_KINDS, privateName, privateTopic } from "./private-topics.ts";
import type { KafkaSettings } from "./settings.ts";
import { ensurePrivateTopics } from "./topics.ts";

const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs;
/** Error of a broker without an authorizer. */
const SECURITY_DISABLED = "SECURITY_DISABLED";
const ANY_HOST = "*";

/** Names that a program outside needs; none is secret. */
export interface OutsideNames {
  readonly brokers: readonly string[];
  readonly requests: string;
  /** By kind. */
  readonly topics: Readonly<Record<(typeof PRIVATE_KINDS)[number], string>>;
  /** What its consumer groups and transactional ids begin with. */
  readonly groupPrefix: string;
  /** In the registry: of what it writes. */
  readonly subject: string;
}

export function outsideNames(settings: KafkaSettings, org: string): OutsideNames {
  const { brokers, topicPrefix, groupPrefix } = settings;
  const names = PRIVATE_KINDS.map((kind) => [kind, privateTopic(topicPrefix, org, kind)] as const);
  return {
    brokers,
    requests: `${topicPrefix}requests`,
    topics: Object.fromEntries(names) as OutsideNames["topics"],
    groupPrefix: privateName(groupPrefix, org),
    subject: `${topicPrefix}requests-value`,
  };
}

/** The port of grants on these brokers. */
export interface KafkaOutsideAccess {
  /** @throws LedgerlineError `misconfigured` when there are principals and the broker has no authorizer, before anything is made */
  allow(org: string, principals: readonly string[]): Promise<void>;
  forbid(
    org: string,
    principals: readonly string[],
    sharedPrincipals: readonly string[],
  ): Promise<void>;
  deleteTopics(org: string): Promise<void>;
  /** Whether the broker asks access lists at all. */
  hasAuthorizer(): Promise<boolean>;
  close(): Promise<void>;
}

export function createOutsideAccess(
  settings: KafkaSettings,
  report: LogReport,
): KafkaOutsideAccess {
  const admin = createAdminClient(createKafkaClient(settings, report));
  const hasAuthorizer = (): Promise<boolean> => admin.ask(asksAccessLists);
  return {
    hasAuthorizer,
    allow: async (org, principals) => {
      if (principals.length > 0 && !(await hasAuthorizer())) throw noAuthorizer();
      await admin.ask((asked) => ensurePrivateTopics(asked, settings, org));
      const acl = principals.flatMap((one) => entriesOf(outsideNames(settings, org), one, true));
      if (acl.length > 0) await admin.ask((asked) => asked.createAcls({ acl }));
    },
    forbid: async (org, principals, sharedPrincipals) => {
      if (principals.length === 0 || !(await hasAuthorizer())) return;
      const shared = new Set(sharedPrincipals);
      const filters = principals.flatMap((one) =>
        entriesOf(outsideNames(settings, org), one, !shared.has(one)),
      );
      await admin.ask((asked) => asked.deleteAcls({ filters }));
    },
    deleteTopics: async (org) => {
      const wanted = Object.values(outsideNames(settings, org).topics);
      await admin.ask(async (asked) => {
        const existing = new Set(await asked.listTopics());
        const topics = wanted.filter((name) => existing.has(name));
        if (topics.length > 0) await asked.deleteTopics({ topics });
      });
    },
    close: admin.close,
  };
}

async function asksAccessLists(admin: Admin): Promise<boolean> {
  try {
    await admin.describeAcls({
      resourceType: AclResourceTypes.CLUSTER,
      resourcePatternType: ResourcePatternTypes.ANY,
      operation: AclOperationTypes.ANY,
      permissionType: AclPermissionTypes.ANY,
    });
    return true;
  } catch (error) {
    if (error instanceof Error && "type" in error && error.type === SECURITY_DISABLED) return false;
    throw error;
  }
}

/** What a program of the organization may do: write requests, read what is its own, have groups under its own names. */
function entriesOf(names: OutsideNames, principal: string, writes: boolean): AclEntry[] {
  const entry = (
    resourceType: ResourceType,
    resourceName: string,
    operation: "READ" | "WRITE" | "DESCRIBE",
    isPrefix = false,
  ): AclEntry => ({
    ...{ resourceType, resourceName, principal, host: ANY_HOST },
    resourcePatternType: ResourcePatternTypes[isPrefix ? "PREFIXED" : "LITERAL"],
    operation: AclOperationTypes[operation],
    permissionType: AclPermissionTypes.ALLOW,
  });
  const { TOPIC, GROUP, TRANSACTIONAL_ID } = AclResourceTypes;
  return [
    ...(writes ? [entry(TOPIC, names.requests, "WRITE")] : []),
    ...Object.values(names.topics).map((topic) => entry(TOPIC, topic, "READ")),
    entry(GROUP, names.groupPrefix, "READ", true),
    entry(TRANSACTIONAL_ID, names.groupPrefix, "WRITE", true),
    entry(TRANSACTIONAL_ID, names.groupPrefix, "DESCRIBE", true),
  ];
}

function noAuthorizer(): LedgerlineError {
  return new LedgerlineError(
    "misconfigured",
    "The Kafka brokers have no authorizer, so that access lists would have no effect: set authorizer.class.name there, or leave out --principal.",
  );
}
