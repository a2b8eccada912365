// Custom labelling models over real HTTP: trained in the background, used by name and by category set, by their organization alone.
import { describe, expect, it } from "vitest";
import { answered, type Client } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { useOrganizations } from "../support/organizations.ts";
import { until } from "../support/poll.ts";
import { startService } from "../support/service.ts";

const organization = useOrganizations();

interface ModelStatus {
  readonly name: string;
  readonly status: "queued" | "training" | "ready" | "error";
  readonly progress: number;
  readonly versions: readonly { readonly version: number }[];
  readonly quality: { readonly items: number; readonly accuracy: number | null } | null;
}

interface Labelled {
  readonly transaction_id: string;
  readonly labels: readonly string[];
  readonly confidence: number | null;
}

const LINES = [
  ["SHELL KINGS 587", "fuel"],
  ["BP CONNECT MOSELEY", "fuel"],
  ["RYMAN BIRMINGHAM", "paper"],
  ["WH SMITH NEW STREET", "paper"],
] as const;

const item = (description: string, label: unknown, fields: object = {}): object => ({
  account_holder_type: "business",
  amount: 20,
  entry_type: "debit",
  iso_currency_code: "GBP",
  description,
  label,
  ...fields,
});

/** Ten of each line, under labels that begin with the prefix. */
const itemsOf = (prefix: string): object[] =>
  Array.from({ length: 10 }, (_, at) =>
    LINES.map(([line, label]) => item(line, [`${prefix}${label}`], { amount: 10 + at })),
  ).flat();

const train = (client: Client, name: string, transactions: unknown, more: object = {}) =>
  client.call<ModelStatus>("POST", `/v2/models/${name}`, { transactions, ...more });

const trained = (client: Client, name: string): Promise<ModelStatus> =>
  until(`model ${name}`, async () => {
    const model = answered(await client.call<ModelStatus>("GET", `/v2/models/${name}`), 200);
    return model.status === "ready" || model.status === "error" ? model : null;
  });

const bought = (transaction_id: string, description: string): object => ({
  transaction_id,
  description,
  date: "2026-11-20",
  amount: 20,
  entry_type: "outgoing",
  iso_currency_code: "GBP",
  account_holder_type: "business",
});

const label = (client: Client, name: string, description = "SHELL KINGS 590") =>
  client.call<Labelled[]>("POST", `/v2/transactions/sync?model_name=${name}`, [
    bought("t", description),
  ]);

describe("custom models", () => {
  it("a model labels calls and batches as its items are labelled, and is measured", async () => {
    const { client } = await organization();
    expect(answered(await client.call("GET", "/v2/models"), 200)).toEqual([]);
    const begun = answered(await train(client, "mine", itemsOf("own ")), 200);
    expect(begun).toMatchObject({ name: "mine", versions: [], quality: null });
    const ready = await trained(client, "mine");
    expect(ready).toMatchObject({ status: "ready", progress: 100, versions: [{ version: 1 }] });
    expect(ready.quality).toMatchObject({ items: 40, accuracy: 1 });
    const [called] = answered(await label(client, "mine"), 200);
    expect(called?.labels).toEqual(["own fuel"]);
    expect(called?.confidence).toBeGreaterThan(0.2);
    const batch = answered(
      await client.call<{ id: string }>("POST", "/v2/transactions/async?model_name=mine", [
        bought("b", "RYMAN SOLIHULL"),
      ]),
      202,
    );
    const results = await until("the batch", async () => {
      const path = `/v2/transactions/async/${batch.id}`;
      const body = answered(await client.call<{ results?: Labelled[] }>("GET", path), 200);
      return body.results ?? null;
    });
    expect(results[0]?.labels).toEqual(["own paper"]);
    expect(answered(await client.call("GET", "/v2/models"), 200)).toMatchObject([
      { name: "mine", account_holder_type: "business" },
    ]);
    answered(await client.call("DELETE", "/v2/models/mine"), 204);
    answered(await client.call("GET", "/v2/models/mine"), 404);
    answered(await label(client, "mine"), 400);
  });

  it("below its threshold a model leaves the default label", async () => {
    const { client } = await organization();
    answered(await train(client, "shy", itemsOf(""), { threshold: 1 }), 200);
    answered(await train(client, "bold", itemsOf(""), { threshold: 0 }), 200);
    await trained(client, "shy");
    await trained(client, "bold");
    const unknown = "NETFLIX.COM LOS GATOS CA";
    const [shy] = answered(await label(client, "shy", unknown), 200);
    const [bold] = answered(await label(client, "bold", unknown), 200);
    expect(["fuel", "paper"]).not.toContain(shy?.labels[0]);
    expect(["fuel", "paper"]).toContain(bold?.labels[0]);
  });

  it("a model is trained once at a time, and labels by its last version meanwhile", async () => {
    const { client } = await organization();
    answered(await train(client, "mine", itemsOf("old ")), 200);
    await trained(client, "mine");
    const answers = await Promise.all([
      train(client, "mine", itemsOf("new ")),
      train(client, "mine", itemsOf("newer ")),
    ]);
    const statuses = answers.map((one) => (one.kind === "answered" ? one.status : one.kind));
    expect(statuses.toSorted()).toEqual([200, 409]);
    const winner = statuses[0] === 200 ? "new fuel" : "newer fuel";
    const [during] = answered(await label(client, "mine"), 200);
    expect(["old fuel", winner]).toContain(during?.labels[0]);
    expect((await trained(client, "mine")).versions).toMatchObject([
      { version: 2 },
      { version: 1 },
    ]);
    const [after] = answered(await label(client, "mine"), 200);
    expect(after?.labels).toEqual([winner]);
  });

  it("several labels of a transaction are a list, and one text where there is one category", async () => {
    const { client } = await organization();
    const both = ["own travel", "own fuel"];
    const items = Array.from({ length: 10 }, (_, at) => [
      item("SHELL KINGS 587", both, { amount: 10 + at }),
      item("BP CONNECT MOSELEY", ["own fuel"], { amount: 10 + at }),
      item("RYMAN BIRMINGHAM", ["own paper"], { amount: 10 + at }),
    ]).flat();
    answered(await train(client, "mine", items), 200);
    expect((await trained(client, "mine")).quality).toMatchObject({
      accuracy: 1,
      labels: [
        { label: "own fuel", items: 20 },
        { label: "own paper", items: 10 },
        { label: "own travel", items: 10 },
      ],
    });
    const lines = ["SHELL KINGS 590", "BP CONNECT MOSELEY", "RYMAN BIRMINGHAM"];
    const sent = lines.map((line, at) => ({
      ...bought(`t${String(at)}`, line),
      account_holder_id: "h",
    }));
    const path = "/v2/transactions/sync?model_name=mine";
    const found = answered(await client.call<Labelled[]>("POST", path, sent), 200);
    const [shell] = found;
    expect(found.map(({ labels }) => labels)).toEqual([
      both.toSorted(),
      ["own fuel"],
      ["own paper"],
    ]);
    expect(shell?.confidence).toBeGreaterThan(0.2);
    expect(answered(await client.call("GET", "/v3/transactions/t0"), 200)).toMatchObject({
      categories: { general: "own fuel || own travel" },
    });
    const ledger = "/v2/account-holder/h/transactions?sort_by=labels&sort_order=asc";
    expect(answered(await client.call("GET", ledger), 200)).toMatchObject({
      transactions: [{ labels: ["own fuel"] }, { labels: both.toSorted() }, {}],
    });
    const query = { metrics: ["overall_stats", "stats_by_label"] };
    const sums = await client.call("POST", "/v2/account-holder/h/query", query);
    const counted = (count: number): object => ({ outgoing: { GBP: { count, sum: 20 * count } } });
    expect(answered(sums, 200)).toMatchObject({
      overall_stats: counted(3),
      stats_by_label: {
        "own fuel": counted(2),
        "own travel": counted(1),
        "own paper": counted(1),
      },
    });
  });

  it("two organizations have models of one name, and neither labels by the other's", async () => {
    const { client } = await organization();
    const { client: other } = await organization();
    answered(await train(client, "mine", itemsOf("own ")), 200);
    await trained(client, "mine");
    answered(await label(other, "mine"), 400);
    answered(await other.call("DELETE", "/v2/models/mine"), 404);
    answered(await train(other, "mine", itemsOf("their ")), 200);
    await trained(other, "mine");
    expect(answered(await label(other, "mine"), 200)[0]?.labels).toEqual(["their fuel"]);
    expect(answered(await label(client, "mine"), 200)[0]?.labels).toEqual(["own fuel"]);
  });

  it("holders of a category set that is bound to a model are labelled by it once it is ready", async () => {
    const { client } = await organization();
    const set = { incoming: ["in"], outgoing: ["out"], model: "mine" };
    expect(answered(await client.call("POST", "/v3/categories/app", set), 200)).toEqual(set);
    const holder = { id: "h", type: "business", category_id: "app" };
    answered(await client.call("POST", "/v3/account_holders", holder), 200);
    const line = coffee("t", { account_holder_id: "h", description: "SHELL KINGS 590" });
    const general = async () => answered(await client.enrich(line), 200).categories?.general;
    expect(await general()).toBe("not enough information");
    answered(await train(client, "mine", itemsOf("own ")), 200);
    await trained(client, "mine");
    expect(await general()).toBe("own fuel");
    expect(answered(await client.call("GET", "/v3/categories/app"), 200)).toEqual(set);
  });

  it("a training continues where the service is started again", async () => {
    const first = await startService();
    answered(await train(first.client, "mine", itemsOf("own ")), 200);
    await first.close();
    const { client } = await startService({ config: { dataFolder: first.dataFolder } });
    expect((await trained(client, "mine")).status).toBe("ready");
  });

  const two = [item("A", ["a"]), item("B", ["b"])];
  const many = Array.from({ length: 1_001 }, (_, at) => item("A", [`label ${String(at)}`]));
  const bad: readonly (readonly [string, number, unknown])[] = [
    ["no items", 422, []],
    ["more than 50 000 items", 422, Array.from({ length: 50_001 }, () => two[0])],
    ["an item without a label", 422, [...two, item("C", [])]],
    ["an empty label", 422, [...two, item("C", [" "])]],
    ["11 labels of an item", 422, [...two, item("C", Array(11).fill("c"))]],
    ["a label that looks like two", 422, [...two, item("C", ["c || d"])]],
    ["a label of 10 KB", 422, [...two, item("C", ["x".repeat(10_240)])]],
    ["a wrong account type", 422, [...two, item("C", ["c"], { account_holder_type: "robot" })]],
    ["a negative amount", 422, [...two, item("C", ["c"], { amount: -1 })]],
    ["a text in place of the items", 422, "a"],
    ["one label only", 400, [item("A", ["a"]), item("B", ["a"])]],
    ["more than 1 000 labels", 400, many],
    ["several account types", 400, [...two, item("C", ["a"], { account_holder_type: "consumer" })]],
    ["labels that contradict each other", 400, [item("A", ["a"]), item("A", ["b"])]],
  ];
  it("what nothing can be learned from is refused, and nothing is stored", async () => {
    const { client } = await organization();
    for (const [what, status, items] of bad) {
      const refused = await train(client, "mine", items);
      expect([what, refused.kind === "answered" ? refused.status : refused.kind]).toEqual([
        what,
        status,
      ]);
    }
    answered(await train(client, "a%2Fb", two), 422);
    answered(await train(client, "x".repeat(257), two), 422);
    answered(await train(client, "mine", two, { threshold: 1.5 }), 422);
    expect(answered(await client.call("GET", "/v2/models"), 200)).toEqual([]);
  });
});
