// The commands around organizations and the audit, and their arguments. What they do is in organizations.ts and audit.ts.
import { type Command, Option } from "commander";
import { AUDIT_ACTIONS, type AuditAction } from "../model/audit.ts";
import { type Feature, FEATURES } from "../model/tenant-settings.ts";
import {
  parseAuditedOrganization,
  parseLimit,
  parseListOf,
  parseOrganization,
  type SetExitCode,
} from "./arguments.ts";
import { type AuditCommandDeps, listAudit } from "./audit.ts";
import { listOrganizations, type OrganizationCommandDeps, setFeatures } from "./organizations.ts";

export interface AccessCliDeps {
  /** Opens organizations and their audit for one command and closes them after it. */
  withOrganizations(
    command: (deps: OrganizationCommandDeps & AuditCommandDeps) => Promise<number>,
  ): Promise<number>;
}

const ORGANIZATION = "default";
const ENTRIES_SHOWN = 50;

export function addAccessCommands(program: Command, deps: AccessCliDeps, done: SetExitCode): void {
  addOrganizationCommands(program, deps, done);
  addAuditCommands(program, deps, done);
}

interface FeatureFlags {
  readonly on?: Feature[];
  readonly off?: Feature[];
}

function addOrganizationCommands(program: Command, deps: AccessCliDeps, done: SetExitCode): void {
  const organizations = program
    .command("organizations")
    .description("list organizations; switch features on and off");
  organizations
    .command("list")
    .description("list organizations that have keys or settings")
    .action(async () => {
      done(await deps.withOrganizations(listOrganizations));
    });
  const features = FEATURES.join(",");
  organizations
    .command("features")
    .description("show or change which optional fields an organization receives")
    .argument("<organization>", "which one", parseOrganization)
    .option("--on <features>", `features to switch on, of ${features}`, parseListOf(FEATURES))
    .option("--off <features>", `features to switch off, of ${features}`, parseListOf(FEATURES))
    .action(async (org: string, { on = [], off = [] }: FeatureFlags, command: Command) => {
      const both = on.filter((name) => off.includes(name));
      if (both.length > 0) command.error(`error: ${both.join(", ")} cannot be both on and off.`);
      done(await deps.withOrganizations((part) => setFeatures(part, org, on, off)));
    });
}

interface AuditFlags {
  readonly organization: string;
  readonly action?: AuditAction;
  readonly limit: number;
  readonly json?: boolean;
}

function addAuditCommands(program: Command, deps: AccessCliDeps, done: SetExitCode): void {
  program
    .command("audit")
    .description("show who changed keys, webhooks, rules, categories, reports and features")
    .command("list")
    .description("list the newest entries of an organization")
    .option("--org, --organization <name>", "which one", parseAuditedOrganization, ORGANIZATION)
    .addOption(new Option("--action <action>", "only these").choices(AUDIT_ACTIONS))
    .option("--limit <number>", "number of entries at most", parseLimit, ENTRIES_SHOWN)
    .option("--json", "print each as one line of JSON")
    .action(async ({ organization: org, action, limit, json = false }: AuditFlags) => {
      const what = { org, action: action ?? null, limit, isJson: json };
      done(await deps.withOrganizations((part) => listAudit(part, what)));
    });
}
