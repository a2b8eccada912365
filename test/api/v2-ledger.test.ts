// The ledger of an account holder by the v2 API: pages in any order, by ids, and added up.
import { describe, expect, it } from "vitest";
import { answered, type Client } from "../support/client.ts";
import { useOrganizations } from "../support/organizations.ts";

const organization = useOrganizations();

const PATH = "/v2/account-holder/h";

interface Page {
  readonly pages: number;
  readonly transactions: readonly Record<string, unknown>[];
}

const coffee = "SQ *BLUE BOTTLE COFFEE OAKLAND CA";
const films = "NETFLIX.COM LOS GATOS CA";
const pay = "ACME CORP PAYROLL DIRECT DEP";

const item = (id: string, date: string, amount: number, description = coffee, more = {}) => ({
  transaction_id: id,
  description,
  date,
  amount,
  entry_type: "debit",
  iso_currency_code: "USD",
  account_holder_id: "h",
  account_holder_type: "consumer",
  ...more,
});

const items = [
  item("a", "2026-01-05", 6.1),
  item("b", "2026-01-04", 0.2),
  item("c", "2026-02-01", 15.49, films),
  item("d", "2026-01-31", 3_000, pay, { entry_type: "credit" }),
  item("e", "2026-03-01", 1_200, coffee, { iso_currency_code: "JPY" }),
  item("other", "2026-01-05", 99, coffee, { account_holder_id: "i" }),
];

async function withLedger(): Promise<Client> {
  const { client } = await organization();
  answered(await client.call("POST", "/v2/transactions/sync?with_recurrence=false", items), 200);
  return client;
}

const list = async (client: Client, query: string): Promise<Page> =>
  answered(await client.call<Page>("GET", `${PATH}/transactions?${query}`), 200);
const idsOf = ({ transactions }: Page): unknown[] =>
  transactions.map(({ transaction_id }) => transaction_id);

describe("a ledger", () => {
  it("is listed latest date first, with what was sent and what was found out", async () => {
    const client = await withLedger();
    const page = await list(client, "");
    expect(page.pages).toBe(1);
    expect(idsOf(page)).toEqual(["e", "c", "d", "a", "b"]);
    expect(page.transactions[3]).toMatchObject({
      transaction_id: "a",
      account_holder_id: "h",
      account_holder_type: "consumer",
      account_holder_name: null,
      amount: 6.1,
      entry_type: "outgoing",
      date: "2026-01-05",
      iso_currency_code: "USD",
      description: coffee,
      country: null,
      merchant: "Blue Bottle Coffee",
      labels: ["cafes and coffee shops"],
      transaction_type: "consumer",
      recurrence: "one off",
      error: null,
    });
    // A single payment to a known subscription is one.
    expect(page.transactions[1]).toMatchObject({ merchant: "Netflix", recurrence: "subscription" });
    const [first] = (await list(client, "with_recurrence=false")).transactions;
    expect(first).toMatchObject({ recurrence: null, recurrence_group: null });
  });

  it("is sorted by every field that is offered, in both directions, by pages", async () => {
    const client = await withLedger();
    const orders: Readonly<Record<string, readonly string[]>> = {
      date: ["b", "a", "d", "c", "e"],
      created_at: ["a", "b", "c", "d", "e"],
      transaction_id: ["a", "b", "c", "d", "e"],
      amount: ["b", "a", "c", "e", "d"],
      entry_type: ["d", "a", "b", "c", "e"],
      iso_currency_code: ["e", "a", "b", "c", "d"],
    };
    for (const [field, ids] of Object.entries(orders)) {
      expect(idsOf(await list(client, `sort_by=${field}&sort_order=asc`)), field).toEqual(ids);
      const pages = [0, 1, 2, 3].map((page) =>
        list(client, `sort_by=${field}&sort_order=desc&per_page=2&page=${String(page)}`),
      );
      const read = await Promise.all(pages);
      expect(read.flatMap(idsOf), field).toEqual(ids.toReversed());
      expect(read.map(({ pages: count }) => count)).toEqual([3, 3, 3, 3]);
    }
    const sorted = async (field: string): Promise<unknown[]> =>
      (await list(client, `sort_by=${field}&sort_order=asc`)).transactions.map((one) => one[field]);
    for (const field of ["merchant", "labels"]) {
      const values = await sorted(field);
      const texts = values.map((value) => (value === null ? "" : JSON.stringify(value)));
      expect(texts).toEqual(texts.toSorted());
    }
    const refused = await client.call("GET", `${PATH}/transactions?sort_by=colour`);
    expect(refused).toMatchObject({ status: 400, body: { code: "invalid_sort" } });
  });

  it("is read by ids, without those of other account holders", async () => {
    const client = await withLedger();
    const byIds = async (ids: readonly string[], query = ""): Promise<Page> =>
      answered(await client.call<Page>("POST", `${PATH}/transactions${query}`, ids), 200);
    const found = await byIds(["b", "other", "none", "c", "b"]);
    expect(idsOf(found)).toEqual(["c", "b"]);
    expect(found.pages).toBe(1);
    const second = await byIds(["a", "b", "c"], "?per_page=2&page=1&sort_by=amount");
    expect([idsOf(second), second.pages]).toEqual([["b"], 2]);
    expect(await byIds([])).toEqual({ pages: 0, transactions: [] });
  });

  it("has corrections and no deleted transaction in its pages and sums", async () => {
    const client = await withLedger();
    const correction = { merchant: "Corner Café", labels: ["groceries"], recurrence: "recurring" };
    answered(await client.call("PUT", `${PATH}/transactions/a`, correction), 200);
    answered(await client.call("DELETE", "/v3/transactions/b"), 204);
    const page = await list(client, "sort_by=merchant&sort_order=desc");
    expect(page.transactions).toHaveLength(4);
    const corrected = page.transactions.find(({ transaction_id }) => transaction_id === "a");
    expect(corrected).toMatchObject({
      merchant: "Corner Café",
      labels: ["groceries"],
      recurrence: "recurring",
    });
    // Submitted again, by either call, it stays as its customer has decided.
    const again = await client.call<object[]>("POST", "/v2/transactions/sync", [items[0]]);
    expect(answered(again, 200)).toMatchObject([
      { merchant: "Corner Café", labels: ["groceries"], recurrence: "recurring" },
    ]);
    const metrics = ["stats_by_label", "stats_by_merchant"];
    const sums = answered(await client.call<object>("POST", `${PATH}/query`, { metrics }), 200);
    const one = { sum: 6.1, count: 1, mean: 6.1, std: 0, min: 6.1, max: 6.1 };
    expect(sums).toMatchObject({
      stats_by_label: { groceries: { incoming: {}, outgoing: { USD: one } } },
      stats_by_merchant: { "Corner Café": { incoming: {}, outgoing: { USD: one } } },
    });
    expect(sums).not.toHaveProperty("overall_stats");
  });

  it("of an account holder that is not there is a 404", async () => {
    const { client } = await organization();
    const answers = await Promise.all([
      client.call("GET", `${PATH}/transactions`),
      client.call("POST", `${PATH}/transactions`, ["a"]),
      client.call("POST", `${PATH}/query`, { metrics: ["overall_stats"] }),
    ]);
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 404, body: { code: "account_holder_not_found" } });
  });
});

describe("the statistics of a ledger", () => {
  const overall = async (client: Client, range: object): Promise<unknown> => {
    const body = { metrics: ["overall_stats"], ...range };
    const answer = await client.call<{ overall_stats: unknown }>("POST", `${PATH}/query`, body);
    return answered(answer, 200).overall_stats;
  };

  it("are exact in minor units, by direction and currency", async () => {
    const client = await withLedger();
    // 6.1 + 0.2 + 15.49 is 21.789999999999996 in binary fractions.
    const numbers = { count: 3, sum: 21.79, min: 0.2, max: 15.49 };
    const found = await overall(client, {});
    expect(found).toMatchObject({
      incoming: { USD: { count: 1, sum: 3_000, mean: 3_000, std: 0 } },
      outgoing: { USD: numbers, JPY: { count: 1, sum: 1_200 } },
    });
    const { USD } = (found as { outgoing: { USD: { mean: number; std: number } } }).outgoing;
    expect(USD.mean).toBeCloseTo(7.263333333, 8);
    // The standard deviation of the population, worked out by hand.
    expect(USD.std).toBeCloseTo(6.296085203, 8);
  });

  it("count the dates from the start to the end, both included, of datetimes those that begin within", async () => {
    const client = await withLedger();
    const counts = async (range: object): Promise<unknown> => {
      const { incoming, outgoing } = (await overall(client, range)) as Record<
        "incoming" | "outgoing",
        Record<string, { count: number }>
      >;
      return [...Object.values(incoming), ...Object.values(outgoing)].reduce(
        (sum, { count }) => sum + count,
        0,
      );
    };
    expect(await counts({ start: "2026-01-05", end: "2026-02-01" })).toBe(3);
    expect(await counts({ start: "2026-01-06" })).toBe(3);
    expect(await counts({ end: "2026-01-04" })).toBe(1);
    expect(await counts({ start: null, end: null })).toBe(5);
    expect(await counts({ start: "2026-01-05T00:00:01Z", end: "2026-01-31T23:59:59Z" })).toBe(1);
    expect(await counts({ start: "2027-01-01" })).toBe(0);
    expect(await counts({ end: "9999-12-31T23:00:00-05:00" })).toBe(5);
  });

  it("lose a transaction that is assigned to another account holder, which has it then, with its correction", async () => {
    const client = await withLedger();
    const correction = { labels: ["groceries"] };
    answered(await client.call("PUT", `${PATH}/transactions/c`, correction), 200);
    const sumsOf = async (id: string): Promise<unknown> => {
      const metrics = ["overall_stats", "stats_by_label"];
      const path = `/v2/account-holder/${id}/query`;
      return answered(await client.call("POST", path, { metrics }), 200);
    };
    const usd = (sum: number, count: number) => ({ outgoing: { USD: { sum, count } } });
    expect(await sumsOf("h")).toMatchObject({
      overall_stats: usd(21.79, 3),
      stats_by_label: { groceries: usd(15.49, 1) },
    });
    answered(await client.assign("c", "i"), 200);
    const left = await sumsOf("h");
    expect(left).toMatchObject({ overall_stats: usd(6.3, 2) });
    expect(left).not.toHaveProperty("stats_by_label.groceries");
    expect(await sumsOf("i")).toMatchObject({
      overall_stats: usd(114.49, 2),
      stats_by_label: { groceries: usd(15.49, 1) },
    });
  });

  it("are numbers however large the amounts are", async () => {
    const { client } = await organization();
    const huge = [
      item("a", "2026-01-05", 1e308),
      item("b", "2026-01-06", 1.5e308),
      item("c", "2026-01-05", 1e200, coffee, { iso_currency_code: "EUR" }),
      item("d", "2026-01-05", 2e200, coffee, { iso_currency_code: "EUR" }),
    ];
    answered(await client.call("POST", "/v2/transactions/sync", huge), 200);
    expect(await overall(client, {})).toMatchObject({
      outgoing: {
        USD: { sum: Number.MAX_VALUE, mean: Number.MAX_VALUE / 2, std: 2.5e307 },
        EUR: { sum: 3e200, mean: 1.5e200, std: 5e199 },
      },
    });
  });

  it("of an empty ledger are empty", async () => {
    const { client } = await organization();
    answered(await client.call("POST", "/v2/account-holder", { id: "h", type: "consumer" }), 200);
    const metrics = ["overall_stats", "stats_by_label", "stats_by_merchant"];
    expect(answered(await client.call("POST", `${PATH}/query`, { metrics }), 200)).toEqual({
      overall_stats: { incoming: {}, outgoing: {} },
      stats_by_label: {},
      stats_by_merchant: {},
    });
  });
});
