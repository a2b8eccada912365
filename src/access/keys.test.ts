import { describe, expect, it } from "vitest";
import type { ApiKey } from "../model/api-key.ts";
import type { AuditEntry } from "../model/audit.ts";
import { createKeys } from "./keys.ts";

const AS_THE_SETTINGS_SAY = { ratePerSecond: null, credits: null };

function setUp(environmentKey: string | null = null) {
  const stored: ApiKey[] = [];
  const entries: AuditEntry[] = [];
  const clock = { nowMs: 1000 };
  let seed = 0;
  const keys = createKeys(
    {
      insertKey: (key, entry) => {
        stored.push(key);
        entries.push(entry);
        return Promise.resolve();
      },
      findKeyByHash: (hash) => Promise.resolve(stored.find((key) => key.hash === hash) ?? null),
      findKeyById: (id) => Promise.resolve(stored.find((key) => key.id === id) ?? null),
      listKeys: () => Promise.resolve(stored),
      revokeKey: (id, atMs, entry) => {
        const index = stored.findIndex((key) => key.id === id && key.revokedAt === null);
        const key = stored[index];
        if (key === undefined) return Promise.resolve(false);
        stored[index] = { ...key, revokedAt: atMs };
        entries.push(entry);
        return Promise.resolve(true);
      },
      nowMs: () => clock.nowMs,
      newId: () => `entry-${String(entries.length)}`,
      randomBytes: (length) => Uint8Array.from({ length }, () => (seed += 37) % 256),
    },
    environmentKey,
  );
  return { keys, stored, entries, clock };
}

describe("API keys", () => {
  it("a key opens its organization with its roles, and nothing of the secret is stored", async () => {
    const { keys, stored } = setUp();
    const { key, secret } = await keys.create("acme", "ci", ["read"]);
    expect(secret).toMatch(/^ll_[0-9A-Za-z]{8}_[0-9A-Za-z]{32}$/);
    expect(await keys.authenticate(secret)).toEqual({
      org: "acme",
      keyId: key.id,
      roles: ["read"],
      limits: AS_THE_SETTINGS_SAY,
    });
    const kept = JSON.stringify(stored);
    expect(kept).not.toContain(secret.split("_")[2]);
    expect(await keys.authenticate(`${secret}x`)).toBeNull();
    expect(await keys.authenticate("")).toBeNull();
  });

  it("a revoked key opens nothing any more", async () => {
    const { keys } = setUp();
    const { key, secret } = await keys.create("acme", null, ["read"]);
    expect(await keys.revoke(key.id)).toBe(true);
    expect(await keys.authenticate(secret)).toBeNull();
    expect(await keys.revoke(key.id)).toBe(false);
  });

  it("a key that expires is one until that moment, and from then on as unknown as any other text", async () => {
    const { keys, clock } = setUp();
    const { key, secret } = await keys.create("acme", null, ["write"], { expiresAt: 5_000 });
    clock.nowMs = 4_999;
    expect(await keys.authenticate(secret)).toMatchObject({ keyId: key.id });
    for (const nowMs of [5_000, 5_001]) {
      clock.nowMs = nowMs;
      expect(await keys.authenticate(secret)).toBeNull();
    }
    // It can still be listed and revoked.
    expect(await keys.list()).toMatchObject([{ id: key.id, expiresAt: 5_000 }]);
    expect(await keys.revoke(key.id)).toBe(true);
  });

  it("a key carries the limits that it was made with", async () => {
    const { keys } = setUp();
    const limits = { ratePerSecond: 5, credits: { max: 100, perSecond: 1 } };
    const { secret } = await keys.create("acme", null, ["write"], { limits });
    expect(await keys.authenticate(secret)).toMatchObject({ limits });
  });

  it("making and revoking leave an entry each, with nothing of the secret and none for what did not happen", async () => {
    const { keys, entries, clock } = setUp();
    const { key, secret } = await keys.create("acme", "ci", ["read", "write"], {
      expiresAt: 90_000_000_000,
    });
    clock.nowMs = 2_000;
    await keys.revoke(key.id);
    await keys.revoke(key.id);
    await keys.revoke("unknown");
    const common = { org: "acme", subject: key.id, keyId: null, requestId: null };
    expect(entries).toEqual([
      {
        ...common,
        id: "entry-0",
        createdAt: 1_000,
        action: "key.created",
        details: {
          name: "ci",
          roles: "read,write",
          expires_at: "1972-11-07T16:00:00.000Z",
          rate_per_second: null,
          credits_max: null,
          credits_per_second: null,
        },
      },
      {
        ...common,
        id: "entry-1",
        createdAt: 2_000,
        action: "key.revoked",
        details: { name: "ci" },
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain(secret.split("_")[2]);
  });

  it("the key of the environment has all roles in the default organization and is stored nowhere", async () => {
    const { keys, stored } = setUp("from-the-environment");
    expect(await keys.authenticate("from-the-environment")).toEqual({
      org: "default",
      keyId: "environment",
      roles: ["read", "write", "admin", "operator"],
      limits: AS_THE_SETTINGS_SAY,
    });
    expect(stored).toEqual([]);
  });
});
