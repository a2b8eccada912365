// Credits of outside producers: their records wait, and none is lost or refused.
import { expect, it } from "vitest";
import { openKafkaGrants } from "../../src/app/kafka-commands.ts";
import { createLogger } from "../../src/observability/logger.ts";
import { until } from "../support/poll.ts";
import { startService, type TestService } from "../support/service.ts";
import { joinOther } from "./other-organization.ts";
import { joinFromOutside, ORGANIZATION, purchase } from "./outside.ts";

/** With the smallest bucket, one record at once; the next ones each wait until it is full again, which takes long. */
const RECORD = 250;
const RECORDS = 4;
const POOR = { max: RECORD, perSecond: 1 };

async function grantCredits({ config }: TestService, credits: typeof POOR): Promise<void> {
  const { grants, close } = await openKafkaGrants(config, createLogger("silent"));
  try {
    await grants.grant({ org: ORGANIZATION, principals: [], rotationGraceMs: null, credits });
  } finally {
    await close();
  }
}

it("records beyond the credits of an organization wait while others are served, and all are stored once there are some", async () => {
  const service = await startService();
  const outside = await joinFromOutside(service);
  await grantCredits(service, POOR);
  const serveOther = await joinOther(service, outside);
  const schemaId = await outside.schemaId();
  for (let index = 0; index < RECORDS; index += 1) {
    const transactions = Array.from({ length: RECORD }, (_, item) =>
      purchase(`poor-${String(index)}-${String(item)}`),
    );
    const record = outside.signed(await outside.encode({ transactions }, schemaId));
    await outside.send({ ...record, partition: 0 });
  }
  await serveOther(0);
  const stored = async (from: TestService): Promise<number> =>
    new Set((await from.client.listAll<{ id: string }>("/v3/transactions")).map(({ id }) => id))
      .size;
  await until("the first record is stored", async () =>
    (await stored(service)) >= RECORD ? true : null,
  );
  await until("the organization waits", async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    return /^ledgerline_log_organizations_waiting_for_credits 1$/m.test(text) ? true : null;
  });
  expect(await stored(service)).toBe(RECORD);
  expect((await outside.deadLetters()).size).toBe(0);

  await grantCredits(service, { max: 0, perSecond: 0 });
  await service.close();
  const again = await startService({ config: { dataFolder: service.dataFolder } });
  await outside.settled();
  expect(await stored(again)).toBe(RECORDS * RECORD);
  expect((await outside.deadLetters()).size).toBe(0);
});
