import { expect, it } from "vitest";
import type { ApiKey } from "../model/api-key.ts";
import type { AuditEntry } from "../model/audit.ts";
import type { Feature } from "../model/tenant-settings.ts";
import { createOrganizations } from "./organizations.ts";

const BY = { keyId: "k", requestId: "q" };
const OFF = { phone_number: false, tax_number: false, naics2017: false };

interface Stored {
  readonly org: string;
  readonly settingsVersion: string;
  readonly features: readonly Feature[];
}

const keyOf = (org: string, more: Partial<ApiKey> = {}): ApiKey => ({
  ...{ id: "i", org, name: null, roles: [], hash: "", createdAt: 0 },
  ...{ revokedAt: null, expiresAt: null, limits: { ratePerSecond: null, credits: null } },
  ...more,
});

/** @param meanwhile changes by another process between reading and writing, one for each of the first tries */
function setUp(keys: readonly ApiKey[] = [keyOf("acme")], meanwhile: (() => void)[] = []) {
  const stored = new Map<string, Stored>();
  const entries: AuditEntry[] = [];
  let ids = 0;
  const organizations = createOrganizations({
    getOrganization: (org) => Promise.resolve(stored.get(org) ?? null),
    allOrganizations: async function* () {
      for (const one of stored.values()) yield await Promise.resolve(one);
    },
    setFeatures: (org, seen, features, settingsVersion, entry) => {
      meanwhile.shift()?.();
      if (stored.get(org)?.settingsVersion !== seen?.settingsVersion) return Promise.resolve(false);
      stored.set(org, { org, settingsVersion, features });
      entries.push(entry);
      return Promise.resolve(true);
    },
    hasHadKey: (org) => Promise.resolve(keys.some((key) => key.org === org)),
    listKeys: () => Promise.resolve(keys),
    nowMs: () => 1_000,
    newId: () => `id-${String((ids += 1))}`,
  });
  return { organizations, stored, entries };
}

it("switching features creates a settings version and an audit entry", async () => {
  const { organizations, stored, entries } = setUp();
  const changes = { naics2017: true, phone_number: true, tax_number: false };
  expect(await organizations.setFeatures("acme", changes, BY)).toEqual({
    id: "acme",
    features: { ...OFF, naics2017: true, phone_number: true },
  });
  await organizations.setFeatures("acme", { phone_number: false }, BY);
  expect((await organizations.get("acme"))?.features).toEqual({ ...OFF, naics2017: true });
  const versions = new Set([stored.get("acme")?.settingsVersion, "", "id-2"]);
  expect(versions.size).toBe(3);
  const common = { ...BY, org: "acme", subject: "acme", createdAt: 1_000 };
  expect(entries).toMatchObject([
    { ...common, action: "features.changed", details: { naics2017: true, phone_number: true } },
    { ...common, action: "features.changed", details: { phone_number: false } },
  ]);
  expect(entries[0]?.details).not.toHaveProperty("tax_number");
});

it("what is as asked for already is not written again", async () => {
  const { organizations, entries } = setUp();
  await organizations.setFeatures("acme", { tax_number: false }, BY);
  await organizations.setFeatures("acme", {}, BY);
  expect(entries).toEqual([]);
});

it("two who switch different features at the same time both get what they want", async () => {
  const other: { now?: () => void } = {};
  const { organizations, stored } = setUp(undefined, [() => other.now?.()]);
  other.now = () =>
    stored.set("acme", { org: "acme", settingsVersion: "other", features: ["tax_number"] });
  expect((await organizations.setFeatures("acme", { naics2017: true }, BY))?.features).toEqual({
    ...OFF,
    tax_number: true,
    naics2017: true,
  });
});

it("an organization exists from its first key on; the default one always does", async () => {
  const { organizations, entries } = setUp([keyOf("acme", { revokedAt: 1 })]);
  expect(await organizations.get("acme")).toEqual({ id: "acme", features: OFF });
  expect(await organizations.get("default")).toEqual({ id: "default", features: OFF });
  expect(await organizations.get("unknown")).toBeNull();
  expect(await organizations.setFeatures("unknown", { naics2017: true }, BY)).toBeNull();
  expect(entries).toEqual([]);
});

it("the list has those with keys and those that have set something, in order, and counts the keys that open anything", async () => {
  const { organizations, stored } = setUp([
    keyOf("b"),
    keyOf("b", { expiresAt: 1_001 }),
    keyOf("b", { expiresAt: 1_000 }),
    keyOf("b", { revokedAt: 1 }),
    keyOf("a", { revokedAt: 1 }),
  ]);
  stored.set("c", { org: "c", settingsVersion: "v", features: ["naics2017"] });
  expect(await organizations.list()).toEqual([
    { id: "a", features: OFF, keys: 0 },
    { id: "b", features: OFF, keys: 2 },
    { id: "c", features: { ...OFF, naics2017: true }, keys: 0 },
  ]);
});
