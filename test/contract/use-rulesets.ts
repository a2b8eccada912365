// Every query of the repository of rules once, for the tests that look at how engines find rows.
import type { AuditEntry } from "../../src/model/audit.ts";
import type { Store } from "../../src/store/collection.ts";
import { createRulesetRepository } from "../../src/store/repositories/rulesets.ts";

const entryOf = (id: string): AuditEntry => ({
  org: "o",
  id,
  createdAt: 1,
  keyId: null,
  requestId: null,
  action: "rules.replaced",
  subject: "ruleset",
  details: { rules: 1 },
});

export async function useRulesets(store: Store): Promise<void> {
  const rulesets = createRulesetRepository(store);
  for (const id of ["first", "second"]) {
    const seen = await rulesets.get("o");
    await rulesets.replace(seen, [{ add_label: "a" }], id, entryOf(id));
    await rulesets.changeOf("o", id);
  }
}
