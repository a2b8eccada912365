// Recurring groups over real HTTP: of the ledger as it is when they are asked for.
import { expect, it } from "vitest";
import { answered, type BatchResource, type Client } from "../support/client.ts";
import { fencedBlocks, readDocument } from "../support/documents.ts";
import type { WireTransaction } from "../support/lines.ts";
import { useOrganizations } from "../support/organizations.ts";
import { until } from "../support/poll.ts";
import { startService } from "../support/service.ts";

const organization = useOrganizations();

interface Group {
  readonly id: string;
  readonly end_date: string;
  readonly counterparty: { readonly name: string | null };
  readonly categories: { readonly general: string | null };
  readonly transaction_ids: readonly string[];
}

const MONTHS = ["01", "02", "03", "04", "05", "06"];
const idsOf = (mark: string): readonly string[] => MONTHS.map((month) => `${mark}-${month}`);

/** Six payments, one a month. */
const payments = (mark: string, fields: Partial<WireTransaction> = {}): WireTransaction[] =>
  MONTHS.map((month) => ({
    id: `${mark}-${month}`,
    description: "NETFLIX.COM 866-579-7172 CA",
    date: `2026-${month}-05`,
    amount: 15.49,
    entry_type: "outgoing",
    currency: "USD",
    account_holder_id: "h",
    ...fields,
  }));

const groupsOf = async (client: Client, holder = "h"): Promise<readonly Group[]> =>
  answered(
    await client.call<Group[]>("POST", `/v3/account_holders/${holder}/recurring_groups`),
    200,
  );
const membersOf = async (client: Client): Promise<readonly (readonly string[])[]> =>
  (await groupsOf(client)).map((group) => group.transaction_ids);

async function submit(client: Client, transactions: readonly WireTransaction[]): Promise<void> {
  const { id } = answered(await client.submitBatch(transactions), 200);
  await completed(client, id);
}

const completed = (client: Client, id: string): Promise<boolean> =>
  until("the batch", async () => {
    const { status } = answered(await client.getBatch(id), 200);
    return status === "completed" ? true : null;
  });

it("groups follow the ledger: added, moved, deleted transactions, and the next start", async () => {
  const first = await startService();
  const { client, dataFolder } = first;
  const path = "/v3/account_holders/h/recurring_groups";
  expect(await client.call("POST", path, {})).toMatchObject({
    status: 404,
    body: { code: "account_holder_not_found" },
  });
  for (const id of ["h", "other"]) answered(await client.createHolder(id, "consumer"), 200);
  expect(await groupsOf(client)).toEqual([]);
  await submit(client, payments("a"));
  const [before, none] = await groupsOf(client);
  expect([before?.transaction_ids, none]).toEqual([idsOf("a"), undefined]);
  expect(before?.counterparty.name).toBe("Netflix");
  const [july] = payments("a", { id: "a-07", date: "2026-07-05" });
  if (july !== undefined) answered(await client.enrich(july), 200);
  expect(await groupsOf(client)).toMatchObject([{ id: before?.id, end_date: "2026-07-05" }]);
  answered(await client.assign("a-07", "other"), 200);
  expect(await groupsOf(client)).toEqual([before]);
  answered(await client.deleteTransaction("a-06"), 204);
  expect(await membersOf(client)).toEqual([idsOf("a").slice(0, -1)]);
  const answer = await groupsOf(client);
  await first.close();

  const { client: restarted } = await startService({ config: { dataFolder } });
  expect(await groupsOf(restarted)).toEqual(answer);
});

it("payments in two currencies are two groups", async () => {
  const { client } = await organization();
  answered(await client.createHolder("h", "consumer"), 200);
  await submit(client, [...payments("usd"), ...payments("eur", { currency: "EUR" })]);
  const members = await membersOf(client);
  expect(members.toSorted()).toEqual([idsOf("eur"), idsOf("usd")]);
});

it("a group has the corrected category of its latest transaction", async () => {
  const { client } = await organization();
  answered(await client.createHolder("h", "consumer"), 200);
  await submit(client, payments("a"));
  expect(await groupsOf(client)).toMatchObject([{ categories: { general: "media" } }]);
  const wrong = { transaction_id: "a-06", description: "", fields: ["categories"] };
  const { id } = answered(await client.call<{ id: string }>("POST", "/v3/reports", wrong), 200);
  const corrected = { category: "entertainment and recreation" };
  const move = { status: "resolved", corrected };
  answered(await client.call("PATCH", `/ops/reports/${id}`, move), 200);
  expect(await groupsOf(client)).toMatchObject([{ categories: { general: corrected.category } }]);
});

it("the answer shown in the guide to recurring payments is the one given", async () => {
  const guide = readDocument("docs/guides/recurring-payments.md");
  const [submitted = "", asked = ""] = fencedBlocks(guide, "sh");
  const { client } = await startService({ config: { publicUrl: "http://127.0.0.1:8080" } });
  const calls = [...submitted.matchAll(/^curl \S+:8080(\S+) .*?-d '(.*?)'$/gms)];
  const answers: unknown[] = [];
  for (const [, path = "", body = ""] of calls)
    answers.push(answered(await client.call("POST", path, JSON.parse(body)), 200));
  await completed(client, (answers.at(-1) as BatchResource).id);
  const path = /:8080(\S+)/.exec(asked)?.[1] ?? "";
  const answer = answered(await client.call("POST", path), 200);
  expect(answer).toEqual(JSON.parse(fencedBlocks(guide, "json")[0] ?? ""));
});
