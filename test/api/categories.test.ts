// Category sets over real HTTP: results have the organization's category names from the next transaction on.
import { describe, expect, it } from "vitest";
import { answered, type BatchResource, type Client } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { until } from "../support/poll.ts";
import { startService } from "../support/service.ts";

interface Words {
  readonly incoming: readonly string[];
  readonly outgoing: readonly string[];
}

const OURS: Words = {
  incoming: ["Income", "Transfers"],
  outgoing: ["Eating Out", "Bills", "Transport", "Shopping", "Transfers"],
};

const put = (client: Client, id: string, body: Words) =>
  client.call<Words>("POST", `/v3/categories/${encodeURIComponent(id)}`, body);

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

/** The category of coffee for a holder. */
async function categoryOf(client: Client, holder: string): Promise<string | null | undefined> {
  const line = coffee(`t-${holder}`, { account_holder_id: holder });
  return answered(await client.enrich(line), 200).categories?.general;
}

async function categoriesInBatch(client: Client, holders: readonly string[]) {
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
  it("a holder with a set gets its names, alone and in batches; others do not", async () => {
    const { client } = await startService();
    expect(answered(await put(client, "app", OURS), 200)).toEqual(OURS);
    await createHolder(client, "named", "consumer", "app");
    await createHolder(client, "company", "business", "app");
    await createHolder(client, "plain", "consumer");
    expect(await categoryOf(client, "named")).toBe("Eating Out");
    expect(await categoryOf(client, "plain")).toBe("cafes and coffee shops");
    const company = coffee("c", { account_holder_id: "company" });
    expect(answered(await client.enrich(company), 200).categories).toEqual({
      general: "Eating Out",
      accounting: "operational expenses",
    });
    const without = coffee("none");
    expect(answered(await client.enrich(without), 200).categories).toBeNull();
    expect(await categoriesInBatch(client, ["named", "plain", "company"])).toEqual([
      "Eating Out",
      "cafes and coffee shops",
      "Eating Out",
    ]);
    expect(answered(await client.getTransaction("b-named"), 200).categories?.general).toBe(
      "Eating Out",
    );
  });

  it("ids are any text, also those that mean something to a program", async () => {
    const { client } = await startService();
    for (const id of ["constructor", "__proto__", "toString", "a/b", "100 %"]) {
      await createHolder(client, id, "consumer", id);
      expect([id, await categoryOf(client, id)]).toEqual([id, "cafes and coffee shops"]);
    }
    answered(await put(client, "any", OURS), 200);
    expect(await categoryOf(client, "constructor")).toBe("cafes and coffee shops");
    for (const id of ["constructor", "__proto__", "a/b", "100 %"]) {
      answered(await put(client, id, OURS), 200);
      expect([id, await categoryOf(client, id)]).toEqual([id, "Eating Out"]);
    }
  });
});
