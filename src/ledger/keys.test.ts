import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ApiKey } from "../domain/api-key.ts";
import { createKeys } from "./keys.ts";

function setUp(environmentKey: string | null = null) {
  const stored: ApiKey[] = [];
  let seed = 0;
  const keys = createKeys(
    {
      insertKey: (key) => {
        stored.push(key);
        return Promise.resolve();
      },
      findKeyByHash: (hash) => Promise.resolve(stored.find((key) => key.hash === hash) ?? null),
      findKeyById: (id) => Promise.resolve(stored.find((key) => key.id === id) ?? null),
      listKeys: () => Promise.resolve(stored),
      revokeKey: (id, atMs) => {
        const index = stored.findIndex((key) => key.id === id && key.revokedAt === null);
        const key = stored[index];
        if (key !== undefined) stored[index] = { ...key, revokedAt: atMs };
        return Promise.resolve(key !== undefined);
      },
      nowMs: () => 1000,
      randomBytes: (length) => Uint8Array.from({ length }, () => (seed += 37) % 256),
    },
    environmentKey,
  );
  return { keys, stored };
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

  it("signatures are checked with a hash of the key, as long as it is not revoked and may write", async () => {
    const { keys } = setUp("from-the-environment");
    const { key, secret } = await keys.create("acme", null, ["read"]);
    const hash = createHash("sha256").update(secret).digest();
    expect(await keys.signingKey(key.id)).toEqual({ org: "acme", secret: hash, mayWrite: false });
    await keys.revoke(key.id);
    expect(await keys.signingKey(key.id)).toBeNull();
    expect(await keys.signingKey("environment")).toMatchObject({ org: "default", mayWrite: true });
    expect(await keys.signingKey("nobody")).toBeNull();
  });

  it("the key of the environment has all roles in the default organization and is stored nowhere", async () => {
    const { keys, stored } = setUp("from-the-environment");
    expect(await keys.authenticate("from-the-environment")).toEqual({
      org: "default",
      keyId: "environment",
      roles: ["read", "write", "admin", "operator"],
    });
    expect(stored).toEqual([]);
  });
});
