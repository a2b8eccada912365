// ledgerline organizations: which there are, and what is switched on for them.
import type { Features, Organization } from "../model/organization.ts";
import { type Feature, FEATURES } from "../model/tenant-settings.ts";
import { alignColumns } from "./columns.ts";

/** Null: there is no such organization. */
interface OrganizationCommandPort {
  /** In the order of their names, each with the number of its keys that open anything. */
  list(): Promise<readonly (Organization & { readonly keys: number })[]>;
  get(org: string): Promise<Organization | null>;
  setFeatures(org: string, changes: Partial<Features>): Promise<Organization | null>;
}

export interface OrganizationCommandDeps {
  readonly organizations: OrganizationCommandPort;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

export async function listOrganizations(deps: OrganizationCommandDeps): Promise<number> {
  const rows = (await deps.organizations.list()).map(({ id, keys, features }) => [
    id,
    String(keys),
    FEATURES.filter((name) => features[name]).join(",") || "-",
  ]);
  const table = [["ORGANIZATION", "KEYS", "FEATURES"], ...rows];
  for (const line of alignColumns(table)) deps.stdout.write(`${line}\n`);
  return 0;
}

/** Switches features, if any are named, and prints all of them as they are then. */
export async function setFeatures(
  deps: OrganizationCommandDeps,
  org: string,
  on: readonly Feature[],
  off: readonly Feature[],
): Promise<number> {
  const { organizations, stdout, stderr } = deps;
  const changes = Object.fromEntries([
    ...on.map((name) => [name, true] as const),
    ...off.map((name) => [name, false] as const),
  ]);
  const isLook = on.length + off.length === 0;
  const found = await (isLook ? organizations.get(org) : organizations.setFeatures(org, changes));
  if (found === null) {
    stderr.write(`There is no organization ${org}: its first key creates it.\n`);
    return 1;
  }
  const rows = FEATURES.map((name) => [name, found.features[name] ? "on" : "off"]);
  for (const line of alignColumns(rows)) stdout.write(`${line}\n`);
  return 0;
}
