// Category sets over real HTTP: what an organization calls its categories is what it is told, from the next transaction on.
import { describe, expect, it } from "vitest";
import { consumerCategories } from "../../src/model/categories.ts";
import { answered, type BatchResource, type Client, createClient } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { until } from "../support/poll.ts";
import { startService } from "../support/service.ts";
import { createKeysOf } from "../support/things.ts";

interface Words {
  readonly incoming: readonly string[];
  readonly outgoing: readonly string[];
}
interface Mapping {
  readonly incoming: Readonly<Record<string, string | null>>;
  readonly outgoing: Readonly<Record<string, string | null>>;
}

const OURS: Words = {
  incoming: ["Income", "Transfers"],
  outgoing: ["Eating Out", "Bills", "Transport", "Shopping", "Transfers"],
};

const put = (client: Client, id: string, body: Words) =>
  client.call<Words>("POST", `/v3/categories/${encodeURIComponent(id)}`, body);
const reset = (client: Client, id: string) =>
  client.call<Words | null>("POST", `/v3/categories/${encodeURIComponent(id)}/reset`);
const mappingOf = async (client: Client, id: string): Promise<Mapping> =>
  answered(await client.call<Mapping>("GET", `/v3/categories/${id}/mapping`), 200);

async function createHolder(
  client: Client,
  id: string,
  type: "consumer" | "business",
  categoryId: string | null = null,
): Promise<void> {
  answered(
    await client.call("POST", "/v3/account_holders", { id, type, category_id: categoryId }),
    200,
  );
}

/** What coffee is told as to a holder. */
async function told(client: Client, holder: string): Promise<string | null | undefined> {
  const line = coffee(`t-${holder}`, { account_holder_id: holder });
  return answered(await client.enrich(line), 200).categories?.general;
}

async function toldInBatch(client: Client, holders: readonly string[]) {
  const lines = holders.map((holder) => coffee(`b-${holder}`, { account_holder_id: holder }));
  const { id } = answered(await client.submitBatch(lines), 200);
  await until("the batch's end", async () => {
    const batch = await client.call<BatchResource>("GET", `/v3/batches/${id}`);
    return answered(batch, 200).status === "processing" ? null : true;
  });
  const { results } = answered(await client.results(id), 200);
  return results.map(({ categories }) => categories?.general);
}

describe("category sets", () => {
  it("a holder that names a set is told in its words, alone and in batches; others are not", async () => {
    const { client } = await startService();
    expect(answered(await put(client, "app", OURS), 200)).toEqual(OURS);
    await createHolder(client, "named", "consumer", "app");
    await createHolder(client, "company", "business", "app");
    await createHolder(client, "plain", "consumer");
    expect(await told(client, "named")).toBe("Eating Out");
    expect(await told(client, "plain")).toBe("cafes and coffee shops");
    const company = coffee("c", { account_holder_id: "company" });
    expect(answered(await client.enrich(company), 200).categories).toEqual({
      general: "Eating Out",
      accounting: "operational expenses",
    });
    const without = coffee("none");
    expect(answered(await client.enrich(without), 200).categories).toBeNull();
    expect(await toldInBatch(client, ["named", "plain", "company"])).toEqual([
      "Eating Out",
      "cafes and coffee shops",
      "Eating Out",
    ]);
    expect(answered(await client.getTransaction("b-named"), 200).categories?.general).toBe(
      "Eating Out",
    );
  });

  it("the words of a default set are told to every holder of its type until it is reset", async () => {
    const { client } = await startService();
    await createHolder(client, "person", "consumer");
    await createHolder(client, "company", "business");
    await createHolder(client, "lost", "consumer", "no such set");
    expect(answered(await client.call("GET", "/v3/categories/consumer"), 200)).toEqual(
      consumerCategories,
    );
    answered(await put(client, "consumer", OURS), 200);
    expect(answered(await client.call("GET", "/v3/categories/consumer"), 200)).toEqual(OURS);
    expect(await told(client, "person")).toBe("Eating Out");
    expect(await told(client, "lost")).toBe("Eating Out");
    expect(await told(client, "company")).toBe("meals and entertainment");
    expect(answered(await reset(client, "consumer"), 200)).toEqual(consumerCategories);
    expect(await told(client, "person")).toBe("cafes and coffee shops");
  });

  it("a set that is removed is told no more, and its holders are told in the words of their type", async () => {
    const { client } = await startService();
    answered(await put(client, "app", OURS), 200);
    answered(await put(client, "consumer", { incoming: [], outgoing: ["Fun"] }), 200);
    await createHolder(client, "named", "consumer", "app");
    expect(await told(client, "named")).toBe("Eating Out");
    expect(answered(await reset(client, "app"), 200)).toBeNull();
    answered(await client.call("GET", "/v3/categories/app"), 404);
    expect(await told(client, "named")).toBe("Fun");
    // There is nothing to remove any more, and that is as well.
    expect(answered(await reset(client, "app"), 200)).toBeNull();
  });

  it("what the set has no word for is told as not enough information, and a changed mapping counts at once", async () => {
    const { client } = await startService();
    answered(await put(client, "app", { incoming: [], outgoing: ["Rent", "Treats"] }), 200);
    await createHolder(client, "h", "consumer", "app");
    expect((await mappingOf(client, "app")).outgoing).toMatchObject({
      "rent and property management fee": "Rent",
      pets: null,
    });
    const own = "cafes and coffee shops";
    const path = "/v3/categories/app/mapping";
    const nothing = { outgoing: { [own]: null } };
    answered(await client.call("PATCH", path, nothing), 200);
    expect(await told(client, "h")).toBe("not enough information");
    const patched = await client.call<Mapping>("PATCH", path, { outgoing: { [own]: "Treats" } });
    expect(answered(patched, 200).outgoing).toMatchObject({ [own]: "Treats", pets: null });
    expect(await told(client, "h")).toBe("Treats");
    answered(await client.call("PATCH", path, { outgoing: { [own]: "Cake" } }), 422);
    answered(await client.call("PATCH", path, { outgoing: { coffee: "Treats" } }), 422);
    // The same words again change nothing of what was corrected.
    answered(await put(client, "app", { incoming: [], outgoing: ["Treats", "Rent"] }), 200);
    expect((await mappingOf(client, "app")).outgoing[own]).toBe("Treats");
    expect(await told(client, "h")).toBe("Treats");
  });

  it("of two that set the same words at once one is heard, whole; two sets at once are both there", async () => {
    const { client } = await startService();
    const one = { incoming: ["A"], outgoing: ["Groceries"] };
    const two = { incoming: ["B"], outgoing: ["Supermarkets"] };
    const outcomes = await Promise.all([
      put(client, "app", one),
      put(client, "app", two),
      put(client, "other", two),
    ]);
    for (const outcome of outcomes) answered(outcome, 200);
    const stored = answered(await client.call<Words>("GET", "/v3/categories/app"), 200);
    expect([one, two]).toContainEqual(stored);
    expect((await mappingOf(client, "app")).outgoing["groceries"]).toBe(stored.outgoing[0]);
    expect(answered(await client.call("GET", "/v3/categories/other"), 200)).toEqual(two);
  });

  it("ids are any text, also those that mean something to a program", async () => {
    const { client } = await startService();
    for (const id of ["constructor", "__proto__", "toString", "a/b", "100 %"]) {
      await createHolder(client, id, "consumer", id);
      expect([id, await told(client, id)]).toEqual([id, "cafes and coffee shops"]);
    }
    answered(await put(client, "any", OURS), 200);
    expect(await told(client, "constructor")).toBe("cafes and coffee shops");
    for (const id of ["constructor", "__proto__", "a/b", "100 %"]) {
      answered(await put(client, id, OURS), 200);
      expect([id, await told(client, id)]).toEqual([id, "Eating Out"]);
    }
  });

  it("another organization neither sees a set nor is told in its words, and every change leaves an entry", async () => {
    const service = await startService();
    const { client } = service;
    const [key = ""] = await createKeysOf(service, "another", ["read", "write"]);
    const other = createClient(service.url, key);
    answered(await put(client, "app", OURS), 200);
    answered(await put(client, "consumer", OURS), 200);
    for (const path of ["/v3/categories/app", "/v3/categories/app/mapping"])
      answered(await other.call("GET", path), 404);
    answered(await other.call("PATCH", "/v3/categories/app/mapping", {}), 404);
    await createHolder(other, "h", "consumer", "app");
    expect(await told(other, "h")).toBe("cafes and coffee shops");
    answered(await reset(other, "app"), 200);
    expect(answered(await client.call("GET", "/v3/categories/app"), 200)).toEqual(OURS);

    const patch = { outgoing: { pets: "Bills" } };
    answered(await client.call("PATCH", "/v3/categories/app/mapping", patch), 200);
    answered(await reset(client, "app"), 200);
    const entries = await client.listAll<{ action: string; subject: string }>("/v3/audit");
    const changes = entries.map(({ action, subject }) => `${action} ${subject}`);
    expect(changes.filter((change) => change.startsWith("categories")).sort()).toEqual([
      "categories.mapped app",
      "categories.replaced app",
      "categories.replaced consumer",
      "categories.reset app",
    ]);
  });
});
