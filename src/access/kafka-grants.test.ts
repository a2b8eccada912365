import { describe, expect, it } from "vitest";
import type { AuditEntry } from "../model/audit.ts";
import { GRANTS_MAX, type KafkaGrant } from "../model/kafka-grant.ts";
import { LedgerlineError } from "../shared/errors.ts";
import {
  createGrantReader,
  createKafkaGrants,
  encryptedGrantSecrets,
  type GrantVault,
  reencryptGrants,
} from "./kafka-grants.ts";

/** Encrypts under the name of a key; a context of another secret opens nothing. */
function vaultOf(current: string, lost: readonly string[] = []): GrantVault {
  return {
    encrypt: (text, context) => [current, context, text].join("|"),
    open: (encrypted, context) => {
      const [key = "", of, text = ""] = encrypted.split("|");
      if (of !== context || lost.includes(key)) throw new LedgerlineError("bad_secret", "lost");
      return text;
    },
    isCurrent: (encrypted) => encrypted.startsWith(`${current}|`),
  };
}

function setUp() {
  const state = { nowMs: 1_000, made: 0, failing: false };
  const stored = new Map<string, KafkaGrant>();
  const entries: AuditEntry[] = [];
  const onKafka: string[] = [];
  const on = (...what: readonly string[]): Promise<void> => {
    if (state.failing) return Promise.reject(new LedgerlineError("unavailable", "away"));
    onKafka.push(what.join(" "));
    return Promise.resolve();
  };
  const ports = {
    allGrants: () => Promise.resolve([...stored.values()]),
    getGrant: (org: string) => Promise.resolve(stored.get(org) ?? null),
    insertGrant: (grant: KafkaGrant, entry: AuditEntry) => {
      stored.set(grant.org, grant);
      entries.push(entry);
      return Promise.resolve(true);
    },
    replaceGrant: (seen: KafkaGrant, next: KafkaGrant, entry: AuditEntry | null) => {
      if (stored.get(seen.org)?.revision !== seen.revision) return Promise.resolve(false);
      stored.set(seen.org, { ...next, revision: seen.revision + 1 });
      if (entry !== null) entries.push(entry);
      return Promise.resolve(true);
    },
    removeGrant: (seen: KafkaGrant, entry: AuditEntry) => {
      if (stored.get(seen.org)?.revision !== seen.revision) return Promise.resolve(false);
      entries.push(entry);
      return Promise.resolve(stored.delete(seen.org));
    },
  };
  const grants = createKafkaGrants({
    ...ports,
    access: {
      allow: (org, principals) => on("allow", org, ...principals),
      forbid: (org, principals, others) => on("forbid", org, ...principals, "not", ...others),
      deleteTopics: (org) => on("delete", org),
    },
    vault: vaultOf("k1"),
    makeKeyId: () => `id-${String((state.made += 1))}`,
    nowMs: () => state.nowMs,
    newId: () => "e",
    randomBytes: (length) => new Uint8Array(length).fill(state.made),
  });
  const read = createGrantReader({
    allGrants: ports.allGrants,
    openVault: () => Promise.resolve(vaultOf("k1")),
    nowMs: () => state.nowMs,
    unreadable: () => undefined,
  });
  const validIds = async (): Promise<string[]> =>
    (await read()).flatMap(({ secrets }) => secrets.map(({ id }) => id));
  return { state, stored, entries, onKafka, ports, grants, read, validIds };
}

const first = { org: "acme", principals: ["User:acme"], rotationGraceMs: null };
const rotate = { ...first, rotationGraceMs: 500 };

describe("grants on Kafka", () => {
  it("a first grant makes what is on Kafka, then a secret that is stored encrypted and shown once", async () => {
    const { grants, stored, onKafka, entries, read } = setUp();
    const outcome = await grants.grant(first);
    const text = outcome.kind === "granted" ? (outcome.secret?.text ?? "") : "";
    expect(text).toMatch(/^llks_[\w-]{43}$/);
    expect(onKafka).toEqual(["allow acme User:acme"]);
    expect(await read()).toEqual([
      {
        org: "acme",
        credits: { max: 0, perSecond: 0 },
        secrets: [{ org: "acme", id: "id-1", endsAt: null, secret: Buffer.from(text) }],
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain(text);
    expect(entries).toMatchObject([{ action: "kafka.granted", subject: "id-1" }]);
    expect(stored.get("acme")?.secrets[0]?.encrypted).toBe(`k1|kafka/acme/id-1|${text}`);
    // Again: what is missing on Kafka is made, and no secret.
    const again = await grants.grant({ ...first, principals: ["User:other"] });
    expect(again).toMatchObject({ kind: "granted", secret: null });
    expect(onKafka[1]).toBe("allow acme User:acme User:other");
  });

  it("credits of a grant stay as they are until others are given, or those of the settings", async () => {
    const { grants, read } = setUp();
    const own = { max: 1_000, perSecond: 10 };
    const creditsOf = async (): Promise<unknown> => (await read())[0]?.credits;
    await grants.grant(first);
    expect(await creditsOf()).toEqual({ max: 0, perSecond: 0 });
    await grants.grant({ ...first, credits: own });
    expect(await creditsOf()).toEqual(own);
    await grants.grant(first);
    await grants.grant(rotate);
    expect(await creditsOf()).toEqual(own);
    await grants.grant({ ...first, credits: { max: 0, perSecond: 0 } });
    expect(await creditsOf()).toEqual({ max: 0, perSecond: 0 });
    await grants.grant({ ...first, credits: "settings" });
    expect(await creditsOf()).toBeNull();
  });

  it("a grant whose topics cannot be made is not stored", async () => {
    const { state, grants, stored } = setUp();
    state.failing = true;
    await expect(grants.grant(first)).rejects.toMatchObject({ code: "unavailable" });
    expect(stored.size).toBe(0);
  });

  it("two secrets are valid during a rotation, then the newer alone; a third is refused", async () => {
    const { state, grants, validIds } = setUp();
    await grants.grant(first);
    expect(await grants.grant(rotate)).toMatchObject({ secret: { id: "id-2" } });
    expect(await validIds()).toEqual(["id-1", "id-2"]);
    expect(await grants.grant(rotate)).toMatchObject({
      kind: "refused",
      why: expect.stringContaining("--key id-1") as string,
    });
    state.nowMs = 1_499;
    expect(await validIds()).toEqual(["id-1", "id-2"]);
    state.nowMs = 1_500;
    expect(await validIds()).toEqual(["id-2"]);
    expect(await grants.grant(rotate)).toMatchObject({ secret: { id: "id-3" } });
  });

  it("a secret that is revoked is gone at once, and the other one stays", async () => {
    const { grants, validIds } = setUp();
    await grants.grant(first);
    await grants.grant(rotate);
    expect(await grants.revokeSecret("acme", "id-1")).toBe("revoked");
    expect(await validIds()).toEqual(["id-2"]);
    expect(await grants.revokeSecret("acme", "id-1")).toBe("not_found");
    expect(await grants.revokeSecret("beta", "id-2")).toBe("not_found");
  });

  it("revoking ends the secrets before the access lists, and can be repeated where Kafka was away", async () => {
    const { state, grants, stored, onKafka, entries, read } = setUp();
    await grants.grant(first);
    await grants.grant({ ...first, org: "beta" });
    state.failing = true;
    await expect(grants.revoke("acme", true)).rejects.toMatchObject({ code: "unavailable" });
    expect((await read()).map(({ org }) => org)).toEqual(["beta"]);
    expect(await grants.grant(rotate)).toMatchObject({ kind: "refused" });
    state.failing = false;
    expect(await grants.revoke("acme", true)).toBe("revoked");
    // The user of both keeps what the other organization gives it.
    expect(onKafka.slice(2)).toEqual(["forbid acme User:acme not User:acme", "delete acme"]);
    expect([...stored.keys()]).toEqual(["beta"]);
    expect(entries.at(-1)).toMatchObject({ action: "kafka.revoked", org: "acme" });
    expect(await grants.revoke("acme", false)).toBe("not_found");
  });

  it("grants are refused beyond their limit, and have places of their own", async () => {
    const { grants, stored } = setUp();
    for (let index = 0; index < GRANTS_MAX; index += 1)
      await grants.grant({ ...first, org: `o${String(index)}` });
    expect(await grants.grant(first)).toMatchObject({ kind: "refused" });
    expect(new Set([...stored.values()].map(({ place }) => place)).size).toBe(GRANTS_MAX);
    await grants.revoke("o7", false);
    expect(await grants.grant(first)).toMatchObject({ grant: { place: 7 } });
  });

  it("a change of encryption keys takes all secrets along, and a lost key costs those alone that need it", async () => {
    const { grants, ports, stored, state } = setUp();
    await grants.grant(first);
    await reencryptGrants(ports, vaultOf("k2"));
    expect(stored.get("acme")?.secrets[0]?.encrypted).toMatch(/^k2\|kafka\/acme\/id-1\|/);
    const texts: string[] = [];
    for await (const { owner } of encryptedGrantSecrets(ports, state.nowMs)) texts.push(owner);
    expect(texts).toEqual(["kafka/acme/id-1"]);
    const lost: string[] = [];
    const read = createGrantReader({
      allGrants: ports.allGrants,
      openVault: () => Promise.resolve(vaultOf("k3", ["k2"])),
      nowMs: () => state.nowMs,
      unreadable: (org, id) => lost.push(`${org}/${id}`),
    });
    for (let count = 0; count < 3; count += 1)
      expect(await read()).toMatchObject([{ org: "acme", secrets: [] }]);
    // Reported once, not every few seconds.
    expect(lost).toEqual(["acme/id-1"]);
    await reencryptGrants(ports, vaultOf("k3", ["k2"]));
    expect(stored.get("acme")?.secrets[0]?.encrypted).toMatch(/^k2\|/);
  });

  it("records wait while a key is missing, and are verified once it is there", async () => {
    const { grants, ports, state } = setUp();
    await grants.grant(first);
    let hasKey = false;
    const read = createGrantReader({
      allGrants: ports.allGrants,
      openVault: async () => {
        if (!hasKey) throw new LedgerlineError("bad_secret", "The key k1 is missing.");
        return Promise.resolve(vaultOf("k1"));
      },
      nowMs: () => state.nowMs,
      unreadable: () => expect.unreachable(),
    });
    await expect(read()).rejects.toMatchObject({ code: "unavailable", retryable: true });
    hasKey = true;
    expect(await read()).toMatchObject([{ org: "acme", secrets: [{ id: "id-1" }] }]);
  });
});
