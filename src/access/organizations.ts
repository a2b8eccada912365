// Organizations as the operator sees them. An organization exists from its first key on.
import { type ApiKey, isGoodKey } from "../model/api-key.ts";
import type { Actor, AuditEntry } from "../model/audit.ts";
import { LedgerlineError } from "../shared/errors.ts";
import type { Features, Organization, StoredOrganization } from "../model/organization.ts";
import { type Feature, FEATURES } from "../model/tenant-settings.ts";
import { DEFAULT_ORG } from "./keys.ts";

/** What the organizations need from the store. */
export interface OrganizationPorts {
  /** Null for an organization without settings. */
  getOrganization(org: string): Promise<StoredOrganization | null>;
  allOrganizations(): AsyncIterable<StoredOrganization>;
  /** Writes the entry with the change; false when the settings were changed since they were read. */
  setFeatures(
    org: string,
    seen: StoredOrganization | null,
    features: readonly Feature[],
    settingsVersion: string,
    entry: AuditEntry,
  ): Promise<boolean>;
  /** Whether the organization ever had a key. */
  hasHadKey(org: string): Promise<boolean>;
  listKeys(): Promise<readonly ApiKey[]>;
  nowMs(): number;
  newId(): string;
}

/** An organization in a list. */
export interface ListedOrganization extends Organization {
  /** Keys that are neither revoked nor expired. */
  readonly keys: number;
}

/** Null: there is no such organization. */
export interface Organizations {
  get(org: string): Promise<Organization | null>;
  /** Enables (true) and disables (false) features; those that are not named stay as they are. */
  setFeatures(org: string, changes: Partial<Features>, by: Actor): Promise<Organization | null>;
  /** Organizations that have or had keys, or have settings, in the order of their names. */
  list(): Promise<readonly ListedOrganization[]>;
}

/** Others may change the settings between reading and writing; in each failed try, one of them succeeded. */
const CHANGE_TRIES_MAX = 100;

export function createOrganizations(ports: OrganizationPorts): Organizations {
  const isThere = async (org: string, stored: StoredOrganization | null): Promise<boolean> =>
    stored !== null || org === DEFAULT_ORG || (await ports.hasHadKey(org));
  return {
    get: async (org) => {
      const stored = await ports.getOrganization(org);
      return (await isThere(org, stored)) ? view(org, stored) : null;
    },
    setFeatures: async (org, changes, by) => {
      for (let tries = 0; tries < CHANGE_TRIES_MAX; tries += 1) {
        const seen = await ports.getOrganization(org);
        if (!(await isThere(org, seen))) return null;
        const before = view(org, seen).features;
        const changed = FEATURES.filter((name) => (changes[name] ?? before[name]) !== before[name]);
        if (changed.length === 0) return { id: org, features: before };
        const features = FEATURES.filter((name) => changes[name] ?? before[name]);
        const entry: AuditEntry = {
          ...by,
          org,
          id: ports.newId(),
          createdAt: ports.nowMs(),
          action: "features.changed",
          subject: org,
          details: Object.fromEntries(changed.map((name) => [name, !before[name]])),
        };
        if (await ports.setFeatures(org, seen, features, ports.newId(), entry))
          return { id: org, features: storedFeaturesOf(features) };
      }
      throw new LedgerlineError(
        "unavailable",
        "Concurrent requests changed the organization; repeat the request.",
      );
    },
    list: () => listAll(ports),
  };
}

async function listAll(ports: OrganizationPorts): Promise<readonly ListedOrganization[]> {
  const now = ports.nowMs();
  const listed = new Map<string, ListedOrganization>();
  for await (const stored of ports.allOrganizations())
    listed.set(stored.org, { ...view(stored.org, stored), keys: 0 });
  for (const key of await ports.listKeys()) {
    const known = listed.get(key.org) ?? { ...view(key.org, null), keys: 0 };
    listed.set(key.org, { ...known, keys: known.keys + (isGoodKey(key, now) ? 1 : 0) });
  }
  return [...listed.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function view(org: string, stored: StoredOrganization | null): Organization {
  return { id: org, features: storedFeaturesOf(stored?.features ?? []) };
}

function storedFeaturesOf(on: readonly Feature[]): Features {
  return Object.fromEntries(FEATURES.map((name) => [name, on.includes(name)])) as Features;
}
