// What every engine promises about keys, their limits, the audit and organizations.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ApiKey } from "../../src/model/api-key.ts";
import { type AuditAction, type AuditEntry, COMMAND_LINE } from "../../src/model/audit.ts";
import type { PageRequest } from "../../src/shared/page.ts";
import type { StoredWebhook } from "../../src/model/webhook.ts";
import { createRateLimiter } from "../../src/access/rate-limiter.ts";
import { createAuditRepository } from "../../src/store/repositories/audit.ts";
import { createBucketRepository } from "../../src/store/repositories/buckets.ts";
import type { Store } from "../../src/store/collection.ts";
import { createKeyRepository } from "../../src/store/repositories/keys.ts";
import { createOrganizationRepository } from "../../src/store/repositories/organizations.ts";
import { createWebhookRepository } from "../../src/store/repositories/webhooks.ts";

const PAGE: PageRequest = { limit: 10, createdAfter: null, createdBefore: null, after: null };
const ALL = { action: null };

const entry = (id: string, createdAt = 1_000, action: AuditAction = "key.created"): AuditEntry => ({
  ...COMMAND_LINE,
  org: "o",
  id,
  createdAt,
  action,
  subject: "s",
  details: { text: "t", number: 1, isThere: true, nothing: null },
});

const key = (id: string, more: Partial<ApiKey> = {}): ApiKey => ({
  ...{ org: "o", id, name: "n", roles: ["read"], hash: `hash of ${id}`, createdAt: 1_000 },
  ...{ revokedAt: null, expiresAt: null, limits: { ratePerSecond: null, credits: null } },
  ...more,
});

const webhook: Omit<StoredWebhook, "revision"> = {
  ...{ org: "o", id: "w", createdAt: 1, url: "https://example.com", events: [], enabled: true },
  ...{ ordered: false, ca: null, tokens: [], secrets: [] },
  health: {
    ...{ consecutiveFailures: 0, lastSuccessAt: null, enabledAt: 1 },
    ...{ disabledAt: null, disabledReason: null, lastError: null },
  },
};

export function accessContract(
  name: string,
  open: () => Promise<{ store: Store; close: () => Promise<void> }>,
): void {
  describe(`access contract: ${name}`, () => {
    let store: Store;
    let close: () => Promise<void>;
    beforeEach(async () => {
      ({ store, close } = await open());
    });
    afterEach(() => close());

    const entries = async (): Promise<readonly AuditEntry[]> =>
      (await createAuditRepository(store).list("o", ALL, PAGE)).rows;

    it("keys that ended long ago are removed, but the newest of an organization and the audit stay", async () => {
      const keys = createKeyRepository(store);
      const made = [
        key("revoked", { revokedAt: 2_000 }),
        key("expired", { expiresAt: 2_000 }),
        key("late", { revokedAt: 9_000 }),
        key("good", { createdAt: 1_001 }),
        key("alone", { org: "other", revokedAt: 2_000 }),
      ];
      for (const one of made) await keys.insert(one, entry(`n-${one.id}`));
      expect(await keys.removeEnded(3_000, 1)).toBe(1);
      expect(await keys.removeEnded(3_000, 10)).toBe(1);
      expect(await keys.removeEnded(3_000, 10)).toBe(0);
      const left = (await keys.list()).map(({ id }) => id);
      expect(new Set(left)).toEqual(new Set(["late", "good", "alone"]));
      expect(await keys.isKnown("other")).toBe(true);
      expect(await entries()).toHaveLength(made.length);
    });

    it("a key is kept whole, with its entry, and is revoked once", async () => {
      const keys = createKeyRepository(store);
      const limits = { ratePerSecond: 5, credits: { max: 10, perSecond: 1 } };
      const whole = key("k", { expiresAt: 9_000, limits });
      await keys.insert(whole, entry("n1"));
      expect(await keys.findById("k")).toEqual(whole);
      expect(await keys.findByHash("hash of k")).toEqual(whole);
      expect([await keys.isKnown("o"), await keys.isKnown("p")]).toEqual([true, false]);
      const revoked = await Promise.all(
        ["n2", "n3", "n4"].map((id) => keys.revoke("k", 2_000, entry(id, 2_000, "key.revoked"))),
      );
      expect(revoked.filter(Boolean)).toHaveLength(1);
      expect(await keys.revoke("none", 2_000, entry("n5"))).toBe(false);
      expect(await keys.list()).toEqual([{ ...whole, revokedAt: 2_000 }]);
      expect((await entries()).map(({ action }) => action)).toEqual(["key.revoked", "key.created"]);
    });

    it("entries are kept whole and listed newest first, all or those of one action, in pages", async () => {
      const audit = createAuditRepository(store);
      const actions = ["key.created", "rule.changed", "key.created", "rule.changed"] as const;
      for (const [at, action] of actions.entries())
        await store.write([
          audit.step(entry(`n${String(at)}`, 1_000 + Math.floor(at / 2), action)),
        ]);
      await store.write([audit.step({ ...entry("foreign"), org: "p" })]);
      const first = await audit.list("o", ALL, { ...PAGE, limit: 3 });
      expect(first.rows.map(({ id }) => id)).toEqual(["n3", "n2", "n1"]);
      expect(first.rows[0]).toEqual(entry("n3", 1_001, "rule.changed"));
      const rest = await audit.list("o", ALL, { ...PAGE, after: first.next });
      expect([rest.rows.map(({ id }) => id), rest.next]).toEqual([["n0"], null]);
      const changed = await audit.list("o", { action: "rule.changed" }, { ...PAGE, limit: 1 });
      expect(changed.rows.map(({ id }) => id)).toEqual(["n3"]);
      const older = { ...PAGE, createdBefore: 1_001 };
      const before = await audit.list("o", { action: "rule.changed" }, older);
      expect(before.rows.map(({ id }) => id)).toEqual(["n1"]);
    });

    it("old entries of every organization are deleted, no more at once than asked for", async () => {
      const audit = createAuditRepository(store);
      for (const [index, org] of ["o", "p", "o", "o"].entries())
        await store.write([audit.step({ ...entry(`n${String(index)}`, 1_000 + index), org })]);
      expect(await audit.removeOlder(1_003, 2)).toBe(2);
      expect(await audit.removeOlder(1_003, 2)).toBe(1);
      expect(await audit.removeOlder(1_003, 2)).toBe(0);
      expect((await entries()).map(({ id }) => id)).toEqual(["n3"]);
    });

    it("of a webhook each change that is made leaves its entry, and none that is not", async () => {
      const webhooks = createWebhookRepository(store);
      expect(await webhooks.insert(webhook, 1, entry("n1"))).toBe(true);
      // The same again is there, another one has no place.
      expect(await webhooks.insert(webhook, 1, entry("n2"))).toBe(true);
      expect(await webhooks.insert({ ...webhook, id: "v" }, 1, entry("n3"))).toBe(false);
      const seen = await webhooks.get("o", "w");
      if (seen === null) throw new Error("The webhook should be there");
      expect(await webhooks.replace(seen, seen)).toBe(true);
      expect(await webhooks.replace(seen, seen, entry("n4"))).toBe(false);
      expect(await webhooks.replace({ ...seen, revision: 1 }, seen, entry("n5"))).toBe(true);
      const removed = await Promise.all(
        ["n6", "n7"].map((id) => webhooks.remove("o", "w", entry(id, 2_000))),
      );
      expect(removed.filter(Boolean)).toHaveLength(1);
      expect(await webhooks.get("o", "w")).toBeNull();
      const ids = (await entries()).map(({ id }) => id);
      expect([ids.length, ids.slice(1)]).toEqual([3, ["n5", "n1"]]);
    });

    it("features are replaced when the settings are those that were seen, with an entry and another version", async () => {
      const organizations = createOrganizationRepository(store);
      const set = organizations.setFeatures;
      expect(await organizations.get("o")).toBeNull();
      expect(await set("o", null, ["naics2017"], "v1", entry("n1"))).toBe(true);
      expect(await set("o", null, [], "v2", entry("n2"))).toBe(false);
      const seen = await organizations.get("o");
      expect(seen).toEqual({ org: "o", settingsVersion: "v1", features: ["naics2017"] });
      await store.write(organizations.settingsChangedSteps("o", "v3"));
      expect(await set("o", seen, [], "v4", entry("n3"))).toBe(false);
      const again = await organizations.get("o");
      expect(await set("o", again, ["phone_number", "tax_number"], "v5", entry("n4"))).toBe(true);
      await store.write(organizations.settingsChangedSteps("a", "v"));
      const all: unknown[] = [];
      for await (const one of organizations.all()) all.push(one);
      expect(all).toEqual([
        { org: "a", settingsVersion: "v", features: [] },
        { org: "o", settingsVersion: "v5", features: ["phone_number", "tax_number"] },
      ]);
      expect((await entries()).map(({ id }) => id)).toEqual(["n4", "n1"]);
    });

    it("of several who change a bucket that they have seen one does", async () => {
      const buckets = createBucketRepository(store);
      const of = { org: "o", keyId: "k", kind: "credits" } as const;
      const race = async (seen: Awaited<ReturnType<typeof buckets.read>>): Promise<number> => {
        const at = (seen?.at ?? 0) + 1;
        const tries = [1, 2, 3, 4].map((level) => buckets.replace(of, seen, { level, at }, 9));
        return (await Promise.all(tries)).filter(Boolean).length;
      };
      expect(await race(null)).toBe(1);
      expect(await race(null)).toBe(0);
      expect(await race(await buckets.read(of))).toBe(1);
      expect((await buckets.read(of))?.at).toBe(2);
      expect(await buckets.read({ ...of, kind: "requests" })).toBeNull();
    });

    it("a bucket that is full goes, and a change of it as it was is refused then", async () => {
      const buckets = createBucketRepository(store);
      const of = (keyId: string) => ({ org: "o", keyId, kind: "requests" }) as const;
      const bucket = { level: 5, at: 5 };
      await buckets.replace(of("a"), null, bucket, 10);
      await buckets.replace(of("b"), null, bucket, 11);
      expect(await buckets.removeFull(11, 10)).toBe(1);
      expect(await buckets.read(of("a"))).toBeNull();
      expect(await buckets.replace(of("a"), bucket, bucket, 10)).toBe(false);
      expect(await buckets.read(of("b"))).toEqual(bucket);
    });

    it("processes that share a key never let through more than its bucket holds, however they meet", async () => {
      const { read: readBucket, replace: replaceBucket } = createBucketRepository(store);
      const ports = { readBucket, replaceBucket, isShared: true, nowMs: () => 1_000_000 };
      const shares = [1, 2, 3].map(() => createRateLimiter(ports));
      const of = { org: "o", keyId: "k", kind: "requests" } as const;
      const limits = { ratePerSecond: 100, burst: 200 };
      const waits = await Promise.all(
        Array.from({ length: 300 }, async (_, call) => {
          // Not all at once: those that come while others are asked for wait in line.
          for (let turn = 0; turn < call % 7; turn += 1) await new Promise(setImmediate);
          return shares[call % 3]?.take(of, limits, 1);
        }),
      );
      const given = waits.filter((waitMs) => waitMs === 0).length;
      expect(given).toBeLessThanOrEqual(200);
      // What is held in advance when it ends is all that may be missing.
      expect(given).toBeGreaterThan(150);
    });
  });
}
