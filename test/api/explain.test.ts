// Why a line was recognised as it was: the operation for operators and the command, over the whole service.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Explanation } from "../../src/model/explanation.ts";
import { FEATURES } from "../../src/model/tenant-settings.ts";
import { explanation } from "../../src/http/ops/schemas.ts";
import { API_KEY } from "../support/client.ts";
import { runCommand } from "../support/command.ts";
import { startService, temporaryFolder } from "../support/service.ts";

const line = "SQ *BLUE BOTTLE 123 OAKLAND CA";
const transaction = { description: line, amount: 6.5, entry_type: "outgoing", currency: "USD" };

it("an operator is told why a transaction gets the facts that it gets, and nothing is kept of it", async () => {
  const service = await startService();
  const send = async (method: string, path: string, body: object): Promise<unknown> => {
    const headers = { "X-Api-Key": API_KEY, "Content-Type": "application/json" };
    const init = { method, headers, body: JSON.stringify(body) };
    return (await fetch(service.url + path, init)).json();
  };
  const post = (path: string, body: object): Promise<unknown> => send("POST", path, body);
  // An explanation knows of no organization, and hides nothing.
  const features = Object.fromEntries(FEATURES.map((feature) => [feature, true]));
  await send("PATCH", "/ops/organizations/default", { features });
  const explained = (await post("/ops/explain", transaction)) as Explanation;
  expect(explanation.strict().parse(explained)).toEqual(explained);
  expect(explained.text).toBe(line);
  const list = await fetch(`${service.url}/v3/transactions`, { headers: { "X-Api-Key": API_KEY } });
  expect(await list.json()).toMatchObject({ data: [] });
  const enriched = { id: "t1", date: "2026-11-20", ...transaction };
  const { entities, location } = explained.facts;
  expect(await post("/v3/transactions", enriched)).toMatchObject({ entities, location });
});

it("the command prints the same as JSON, without a service and without a data folder", async () => {
  const folder = join(temporaryFolder(), "none");
  const { code, stdout, stderr } = await runCommand(
    { LEDGERLINE_DATA: folder },
    ...["explain", line, "--amount", "6.50", "--outgoing", "--json"],
  );
  expect([code, stderr]).toEqual([0, ""]);
  const explained: unknown = JSON.parse(stdout.toString("utf8"));
  expect(explanation.strict().parse(explained)).toEqual(explained);
  expect(explained).toMatchObject({ decision: { counterparty: { name: "Blue Bottle Coffee" } } });
  expect(existsSync(folder)).toBe(false);
});
