import { expect, test } from "vitest";
import { startServer } from "../../../test/support/http-server.ts";
import { ledgerGroup } from "../../../test/support/http-services.ts";
import type { LedgerGroups } from "../../model/ledger-group.ts";
import { recurrenceGroups } from "./recurrence-schemas.ts";

const PATH = "/v3/account_holders/h%2F1/recurring_groups";

/** A server whose account holders have these groups, and whom it looked for. */
async function startWith(groups: LedgerGroups) {
  const asked: string[][] = [];
  const recurrence = {
    groups: (...holder: string[]) => {
      asked.push(holder);
      return Promise.resolve(groups);
    },
  };
  return Object.assign(await startServer({ recurrence }), { asked });
}

test("a group is answered with every field of the contract", async () => {
  await using server = await startWith({
    ok: true,
    groups: [ledgerGroup],
    income: [],
    corrected: new Map(),
  });
  const { status, json } = await server.call("POST", PATH);
  expect([status, server.asked]).toEqual([200, [["acme", "h/1"]]]);
  expect(recurrenceGroups.element.strict().array().safeParse(json).success).toBe(true);
  expect(json).toEqual([
    {
      id: ledgerGroup.id,
      start_date: "2024-01-31",
      end_date: "2024-03-31",
      total_amount: 37.5,
      average_amount: 12.5,
      periodicity_in_days: 30,
      periodicity: "monthly",
      counterparty: {
        ...{ id: null, name: null, website: null, logo: null, mccs: [], parent: null },
        ...{ phone_number: null, tax_number: null, naics2017: null, type: "organization" },
      },
      categories: { general: null, accounting: null },
      transaction_ids: ["t1", "t2", "t3"],
      entry_type: "outgoing",
      currency: "USD",
      latest_amount: 15.49,
      is_active: true,
      next_expected_payment: {
        ...{ date: "2024-04-30", earliest_date: "2024-04-29", latest_date: "2024-05-01" },
        ...{ amount: 12.5, lowest_amount: 11.99, highest_amount: 13 },
      },
      type: "subscription",
      is_essential: false,
      income_type: null,
      confidence: 0.87,
    },
  ]);
});

test("of an ended group no payment is expected", async () => {
  const ended = { ...ledgerGroup, isActive: false, next: null, kind: "bill" } as const;
  await using server = await startWith({
    ok: true,
    groups: [{ ...ended, isEssential: true }],
    income: [],
    corrected: new Map(),
  });
  const { json } = await server.call("POST", PATH);
  expect(json).toMatchObject([
    { is_active: false, next_expected_payment: null, type: "bill", is_essential: true },
  ]);
});

test("income is neither a subscription nor a bill, and not essential or otherwise", async () => {
  const group = { ...ledgerGroup, entryType: "incoming", incomeType: "salary" } as const;
  await using server = await startWith({
    ok: true,
    groups: [group],
    income: [],
    corrected: new Map(),
  });
  const { json } = await server.call("POST", PATH);
  expect(recurrenceGroups.element.strict().array().safeParse(json).success).toBe(true);
  expect(json).toMatchObject([{ type: null, is_essential: null, income_type: "salary" }]);
});

test("the counterparty and the categories of a group are answered as they are", async () => {
  const counterparty = {
    ...{ id: "n", name: "Netflix", website: "netflix.com", logo: null, mccs: [4899] },
    ...{ phone_number: null, tax_number: null, naics2017: null, parent: null },
    type: "organization",
  } as const;
  const categories = { general: "media", accounting: null };
  const group = { ...ledgerGroup, counterparty, categories };
  await using server = await startWith({
    ok: true,
    groups: [group],
    income: [],
    corrected: new Map(),
  });
  const { json } = await server.call("POST", PATH);
  expect(json).toMatchObject([{ counterparty, categories }]);
});

test.each([undefined, "", "{}"])("the body %j is accepted", async (body) => {
  await using server = await startWith({ ok: true, groups: [], income: [], corrected: new Map() });
  const { status, text } = await server.call("POST", PATH, { body });
  expect([status, text]).toEqual([200, "[]"]);
});

test.each([
  ["account_holder_not_found", 404, "Account holder not found"],
  ["ledger_too_large", 400, "The account holder has more than 1000000 transactions"],
] as const)("%s is answered %i", async (reason, status, detail) => {
  await using server = await startWith({ ok: false, reason });
  const answer = await server.call("POST", PATH);
  expect([answer.status, answer.json]).toMatchObject([status, { code: reason, detail }]);
});

test.each([
  ["ntropy-sdk/5.5.0", "other"],
  ["ntropy-sdk/5.7.0", "semi-monthly"],
  ["curl/8", "semi-monthly"],
])("to %s a payment twice a month is %s", async (userAgent, periodicity) => {
  const group = { ...ledgerGroup, periodicity: "semi-monthly" } as const;
  await using server = await startWith({
    ok: true,
    groups: [group],
    income: [],
    corrected: new Map(),
  });
  const { json } = await server.call("POST", PATH, { headers: { "User-Agent": userAgent } });
  expect(json).toMatchObject([{ periodicity }]);
});

test("groups are found again for every request, also under one idempotency key", async () => {
  await using server = await startWith({ ok: true, groups: [], income: [], corrected: new Map() });
  for (let request = 0; request < 2; request += 1)
    await server.call("POST", PATH, { headers: { "Idempotency-Key": "k" } });
  expect(server.asked).toHaveLength(2);
});
