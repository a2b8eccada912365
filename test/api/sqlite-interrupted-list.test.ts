// A list whose service was killed after its transactions were stored and before its answer was.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { answered } from "../support/client.ts";
import { startService, temporaryFolder } from "../support/service.ts";

const item = (id: string): object => ({
  ...{ transaction_id: id, description: "BLUE BOTTLE COFFEE", date: "2026-11-20", amount: 6.5 },
  ...{ entry_type: "debit", iso_currency_code: "USD" },
  ...{ account_holder_id: "h", account_holder_type: "consumer" },
});

it("a list that a kill cut off is answered when repeated, and no transaction is there twice", async () => {
  const dataFolder = temporaryFolder();
  const items = ["a", "b", "c"].map(item);
  const start = () => startService({ config: { dataFolder } });
  const send = ({ client }: Awaited<ReturnType<typeof start>>) =>
    client.call("POST", "/v2/transactions/sync", items, { "Idempotency-Key": "k" });
  const before = await start();
  const first = answered(await send(before), 200);
  await before.close();
  // As the kill leaves them: the parts are there, and the row of the key does not refer to them yet.
  const file = new DatabaseSync(join(dataFolder, "ledgerline.db"));
  file.exec("UPDATE store_idempotency SET status = NULL, body = NULL");
  expect(file.prepare("SELECT count(*) AS parts FROM store_answerParts").get()).toEqual({
    parts: 1,
  });
  file.close();
  const after = await start();
  expect(answered(await send(after), 200)).toEqual(first);
  const stored = await after.client.listAll<{ id: string }>("/v3/transactions");
  expect(stored.map(({ id }) => id).sort()).toEqual(["a", "b", "c"]);
  answered(await after.client.call("POST", "/v3/rules", { set: "merchant", to: "Another" }), 200);
  expect(answered(await send(after), 200)).toEqual(first);
});
