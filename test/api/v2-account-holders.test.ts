// Account holders by the v2 API: what clients of it rely on, and that they are the account holders of the v3 API.
import { describe, expect, it } from "vitest";
import { answered, type Client, createClient } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { useOrganizations } from "../support/organizations.ts";
import { startService } from "../support/service.ts";
import { createKeysOf } from "../support/things.ts";

const organization = useOrganizations();

interface Holder {
  readonly id: string;
  readonly type: string;
  readonly name: string | null;
  readonly created_at: string;
  readonly num_transactions?: number;
  readonly [field: string]: unknown;
}

const PATH = "/v2/account-holder";
const at = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;
const create = async (client: Client, body: object): Promise<Holder> =>
  answered(await client.call<Holder>("POST", PATH, body), 200);
const get = async (client: Client, id: string): Promise<Holder> =>
  answered(await client.call<Holder>("GET", at(id)), 200);
const list = async (client: Client, query = ""): Promise<Holder[]> =>
  answered(await client.call<Holder[]>("GET", `${PATH}${query}`), 200);
const idsOf = async (client: Client, query: string): Promise<string[]> =>
  (await list(client, query)).map(({ id }) => id);
const inV3 = async (client: Client, id: string): Promise<unknown> =>
  answered(await client.call("GET", `/v3/account_holders/${encodeURIComponent(id)}`), 200);

const BAKERY = {
  type: "business",
  name: "Blue Door Bakery",
  industry: " Bakery / Café ",
  website: "HTTPS://Blue-Door.example/Shop?x=1",
  company: { loan_state: "ongoing", logo: "https://blue-door.example/logo.svg" },
};
const UNKNOWN = {
  mean_labeler_confidence: null,
  total_revenue: null,
  application_time: null,
  alerts: {},
  review_percentage: null,
};
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe("one account holder", () => {
  it("comes back as it was sent, with every key that the models of clients need", async () => {
    const { client } = await organization();
    const created = await create(client, { id: "a/b é", ...BAKERY });
    const expected = {
      ...{ id: "a/b é", ...BAKERY, ...UNKNOWN },
      created_at: expect.stringMatching(INSTANT) as string,
    };
    expect(created).toEqual(expected);
    expect(await get(client, "a/b é")).toEqual({ ...created, num_transactions: 0 });
    expect(await list(client)).toEqual([created]);
    const bare = await create(client, { id: "bare", type: "consumer" });
    expect(bare).toMatchObject({ name: null, industry: null, website: null, company: null });
  });

  it("without an id gets a UUID, the same one when the request is repeated under its key", async () => {
    const { client } = await organization();
    const key = { "Idempotency-Key": "k" };
    const body = { type: "unknown", id: null };
    const first = answered(await client.call<Holder>("POST", PATH, body, key), 200);
    expect(first.id).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect(answered(await client.call<Holder>("POST", PATH, body, key), 200)).toEqual(first);
    expect((await create(client, { type: "unknown" })).id).not.toBe(first.id);
    expect(await list(client)).toHaveLength(2);
  });

  it("whose id exists is refused, whichever API it came by, and the first stays as it was", async () => {
    const { client } = await organization();
    const first = await create(client, { id: "h", ...BAKERY });
    const again = await client.call<{ code: string }>("POST", PATH, { id: "h", type: "consumer" });
    expect(answered(again, 400).code).toBe("account_holder_exists");
    answered(await client.createHolder("h", "consumer"), 400);
    answered(await client.createHolder("v3", "consumer"), 200);
    answered(await client.call("POST", PATH, { id: "v3", type: "consumer" }), 400);
    expect(await get(client, "h")).toEqual({ ...first, num_transactions: 0 });
  });

  it("is a holder of v3 too, in each of the types, and the reverse", async () => {
    const { client } = await organization();
    const shown = { consumer: "consumer", business: "business", unknown: "consumer" };
    for (const [type, v3Type] of Object.entries({ ...shown, freelance: "business" })) {
      const { created_at } = await create(client, { id: type, type, name: "Name" });
      expect((await get(client, type)).type).toBe(type);
      expect(await inV3(client, type)).toEqual({
        ...{ id: type, type: v3Type, name: "Name" },
        ...{ category_id: null, created_at },
      });
    }
    answered(await client.createHolder("from-v3", "consumer"), 200);
    const own = { industry: null, website: null, company: null, ...UNKNOWN };
    expect(await get(client, "from-v3")).toEqual({
      ...{ id: "from-v3", type: "consumer", name: null, ...own, num_transactions: 0 },
      created_at: expect.stringMatching(INSTANT) as string,
    });
  });

  it("counts the transactions of its ledger, of whichever API they came by, and no deleted one", async () => {
    const { client } = await organization();
    await create(client, { id: "h", type: "unknown" });
    for (const id of ["t1", "t2"])
      answered(await client.enrich(coffee(id, { account_holder_id: "h" })), 200);
    const { description } = coffee("t3");
    const sent = {
      ...{ transaction_id: "t3", description, date: "2026-11-20", amount: 1 },
      ...{ entry_type: "outgoing", iso_currency_code: "USD", account_holder_id: "h" },
    };
    answered(await client.call("POST", "/v2/transactions/sync", [sent]), 200);
    expect((await get(client, "h")).num_transactions).toBe(3);
    answered(await client.deleteTransaction("t1"), 204);
    expect((await get(client, "h")).num_transactions).toBe(2);
  });

  it("that is unknown is a 404 with a text for each operation", async () => {
    const { client } = await organization();
    for (const [method, body] of [
      ["GET", undefined],
      ["PUT", { type: "consumer" }],
      ["PATCH", { name: "n" }],
      ["DELETE", undefined],
    ] as const) {
      const missing = await client.call<{ detail: string }>(method, at("none"), body);
      expect(answered(missing, 404).detail).toBe("Account holder not found");
    }
    expect(await list(client)).toEqual([]);
  });
});

describe("a changed account holder", () => {
  it("has the new fields alone; its id, its creation, its ledger and its category set stay", async () => {
    const { client } = await organization();
    const v3 = { id: "h", type: "business", name: "Old", category_id: "own-set" };
    answered(await client.call("POST", "/v3/account_holders", v3), 200);
    answered(await client.enrich(coffee("t", { account_holder_id: "h" })), 200);
    const before = await get(client, "h");
    const put = await client.call<Holder>("PUT", at("h"), { ...BAKERY, id: "other" });
    const { num_transactions: count, ...rest } = before;
    expect(answered(put, 200)).toEqual({ ...rest, ...BAKERY });
    expect(await get(client, "h")).toEqual({ ...rest, ...BAKERY, num_transactions: count });
    answered(await client.call("PUT", at("h"), { type: "freelance" }), 200);
    const own = { name: null, industry: null, website: null, company: null };
    expect(await get(client, "h")).toEqual({
      ...{ ...before, ...own, type: "freelance" },
    });
    expect(await inV3(client, "h")).toMatchObject({ category_id: "own-set", type: "business" });
    expect(answered(await client.getTransaction("t"), 200).account_holder_id).toBe("h");
    answered(await client.call("GET", at("other")), 404);
  });

  it("with another type has its later transactions categorised by that one, without delay", async () => {
    const { client } = await organization();
    await create(client, { id: "h", type: "consumer" });
    const accounting = async (id: string): Promise<unknown> => {
      const line = coffee(id, { account_holder_id: "h" });
      const { categories } = answered(await client.enrich(line), 200);
      return (categories as { readonly accounting?: unknown } | null)?.accounting ?? null;
    };
    expect(await accounting("t1")).toBeNull();
    answered(await client.call("PUT", at("h"), { type: "freelance" }), 200);
    expect(await accounting("t2")).not.toBeNull();
    answered(await client.call("PUT", at("h"), { type: "unknown" }), 200);
    expect(await accounting("t3")).toBeNull();
  });

  it("with a new name answers null, and keeps everything else", async () => {
    const { client } = await organization();
    const created = await create(client, { id: "h", ...BAKERY, type: "unknown" });
    expect(answered(await client.call("PATCH", at("h"), { name: "New" }), 200)).toBeNull();
    expect(await get(client, "h")).toEqual({ ...created, name: "New", num_transactions: 0 });
    expect(await inV3(client, "h")).toMatchObject({ name: "New", type: "consumer" });
    expect(await idsOf(client, "?query=new")).toEqual(["h"]);
    expect(await idsOf(client, "?query=bakery")).toEqual([]);
  });
});

describe("a deleted account holder", () => {
  it("is gone with its transactions from both APIs, with an entry in the audit, and its id is free", async () => {
    const { client } = await organization();
    await create(client, { id: "h", ...BAKERY });
    answered(await client.enrich(coffee("t", { account_holder_id: "h" })), 200);
    expect(answered(await client.call("DELETE", at("h")), 200)).toEqual({ status: "success" });
    answered(await client.call("GET", at("h")), 404);
    answered(await client.call("GET", "/v3/account_holders/h"), 404);
    answered(await client.getTransaction("t"), 404);
    expect(await list(client, "?query=bakery")).toEqual([]);
    const audit = await client.listAll<{ action: string; subject: string }>("/v3/audit");
    expect(audit).toContainEqual(
      expect.objectContaining({ action: "account_holder.deleted", subject: "h" }),
    );
    answered(await client.call("DELETE", at("h")), 404);
    expect(await create(client, { id: "h", type: "consumer" })).toMatchObject({ name: null });
  });
});

describe("the list", () => {
  it("has pages by number, is sorted, searched and filtered as asked for", async () => {
    let now = Date.UTC(2026, 10, 1);
    const { client } = await startService({ clock: () => (now += 1_000) });
    const named = { a: "Zebra Ltd", b: null, c: "apple Inc", d: "Ümlaut AG", E: null } as const;
    const types = ["consumer", "business", "unknown", "freelance", "consumer"];
    for (const [index, [id, name]] of Object.entries(named).entries())
      await create(client, { id, type: types[index], name });
    expect(await idsOf(client, "")).toEqual(["E", "d", "c", "b", "a"]);
    expect(await idsOf(client, "?sort_order=asc")).toEqual(["a", "b", "c", "d", "E"]);
    expect(await idsOf(client, "?per_page=2&page=1")).toEqual(["c", "b"]);
    expect(await idsOf(client, "?per_page=2&page=2")).toEqual(["a"]);
    expect(await idsOf(client, "?per_page=2&page=3")).toEqual([]);
    expect(await idsOf(client, "?per_page=1000&page=1000000")).toEqual([]);
    expect(await idsOf(client, "?sort_by=id&sort_order=asc")).toEqual(["E", "a", "b", "c", "d"]);
    expect(await idsOf(client, "?sort_by=name&named_only=true")).toEqual(["d", "c", "a"]);
    expect(await idsOf(client, "?sort_by=type&sort_order=asc")).toEqual(["b", "E", "a", "d", "c"]);
    expect(await idsOf(client, "?query=APP")).toEqual(["c"]);
    expect(await idsOf(client, "?query=e")).toEqual(["E", "c", "a"]);
    expect(await idsOf(client, `?query=${encodeURIComponent("üml")}`)).toEqual(["d"]);
    expect(await idsOf(client, "?query=e&named_only=True&with_confidence=True")).toEqual([
      "c",
      "a",
    ]);
    const refused = await client.call<{ code: string }>("GET", `${PATH}?sort_by=revenue`);
    expect(answered(refused, 400).code).toBe("invalid_sort");
  });

  it("has the mean confidence of the categories of each holder's ledger where that is asked for", async () => {
    const { client } = await organization();
    await create(client, { id: "spends", type: "consumer" });
    await create(client, { id: "new", type: "consumer" });
    const sent = ["STARBUCKS STORE 00923", "NETFLIX.COM", "xq"].map((description, index) => ({
      transaction_id: `t${String(index)}`,
      account_holder_id: "spends",
      description,
      date: "2026-05-04",
      amount: 6.5,
      entry_type: "outgoing",
      iso_currency_code: "USD",
    }));
    const results = answered(
      await client.call<{ confidence: number | null }[]>("POST", "/v2/transactions/sync", sent),
      200,
    );
    const known = results.flatMap(({ confidence }) => confidence ?? []);
    const mean = known.reduce((sum, one) => sum + one, 0) / known.length;
    const meansOf = async (query: string): Promise<unknown> =>
      (await list(client, query)).map((holder) => holder["mean_labeler_confidence"]);
    expect(known.length).toBeGreaterThan(1);
    expect(await meansOf("?sort_by=id&with_confidence=true")).toEqual([
      Number(mean.toFixed(4)),
      null,
    ]);
    expect(await meansOf("?sort_by=id")).toEqual([null, null]);
  });

  it("of an organization has its own alone, of which no other reads, changes or deletes one", async () => {
    const service = await startService();
    const { client } = service;
    const [key = ""] = await createKeysOf(service, "another", ["read", "write"]);
    const other = createClient(service.url, key);
    const own = await create(client, { id: "h", ...BAKERY });
    expect(await list(other, "?query=bakery")).toEqual([]);
    answered(await other.call("GET", at("h")), 404);
    answered(await other.call("PUT", at("h"), { type: "consumer" }), 404);
    answered(await other.call("PATCH", at("h"), { name: "theirs" }), 404);
    answered(await other.call("DELETE", at("h")), 404);
    await create(other, { id: "h", type: "consumer", name: "theirs" });
    answered(await other.call("DELETE", at("h")), 200);
    expect(await list(client)).toEqual([own]);
  });
});
