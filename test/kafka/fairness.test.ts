// A producer that floods one partition: others behind it are served, and nothing of the flood is lost.
import { expect, it } from "vitest";
import { startService } from "../support/service.ts";
import { joinOther } from "./other-organization.ts";
import { joinFromOutside, purchase } from "./outside.ts";

/** Several times what a process has waiting of one organization in a partition. */
const FLOOD = 3_000;
const AT_ONCE = 500;

it("behind a flood in its partition another organization is served first, and after a stop in between all of it is", async () => {
  const service = await startService();
  const outside = await joinFromOutside(service);
  const serveOther = await joinOther(service, outside);
  const schemaId = await outside.schemaId();
  for (let begin = 0; begin < FLOOD; begin += AT_ONCE) {
    const records = Array.from({ length: AT_ONCE }, async (_, index) => {
      const transactions = [purchase(`flood-${String(begin + index)}`)];
      return outside.signed(await outside.encode({ transactions }, schemaId));
    });
    const messages = await Promise.all(records);
    await outside.send(...messages.map((message) => ({ ...message, partition: 0 })));
  }
  await serveOther(0);
  const before = await service.client.listAll<{ id: string }>("/v3/transactions");
  expect(before.length).toBeLessThan(FLOOD - AT_ONCE);

  await service.close();
  const again = await startService({ config: { dataFolder: service.dataFolder } });
  await outside.settled();
  const rows = await again.client.listAll<{ id: string }>("/v3/transactions");
  expect(new Set(rows.map(({ id }) => id)).size).toBe(FLOOD);
  expect((await outside.deadLetters()).size).toBe(0);
});
