// Batches of outside producers: followed over both versions of the API, and the outcome of those that contradict themselves
// or are not whole in time.
import { expect, it } from "vitest";
import { answered, createClient } from "../support/client.ts";
import { until } from "../support/poll.ts";
import { startService, type TestService } from "../support/service.ts";
import { createKeysFor, grantTo, type Key } from "./keys.ts";
import { joinFromOutside, type Outside, purchase } from "./outside.ts";

/** Sends a record of a batch of two records with three transactions. */
async function send(outside: Outside, fields: object, ids: readonly string[], key?: Key) {
  const transactions = ids.map((id) => purchase(id));
  const batch = { chunk_count: 2, total: 3, transactions, ...fields };
  await outside.send(outside.signed(await outside.encode(batch), key));
}

async function statusOf({ client }: TestService, id: string): Promise<string | null> {
  const found = await client.getBatch(id);
  return found.kind === "answered" && found.status === 200 ? found.body.status : null;
}

async function ended(service: TestService, id: string): Promise<string> {
  return until(`${id} has ended`, async () => {
    const status = await statusOf(service, id);
    return status === "processing" ? null : status;
  });
}

it("a batch over Kafka is followed over v2 as over v3", async () => {
  const service = await startService();
  const outside = await joinFromOutside(service);
  await send(outside, { batch_id: "b", chunk_index: 0 }, ["a", "b"]);
  const v2 = async (): Promise<unknown> => {
    const headers = { "X-Api-Key": service.config.apiKey ?? "" };
    const answer = await fetch(`${service.url}/v2/transactions/async/b`, { headers });
    return answer.status === 200 ? answer.json() : null;
  };
  await until("it is known", v2);
  await send(outside, { batch_id: "b", chunk_index: 1 }, ["c"]);
  expect(await ended(service, "b")).toBe("completed");
  expect(await v2()).toMatchObject({ id: "b", status: "finished", total: 3, progress: 3 });
});

it("records that contradict each other are dead letters with the reason, and end their batch alone", async () => {
  const service = await startService();
  const outside = await joinFromOutside(service);
  const { other } = await grantTo(service, ["other"]);
  const { other: apiKey } = await createKeysFor(service, { other: ["read"] });
  const api = answered(
    await service.client.submitBatch([
      {
        id: "api",
        description: "d",
        date: "2026-05-04",
        amount: 1,
        entry_type: "outgoing",
        currency: "USD",
      },
    ]),
    200,
  );
  expect(await ended(service, api.id)).toBe("completed");

  for (const id of ["count", "index", "sum", "shared"])
    await send(outside, { batch_id: id, chunk_index: 0 }, [`${id}-a`, `${id}-b`]);
  await outside.settled();
  await send(outside, { batch_id: "count", chunk_index: 1, total: 4 }, ["count-c"]);
  await send(outside, { batch_id: "index", chunk_index: 0 }, ["index-c", "index-d"]);
  await send(outside, { batch_id: "sum", chunk_index: 1 }, ["sum-c", "sum-d"]);
  await send(outside, { batch_id: api.id, chunk_index: 0 }, ["stranger", "stranger-2"]);
  // The same id of another organization is another batch, which no record of this one ends.
  await send(outside, { org: "other", batch_id: "shared", chunk_index: 1 }, ["x"], other);
  await outside.settled();

  for (const id of ["count", "index", "sum"])
    expect([id, await ended(service, id)]).toEqual([id, "error"]);
  expect(await statusOf(service, "shared")).toBe("processing");
  expect(await statusOf(service, api.id)).toBe("completed");
  const strangers = createClient(service.url, apiKey.secret);
  expect(answered(await strangers.getBatch("shared"), 200)).toMatchObject({
    progress: 1,
    total: 3,
  });
  const letters = [...(await outside.deadLetters()).values()];
  expect(letters.map(({ reason, error }) => `${reason}: ${error}`).toSorted()).toEqual([
    "invalid: another record of the batch has this chunk_index",
    "invalid: batch_id is the id of a batch of the API",
    "invalid: chunk_count and total are not those of another record of the batch",
  ]);
});

it("a batch that is not whole in time ends with an error, a late record is stored all the same", async () => {
  const clock = { aheadMs: 0 };
  const service = await startService({
    clock: () => Date.now() + clock.aheadMs,
    retentionIntervalMs: 200,
  });
  const outside = await joinFromOutside(service);
  await send(outside, { batch_id: "b", chunk_index: 0 }, ["a", "b"]);
  await outside.settled();
  expect(await statusOf(service, "b")).toBe("processing");
  clock.aheadMs = 70 * 60_000;
  expect(await ended(service, "b")).toBe("error");
  await send(outside, { batch_id: "b", chunk_index: 1 }, ["c"]);
  await outside.settled();
  expect(answered(await service.client.getBatch("b"), 200)).toMatchObject({
    status: "error",
    progress: 3,
  });
  const rows = await service.client.listAll<{ id: string }>("/v3/transactions");
  expect(rows.map(({ id }) => id).toSorted()).toEqual(["a", "b", "c"]);
});
