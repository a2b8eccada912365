// Reports of the v2 API over real HTTP: the same as those of v3, and their URLs get the events that webhooks get.
import { expect, it } from "vitest";
import { answered, type Client, createClient } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { useOrganizations } from "../support/organizations.ts";
import { until } from "../support/poll.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { createKeysOf } from "../support/things.ts";
import { callableWebhooks } from "../support/webhooks.ts";

interface V2ReportBody {
  readonly id: string;
  readonly status: string;
  readonly created_at: string;
  readonly transaction_id: string;
  readonly webhook_url: string | null;
  readonly fields: Readonly<Record<string, string>> | null;
  readonly notes: string | null;
}

interface V2Page {
  readonly pages: number;
  readonly reports: readonly V2ReportBody[];
}

const TYPES = ["reports.pending", "reports.resolved", "reports.rejected"];
const RIGHT = { merchant: "Heron Street", labels: ["books"], mcc: [5942], person: null };

const organization = useOrganizations({ config: { webhooks: callableWebhooks } });

/** A service with a customer and an operator of another organization. */
async function setUp() {
  const { client, service } = await organization();
  const [operatorKey] = await createKeysOf(service, "operators", ["operator"]);
  for (const id of ["t", "u"]) answered(await client.enrich(coffee(id)), 200);
  return { client, operator: createClient(service.url, operatorKey) };
}

const create = async (client: Client, body: object): Promise<V2ReportBody> =>
  answered(await client.call<V2ReportBody>("POST", "/v2/report", body), 200);

const get = async (client: Client, id: string): Promise<V2ReportBody> =>
  answered(await client.call<V2ReportBody>("GET", `/v2/report/${id}`), 200);

const list = async (client: Client, query = ""): Promise<V2Page> =>
  answered(await client.call<V2Page>("GET", `/v2/report${query}`), 200);

const move = async (operator: Client, id: string, body: object): Promise<object> =>
  answered(await operator.call<object>("PATCH", `/ops/reports/${id}`, body), 200);

const REJECTED = { status: "rejected", rejection_reason: "The bank names no other." };

const calls = (receiver: Receiver, count: number): Promise<true> =>
  until(`${String(count)} calls`, () => (receiver.calls.length >= count ? true : null));

it("a report made by v2 is the same report for v3 and operators, and the reverse", async () => {
  const { client, operator } = await setUp();
  const made = await create(client, { transaction_id: "t", ...RIGHT, notes: "Another shop." });
  expect(made).toEqual({
    id: expect.stringMatching(/^[\da-f-]{36}$/) as string,
    status: "open",
    created_at: expect.stringMatching(/Z$/) as string,
    transaction_id: "t",
    webhook_url: null,
    fields: { merchant: "Heron Street", labels: '["books"]', mcc: "[5942]" },
    notes: "Another shop.",
  });
  expect(answered(await client.call("GET", `/v3/reports/${made.id}`), 200)).toMatchObject({
    id: made.id,
    description: "Another shop.",
    fields: ["entities.counterparty.name", "categories.general", "entities.counterparty.mccs"],
  });
  const shown = answered(await operator.call("GET", `/ops/reports/${made.id}`), 200);
  const expected = { merchant: "Heron Street", labels: ["books"], mcc: [5942] };
  expect(shown).toMatchObject({ expected, transaction: { id: "t" } });
  await move(operator, made.id, REJECTED);
  expect(await get(client, made.id)).toEqual({ ...made, status: "invalid" });

  const body = { transaction_id: "u", description: "Wrong.", fields: ["merchant"] };
  const { id } = answered(await client.call<{ id: string }>("POST", "/v3/reports", body), 200);
  await move(operator, id, { status: "resolved", corrected: { merchant: "Heron Street" } });
  expect(await get(client, id)).toMatchObject({
    ...{ status: "resolved", transaction_id: "u", fields: null, notes: "Wrong." },
  });
  expect((await list(client)).reports.map((report) => report.id)).toEqual([id, made.id]);
});

it("each move goes to the URL of its report, as the very event that a registered webhook gets", async () => {
  const { client, operator } = await setUp();
  const [own, registered] = [await startReceiver(), await startReceiver()];
  const webhook = { url: `${registered.url}/hook`, events: TYPES };
  answered(await client.call("POST", "/v3/webhooks", webhook), 200);
  const url = `${own.url}/report?of=t`;
  const { id, webhook_url } = await create(client, { transaction_id: "t", webhook_url: url });
  expect(webhook_url).toBe(url);
  const other = await create(client, { transaction_id: "t" });
  await move(operator, other.id, { status: "pending" });
  await move(operator, id, { status: "pending" });
  await calls(own, 1);
  await move(operator, id, REJECTED);
  await calls(own, 2);
  await calls(registered, 3);
  expect(own.events().map((event) => [event.event_type, event.data.id])).toEqual([
    ["reports.pending", id],
    ["reports.rejected", id],
  ]);
  expect(own.calls[1]?.path).toBe("/report?of=t");
  const bodies = registered.calls.map(({ body }) => body);
  expect(bodies).toEqual(expect.arrayContaining(own.calls.map(({ body }) => body)));
  const page = answered(await client.call<{ data: object[] }>("GET", "/v3/webhooks"), 200);
  expect(page.data).toHaveLength(1);
});

it("pages, filters and ids are those of the organization alone", async () => {
  const { client, operator } = await setUp();
  const { client: stranger } = await organization();
  answered(await stranger.enrich(coffee("t")), 200);
  const theirs = await create(stranger, { transaction_id: "t" });
  const ids: string[] = [];
  for (const transaction of ["t", "t", "u"])
    ids.unshift((await create(client, { transaction_id: transaction })).id);
  await move(operator, ids[2] ?? "", { status: "pending" });
  const idsOf = async (query: string) => {
    const { pages, reports } = await list(client, query);
    return [pages, reports.map(({ id }) => id)];
  };
  const [u, second, first] = ids;
  expect(await idsOf("")).toEqual([1, ids]);
  expect(await idsOf("?page=0&per_page=2")).toEqual([2, [u, second]]);
  expect(await idsOf("?page=1&per_page=2")).toEqual([2, [first]]);
  expect(await idsOf("?page=2&per_page=2")).toEqual([2, []]);
  expect(await idsOf("?transaction_id=t")).toEqual([1, [second, first]]);
  expect(await idsOf("?transaction_id=t&status=pending")).toEqual([1, [first]]);
  expect(await idsOf("?status=resolved")).toEqual([0, []]);
  expect((await list(stranger)).reports.map(({ id }) => id)).toEqual([theirs.id]);
  answered(await stranger.call("GET", `/v2/report/${first ?? ""}`), 404);
  answered(await stranger.call("POST", "/v2/report", { transaction_id: "u" }), 404);
  expect(await list(client, "?transaction_id=u")).toMatchObject({ reports: [{ id: u }] });
});

it("a repeated request with its key makes one report, and a refused URL none", async () => {
  const { client } = await setUp();
  const key = { "Idempotency-Key": "k" };
  const body = { transaction_id: "t", webhook_url: "https://hooks.example.com/r" };
  const answers = [];
  for (let count = 0; count < 2; count += 1)
    answers.push(answered(await client.call("POST", "/v2/report", body, key), 200));
  expect(answers[0]).toEqual(answers[1]);
  for (const webhook_url of [
    "http://10.1.2.3/",
    "https://169.254.169.254/",
    "ftp://example.com/",
    "x",
  ]) {
    const refused = await client.call("POST", "/v2/report", { transaction_id: "t", webhook_url });
    const detail = [{ loc: ["body", "webhook_url"], type: "value_error" }];
    expect([webhook_url, answered(refused, 422)]).toMatchObject([webhook_url, { detail }]);
    const asWebhook = { url: webhook_url, events: TYPES };
    answered(await client.call("POST", "/v3/webhooks", asWebhook), 422);
  }
  expect((await list(client)).reports).toHaveLength(1);
});

it("the requests of the published Python client get the fields that it reads", async () => {
  const { client } = await setUp();
  // As `create_report(transaction_id, website=…)` sends it, with what is not set as null.
  const sent = { transaction_id: "t", webhook_url: null, website: "example.com" };
  const made = await create(client, sent);
  const { reports } = await list(client, "?page=0&per_page=50&status=open&transaction_id=t");
  expect(reports).toEqual([made]);
  const polled = await get(client, made.id);
  for (const field of ["id", "transaction_id", "status", "created_at"] as const)
    expect([field, typeof polled[field]]).toEqual([field, "string"]);
  expect(polled.webhook_url).toBeNull();
  const missing = answered(await client.call("GET", "/v2/report/none"), 404);
  expect(missing).toMatchObject({ detail: "Report not found" });
});
