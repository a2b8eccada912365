// Corrections by the customer: an override that no later enrichment undoes.
import { describe, expect, it } from "vitest";
import { answered, type Client } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { until } from "../support/poll.ts";
import { useOrganizations } from "../support/organizations.ts";

const organization = useOrganizations();

const ledger = "/v2/account-holder/h/transactions";

async function withTransactions(client: Client, ...ids: readonly string[]): Promise<void> {
  answered(await client.createHolder("h", "consumer"), 200);
  for (const id of ids) answered(await client.enrich(coffee(id, { account_holder_id: "h" })), 200);
}

const correct = (client: Client, id: string, body: object) =>
  client.call<object>("PUT", `${ledger}/${id}`, body);

const shown = async (client: Client, id: string) =>
  answered(await client.getTransaction(id), 200) as unknown as {
    entities: { counterparty: { name: string; logo: string } | null; intermediaries: object[] };
    categories: { general: string };
    confidence: number;
  };

describe("a correction", () => {
  it("is answered, and shown by v3", async () => {
    const { client } = await organization();
    await withTransactions(client, "t");
    const body = {
      merchant: "Corner Café",
      labels: ["Food and Drink"],
      location: "Berkeley CA",
      intermediaries: [{ name: "My Bank", website: "bank.example" }],
      transaction_type: "business",
      recurrence: "subscription",
      review_state: "satisfied",
    };
    expect(answered(await correct(client, "t", body), 200)).toMatchObject({
      transaction_id: "t",
      merchant: "Corner Café",
      labels: ["food and drink"],
      location: "Berkeley CA",
      location_structured: { city: "Berkeley" },
      intermediaries: [{ name: "My Bank", website: "bank.example", id: null, logo: null }],
      transaction_type: "business",
      recurrence: "subscription",
      review_state: "satisfied",
      confidence: 1,
    });
    expect(await shown(client, "t")).toMatchObject({
      entities: { counterparty: { name: "Corner Café" }, intermediaries: [{ name: "My Bank" }] },
      categories: { general: "food and drink" },
      confidence: 1,
    });
  });

  it("stays when the transaction is submitted again, by v3, v2 or in a batch, and when it is assigned", async () => {
    const { client } = await organization();
    await withTransactions(client, "t");
    answered(
      await correct(client, "t", { merchant: "Corner Café", labels: ["food and drink"] }),
      200,
    );
    const corrected = {
      entities: { counterparty: { name: "Corner Café" } },
      categories: { general: "food and drink" },
    };
    answered(await client.enrich(coffee("t", { account_holder_id: "h", amount: 9 })), 200);
    expect(await shown(client, "t")).toMatchObject({ ...corrected, amount: 9 });
    const again = {
      transaction_id: "t",
      description: "NETFLIX.COM",
      date: "2026-11-20",
      amount: 3,
      entry_type: "debit",
      iso_currency_code: "USD",
      account_holder_id: "h",
    };
    const [result] = answered(
      await client.call<object[]>("POST", "/v2/transactions", [again]),
      200,
    );
    expect(result).toMatchObject({ merchant: "Corner Café", labels: ["food and drink"] });
    const batch = answered(
      await client.submitBatch([coffee("t", { account_holder_id: "h", amount: 4 })]),
      200,
    );
    await until("the batch", async () =>
      answered(await client.getBatch(batch.id), 200).status === "processing" ? null : true,
    );
    expect(await shown(client, "t")).toMatchObject({ ...corrected, amount: 4 });
    answered(await client.createHolder("g", "consumer"), 200);
    answered(
      await client.call("POST", "/v3/transactions/t/assign", { account_holder_id: "g" }),
      200,
    );
    expect(await shown(client, "t")).toMatchObject(corrected);
  });

  it("of the type and the state is in results of v2 that come later, and ends with the account holder", async () => {
    const { client } = await organization();
    await withTransactions(client, "t");
    const body = { transaction_type: "business", review_state: "satisfied" };
    answered(await correct(client, "t", body), 200);
    const submitted = (id: string, holder = "h") => ({
      transaction_id: id,
      description: "NETFLIX.COM",
      date: "2026-11-20",
      amount: 3,
      entry_type: "debit",
      iso_currency_code: "USD",
      account_holder_id: holder,
      account_holder_type: "consumer",
    });
    const other = { transaction_type: "consumer", review_state: null };
    for (const query of ["", "?with_recurrence=false"]) {
      const list = [submitted("t"), submitted("u"), submitted("t", "g"), submitted("t")];
      const path = `/v2/transactions/sync${query}`;
      const results = answered(await client.call<object[]>("POST", path, list), 200);
      expect(results).toMatchObject([body, other, other, body]);
    }
    const batch = answered(
      await client.call<{ id: string }>("POST", "/v2/transactions/async", [submitted("t")]),
      202,
    );
    const results = await until("the batch", async () => {
      const path = `/v2/transactions/async/${batch.id}`;
      return answered(await client.call<{ results?: object[] }>("GET", path), 200).results ?? null;
    });
    expect(results).toMatchObject([body]);
    const path = "/v2/transactions/sync";
    const moved = answered(await client.call<object[]>("POST", path, [submitted("t", "g")]), 200);
    expect(moved).toMatchObject([other]);
  });

  it("of one field leaves the others as they are, also those that were corrected before", async () => {
    const { client } = await organization();
    await withTransactions(client, "t");
    const before = await shown(client, "t");
    answered(await correct(client, "t", { labels: ["pets"], merchant: null }), 200);
    expect(await shown(client, "t")).toMatchObject({
      entities: before.entities,
      categories: { general: "pets" },
    });
    answered(await correct(client, "t", { logo: "https://logos.example/a.png" }), 200);
    expect(await shown(client, "t")).toMatchObject({
      entities: { counterparty: { logo: "https://logos.example/a.png" } },
      categories: { general: "pets" },
    });
    answered(await client.enrich(coffee("t", { account_holder_id: "h" })), 200);
    expect(await shown(client, "t")).toMatchObject({
      entities: { counterparty: { logo: "https://logos.example/a.png" } },
      categories: { general: "pets" },
    });
  });

  it("is answered with what repeats in the whole ledger, unless that is not wanted", async () => {
    const { client } = await organization();
    answered(await client.createHolder("h", "consumer"), 200);
    const ids = ["a", "b", "c", "d"];
    for (const [month, id] of ids.entries()) {
      const paid = {
        description: "NETFLIX.COM",
        amount: 15.49,
        date: `2026-0${String(month + 1)}-05`,
      };
      answered(await client.enrich(coffee(id, { ...paid, account_holder_id: "h" })), 200);
    }
    const reviewed = { review_state: "satisfied" };
    const found = { recurrence: "subscription", recurrence_group: { transaction_ids: ids } };
    expect(answered(await correct(client, "b", reviewed), 200)).toMatchObject(found);
    const all = { transaction_ids: ids, corrections: [reviewed] };
    const many = answered(await client.call<object[]>("PUT", ledger, all), 200);
    expect(many).toMatchObject(ids.map((id) => ({ transaction_id: id, ...found })));
    const once = { recurrence: "one off" };
    const decided = answered(await correct(client, "b", once), 200);
    expect(decided).toMatchObject({ ...once, recurrence_group: { transaction_ids: ids } });
    const unwanted = "b?with_recurrence=false";
    expect(answered(await correct(client, unwanted, {}), 200)).toMatchObject({
      ...once,
      recurrence_group: null,
      recurrence_group_id: null,
    });
  });

  it("with the empty text removes a value", async () => {
    const { client } = await organization();
    await withTransactions(client, "t");
    const body = { merchant: "", location: "" };
    expect(answered(await correct(client, "t", body), 200)).toMatchObject({
      merchant: null,
      location: null,
    });
    expect((await shown(client, "t")).entities.counterparty).toBeNull();
  });

  it("of a person is one", async () => {
    const { client } = await organization();
    await withTransactions(client, "t");
    expect(answered(await correct(client, "t", { person: "Ada Example" }), 200)).toMatchObject({
      person: "Ada Example",
      merchant: null,
    });
  });

  it("ends with the transaction: one that is submitted after a deletion is not corrected", async () => {
    const { client } = await organization();
    await withTransactions(client, "t");
    answered(await correct(client, "t", { labels: ["pets"] }), 200);
    answered(await client.call("DELETE", "/v3/transactions/t"), 204);
    answered(await client.enrich(coffee("t", { account_holder_id: "h" })), 200);
    expect((await shown(client, "t")).categories.general).not.toBe("pets");
  });
});

describe("many at once", () => {
  it("each gets its own correction, or all of them the only one", async () => {
    const { client } = await organization();
    await withTransactions(client, "a", "b");
    const each = {
      transaction_ids: ["b", "a"],
      corrections: [{ labels: ["pets"] }, { labels: ["fuel"] }],
    };
    expect(answered(await client.call("PUT", ledger, each), 200)).toMatchObject([
      { transaction_id: "b", labels: ["pets"] },
      { transaction_id: "a", labels: ["fuel"] },
    ]);
    const all = { transaction_ids: ["b", "a"], corrections: [{ review_state: "forced" }] };
    expect(answered(await client.call("PUT", ledger, all), 200)).toMatchObject([
      { transaction_id: "b", labels: ["pets"], review_state: "forced" },
      { transaction_id: "a", labels: ["fuel"], review_state: "forced" },
    ]);
  });

  it("all are corrected or none", async () => {
    const { client } = await organization();
    await withTransactions(client, "a", "b");
    const before = await shown(client, "a");
    const some = [
      { transaction_ids: ["a", "missing"], corrections: [{ labels: ["pets"] }] },
      {
        transaction_ids: ["a", "b"],
        corrections: [{ labels: ["pets"] }, { labels: ["no label"] }],
      },
    ];
    answered(await client.call("PUT", ledger, some[0]), 404);
    answered(await client.call("PUT", ledger, some[1]), 400);
    expect(await shown(client, "a")).toEqual(before);
  });
});

describe("what is refused", () => {
  it("transactions of other account holders and unknown ones are a 404", async () => {
    const { client } = await organization();
    await withTransactions(client, "t");
    answered(await client.createHolder("g", "consumer"), 200);
    const foreign = "/v2/account-holder/g/transactions/t";
    answered(await client.call("PUT", foreign, { labels: ["pets"] }), 404);
    answered(await correct(client, "missing", { labels: ["pets"] }), 404);
    const unknown = "/v2/account-holder/none/transactions/t";
    answered(await client.call("PUT", unknown, { labels: ["pets"] }), 404);
  });

  it("a label that the account holder does not have is a 400, and one of its own set is taken", async () => {
    const { client } = await organization();
    await withTransactions(client, "t");
    const refused = answered(await correct(client, "t", { labels: ["Beasts"] }), 400);
    expect(refused).toMatchObject({ code: "invalid_correction" });
    const set = { incoming: ["Pay"], outgoing: ["Beasts", "Meals"] };
    answered(await client.call("POST", "/v3/categories/consumer", set), 200);
    expect(answered(await correct(client, "t", { labels: ["beasts"] }), 200)).toMatchObject({
      labels: ["Beasts"],
    });
  });

  it("of an account holder with a set, our labels that the set does not have are a 400 and change nothing", async () => {
    const { client } = await organization();
    await withTransactions(client, "t");
    const set = { incoming: ["Pay"], outgoing: ["Beasts", "Fuel", "Food shopping"] };
    answered(await client.call("POST", "/v3/categories/consumer", set), 200);
    const before = await shown(client, "t");
    for (const label of ["pets", "groceries", "Pay"])
      expect(answered(await correct(client, "t", { labels: [label] }), 400)).toMatchObject({
        code: "invalid_correction",
      });
    expect(await shown(client, "t")).toEqual(before);
    for (const [sent, label] of [
      ["fuel", "Fuel"],
      ["food shopping", "Food shopping"],
    ] as const)
      expect(answered(await correct(client, "t", { labels: [sent] }), 200)).toMatchObject({
        labels: [label],
      });
  });

  it("several labels are corrected together, each of which the account holder has", async () => {
    const { client } = await organization();
    await withTransactions(client, "t");
    const both = { labels: ["Pets", "fuel"] };
    expect(answered(await correct(client, "t", both), 200)).toMatchObject({
      labels: ["fuel", "pets"],
      confidence: 1,
    });
    answered(await correct(client, "t", { labels: ["pets", "no label"] }), 400);
    const set = { incoming: ["Pay"], outgoing: ["Beasts", "Meals", "Trips"] };
    answered(await client.call("POST", "/v3/categories/consumer", set), 200);
    answered(await correct(client, "t", { labels: ["beasts", "fuel"] }), 400);
    answered(await correct(client, "t", { labels: ["trips", "beasts"] }), 200);
    answered(await client.enrich(coffee("t", { account_holder_id: "h" })), 200);
    expect(await shown(client, "t")).toMatchObject({ categories: { general: "Beasts || Trips" } });
  });

  it.each([
    ["eleven labels", { labels: Array(11).fill("pets") }],
    ["an unknown state", { review_state: "perhaps" }],
    ["text that is not a website", { website: "not a website" }],
    ["an unknown recurrence", { recurrence: "often" }],
  ])("%s are a 422", async (_, body) => {
    const { client } = await organization();
    await withTransactions(client, "t");
    answered(await correct(client, "t", body), 422);
  });
});
