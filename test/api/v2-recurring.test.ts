// Recurring payments and income by the v2 API, and what they are for each transaction.
import { describe, expect, it } from "vitest";
import { answered, type Client } from "../support/client.ts";
import { until } from "../support/poll.ts";
import { useOrganizations } from "../support/organizations.ts";

const organization = useOrganizations();

const PATH = "/v2/account-holder/h";

interface Fields {
  readonly transaction_id: string;
  readonly recurrence: string | null;
  readonly recurrence_group: { readonly transaction_ids: readonly string[] } | null;
  readonly recurrence_group_id: string | null;
}

/** The same payment on the 5th of each of the first `count` months of 2026. */
const monthly = (
  name: string,
  description: string,
  amount: number,
  count: number,
  type = "debit",
) =>
  Array.from({ length: count }, (_, month) => ({
    transaction_id: `${name}${String(month + 1)}`,
    description,
    date: `2026-${String(month + 1).padStart(2, "0")}-05`,
    amount,
    entry_type: type,
    iso_currency_code: "USD",
    account_holder_id: "h",
    account_holder_type: "consumer",
  }));
const rent = monthly("rent", "RENT PAYMENT OAKWOOD APARTMENTS", 1_450.5, 6);
const salary = monthly("pay", "ACME CORP PAYROLL DIRECT DEP", 3_200.25, 6, "credit");
const once = monthly("shoes", "FOOT LOCKER 4471 OAKLAND CA", 89.9, 1);

const submit = (client: Client, items: readonly object[], query = "") =>
  client.call<Fields[]>("POST", `/v2/transactions/sync${query}`, items);
const payments = (client: Client) =>
  client.call<Record<string, unknown>[]>("POST", `${PATH}/recurring-payments`, {});
const income = (client: Client) =>
  client.call<Record<string, unknown>[]>("POST", `${PATH}/income`, {});

describe("recurring payments", () => {
  it("are the subscriptions and bills of the whole ledger, whichever API it came in by", async () => {
    const { client } = await organization();
    answered(await submit(client, [...rent, ...salary, ...once]), 200);
    expect(answered(await payments(client), 200)).toMatchObject([
      {
        type: "bill",
        is_essential: true,
        is_active: true,
        periodicity: "monthly",
        periodicity_in_days: 30,
        latest_payment_amount: 1_450.5,
        total_amount: 8_703,
        average_amount: 1_450.5,
        first_payment_date: "2026-01-05",
        latest_payment_date: "2026-06-05",
        latest_payment_description: "RENT PAYMENT OAKWOOD APARTMENTS",
        iso_currency_code: "USD",
        entry_type: "outgoing",
        transaction_ids: rent.map((one) => one.transaction_id),
      },
    ]);
  });

  it("have several labels as a list", async () => {
    const { client } = await organization();
    answered(await submit(client, rent), 200);
    const transaction_ids = rent.map((one) => one.transaction_id);
    const body = { transaction_ids, corrections: [{ labels: ["pets", "fuel"] }] };
    answered(await client.call("PUT", `${PATH}/transactions`, body), 200);
    expect(answered(await payments(client), 200)).toMatchObject([{ labels: ["fuel", "pets"] }]);
  });

  it("are fresh: a deleted payment is in no group any more", async () => {
    const { client } = await organization();
    answered(await submit(client, rent), 200);
    expect(answered(await payments(client), 200)).toHaveLength(1);
    const ids = rent.slice(1).map((one) => one.transaction_id);
    const path = "/v3/account_holders/h/transactions/delete";
    answered(await client.call("POST", path, { transaction_ids: ids }), 204);
    expect(answered(await payments(client), 200)).toEqual([]);
  });

  it("are numbers however large the amounts are, and the transaction is answered", async () => {
    const { client } = await organization();
    for (const [place, amount] of [1e200, 1e308].entries()) {
      const id = `films-${String(place)}`;
      const films = monthly(id, "NETFLIX.COM LOS GATOS CA", amount, 6).map((item) => ({
        ...{ ...item, account_holder_id: "h" },
        iso_currency_code: ["USD", "EUR"][place],
      }));
      expect(answered(await submit(client, films), 200)).toHaveLength(6);
    }
    answered(
      await submit(client, monthly("pay", "ACME CORP PAYROLL DIRECT DEP", 1e308, 6, "credit")),
      200,
    );
    const found = answered(await payments(client), 200);
    expect(found).toHaveLength(2);
    for (const group of found)
      for (const field of ["latest_payment_amount", "total_amount", "average_amount"])
        expect([field, typeof group[field]]).toEqual([field, "number"]);
    const amount = { next_expected_payment_amount: String(1e308) };
    expect(answered(await income(client), 200)).toMatchObject([amount]);
    answered(await client.call("POST", "/v3/account_holders/h/recurring_groups"), 200);
  });

  it("of an account holder without transactions are an empty list, and of an unknown one a 404", async () => {
    const { client } = await organization();
    answered(await payments(client), 404);
    answered(await income(client), 404);
    answered(await client.createHolder("h", "consumer"), 200);
    expect(answered(await payments(client), 200)).toEqual([]);
    expect(answered(await income(client), 200)).toEqual([]);
  });
});

describe("income", () => {
  it("has its source, type and frequency, and the next amount as text", async () => {
    const { client } = await organization();
    answered(await submit(client, [...rent, ...salary, ...once]), 200);
    const groups = answered(await income(client), 200);
    expect(groups).toMatchObject([
      {
        income_type: "salary",
        pay_frequency: "monthly",
        total_amount: 19_201.5,
        iso_currency_code: "USD",
        first_payment_date: "2026-01-05",
        latest_payment_date: "2026-06-05",
        duration: "151 days",
        is_active: true,
        latest_payment_description: "ACME CORP PAYROLL DIRECT DEP",
        next_expected_payment_amount: "3200.25",
        transaction_ids: salary.map((one) => one.transaction_id),
      },
    ]);
    expect(groups[0]?.["source"]).toMatch(/acme/i);
    expect(groups[0]?.["next_expected_payment_date"]).toMatch(/^2026-07-0\d$/);
  });
});

describe("the recurrence of a transaction", () => {
  it("is found in the whole ledger with the submitted transactions, by a list and by a batch", async () => {
    const { client } = await organization();
    const netflix = monthly("film", "NETFLIX.COM 866-579-7172 CA", 15.49, 6);
    answered(await submit(client, rent.slice(0, 5)), 200);
    const items = [...rent.slice(5), ...netflix, ...once];
    const results = answered(await submit(client, items), 200);
    expect(results.map((one) => [one.transaction_id, one.recurrence])).toEqual([
      ["rent6", "recurring"],
      ...netflix.map((one) => [one.transaction_id, "subscription"]),
      ["shoes1", "one off"],
    ]);
    const [group] = answered(await payments(client), 200).filter((one) => one["type"] === "bill");
    expect(results[0]).toMatchObject({
      recurrence_group_id: group?.["recurrence_group_id"],
      recurrence_group: {
        id: group?.["recurrence_group_id"],
        first_payment_date: "2026-01-05",
        latest_payment_date: "2026-06-05",
        total_amount: 8_703,
        average_amount: 1_450.5,
        periodicity: "monthly",
        confidence: expect.stringMatching(/^[01]\.\d\d$/) as unknown,
        transaction_ids: rent.map((one) => one.transaction_id),
      },
    });
    expect(results.at(-1)).toMatchObject({ recurrence_group: null, recurrence_group_id: null });
    const path = "/v2/transactions/async";
    const { id } = answered(await client.call<{ id: string }>("POST", path, items), 202);
    const batch = await until("the batch", async () => {
      const answer = await client.call<{ status: string; results: Fields[] }>(
        "GET",
        `${path}/${id}`,
      );
      const read = answered(answer, 200);
      return read.status === "started" ? null : read;
    });
    expect(batch.results).toEqual(results);
  });

  it("is not looked for without an account holder, or when it is not wanted", async () => {
    const { client } = await organization();
    const alone = { ...rent[0], account_holder_id: null };
    const nothing = { recurrence: null, recurrence_group: null, recurrence_group_id: null };
    expect(answered(await submit(client, [alone]), 200)).toMatchObject([nothing]);
    const unwanted = answered(await submit(client, rent, "?with_recurrence=false"), 200);
    for (const one of unwanted) expect(one).toMatchObject(nothing);
  });

  it("shows the latest hundred transactions of a longer group", async () => {
    const { client } = await organization();
    const weeks = Array.from({ length: 120 }, (_, week) => ({
      ...rent[0],
      transaction_id: `w${String(week)}`,
      date: new Date(Date.UTC(2024, 0, 5 + 7 * week)).toISOString().slice(0, 10),
    }));
    const [first] = answered(await submit(client, weeks), 200);
    const shown = first?.recurrence_group?.transaction_ids;
    expect([shown?.length, shown?.[0], shown?.at(-1)]).toEqual([100, "w20", "w119"]);
    expect(answered(await payments(client), 200)[0]?.["transaction_ids"]).toHaveLength(120);
  });
});
