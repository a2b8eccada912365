// Every query of the repository of reapplications once, for the tests that look at how engines find rows.
import { COMMAND_LINE } from "../../src/model/audit.ts";
import type { StoredReapplication } from "../../src/model/reapplication.ts";
import type { Store } from "../../src/store/collection.ts";
import { createReapplicationRepository } from "../../src/store/repositories/reapplications.ts";

export async function useReapplications(store: Store): Promise<void> {
  const reapplications = createReapplicationRepository(store);
  const begun: StoredReapplication = {
    ...{ org: "o", id: "r", createdAt: 1, updatedAt: 1, status: "running" },
    ...{ total: 1, progress: 0, changed: 0, after: null },
  };
  const action = "reapplication.created" as const;
  const change = { org: "o", id: "n", createdAt: 1, action, subject: "r", details: {} };
  const entry = { ...COMMAND_LINE, ...change };
  await reapplications.insert(begun, entry);
  await reapplications.insert(begun, entry);
  await reapplications.running("o");
  await reapplications.claim("holder", 10, 20);
  await reapplications.renew(begun, "holder", 25);
  await store.write([reapplications.progressStep({ ...begun, status: "completed" }, "holder", 30)]);
  await reapplications.get("o", "r");
  await reapplications.release();
  await reapplications.removeExpired(10, 10);
  for (const after of [null, { createdAt: 5, tie: "x" }])
    await reapplications.list("o", { createdAfter: 1, createdBefore: 9, after, limit: 10 });
}
