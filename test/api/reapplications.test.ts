// What an organization sets counts for what it submits from then on, and on request for what it has submitted before.
import { describe, expect, it } from "vitest";
import { answered, type Client, type StoredTransaction } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { until } from "../support/poll.ts";
import { startService } from "../support/service.ts";

interface Reapplication {
  readonly id: string;
  readonly status: "running" | "completed";
  readonly total: number;
  readonly progress: number;
  readonly changed: number;
}

const PATH = "/v3/reapplications";
const RULES = [
  {
    if: { is_substring: ["BLUE BOTTLE", { get: "description" }] },
    then: [{ set_labels: ["team coffee"] }],
  },
];

async function reapplied(client: Client): Promise<Reapplication> {
  const { id } = answered(await client.call<Reapplication>("POST", PATH), 200);
  return until("the end of the reapplication", async () => {
    const now = answered(await client.call<Reapplication>("GET", `${PATH}/${id}`), 200);
    return now.status === "completed" ? now : null;
  });
}

async function batchOf(client: Client, count: number): Promise<void> {
  const transactions = Array.from({ length: count }, (_, index) =>
    coffee(`t${String(index)}`, {
      account_holder_id: "h",
      ...(index % 3 === 0 ? { description: "NETFLIX.COM LOS GATOS CA" } : {}),
    }),
  );
  const { id } = answered(await client.submitBatch(transactions), 200);
  await until("the batch", async () =>
    answered(await client.getBatch(id), 200).status === "completed" ? true : null,
  );
}

async function categories(client: Client): Promise<Map<string | null, number>> {
  const counts = new Map<string | null, number>();
  for (const { categories } of await client.listAll<StoredTransaction>("/v3/transactions")) {
    const general = categories?.general ?? null;
    counts.set(general, (counts.get(general) ?? 0) + 1);
  }
  return counts;
}

describe("reapplications", () => {
  it("rules reach stored transactions on request, a page after the other, and those they say nothing about stay", async () => {
    const { client } = await startService();
    answered(await client.createHolder("h", "consumer"), 200);
    await batchOf(client, 600);
    const before = await categories(client);
    answered(await client.call("POST", "/v3/rules/replace", RULES), 200);
    expect(await categories(client)).toEqual(before);
    const place = answered(await client.getTransaction("t1"), 200);

    expect(await reapplied(client)).toMatchObject({ total: 600, progress: 600, changed: 400 });
    const after = await categories(client);
    expect(after.get("team coffee")).toBe(400);
    expect([...after.values()].sort()).toEqual([200, 400]);
    // The same submission at the same position, with another result.
    const now = answered(await client.getTransaction("t1"), 200);
    const corrected = { general: "team coffee", accounting: null };
    expect(now).toEqual({ ...place, categories: corrected, confidence: 1 });

    const [newest] = await client.listAll<Reapplication>("/v3/reapplications");
    expect(newest).toMatchObject({ status: "completed", changed: 400 });
    expect(await reapplied(client)).toMatchObject({ progress: 600, changed: 0 });
    answered(await client.call("POST", "/v3/rules/replace", []), 200);
    expect(await reapplied(client)).toMatchObject({ changed: 400 });
    expect(await categories(client)).toEqual(before);
  });
});
