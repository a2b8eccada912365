// What every engine promises about the rules of organizations.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AuditEntry } from "../../src/model/audit.ts";
import type { Rule } from "../../src/model/rules.ts";
import type { Store } from "../../src/store/collection.ts";
import { createOrganizationRepository } from "../../src/store/repositories/organizations.ts";
import {
  createRulesetRepository,
  type RulesetRepository,
} from "../../src/store/repositories/rulesets.ts";

const BY = { keyId: "k", requestId: "r" };
const label = (text: string): Rule => ({ add_label: text });

const entryOf = (id: string, org = "o"): AuditEntry => ({
  ...BY,
  ...{ org, id, createdAt: 1, action: "rules.replaced", subject: "ruleset" },
  details: { rules: 1 },
});

export function rulesetsContract(
  name: string,
  open: () => Promise<{ store: Store; close: () => Promise<void> }>,
): void {
  describe(`rulesets contract: ${name}`, () => {
    let store: Store;
    let rulesets: RulesetRepository;
    let close: () => Promise<void>;
    beforeEach(async () => {
      ({ store, close } = await open());
      rulesets = createRulesetRepository(store);
    });
    afterEach(() => close());

    const versionOf = async (org: string): Promise<string | undefined> =>
      (await createOrganizationRepository(store).get(org))?.settingsVersion;
    it("rules come back as they were, with another version of the settings and an entry, for their organization alone", async () => {
      const rules: Rule[] = [
        { if: { "&&": [true, { "<": [{ get: "amount" }, 1e-7] }] }, then: [], else: [label("ÿ")] },
        { set: "merchant", to: "a$b.\u0000\ud800" },
      ];
      const seen = await rulesets.get("o");
      expect(seen.rules).toEqual([]);
      expect(await rulesets.replace(seen, rules, "v1", entryOf("e1"))).toBe(true);
      expect(await rulesets.rulesOf("o")).toEqual(rules);
      expect(await rulesets.rulesOf("p")).toEqual([]);
      expect([await versionOf("o"), await versionOf("p")]).toEqual(["v1", undefined]);
      expect(await rulesets.changeOf("o", "e1")).toMatchObject(entryOf("e1"));
      expect(await rulesets.changeOf("p", "e1")).toBeNull();
    });

    it("rules that others have changed since they were read are left alone, with the version and without an entry", async () => {
      const before = await rulesets.get("o");
      await rulesets.replace(before, [label("a")], "v1", entryOf("e1"));
      const seen = await rulesets.get("o");
      await rulesets.replace(seen, [label("b")], "v2", entryOf("e2"));
      for (const stale of [before, seen]) {
        expect(await rulesets.replace(stale, [label("c")], "v3", entryOf("e3"))).toBe(false);
      }
      expect(await rulesets.rulesOf("o")).toEqual([label("b")]);
      expect(await versionOf("o")).toBe("v2");
      expect(await rulesets.changeOf("o", "e3")).toBeNull();
    });
  });
}
