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

/** A clock that stands still until the test moves it. */
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

describe("limits of keys", () => {
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
});
