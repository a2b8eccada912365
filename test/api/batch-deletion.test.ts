// Deleting batches over real HTTP, and the retention of batches.
import { expect, it } from "vitest";
import { answered, type BatchResource, type Client, type Outcome } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { until } from "../support/poll.ts";
import { shared, startService } from "../support/service.ts";

const service = shared((atEnd) => startService({}, atEnd));

const statusOf = (outcome: Outcome<unknown>): number | string =>
  outcome.kind === "answered" ? outcome.status : outcome.kind;

async function completed(client: Client, id: string): Promise<string> {
  const submitted = await client.submitBatch([coffee(id)]);
  const batch = answered(submitted, 200).id;
  return until("the batch", async () => {
    const { status } = answered(await client.getBatch(batch), 200);
    return status === "completed" ? batch : null;
  });
}

it("a deleted batch takes its results with it and leaves its transactions", async () => {
  const { client } = service();
  const [gone, kept] = [await completed(client, "t1"), await completed(client, "t2")];
  expect(statusOf(await client.call("DELETE", `/v3/batches/${gone}`))).toBe(204);
  expect(statusOf(await client.getBatch(gone))).toBe(404);
  expect(statusOf(await client.results(gone))).toBe(404);
  expect(statusOf(await client.call("DELETE", `/v3/batches/${gone}`))).toBe(404);
  const listed = await client.listAll<BatchResource>("/v3/batches");
  expect(listed.map(({ id }) => id)).toEqual([kept]);
  expect(statusOf(await client.getTransaction("t1"))).toBe(200);
  const [entry] = await client.listAll("/v3/audit?action=batch.deleted");
  expect(entry).toMatchObject({ action: "batch.deleted", subject: gone });
});

it("a batch that is processing cannot be deleted", async () => {
  const { client } = service();
  const lines = Array.from({ length: 10_000 }, (_, index) => coffee(`p${String(index)}`));
  const { id } = answered(await client.submitBatch(lines), 200);
  const deleted = await client.call<{ detail: string }>("DELETE", `/v3/batches/${id}`);
  expect(answered(deleted, 409).detail).toMatch(/still processing/);
  expect(statusOf(await client.getBatch(id))).toBe(200);
});
