// The whole pipeline over real HTTP: what a client of the v3 API relies on.
import { describe, expect, it } from "vitest";
import {
  answered,
  type BatchResource,
  type Client,
  type Enriched,
  type StoredTransaction,
} from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { useOrganizations } from "../support/organizations.ts";
import { until } from "../support/poll.ts";
import { startService } from "../support/service.ts";

const organization = useOrganizations({ config: { poolThreads: 2 } });

async function finished(client: Client, id: string): Promise<void> {
  await until(`batch ${id}`, async () =>
    answered(await client.getBatch(id), 200).status === "processing" ? null : true,
  );
}

describe("pipeline", () => {
  it("a transaction is answered with who was paid, through whom, for what and where, and stays in the ledger", async () => {
    const { client } = await organization();
    answered(await client.createHolder("h", "consumer"), 200);
    const result = answered(await client.enrich(coffee("t", { account_holder_id: "h" })), 200);
    expect(result).toMatchObject({
      id: "t",
      error: null,
      entities: {
        counterparty: {
          type: "organization",
          name: "Blue Bottle Coffee",
          website: "bluebottlecoffee.com",
        },
        intermediaries: [{ name: "Square", website: "squareup.com" }],
      },
      categories: { general: "cafes and coffee shops", accounting: null },
      location: { structured: { city: "Oakland", state: "CA", country_code: "US" } },
    });
    const stored = answered(await client.getTransaction("t"), 200);
    expect(stored).toEqual({ ...result, ...coffee("t", { account_holder_id: "h" }) });
    expect(await client.listAll<StoredTransaction>("/v3/transactions?account_holder_id=h")).toEqual(
      [stored],
    );
  });

  it("an unknown account holder is an error inside a 200, and nothing changes: what was there under the id stays", async () => {
    const { client } = await organization();
    answered(await client.createHolder("h", "consumer"), 200);
    answered(await client.enrich(coffee("t", { account_holder_id: "h" })), 200);
    const failed = answered(
      await client.enrich(coffee("t", { account_holder_id: "unknown", amount: 9 })),
      200,
    );
    expect(failed).toMatchObject({
      error: { code: "account_holder_not_found" },
      entities: null,
      categories: null,
      location: null,
    });
    expect(answered(await client.getTransaction("t"), 200)).toMatchObject({
      account_holder_id: "h",
      amount: 6.5,
    });
    answered(await client.enrich(coffee("new", { account_holder_id: "unknown" })), 200);
    answered(await client.getTransaction("new"), 404);
  });

  it("a batch over several chunks gives its results in the order of submission, with single failures in their place", async () => {
    const { client } = await organization();
    const items = Array.from({ length: 1_111 }, (_, index) =>
      coffee(`t${String(index)}`, { account_holder_id: index % 100 === 7 ? "unknown" : null }),
    );
    const batch = answered(await client.submitBatch(items), 200);
    expect(batch).toMatchObject({ total: 1_111, operation: "POST /v3/transactions" });
    await finished(client, batch.id);
    expect(answered(await client.getBatch(batch.id), 200)).toMatchObject({
      status: "completed",
      progress: 1_111,
    });
    const { results } = answered(await client.results(batch.id), 200);
    expect(results.map((one: Enriched) => one.id)).toEqual(items.map((one) => one.id));
    expect(results.filter((one) => one.error !== null).map((one) => one.id)).toEqual(
      Array.from({ length: 12 }, (_, index) => `t${String(index * 100 + 7)}`),
    );
    expect(await client.listAll("/v3/transactions")).toHaveLength(1_111 - 12);
    expect(await client.listAll("/v3/batches?status=completed")).toMatchObject([{ id: batch.id }]);
    expect(await client.listAll("/v3/batches?status=processing")).toEqual([]);
  });

  it("a batch keeps its priority: default unless low is sent, the same in every answer and its event", async () => {
    const { client } = await organization();
    const data = [coffee("t")];
    const submit = (fields: object) =>
      client.call<BatchResource>("POST", "/v3/batches", {
        operation: "POST /v3/transactions",
        data,
        ...fields,
      });
    const priorities: string[] = [];
    for (const fields of [{}, { priority: null }, { priority: "default" }, { priority: "low" }]) {
      const submitted = answered(await submit(fields), 200);
      await finished(client, submitted.id);
      const read = answered(await client.getBatch(submitted.id), 200);
      expect(read.priority).toBe(submitted.priority);
      priorities.push(read.priority);
    }
    expect(priorities).toEqual(["default", "default", "default", "low"]);
    const listed = await client.listAll<BatchResource>("/v3/batches");
    expect(listed.map(({ priority }) => priority)).toEqual(priorities.toReversed());
    answered(await submit({ priority: "high" }), 422);
    expect(await client.listAll("/v3/batches")).toHaveLength(4);
  });

  it("deleting an account holder deletes its transactions and no others", async () => {
    const { client } = await organization();
    for (const id of ["a", "b"]) answered(await client.createHolder(id, "consumer"), 200);
    const items = Array.from({ length: 2_500 }, (_, index) =>
      coffee(`t${String(index)}`, { account_holder_id: index % 5 === 0 ? "b" : "a" }),
    );
    const batch = answered(await client.submitBatch(items), 200);
    await finished(client, batch.id);
    answered(await client.deleteHolder("a"), 204);
    answered(await client.deleteHolder("a"), 404);
    answered(await client.call("GET", "/v3/account_holders/a"), 404);
    const left = await client.listAll<StoredTransaction>("/v3/transactions");
    expect(left).toHaveLength(500);
    expect(new Set(left.map((one) => one.account_holder_id))).toEqual(new Set(["b"]));
    // The id is free again, and the new holder starts with an empty ledger.
    answered(await client.createHolder("a", "business"), 200);
    expect(await client.listAll("/v3/transactions?account_holder_id=a")).toEqual([]);
  });

  it("assigning moves a transaction between holders of one type, decides its categories, and keeps when it was created", async () => {
    const { client } = await organization();
    for (const [id, type] of [
      ["a", "consumer"],
      ["b", "consumer"],
      ["c", "business"],
    ] as const) {
      answered(await client.createHolder(id, type), 200);
    }
    const before = answered(await client.enrich(coffee("t")), 200);
    const first = answered(await client.assign("t", "a"), 200);
    expect(first).toMatchObject({
      account_holder_id: "a",
      created_at: before.created_at,
      categories: { general: "cafes and coffee shops" },
    });
    expect(answered(await client.getTransaction("t"), 200)).toEqual(first);
    expect(answered(await client.assign("t", "b"), 200).account_holder_id).toBe("b");
    answered(await client.assign("t", "c"), 400);
    answered(await client.assign("t", "unknown"), 404);
    answered(await client.assign("unknown", "a"), 404);
    expect(answered(await client.getTransaction("t"), 200).account_holder_id).toBe("b");
  });

  it("what was accepted before a restart is there after it, and the cursor of before still works", async () => {
    const first = await startService();
    for (let index = 0; index < 5; index += 1)
      answered(await first.client.enrich(coffee(`t${String(index)}`)), 200);
    interface Page {
      next_cursor: string;
      data: { id: string }[];
    }
    const page = answered(await first.client.call<Page>("GET", "/v3/transactions?limit=2"), 200);
    await first.close();
    const second = await startService({ config: { dataFolder: first.dataFolder } });
    const rest = await second.client.listAll<{ id: string }>(
      `/v3/transactions?cursor=${encodeURIComponent(page.next_cursor)}`,
    );
    expect([...page.data, ...rest].map((one) => one.id)).toEqual(["t4", "t3", "t2", "t1", "t0"]);
  });
});
