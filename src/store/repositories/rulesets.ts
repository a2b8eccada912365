import type { AuditEntry } from "../../model/audit.ts";
import type { Rule } from "../../model/rules.ts";
import { createAuditRepository } from "./audit.ts";
import type { Store } from "../collection.ts";
import { createOrganizationRepository } from "./organizations.ts";
import { type RulesetRow, rulesetSpec } from "../specs/settings-specs.ts";

/** The rules of an organization as they were read. */
export interface StoredRuleset {
  /** 0: nothing was ever set. */
  readonly revision: number;
  /** In the order in which they run. */
  readonly rules: readonly Rule[];
}

export interface RulesetRepository {
  /** An organization that has never set rules has none. */
  get(org: string): Promise<StoredRuleset>;
  rulesOf(org: string): Promise<readonly Rule[]>;
  /**
   * Replaces all rules, with a new version of the settings and an audit entry, unless they were changed since they were
   * read; false then.
   */
  replace(
    seen: StoredRuleset,
    rules: readonly Rule[],
    settingsVersion: string,
    entry: AuditEntry,
  ): Promise<boolean>;
  /** The entry of this id that a change has left. */
  changeOf(org: string, entryId: string): Promise<AuditEntry | null>;
}

export function createRulesetRepository(store: Store): RulesetRepository {
  const rulesets = store.collection<RulesetRow>(rulesetSpec);
  const organizations = createOrganizationRepository(store);
  const audit = createAuditRepository(store);
  const get: RulesetRepository["get"] = async (org) => {
    const row = await rulesets.get({ org });
    if (row === null) return { revision: 0, rules: [] };
    return { revision: row.revision, rules: JSON.parse(row.rules) as Rule[] };
  };
  return {
    get,
    rulesOf: async (org) => (await get(org)).rules,
    replace: async ({ revision }, rules, settingsVersion, entry) => {
      const { org } = entry;
      const next = { revision: revision + 1, rules: JSON.stringify(rules) };
      const outcome = await store.write([
        revision === 0
          ? rulesets.insert({ org, ...next }, "fail")
          : rulesets.update({ org, revision }, next, "fail"),
        ...organizations.settingsChangedSteps(org, settingsVersion),
        audit.step(entry),
      ]);
      return outcome.ok;
    },
    changeOf: audit.get,
  };
}
