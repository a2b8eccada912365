// Every query around keys, their limits, the audit and organizations once, for the tests that look at how engines find
// rows.
import type { ApiKey } from "../../src/model/api-key.ts";
import { type AuditEntry, COMMAND_LINE } from "../../src/model/audit.ts";
import type { PageRequest } from "../../src/shared/page.ts";
import { createAuditRepository } from "../../src/store/repositories/audit.ts";
import { createBucketRepository } from "../../src/store/repositories/buckets.ts";
import type { Store } from "../../src/store/collection.ts";
import { createKeyRepository } from "../../src/store/repositories/keys.ts";
import { createOrganizationRepository } from "../../src/store/repositories/organizations.ts";

const ORG = "o";
const AT = 1_000;

const entry = (id: string): AuditEntry => ({
  ...COMMAND_LINE,
  org: ORG,
  id,
  createdAt: AT,
  action: "key.created",
  subject: "k",
  details: {},
});

const key: ApiKey = {
  org: ORG,
  id: "a key",
  name: null,
  roles: ["read"],
  hash: "its hash",
  createdAt: AT,
  revokedAt: null,
  expiresAt: null,
  limits: { ratePerSecond: null, credits: null },
};

export function accessRepositoriesOf(store: Store) {
  return {
    keys: createKeyRepository(store),
    audit: createAuditRepository(store),
    organizations: createOrganizationRepository(store),
    buckets: createBucketRepository(store),
  };
}

export async function useAccess(store: Store, pages: readonly PageRequest[]): Promise<void> {
  const { keys, audit, organizations, buckets } = accessRepositoriesOf(store);
  await keys.insert(key, entry("access-1"));
  await keys.revoke(key.id, AT, entry("access-2"));
  for (const page of pages) {
    await audit.list(ORG, { action: null }, page);
    await audit.list(ORG, { action: "key.created" }, page);
  }
  await audit.get(ORG, "access-1");
  await organizations.setFeatures(
    ORG,
    await organizations.get(ORG),
    ["naics2017"],
    "v",
    entry("3"),
  );
  await store.write(organizations.settingsChangedSteps(ORG, "w"));
  const name = { org: ORG, keyId: key.id, kind: "credits" } as const;
  await buckets.replace(name, null, { level: 1, at: 1 }, AT);
  const seen = await buckets.read(name);
  await buckets.replace(name, seen, { level: 2, at: 2 }, AT);
  await buckets.removeFull(AT + 1, 10);
  await audit.removeOlder(AT + 1, 10);
}
