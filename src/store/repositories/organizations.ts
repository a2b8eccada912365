import type { AuditEntry } from "../../model/audit.ts";
import type { Feature } from "../../model/tenant-settings.ts";
import { createAuditRepository } from "./audit.ts";
import type { Store, Write } from "../collection.ts";
import { createSingleFlight } from "../../shared/concurrency/single-flight.ts";
import { type OrganizationRow, organizationSpec } from "../specs/specs.ts";
import type { StoredOrganization } from "../../model/organization.ts";

export interface OrganizationRepository {
  /** Null for an organization that has never set anything. */
  get(org: string): Promise<StoredOrganization | null>;
  /**
   * Another text after every change and removal of an account holder; nothing but equality means anything.
   * @param waitMs how long the read may take to begin, to be shared with others
   */
  holdersVersion(org: string, waitMs?: number): Promise<string>;
  /**
   * Announces that an account holder is being removed, which is already hidden.
   * @param version a text that was never given before
   */
  holderRemoved(org: string, version: string): Promise<void>;
  /** Steps that belong into every write that changes an account holder; the version is a text that was never given before. */
  holderChangedSteps(org: string, version: string): readonly Write[];
  /** All that have ever set anything, in the order of their names. */
  all(): AsyncIterable<StoredOrganization>;
  /** Steps that belong into every write that changes a part of the settings. */
  settingsChangedSteps(org: string, version: string): readonly Write[];
  /** Step that ends a write when the organization has settings. */
  requireUnset(org: string): Write;
  /**
   * Replaces the features that are switched on, which is a change of the settings, and leaves its entry in the audit. False
   * when the settings were changed since it was seen.
   */
  setFeatures(
    org: string,
    seen: StoredOrganization | null,
    features: readonly Feature[],
    version: string,
    entry: AuditEntry,
  ): Promise<boolean>;
}

const PART = 500;
/** The version of settings in which nothing was ever set, and of account holders of which none was ever changed. */
const NEVER_SET = "";

export function createOrganizationRepository(store: Store): OrganizationRepository {
  const organizations = store.collection<OrganizationRow>(organizationSpec);
  const audit = createAuditRepository(store);
  const ensured = (org: string): Write =>
    organizations.insert({ org, settingsVersion: NEVER_SET, features: "" }, "ignore");
  const holderChangedSteps = (org: string, version: string): readonly Write[] => [
    ensured(org),
    organizations.update({ org }, { holdersVersion: version }, "ignore"),
  ];
  const read = createSingleFlight((org) => organizations.get({ org }));
  return {
    get: async (org) => {
      const row = await read(org);
      return row === null || row.settingsVersion === NEVER_SET ? null : toOrganization(row);
    },
    holdersVersion: async (org, waitMs) => (await read(org, waitMs))?.holdersVersion ?? NEVER_SET,
    holderRemoved: async (org, version) => {
      await store.apply(holderChangedSteps(org, version));
    },
    holderChangedSteps,
    all: async function* () {
      let after: readonly string[] | null = null;
      for (;;) {
        const rows: OrganizationRow[] = await organizations.find({
          where: {},
          order: { fields: ["org"], direction: "asc" },
          ...(after === null ? {} : { after }),
          limit: PART,
        });
        for (const row of rows) if (row.settingsVersion !== NEVER_SET) yield toOrganization(row);
        const last = rows.at(-1);
        if (last === undefined || rows.length < PART) return;
        after = [last.org];
      }
    },
    settingsChangedSteps: (org, version) => [
      ensured(org),
      organizations.update({ org }, { settingsVersion: version }, "fail"),
    ],
    requireUnset: (org) => organizations.require({ org, settingsVersion: { ne: NEVER_SET } }, 0),
    setFeatures: async (org, seen, features, version, entry) => {
      const settingsVersion = seen?.settingsVersion ?? NEVER_SET;
      const set = { settingsVersion: version, features: features.join(" ") };
      const outcome = await store.write([
        ensured(org),
        organizations.update({ org, settingsVersion }, set, "fail"),
        audit.step(entry),
      ]);
      return outcome.ok;
    },
  };
}

function toOrganization({ org, settingsVersion, features }: OrganizationRow): StoredOrganization {
  return {
    org,
    settingsVersion,
    features: features === "" ? [] : (features.split(" ") as Feature[]),
  };
}
