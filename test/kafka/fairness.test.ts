// A producer that floods one partition: others behind it are served, and nothing of the flood is lost.
import { expect, it } from "vitest";
import { createClient } from "../support/client.ts";
import { until } from "../support/poll.ts";
import { startService } from "../support/service.ts";
import { createKeysFor, grantTo } from "./keys.ts";
import { joinFromOutside, purchase } from "./outside.ts";

/** Several times what a process has waiting of one organization in a partition. */
const FLOOD = 3_000;
const AT_ONCE = 500;

it("behind a flood in its partition another organization is served first, and after a stop in between all of it is", async () => {
  const service = await startService();
  const outside = await joinFromOutside(service);
  const { other } = await grantTo(service, ["other"]);
  const { other: apiKey } = await createKeysFor(service, { other: ["read"] });
  const schemaId = await outside.schemaId();
  for (let begin = 0; begin < FLOOD; begin += AT_ONCE) {
    const records = Array.from({ length: AT_ONCE }, async (_, index) => {
      const transactions = [purchase(`flood-${String(begin + index)}`)];
      return outside.signed(await outside.encode({ transactions }, schemaId));
    });
    const messages = await Promise.all(records);
    await outside.send(...messages.map((message) => ({ ...message, partition: 0 })));
  }
  const calm = { org: "other", batch_id: "calm", transactions: [purchase("calm")] };
  const record = outside.signed(await outside.encode(calm, schemaId), other);
  await outside.send({ ...record, partition: 0 });

  const strangers = createClient(service.url, apiKey.secret);
  await until("the other organization is served", async () => {
    const batch = await strangers.getBatch("calm");
    return batch.kind === "answered" && batch.status === 200 && batch.body.status === "completed"
      ? true
      : null;
  });
  const before = await service.client.listAll<{ id: string }>("/v3/transactions");
  expect(before.length).toBeLessThan(FLOOD - AT_ONCE);

  await service.close();
  const again = await startService({ config: { dataFolder: service.dataFolder } });
  await outside.settled();
  const rows = await again.client.listAll<{ id: string }>("/v3/transactions");
  expect(new Set(rows.map(({ id }) => id)).size).toBe(FLOOD);
  expect((await outside.deadLetters()).size).toBe(0);
});
