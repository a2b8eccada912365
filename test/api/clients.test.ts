// What existing client libraries send, need in every response, and rely on.
import { request as httpRequest } from "node:http";
import { describe, expect, it } from "vitest";
import { answered, API_KEY, createClient } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { createLines } from "../support/lines.ts";
import { fillPath, operations, sampleOf } from "../support/operations.ts";
import { startReceiver } from "../support/receiver.ts";
import { shared, startService } from "../support/service.ts";
import { statementFile } from "../support/statement-files.ts";
import { createKeysOf, createThings, submitStatement, type Things } from "../support/things.ts";
import { until } from "../support/poll.ts";
import { callableWebhooks } from "../support/webhooks.ts";

type Json = Readonly<Record<string, unknown>>;
interface Page {
  readonly next_cursor: string | null;
  readonly data: readonly Json[];
}

const setUp = shared(async (atEnd) => {
  const receiver = await startReceiver(undefined, atEnd);
  const service = await startService(
    { config: { webhooks: callableWebhooks }, http: { syncCallsPerKeyMax: 1 } },
    atEnd,
  );
  const things = await createThings(service, "organization", "o", receiver.url);
  const [key = ""] = await createKeysOf(service, "organization", ["read", "write", "admin"]);
  return { service, things, key, client: createClient(service.url, key) };
});

/** The answer to a call that succeeds. */
async function ok<Body = Json>(method: string, path: string, body?: unknown): Promise<Body> {
  return answered(await setUp().client.call<Body>(method, path, body), 200);
}

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Sends headers exactly as they are written, with a body of no bytes where one is announced. */
function callAsIs(
  method: string,
  path: string,
  headers: Record<string, string>,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(setUp().service.url + path, { method, headers, agent: false });
    request.once("error", reject);
    request.once("response", (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, headers: response.headers });
    });
    request.end();
  });
}

describe("how clients call", () => {
  it.each(["X-API-Key", "x-api-key", "X-API-KEY", "X-Api-Key"])(
    "the key is found in %s, and a request id of 32 hex digits comes back",
    async (header) => {
      const id = "0123456789abcdef0123456789abcdef";
      const headers = { [header]: setUp().key, "X-Request-ID": id };
      const { status, headers: sent } = await callAsIs("GET", "/v3/batches", headers);
      expect([status, sent["x-request-id"]]).toEqual([200, id]);
    },
  );

  it("null for what is not set is as good as leaving it out", async () => {
    const location = { raw_address: null, country: null };
    for (const place of [null, location]) {
      const line = { ...coffee("nulls"), account_holder_id: null, location: place };
      expect(await ok("POST", "/v3/transactions", line)).toMatchObject({ error: null });
      const body = { operation: "POST /v3/transactions", data: [line] };
      await ok("POST", "/v3/batches", body);
    }
    const holder = { id: "nulls", type: "consumer", name: null, category_id: null };
    expect(await ok("POST", "/v3/account_holders", holder)).toMatchObject(holder);
    const url = "https://example.com/nulls";
    const hook = { url, events: ["batches.error"], token: null, hmac_secret: null };
    const { id } = await ok("POST", "/v3/webhooks", hook);
    const patch = { url: null, events: null, token: null, enabled: null };
    const patched = await ok("PATCH", `/v3/webhooks/${String(id)}`, patch);
    expect(patched).toMatchObject({ url, events: ["batches.error"], enabled: true, token: null });
    const query = { name: "Netflix", website: null, location: null };
    expect(await ok("POST", "/v3/entities/resolve", query)).toMatchObject({ name: "Netflix" });
  });

  it("times in queries may have a space, microseconds, and no zone, which is UTC; or +00:00", async () => {
    const { things } = setUp();
    const path = `/v3/account_holders/${things.otherHolder}`;
    const { created_at: createdAt } = await ok(`GET`, path);
    const instant = String(createdAt).replace("Z", "000");
    for (const text of [instant.replace("T", " "), `${instant}+00:00`, `${instant}Z`]) {
      const at = encodeURIComponent(text);
      const from = await ok<Page>("GET", `/v3/account_holders?limit=1000&created_after=${at}`);
      expect(from.data.map(({ id }) => id)).toContain(things.otherHolder);
      const before = await ok<Page>("GET", `/v3/account_holders?created_before=${at}`);
      expect(before.data.map(({ id }) => id)).not.toContain(things.otherHolder);
    }
  });

  it("ids stand in paths unescaped", async () => {
    const { client } = setUp();
    for (const id of ["team/7", "50%", "a:b@c;d=e"]) {
      answered(await client.createHolder(id, "consumer"), 200);
      answered(await client.enrich(coffee(id)), 200);
      const assignment = { account_holder_id: id };
      expect(await ok("POST", `/v3/transactions/${id}/assign`, assignment)).toMatchObject({ id });
      expect(await ok("GET", `/v3/account_holders/${id}`)).toMatchObject({ id });
      answered(await client.call("DELETE", `/v3/account_holders/${id}`), 204);
    }
  });

  it.each(
    operations.filter(
      ({ method, request }) =>
        method === "POST" && request.body === null && request.upload === null,
    ),
  )("a POST of no bytes needs no content type, and may have any: $path", async (operation) => {
    const { things, key } = setUp();
    const path = fillPath(operation.path, sampleOf(operation, things).path);
    const length = { "X-Api-Key": key, "Content-Length": "0" };
    for (const type of [{}, { "Content-Type": "application/octet-stream" }]) {
      const { status } = await callAsIs("POST", path, { ...length, ...type });
      expect([200, 409]).toContain(status);
    }
  });

  it("a 429 has the whole seconds until a retry", async () => {
    const { service, key } = setUp();
    const calls = Array.from({ length: 20 }, async (_, index) => {
      const response = await fetch(`${service.url}/v3/transactions`, {
        method: "POST",
        headers: { "X-Api-Key": key, "Content-Type": "application/json" },
        body: JSON.stringify(coffee(`many-${String(index)}`)),
      });
      await response.text();
      return response;
    });
    const refused = (await Promise.all(calls)).filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers } of refused) expect(headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
  });

  it("a batch can be asked for again and again after its end", async () => {
    const { things } = setUp();
    for (const path of [`/v3/batches/${things.batch}`, `/v3/batches/${things.batch}/results`]) {
      const first = await ok("GET", path);
      expect(first["status"]).toBe("completed");
      expect(await ok("GET", path)).toEqual(first);
    }
  });
});

describe("what models need in every answer", () => {
  it.each(
    operations.filter((one) => "limit" in one.request.query.shape && one.role !== "operator"),
  )("a page has its cursor, also when it is the last, and its list: $path", async (operation) => {
    const { things } = setUp();
    const path = fillPath(operation.path, sampleOf(operation, things).path);
    const page = await ok<Page>("GET", `${path}?limit=1000`);
    expect(page.next_cursor).toBeNull();
    expect(page.data.length).toBeGreaterThan(0);
    const future = "created_after=2999-01-01T00:00:00Z";
    expect(await ok<Page>("GET", `${path}?${future}`)).toEqual({ next_cursor: null, data: [] });
  });

  it("a webhook has its token, also where there is none", async () => {
    const body = { url: "https://example.com/none", events: ["batches.error"] };
    const created = await ok("POST", "/v3/webhooks", body);
    const path = `/v3/webhooks/${String(created["id"])}`;
    const { data } = await ok<Page>("GET", "/v3/webhooks");
    const listed = data.find(({ id }) => id === created["id"]);
    const patched = await ok("PATCH", path, { enabled: false });
    for (const one of [created, await ok("GET", path), listed, patched])
      expect(one).toHaveProperty("token", null);
    const { things } = setUp();
    const own = await ok("GET", `/v3/webhooks/${things.webhook}`);
    expect(own).toMatchObject({ token: things.secret });
  });

  it("a report has its rejection reason, null until it is rejected", async () => {
    const { service, things } = setUp();
    const wrong = { transaction_id: things.transaction, description: "wrong", fields: [] };
    const created = await ok("POST", "/v3/reports", wrong);
    const path = `/v3/reports/${String(created["id"])}`;
    const { data } = await ok<Page>("GET", "/v3/reports?status=open");
    for (const one of [created, await ok("GET", path), ...data])
      expect(one).toHaveProperty("rejection_reason", null);
    const operator = createClient(service.url, API_KEY);
    const move = { status: "rejected", rejection_reason: "It is right" };
    const at = path.replace("/v3/", "/ops/");
    answered(await operator.call("PATCH", at, move), 200);
    expect(await ok("GET", path)).toMatchObject({ rejection_reason: "It is right" });
  });

  it("an entity has its id, name, website, logo and list of codes, also where nothing is known of it", async () => {
    const known = await ok("POST", "/v3/entities/resolve", { website: "netflix.com" });
    const same = await ok("GET", `/v3/entities/${String(known["id"])}`);
    const unknown = await ok("POST", "/v3/entities/resolve", { name: "Qqxyzzy Plugh Zzyzx" });
    for (const entity of [known, same, unknown]) {
      for (const field of ["id", "name", "website", "logo"]) expect(entity).toHaveProperty(field);
      const { mccs } = entity as { mccs: unknown };
      expect(Array.isArray(mccs)).toBe(true);
    }
    expect(known).toMatchObject({ name: "Netflix", website: "netflix.com" });
  });

  it("lists of codes and intermediaries are lists or absent, and accounting is a category or null", async () => {
    const { client } = setUp();
    answered(await client.createHolder("books", "business"), 200);
    const next = createLines(3);
    const lines = Array.from({ length: 500 }, (_, index) => ({
      ...next(),
      id: `line-${String(index)}`,
      account_holder_id: index % 3 === 0 ? null : "books",
    }));
    const { id } = answered(await client.submitBatch(lines), 200);
    const { results } = await until("the batch's end", async () => {
      const found = answered(await client.results(id), 200);
      return found.status === "completed" ? found : null;
    });
    const text = JSON.stringify(results);
    expect(text).toContain('"mccs":[');
    expect(text).not.toMatch(/"(?:mccs|intermediaries)":null/);
    const accounting = new Set(
      [...text.matchAll(/"accounting":("[^"]*"|null)/g)].map(([, value = ""]) => value),
    );
    const known = ["operational expenses", "cost of goods sold", "revenue", "financing", "taxes"];
    const allowed = ["null", ...[...known, "investing"].map((value) => `"${value}"`)];
    expect([...accounting].filter((value) => !allowed.includes(value))).toEqual([]);
    expect(accounting.size).toBeGreaterThan(2);
  });

  it("a set of categories that is reset answers JSON", async () => {
    const { service, key } = setUp();
    const response = await fetch(`${service.url}/v3/categories/consumer/reset`, {
      method: "POST",
      headers: { "X-Api-Key": key, "Content-Length": "0" },
    });
    expect([response.status, response.headers.get("Content-Type")]).toEqual([
      200,
      "application/json",
    ]);
    JSON.parse(await response.text());
  });

  it("a rule's id is a whole number, and a listed rule has its own fields with it", async () => {
    const rules = [{ add_label: "one" }, { if: true, then: [{ set: "merchant", to: "two" }] }];
    await ok("POST", "/v3/rules/replace", rules);
    const third = { set: "website", to: "example.com" };
    expect(await ok("POST", "/v3/rules", third)).toMatchObject({ id: 2 });
    const listed = await ok<readonly Json[]>("GET", "/v3/rules");
    expect(listed).toEqual([...rules, third].map((rule, id) => ({ id, ...rule })));
  });
});

describe("what clients rely on", () => {
  it.each(
    operations.filter((one) => "limit" in one.request.query.shape && one.role !== "operator"),
  )("a walk with limit=2 neither repeats nor skips: $path", async (operation) => {
    const { things, client } = setUp();
    const path = fillPath(operation.path, sampleOf(operation, things).path);
    for (const index of ["a", "b", "c"]) await addOne(operation.operationId, index);
    const all = (await ok<Page>("GET", `${path}?limit=1000`)).data;
    expect(all.length).toBeGreaterThan(2);
    const walked: Json[] = [];
    let cursor = "";
    do {
      const page: Page = await ok<Page>(
        "GET",
        `${path}?limit=2&cursor=${encodeURIComponent(cursor)}`,
      );
      expect(page.data.length).toBeLessThanOrEqual(2);
      walked.push(...page.data);
      cursor = page.next_cursor ?? "";
    } while (cursor !== "");
    expect(walked).toEqual(all);
    expect(await client.listAll(path)).toEqual(all);
  });

  async function addStatement(mark: string): Promise<void> {
    const { service, key } = setUp();
    const id = await submitStatement(service.url, key, statementFile(mark));
    await until("the end of the statement", async () => {
      const { status } = await ok("GET", `/v3/bank_statements/${id}`);
      return status === "processing" ? null : status;
    });
  }

  /** One more row for a list. */
  async function addOne(list: string, name: string): Promise<void> {
    const { client, things } = setUp();
    if (list === "list_bank_statements") return addStatement(`walked-${name}`);
    const row = ROWS[list];
    if (row === undefined) throw new Error(`Say in ROWS how ${list} gets one more row`);
    const [path, body] = row(`walked-${list}-${name}`, things);
    const created = answered(await client.call<Json>("POST", path, body), 200);
    if (path === "/v3/reapplications") {
      // One runs at a time.
      await until("the reapplication's end", async () => {
        const { status } = await ok("GET", `${path}/${String(created["id"])}`);
        return status === "completed" || null;
      });
    }
    if (path !== "/v3/batches") return;
    // Rows that still change would look like others.
    await until("the batch's end and its event", async () => {
      const { data } = await ok<Page>("GET", `/v3/webhooks/${things.webhook}/deliveries`);
      const delivery = data.find((one) => one["resource_id"] === created["id"]);
      return delivery?.["state"] === "delivered" ? delivery : null;
    });
  }
});

type Row = (id: string, things: Things) => readonly [path: string, body: unknown];

const batchRow: Row = (id) => [
  "/v3/batches",
  { operation: "POST /v3/transactions", data: [coffee(id)] },
];
const ROWS: Readonly<Record<string, Row>> = {
  list_transactions: (id) => ["/v3/transactions", coffee(id)],
  list_batches: batchRow,
  // Each batch that ends is an event.
  list_deliveries: batchRow,
  list_account_holders: (id) => ["/v3/account_holders", { id, type: "consumer" }],
  list_webhooks: () => [
    "/v3/webhooks",
    { url: "https://example.com/walked", events: ["batches.error"] },
  ],
  list_reports: (_, { transaction }) => [
    "/v3/reports",
    { transaction_id: transaction, description: "", fields: [] },
  ],
  list_reapplications: () => ["/v3/reapplications", undefined],
  // Each change of the rules leaves an entry.
  list_audit_entries: (id) => ["/v3/rules", { add_label: id }],
};
