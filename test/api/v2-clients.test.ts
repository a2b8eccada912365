// What existing client libraries of the v2 API send, need in every answer, and rely on.
import { request as httpRequest } from "node:http";
import { describe, expect, it } from "vitest";
import { answered, API_KEY, type Client } from "../support/client.ts";
import { until } from "../support/poll.ts";
import { shared, startService } from "../support/service.ts";

type Json = Readonly<Record<string, unknown>>;

const PATH = "/v2/account-holder/h";

/** As a client sends it: null for everything that is not set. */
const item = (id: string, month: number, description: string, amount: number, more = {}): Json => ({
  transaction_id: id,
  description,
  date: `2019-${String(month).padStart(2, "0")}-05`,
  amount,
  entry_type: "debit",
  iso_currency_code: "USD",
  account_holder_id: "h",
  account_holder_type: "consumer",
  account_holder_name: null,
  location: null,
  country: null,
  mcc: null,
  ...more,
});
const months = (name: string, description: string, amount: number, more = {}): Json[] =>
  [1, 2, 3, 4, 5, 6].map((month) =>
    item(`${name}${String(month)}`, month, description, amount, more),
  );
const items = [
  ...months("rent", "RENT PAYMENT OAKWOOD APARTMENTS", 1_450.5),
  ...months("pay", "ACME CORP PAYROLL DIRECT DEP", 3_200.25, { entry_type: "credit" }),
  item("film", 6, "NETFLIX.COM LOS GATOS CA", 15.49),
];

const setUp = shared(async (atEnd) => {
  const { client, url } = await startService({}, atEnd);
  const results = answered(await client.call<Json[]>("POST", "/v2/transactions/sync", items), 200);
  return { client, url, results };
});

async function ok<Body = Json>(method: string, path: string, body?: unknown): Promise<Body> {
  return answered(await setUp().client.call<Body>(method, path, body), 200);
}

/** Sends headers exactly as they are written, and no body. */
function statusOf(path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(setUp().url + path, { method: "POST", headers, agent: false });
    request.once("error", reject);
    request.once("response", (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.end();
  });
}

describe("how v2 clients call", () => {
  it.each([{}, { "Content-Type": "application/octet-stream" }])(
    "a POST without a body is not a 415: %o",
    async (type) => {
      const headers = { "X-API-KEY": API_KEY, "Content-Length": "0", ...type };
      expect(await statusOf(`${PATH}/recurring-payments`, headers)).toBe(200);
    },
  );

  it("recurring payments and income are POSTs with {}, and the ledger is then read in pages of 1000", async () => {
    const [payments, income] = await Promise.all([
      ok<Json[]>("POST", `${PATH}/recurring-payments`, {}),
      ok<Json[]>("POST", `${PATH}/income`, {}),
    ]);
    const page = await ok<{ pages: number; transactions: Json[] }>(
      "GET",
      `${PATH}/transactions?page=0&per_page=1000`,
    );
    expect(page.pages).toBe(1);
    const listed = page.transactions.map((one) => one["transaction_id"]);
    for (const group of [...payments, ...income])
      expect(listed).toEqual(expect.arrayContaining(group["transaction_ids"] as string[]));
  });

  it("an id is found in a path as it is", async () => {
    const id = "a/b c";
    await ok("POST", "/v2/account-holder", { id, type: "business" });
    const response = await fetch(`${setUp().url}/v2/account-holder/${id}`, {
      headers: { "x-api-key": API_KEY },
    });
    expect([response.status, await response.json()]).toEqual([
      200,
      expect.objectContaining({ id, type: "business" }),
    ]);
  });

  it("a batch is polled, also again after it has finished, and has its id and total from the start", async () => {
    const { client } = setUp();
    const batch = answered(
      await client.call<Json>("POST", "/v2/transactions/async", [item("polled", 1, "RENT", 1)]),
      202,
    );
    expect(batch).toMatchObject({ id: expect.stringMatching(/^.{36}$/) as string, total: 1 });
    const path = `/v2/transactions/async/${String(batch["id"])}`;
    const poll = () => ok("GET", path);
    const finished = await until("the batch is finished", async () => {
      const found = await poll();
      return found["status"] === "finished" ? found : null;
    });
    expect(await poll()).toEqual(finished);
    expect(await poll()).toHaveProperty("results");
  });
});

describe("what the models of v2 clients need", () => {
  it("a recurrence group has its transaction ids, and a confidence that reads as a number", () => {
    const group = setUp().results[0]?.["recurrence_group"] as Json;
    expect(group["transaction_ids"]).toHaveLength(6);
    expect(group["confidence"]).toBeTypeOf("string");
    expect(Number(group["confidence"])).toBeGreaterThan(0);
  });

  it("a group of income has its currency, its source, its frequency, and an amount as text or null", async () => {
    const [income] = await ok<Json[]>("POST", `${PATH}/income`, {});
    expect(income).toMatchObject({ iso_currency_code: "USD" });
    for (const key of ["pay_frequency", "source", "next_expected_payment_amount"])
      expect(income).toHaveProperty(key);
    expect(["string", "object"]).toContain(typeof income?.["next_expected_payment_amount"]);
  });

  it("the type of a transaction is one of three, also for a freelancer", async () => {
    const of = async (type: string): Promise<unknown> => {
      const more = { account_holder_id: `of-${type}`, account_holder_type: type };
      const sent = [item(`type-${type}`, 1, "RENT", 1, more)];
      const [result] = await ok<Json[]>("POST", "/v2/transactions/sync", sent);
      return result?.["transaction_type"];
    };
    const types = ["consumer", "business", "unknown", "freelance"];
    expect(await Promise.all(types.map(of))).toEqual([
      "consumer",
      "business",
      "unknown",
      "business",
    ]);
  });

  it("reports have the time of their creation; a list has pages and reports, one is one object", async () => {
    const made = await ok("POST", "/v2/report", { transaction_id: "rent1", merchant: "Oakwood" });
    expect(made).toHaveProperty("created_at");
    const list = await ok<{ pages: number; reports: Json[] }>("GET", "/v2/report");
    expect([list.pages, list.reports.map(({ id }) => id)]).toEqual([1, [made["id"]]]);
    expect(await ok("GET", `/v2/report/${String(made["id"])}`)).toMatchObject({ id: made["id"] });
  });

  it("a hierarchy of labels is one object of each type, and what is known of a holder comes back as sent", async () => {
    for (const type of ["business", "consumer", "unknown"]) {
      const labels = await ok(`GET`, `/v2/labels/hierarchy/${type}`);
      expect(Object.values(labels).flat()).toContain("not enough information");
    }
    const sent = {
      id: "known",
      type: "consumer",
      industry: "Baking",
      website: "http://a.example/?b",
    };
    expect(await ok("POST", "/v2/account-holder", sent)).toMatchObject(sent);
  });
});

describe("what v2 clients rely on", () => {
  it("one id ten times in one request has ten results in their order, and the ledger keeps the last", async () => {
    const sent = Array.from({ length: 10 }, (_, place) =>
      item(
        "same",
        1,
        place % 2 === 0 ? "NETFLIX.COM" : "STARBUCKS STORE 123 SEATTLE WA",
        place + 1,
        {
          account_holder_id: "ten",
        },
      ),
    );
    const results = await ok<Json[]>("POST", "/v2/transactions/sync", sent);
    expect(results.map(({ merchant }) => merchant)).toEqual(
      sent.map((_, place) => (place % 2 === 0 ? "Netflix" : "Starbucks")),
    );
    const page = await ok<{ transactions: Json[] }>("GET", "/v2/account-holder/ten/transactions");
    expect(page.transactions).toMatchObject([{ transaction_id: "same", amount: 10 }]);
  });

  it("a holder that is created twice is a 400, one that is not there a 404", async () => {
    const { client } = setUp();
    const create = (): ReturnType<Client["call"]> =>
      client.call("POST", "/v2/account-holder", { id: "twice", type: "consumer" });
    answered(await create(), 200);
    answered(await create(), 400);
    const absent = answered(await client.call<Json>("GET", "/v2/account-holder/absent"), 404);
    expect(absent["detail"]).toBeTypeOf("string");
    const sent = item("of-absent", 1, "RENT", 1, {
      account_holder_id: "absent",
      account_holder_type: null,
    });
    const missing = await client.call<Json>("POST", "/v2/transactions/sync", [sent]);
    expect(answered(missing, 404)["missingIds"]).toEqual(["absent"]);
  });

  it("whether a series is active is judged by the ledger's own last date, and one payment to a known subscription is one", async () => {
    const payments = await ok<Json[]>("POST", `${PATH}/recurring-payments`, {});
    // Seven years ago, by today's date.
    expect(payments.map((one) => [one["merchant"], one["type"], one["is_active"]])).toEqual(
      expect.arrayContaining([
        ["Netflix", "subscription", true],
        [expect.anything(), "bill", true],
      ]),
    );
    const film = setUp().results.at(-1);
    expect(film).toMatchObject({ merchant: "Netflix", recurrence: "subscription" });
  });
});
