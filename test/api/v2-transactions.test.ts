// Transactions by the v2 API: what clients of it rely on, and that it is another view of what the v3 API stores.
import { describe, expect, it } from "vitest";
import { answered, API_KEY, type Client } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { until } from "../support/poll.ts";
import { useOrganizations } from "../support/organizations.ts";
import { startService } from "../support/service.ts";

const organization = useOrganizations();

interface Submitted {
  readonly transaction_id: string;
  readonly [field: string]: unknown;
}
interface Enriched {
  readonly transaction_id: string;
  readonly merchant: string | null;
  readonly labels: readonly string[];
  readonly transaction_type: string;
  readonly confidence: number | null;
  readonly error?: string;
}
interface Batch {
  readonly id: string;
  readonly status: string;
  readonly progress: number;
  readonly total: number;
  readonly results?: readonly Enriched[];
}

const bought = (transaction_id: string, fields: object = {}): Submitted => ({
  transaction_id,
  description: "SQ *BLUE BOTTLE COFFEE OAKLAND CA",
  date: "2026-11-20",
  amount: 6.5,
  entry_type: "outgoing",
  iso_currency_code: "USD",
  ...fields,
});
const consumer = { account_holder_id: "h", account_holder_type: "consumer" };

const sync = (client: Client, items: readonly unknown[], query = "") =>
  client.call<Enriched[]>("POST", `/v2/transactions/sync${query}`, items);
const submit = (client: Client, items: readonly unknown[]) =>
  client.call<Batch>("POST", "/v2/transactions/async", items);

const finished = (client: Client, id: string): Promise<Batch> =>
  until(`batch ${id}`, async () => {
    const batch = answered(await client.call<Batch>("GET", `/v2/transactions/async/${id}`), 200);
    return batch.status === "started" ? null : batch;
  });

const heldBy = async (client: Client, id: string): Promise<string | null | undefined> =>
  answered(await client.getTransaction(id), 200).account_holder_id;

describe("synchronous enrichment", () => {
  it("answers who was paid, through whom, for what and where, and v3 shows the same transaction", async () => {
    const { client } = await organization();
    const [one] = answered(await sync(client, [bought("t", consumer)]), 200);
    expect(one).toMatchObject({
      transaction_id: "t",
      merchant: "Blue Bottle Coffee",
      website: "bluebottlecoffee.com",
      person: null,
      labels: ["cafes and coffee shops"],
      transaction_type: "consumer",
      intermediaries: [{ name: "Square", website: "squareup.com" }],
      location_structured: { city: "Oakland", state: "CA", country: "US" },
    });
    const stored = answered(await client.getTransaction("t"), 200);
    expect(stored).toMatchObject({
      account_holder_id: "h",
      amount: 6.5,
      entry_type: "outgoing",
      entities: { counterparty: { name: "Blue Bottle Coffee" } },
      categories: { general: "cafes and coffee shops" },
      confidence: one?.confidence,
    });
    expect(one?.confidence).toBeGreaterThan(0.5);
  });

  it.each(["/v2/transactions", "/v2/transactions/sync", "/transactions/sync"])(
    "%s is the same operation",
    async (path) => {
      const { client } = await organization();
      const answer = await client.call<Enriched[]>("POST", path, [bought("t")]);
      expect(answered(answer, 200)).toMatchObject([{ merchant: "Blue Bottle Coffee" }]);
    },
  );

  it("results come in the order of the request, over many records, and the same id gives one result each time", async () => {
    const { client } = await startService({ config: { poolThreads: 2 } });
    const items = Array.from({ length: 1_003 }, (_, index) =>
      bought(index % 10 === 0 ? "again" : `t${String(index)}`, { ...consumer, amount: index }),
    );
    const results = answered(await sync(client, items), 200);
    expect(results.map((one) => one.transaction_id)).toEqual(
      items.map((one) => one.transaction_id),
    );
    // The ledger has the last one.
    expect(answered(await client.getTransaction("again"), 200)).toMatchObject({ amount: 1_000 });
  });

  it("credit is incoming, debit outgoing", async () => {
    const { client } = await organization();
    const items = ["credit", "debit", "incoming", "outgoing"].map((entry_type) =>
      bought(entry_type, { entry_type }),
    );
    answered(await sync(client, items), 200);
    const stored = await client.listAll<{ id: string; entry_type: string }>("/v3/transactions");
    expect(Object.fromEntries(stored.map((one) => [one.id, one.entry_type]))).toEqual({
      credit: "incoming",
      debit: "outgoing",
      incoming: "incoming",
      outgoing: "outgoing",
    });
  });

  it("a list is repeated to the byte under its key, whatever the rules and the ledger have become", async () => {
    const { client, url } = await startService();
    const send = async (items: readonly object[]) => {
      const answer = await fetch(`${url}/v2/transactions/sync`, {
        method: "POST",
        headers: {
          ...{ "X-Api-Key": API_KEY, "Content-Type": "application/json" },
          "Idempotency-Key": "key",
        },
        body: JSON.stringify(items),
      });
      return { status: answer.status, text: await answer.text() };
    };
    const items = Array.from({ length: 300 }, (_, index) => bought(`t${String(index)}`, consumer));
    const first = await send(items);
    expect(first.status).toBe(200);
    answered(await client.call("POST", "/v3/rules", { set: "merchant", to: "Another" }), 200);
    answered(await sync(client, [bought("t0", { ...consumer, amount: 77 })]), 200);
    answered(await client.deleteTransaction("t1"), 204);
    expect(await send(items)).toEqual(first);
    expect(answered(await client.getTransaction("t0"), 200)).toMatchObject({ amount: 77 });
    answered(await client.getTransaction("t1"), 404);
    const other = await send([bought("other", consumer)]);
    expect([other.status, other.text]).toEqual([
      422,
      expect.stringContaining("idempotency_key_reused"),
    ]);
    answered(await client.getTransaction("other"), 404);
    answered(await client.deleteHolder("h"), 204);
    const erased = await send(items);
    expect([erased.status, erased.text]).toEqual([
      404,
      expect.stringContaining("account_holder_not_found"),
    ]);
  });

  it("the merchant category code of the caller is evidence of the category", async () => {
    const { client } = await organization();
    const words = { description: "XQZY 4711", account_holder_type: "consumer" };
    const items = [bought("without", words), bought("fuel", { ...words, mcc: 5541 })];
    const [without, fuel] = answered(await sync(client, items), 200);
    expect(without?.labels).not.toEqual(["fuel"]);
    expect(fuel).toMatchObject({ labels: ["fuel"], mcc: [5541] });
    expect(fuel?.confidence).toBeGreaterThan(0.8);
  });

  it("the merchant category code of the caller is shown also where no merchant is found", async () => {
    const { client } = await organization();
    const items = [
      bought("none", { ...consumer, description: "77", mcc: 5411 }),
      bought("person", { ...consumer, description: "ZELLE TO JOHN SMITH", mcc: 742 }),
      bought("without", { ...consumer, description: "77" }),
    ];
    const shown = [
      { merchant: null, person: null, mcc: [5411] },
      { merchant: null, person: "John Smith", mcc: [742] },
      { merchant: null, mcc: [] },
    ];
    expect(answered(await sync(client, items), 200)).toMatchObject(shown);
    const { id } = answered(await submit(client, items), 202);
    expect(await finished(client, id)).toMatchObject({ results: shown });
    const path = "/v2/account-holder/h/transactions?sort_by=created_at&sort_order=asc";
    expect(answered(await client.call("GET", path), 200)).toMatchObject({ transactions: shown });
    const corrected = client.call("PUT", "/v2/account-holder/h/transactions/none", {});
    expect(answered(await corrected, 200)).toMatchObject({ mcc: [5411] });
  });

  it("the country of the caller, or a part of it, is evidence of the place", async () => {
    const { client } = await organization();
    const words = { description: "TESCO STORES 2041 CAMBRIDGE" };
    const items = [
      bought("without", words),
      bought("country", { ...words, country: "GB" }),
      bought("part", { ...words, country: "GB-CAM" }),
    ];
    const [without, country, part] = answered(await sync(client, items), 200);
    expect(without).not.toMatchObject({ location_structured: { country: "GB" } });
    for (const one of [country, part])
      expect(one).toMatchObject({ location_structured: { city: "Cambridge", country: "GB" } });
  });

  it("a code that is not a country is accepted and is evidence of nothing", async () => {
    const { client } = await organization();
    const words = { description: "STARBUCKS SEATTLE WA" };
    const items = [bought("without", words), bought("with", { ...words, country: "ZZ" })];
    const [without, other] = answered(await sync(client, items), 200);
    expect(without).toMatchObject({ location_structured: { city: "Seattle", country: "US" } });
    expect(other).toEqual({ ...without, transaction_id: "with" });
  });
});

describe("account holders of submitted transactions", () => {
  it("one that does not exist is created with the type and name that are sent", async () => {
    const { client } = await organization();
    const holder = { ...consumer, account_holder_name: "Ada Example" };
    answered(await sync(client, [bought("t", holder), bought("u", consumer)]), 200);
    expect(answered(await client.call("GET", "/v3/account_holders/h"), 200)).toMatchObject({
      id: "h",
      type: "consumer",
      name: "Ada Example",
    });
  });

  it("the type of an account holder that exists stays, whatever is sent", async () => {
    const { client } = await organization();
    answered(await client.createHolder("h", "business"), 200);
    const [one] = answered(await sync(client, [bought("t", consumer)]), 200);
    expect(one?.transaction_type).toBe("business");
  });

  it.each(["/v2/transactions/sync", "/v2/transactions/async"])(
    "%s with one that is missing is a 404 that lists it, and nothing is accepted or created",
    async (path) => {
      const { client } = await organization();
      const items = [
        bought("a", consumer),
        bought("b", { account_holder_id: "missing" }),
        bought("c", { account_holder_id: "also missing" }),
        bought("d", { account_holder_id: "missing" }),
      ];
      const answer = answered(await client.call<object>("POST", path, items), 404);
      expect(answer).toMatchObject({
        missingIds: ["missing", "also missing"],
        code: "account_holder_not_found",
      });
      expect(await client.listAll("/v3/account_holders")).toEqual([]);
      expect(await client.listAll("/v3/transactions")).toEqual([]);
      expect(await client.listAll("/v3/batches")).toEqual([]);
    },
  );

  it("a list that may not create account holders is refused when one is missing", async () => {
    const { client } = await organization();
    const items = [bought("t", consumer)];
    const refused = await sync(client, items, "?create_account_holder=false");
    expect(answered(refused, 404)).toMatchObject({ missingIds: ["h"] });
    answered(await sync(client, items), 200);
  });

  it("without an account holder the type decides the labels, and without either there are none", async () => {
    const { client } = await organization();
    const items = [
      bought("neither"),
      bought("consumer", { account_holder_type: "consumer" }),
      bought("business", { account_holder_type: "business" }),
      bought("unknown", { account_holder_type: "unknown" }),
      bought("freelance", { account_holder_type: "freelance" }),
    ];
    const results = answered(await sync(client, items), 200);
    expect(results.map((one) => [one.transaction_id, one.transaction_type])).toEqual([
      ["neither", "unknown"],
      ["consumer", "consumer"],
      ["business", "business"],
      ["unknown", "unknown"],
      ["freelance", "business"],
    ]);
    const labels = results.map((one) => one.labels);
    expect(labels[0]).toEqual(["missing account holder information"]);
    expect(labels[1]).toEqual(["cafes and coffee shops"]);
    expect(labels[3]).toEqual(labels[1]);
    expect(labels[4]).toEqual(labels[2]);
    expect(labels[2]).not.toEqual(labels[1]);
    expect(results[0]?.confidence).toBeNull();
    expect(await heldBy(client, "consumer")).toBeNull();
    expect(await client.listAll("/v3/account_holders")).toEqual([]);
  });
});

describe("batches", () => {
  it("a batch is followed until it is finished, and its results are those of a synchronous call", async () => {
    const { client } = await organization();
    const items = [
      ...Array.from({ length: 300 }, (_, index) => bought(`t${String(index)}`, consumer)),
      bought("business", { account_holder_type: "freelance" }),
      bought("neither"),
    ];
    const batch = answered(await submit(client, items), 202);
    expect(batch).toMatchObject({ status: "started", progress: 0, total: 302 });
    expect(batch.id).toMatch(/^[\da-f-]{36}$/);
    expect(batch).not.toHaveProperty("results");
    const ended = await finished(client, batch.id);
    expect(ended).toMatchObject({ status: "finished", progress: 302, total: 302 });
    const results = answered(await sync(client, items), 200);
    expect(ended.results).toEqual(results);
    const byOtherPath = await client.call("GET", `/transactions/async/${batch.id}`);
    expect(answered(byOtherPath, 200)).toEqual(ended);
  });

  it("it is a batch of the v3 API too, and the reverse", async () => {
    const { client } = await organization();
    const first = answered(await submit(client, [bought("t", consumer)]), 202);
    await finished(client, first.id);
    const shown = answered(await client.results(first.id), 200);
    expect(shown.results).toMatchObject([
      { id: "t", categories: { general: "cafes and coffee shops" } },
    ]);
    const second = answered(
      await client.submitBatch([
        coffee("u", { account_holder_id: "h" }),
        coffee("v", { account_holder_id: "none" }),
      ]),
      200,
    );
    expect((await finished(client, second.id)).results).toMatchObject([
      { transaction_id: "u", transaction_type: "consumer", labels: ["cafes and coffee shops"] },
      { transaction_id: "v", error: "account_holder_not_found" },
    ]);
  });

  it("one that does not exist is a 404", async () => {
    const { client } = await organization();
    const path = "/v2/transactions/async/";
    answered(await client.call("GET", `${path}00000000-0000-4000-8000-000000000000`), 404);
    answered(await client.call("GET", `${path}short`), 404);
  });
});

describe("what is refused", () => {
  const wrong: readonly [string, unknown][] = [
    ["no list", bought("t")],
    ["an empty list", []],
    ["an empty id", [bought("")]],
    ["a negative amount", [bought("t", { amount: -1 })]],
    ["a day that does not exist", [bought("t", { date: "2026-02-30" })]],
    ["an unknown currency", [bought("t", { iso_currency_code: "XXX" })]],
    ["an unknown direction", [bought("t", { entry_type: "sideways" })]],
    ["an unknown type", [bought("t", { account_holder_type: "robot" })]],
    ["a code that is too large", [bought("t", { mcc: 10_000 })]],
    ["a code with a fraction", [bought("t", { mcc: 1.5 })]],
    ["a country in small letters", [bought("t", { country: "us" })]],
    ["a description that is too long", [bought("t", { description: "x".repeat(1_025) })]],
    ["an account holder without characters", [bought("t", { account_holder_id: "" })]],
    ["a good one and a bad one", [bought("t"), bought("u", { amount: "1" })]],
  ];
  it.each(wrong)("%s is a 422, and nothing is accepted", async (_, body) => {
    const { client } = await organization();
    for (const path of ["/v2/transactions/sync", "/v2/transactions/async"]) {
      const { detail } = answered(await client.call<{ detail: unknown }>("POST", path, body), 422);
      expect(detail).toBeInstanceOf(Array);
    }
    expect(await client.listAll("/v3/transactions")).toEqual([]);
  });

  it("more than 4000 at once are a 422 that states the limit, and a batch takes them", async () => {
    const { client } = await organization();
    const items = Array.from({ length: 4_001 }, (_, index) => bought(`t${String(index)}`));
    const refused = answered(await sync(client, items), 422) as unknown as { detail: object[] };
    expect(refused.detail).toMatchObject([{ loc: ["body"], type: "too_long" }]);
    const batch = answered(await submit(client, items), 202);
    expect((await finished(client, batch.id)).results).toHaveLength(4_001);
  });

  it("a model that does not exist is a 400, and none is listed", async () => {
    const { client } = await organization();
    expect(answered(await client.call("GET", "/v2/models"), 200)).toEqual([]);
    expect(answered(await sync(client, [bought("t")], "?model_name=mine"), 400)).toMatchObject({
      code: "unknown_model",
    });
  });
});
