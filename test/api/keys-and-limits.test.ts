// Keys that expire, limits of keys, the audit and organizations, over real HTTP and from the command line.
import { describe, expect, it } from "vitest";
import { openKeys } from "../../src/app/commands.ts";
import type { Role } from "../../src/model/api-key.ts";
import type { KeyOptions } from "../../src/access/keys.ts";
import { createLogger } from "../../src/observability/logger.ts";
import { answered, type Client, createClient, type Outcome } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { runCommandOn } from "../support/command.ts";
import { startService, type TestService } from "../support/service.ts";

const NO_LIMITS = { requestsPerSecond: 0, creditsMax: 0, creditsPerSecond: 1 };

/** A clock that stands still until it is told otherwise. */
function stoppedClock() {
  let nowMs = Date.now();
  return {
    read: () => nowMs,
    pass: (ms: number) => {
      nowMs += ms;
    },
    set: (ms: number) => {
      nowMs = ms;
    },
  };
}

async function makeKey(
  { config, url }: TestService,
  org: string,
  roles: readonly Role[],
  options: KeyOptions = {},
): Promise<{ readonly id: string; readonly client: Client; readonly secret: string }> {
  const { keys, close } = await openKeys(config, createLogger("silent"), false);
  try {
    const { key, secret } = await keys.create(org, null, roles, options);
    return { id: key.id, secret, client: createClient(url, secret) };
  } finally {
    await close();
  }
}

const statusOf = (outcome: Outcome<unknown>): number | string =>
  outcome.kind === "answered" ? outcome.status : outcome.kind;

/** The status of a request and how long its answer asks to wait. */
async function refusalOf(
  { url }: TestService,
  secret: string,
  path: string,
  body?: unknown,
): Promise<readonly [number, string | null]> {
  const response = await fetch(url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { "X-Api-Key": secret, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  return [response.status, response.headers.get("Retry-After")];
}

const linesOf = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => coffee(`t${String(from + index)}`));

describe("keys that expire", () => {
  it("open everything until their last millisecond, and nothing from then on", async () => {
    const clock = stoppedClock();
    const service = await startService({ clock: clock.read });
    const expiresAt = clock.read() + 60_000;
    const { client } = await makeKey(service, "acme", ["read", "write"], { expiresAt });
    clock.set(expiresAt - 1);
    expect(statusOf(await client.call("GET", "/v3/transactions"))).toBe(200);
    clock.set(expiresAt);
    const refused = await client.call("GET", "/v3/transactions");
    expect(answered(refused, 401)).toMatchObject({ code: "invalid_api_key" });
    expect(statusOf(await client.enrich(coffee("t1")))).toBe(401);
  });

  it("are made and shown by the command line", async () => {
    const service = await startService();
    const made = await runCommandOn(
      service,
      ...["keys", "create", "--organization", "acme", "--expires", "90d"],
      ...["--rate", "5", "--credits", "100:10"],
    );
    const secret = made.stdout.toString("utf8").trim();
    expect([made.code, made.stderr]).toEqual([0, expect.stringContaining("It expires at ")]);
    const client = createClient(service.url, secret);
    expect(statusOf(await client.call("GET", "/v3/transactions"))).toBe(200);
    const [, prefix = ""] = /^(ll_\w{8})_\w{32}$/.exec(secret) ?? [];
    const list = (await runCommandOn(service, "keys", "list")).stdout.toString("utf8");
    const days = new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10);
    expect(list).toMatch(new RegExp(`${prefix} +acme +read,write +5 +100:10 +\\S+ +${days}T`));
    expect(list).not.toContain(secret);
  });
});

describe("limits of keys", () => {
  it("a key has the requests of two seconds at once and then waits as long as it is told, whatever others do", async () => {
    const clock = stoppedClock();
    const limits = { ...NO_LIMITS, requestsPerSecond: 3 };
    const service = await startService({ clock: clock.read, config: { limits } });
    const { secret } = await makeKey(service, "acme", ["read"]);
    const other = await makeKey(service, "acme", ["read"]);
    const path = "/v3/transactions";
    for (let call = 0; call < 6; call += 1)
      expect(await refusalOf(service, secret, path)).toEqual([200, null]);
    expect(await refusalOf(service, secret, path)).toEqual([429, "1"]);
    // Before its body is read, and also where its role would not do.
    expect(await refusalOf(service, secret, "/v3/batches", {})).toEqual([429, "1"]);
    expect(await refusalOf(service, other.secret, path)).toEqual([200, null]);
    clock.pass(1_000);
    for (let call = 0; call < 3; call += 1)
      expect(await refusalOf(service, secret, path)).toEqual([200, null]);
    expect(await refusalOf(service, secret, path)).toEqual([429, "1"]);
  });

  it("a transaction costs a credit; what is refused costs none, and nothing of it is accepted", async () => {
    const clock = stoppedClock();
    const limits = { ...NO_LIMITS, creditsMax: 100, creditsPerSecond: 8 };
    const service = await startService({ clock: clock.read, config: { limits } });
    const { client, secret } = await makeKey(service, "acme", ["read", "write"]);
    const submit = (data: unknown) =>
      refusalOf(service, secret, "/v3/batches", { operation: "POST /v3/transactions", data });

    const first = answered(await client.submitBatch(linesOf(60), "first"), 200);
    expect(answered(await client.submitBatch(linesOf(60), "first"), 200).id).toBe(first.id);
    expect(await submit([...linesOf(1), { id: "wrong" }])).toEqual([422, null]);
    expect(await submit(linesOf(101))).toEqual([413, null]);
    expect(await submit(linesOf(60))).toEqual([429, "3"]);
    // 40 are left all the same.
    answered(await client.enrich(coffee("single")), 200);
    answered(await client.submitBatch(linesOf(39, 1_000)), 200);
    const one = coffee("too much");
    expect(await refusalOf(service, secret, "/v3/transactions", one)).toEqual([429, "1"]);
    expect(await client.listAll("/v3/batches")).toHaveLength(2);
    answered(await client.getTransaction("too much"), 404);
    clock.pass(7_500);
    expect(await submit(linesOf(60, 2_000))).toEqual([200, null]);
    expect(await submit(linesOf(1, 3_000))).toEqual([429, "1"]);
  });

  it("credits of what the service could not take are given back", async () => {
    const limits = { ...NO_LIMITS, creditsMax: 100, creditsPerSecond: 1 };
    const clock = stoppedClock();
    const service = await startService({
      clock: clock.read,
      config: { limits },
      // No batch is small enough.
      ingest: { batchRecordsMax: 0 },
    });
    const { client } = await makeKey(service, "acme", ["read", "write"]);
    for (let tries = 0; tries < 5; tries += 1)
      answered(await client.submitBatch(linesOf(100)), 503);
    answered(await client.enrich(coffee("single")), 200);
    answered(await client.submitBatch(linesOf(100)), 429);
  });

  it("limits of a key count in place of the settings, and off is off", async () => {
    const clock = stoppedClock();
    const limits = { requestsPerSecond: 1, creditsMax: 1, creditsPerSecond: 1 };
    const service = await startService({ clock: clock.read, config: { limits } });
    const free = { ratePerSecond: 0, credits: { max: 0, perSecond: 0 } };
    const { client } = await makeKey(service, "acme", ["read", "write"], { limits: free });
    for (let call = 0; call < 20; call += 1)
      answered(await client.enrich(coffee(`t${String(call)}`)), 200);
  });

  it.skipIf(process.env["TEST_ENGINE"] !== "distributed")(
    "several processes share the limits of a key: together they let through what one would",
    async () => {
      const clock = stoppedClock();
      const limits = { requestsPerSecond: 40, creditsMax: 50, creditsPerSecond: 1 };
      const config = { limits, role: "ingest" as const };
      const first = await startService({ clock: clock.read, config: { limits } });
      const second = await startService({
        clock: clock.read,
        config: { ...config, dataFolder: first.dataFolder },
      });
      const { secret } = await makeKey(first, "acme", ["read", "write"]);
      const calls = Array.from({ length: 120 }, (_, call) =>
        refusalOf(call % 2 === 0 ? first : second, secret, "/v3/transactions"),
      );
      const through = (await Promise.all(calls)).filter(([status]) => status === 200).length;
      expect(through).toBeLessThanOrEqual(80);
      expect(through).toBeGreaterThan(70);
      clock.pass(60_000);
      const submit = (service: TestService, count: number) =>
        createClient(service.url, secret).submitBatch(linesOf(count));
      expect(statusOf(await submit(first, 30))).toBe(200);
      expect(statusOf(await submit(second, 21))).toBe(429);
      expect(statusOf(await submit(second, 20))).toBe(200);
    },
  );
});

interface Listed {
  readonly action: string;
  readonly subject: string;
  readonly key_id: string | null;
  readonly request_id: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

describe("the audit", () => {
  it("has every change of keys and webhooks with who made it, and nothing secret; an organization sees its own", async () => {
    const service = await startService();
    const { id, client } = await makeKey(service, "acme", ["write", "admin"]);
    const other = await makeKey(service, "other", ["write", "admin"]);
    const input = {
      url: "https://example.com/hook/path-of-the-secret-kind",
      events: ["batches.completed"],
      token: "the-token",
      hmac_secret: "the-secret-of-the-webhook",
    };
    const request = (name: string) => ({ "X-Request-ID": name });
    const made = await client.call<{ id: string }>("POST", "/v3/webhooks", input, request("r1"));
    const webhook = answered(made, 200).id;
    const path = `/v3/webhooks/${webhook}`;
    answered(await client.call("PATCH", path, { enabled: false, token: "" }, request("r2")), 200);
    answered(await client.call("DELETE", path, undefined, request("r3")), 204);
    answered(await client.call("DELETE", path, undefined, request("r4")), 404);
    await runCommandOn(service, "keys", "revoke", other.id);

    const entries = await client.listAll<Listed>("/v3/audit");
    const host = "example.com";
    const by = { key_id: id, subject: webhook };
    expect(entries).toMatchObject([
      { ...by, action: "webhook.deleted", request_id: "r3", details: { host } },
      {
        ...by,
        action: "webhook.changed",
        request_id: "r2",
        details: { enabled: false, token: "none" },
      },
      {
        ...by,
        action: "webhook.created",
        request_id: "r1",
        details: { host, events: "batches.completed", token: "set", hmac_secret: "set" },
      },
      {
        ...{ action: "key.created", subject: id, key_id: null, request_id: null },
        details: { roles: "write,admin" },
      },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/the-token|the-secret|of-the-secret-kind/);
    const deleted = "/v3/audit?action=webhook.deleted";
    expect(await client.listAll<Listed>(deleted)).toEqual(entries.slice(0, 1));
    expect(statusOf(await other.client.call("GET", "/v3/audit"))).toBe(401);

    const listed = await runCommandOn(service, "audit", "list", "--org", "other", "--json");
    const lines = listed.stdout.toString("utf8").trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as Listed).action)).toEqual([
      "key.revoked",
      "key.created",
    ]);
  });

  it("an admin key sees it, and keys of other roles do not", async () => {
    const service = await startService();
    const writer = await makeKey(service, "acme", ["read", "write"]);
    expect(statusOf(await writer.client.call("GET", "/v3/audit"))).toBe(403);
    const admin = await makeKey(service, "acme", ["admin"]);
    expect(statusOf(await admin.client.call("GET", "/v3/audit"))).toBe(200);
  });
});

describe("organizations", () => {
  it("get features from operators, over HTTP and from the command line, with an entry for each change", async () => {
    const service = await startService();
    const { client: operator, id } = await makeKey(service, "ops", ["operator"]);
    const { client: admin } = await makeKey(service, "acme", ["admin"]);
    const industryOf = async (id: string): Promise<unknown> => {
      const { entities } = answered(await admin.enrich(coffee(id)), 200);
      return (entities as { counterparty: { naics2017: unknown } }).counterparty.naics2017;
    };
    expect(await industryOf("before")).toBeNull();
    const path = "/ops/organizations/acme";
    const off = { phone_number: false, tax_number: false, naics2017: false };
    expect(answered(await operator.call("GET", path), 200)).toEqual({ id: "acme", features: off });
    const changes = { features: { naics2017: true } };
    answered(await admin.call("PATCH", path, changes), 403);
    const headers = { "X-Request-ID": "r1" };
    expect(answered(await operator.call("PATCH", path, changes, headers), 200)).toEqual({
      id: "acme",
      features: { ...off, naics2017: true },
    });
    expect(await industryOf("after")).toBe("722515");
    answered(await operator.call("PATCH", "/ops/organizations/acmee", changes), 404);

    const features = ["organizations", "features", "acme"];
    const flags = ["--on", "phone_number", "--off", "naics2017"];
    const changed = await runCommandOn(service, ...features, ...flags);
    expect(changed.stdout.toString("utf8")).toMatch(
      /^phone_number +on\ntax_number +off\nnaics2017 +off\n$/,
    );
    const list = (await runCommandOn(service, "organizations", "list")).stdout.toString("utf8");
    expect(list).toMatch(/\nacme +1 +phone_number\nops +1 +-\n$/);
    const entries = await admin.listAll<Listed>("/v3/audit?action=features.changed");
    expect(entries).toMatchObject([
      { key_id: null, details: { phone_number: true, naics2017: false } },
      { key_id: id, request_id: "r1", details: { naics2017: true } },
    ]);
  });
});
