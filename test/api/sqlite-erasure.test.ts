// What is left of a deleted account holder in the data folder: nothing that can be read.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { zstdDecompressSync } from "node:zlib";
import { expect, it } from "vitest";
import {
  answered,
  type BatchResource,
  type Client,
  createClient,
  type Outcome,
} from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import type { WireTransaction } from "../support/lines.ts";
import { until } from "../support/poll.ts";
import { type ServiceProcess, startProcess } from "../support/process.ts";
import { temporaryFolder } from "../support/service.ts";

/** In every text that is the holder's, and in nothing else. */
const MARK = "QUILLFEATHERSTONE";
const HOLDER = "holder-1";
const OTHER = "holder-2";
const BATCH_LENGTH = 600;

const statusOf = (outcome: Outcome<unknown>): number | string =>
  outcome.kind === "answered" ? outcome.status : outcome.kind;

const post = async <T>(client: Client, path: string, body: unknown, key?: string): Promise<T> =>
  answered(
    await client.call<T>("POST", path, body, key === undefined ? {} : { "Idempotency-Key": key }),
    200,
  );

async function submit(client: Client, data: readonly WireTransaction[]): Promise<string> {
  const body = { operation: "POST /v3/transactions", data };
  const { id } = await post<BatchResource>(client, "/v3/batches", body);
  await until("the batch", async () => {
    const batch = await client.call<BatchResource>("GET", `/v3/batches/${id}`);
    return answered(batch, 200).status === "completed" ? true : null;
  });
  return id;
}

const line = (id: string, holder: string | null): WireTransaction =>
  coffee(id, {
    description: `${holder === OTHER ? "PLAINWATER" : MARK} ${id} BLUE BOTTLE COFFEE OAKLAND CA`,
    account_holder_id: holder,
  });

/** Everything a holder can leave behind: names, results, answers, reports, events, replaced and assigned transactions. */
async function leaveTraces(client: Client): Promise<readonly string[]> {
  await post(client, "/v3/account_holders", { id: HOLDER, type: "consumer", name: MARK }, "k1");
  const described = { name: MARK, industry: MARK, website: MARK };
  const company = { loan_state: "done", logo: MARK };
  const replacement = { type: "consumer", ...described, company };
  answered(await client.call("PUT", `/v2/account-holder/${HOLDER}`, replacement), 200);
  answered(
    await client.call("PATCH", `/v2/account-holder/${HOLDER}`, { name: `Second ${MARK}` }),
    200,
  );
  await post(client, "/v3/account_holders", { id: OTHER, type: "consumer", name: "Plain" });
  const mixed = Array.from({ length: BATCH_LENGTH }, (_, index) =>
    line(`b${String(index)}`, index % 3 === 0 ? OTHER : HOLDER),
  );
  const first = await submit(client, mixed);
  // Submitted again by another, so that the ledger has nothing of the first.
  await submit(
    client,
    mixed.slice(0, 50).map((one) => line(one.id, OTHER)),
  );
  await post(client, "/v3/transactions", line("single", HOLDER), "k2");
  const unowned = await submit(client, [line("unowned", null)]);
  await post(client, "/v3/transactions/unowned/assign", { account_holder_id: HOLDER }, "k3");
  const wrong = { transaction_id: "single", description: `${MARK} is wrong`, fields: ["merchant"] };
  const report = await post<{ id: string }>(client, "/v3/reports", wrong, "k4");
  const right = { merchant: MARK, labels: [MARK], webhook_url: `https://hooks.invalid/${MARK}` };
  const second = { transaction_id: "single", notes: `${MARK} is wrong`, ...right };
  const other = await post<{ id: string }>(client, "/v2/report", second, "k5");
  answered(await client.call("PATCH", `/ops/reports/${other.id}`, { status: "pending" }), 200);
  const resolved = { status: "resolved", corrected: { merchant: MARK } };
  answered(await client.call("PATCH", `/ops/reports/${report.id}`, resolved), 200);
  return [first, unowned];
}

/** The file names of a folder that have the text in them, as it is or compressed in a batch. */
function traces(folder: string, text: string): readonly string[] {
  const found = readdirSync(folder).filter((name) =>
    readFileSync(join(folder, name)).includes(text),
  );
  const database = new DatabaseSync(join(folder, "ledgerline.db"), { readOnly: true });
  const rows = database.prepare("SELECT results FROM store_batchChunks").all();
  database.close();
  const packed = rows.filter(({ results }) =>
    zstdDecompressSync(results as Uint8Array).includes(text),
  );
  return [...found, ...packed.map(() => "a chunk of a batch")];
}

async function stop(service: ServiceProcess): Promise<void> {
  service.kill("SIGTERM");
  await service.exited;
}

it("a deleted account holder leaves nothing readable in the data folder", async () => {
  const dataFolder = temporaryFolder();
  const service = await startProcess({ dataFolder });
  const client = createClient(service.url);
  const [mixed = "", unowned = ""] = await leaveTraces(client);
  expect(statusOf(await client.deleteHolder(HOLDER))).toBe(204);

  type Results = { readonly results: readonly { id: string; error: { code: string } | null }[] };
  const results = async (id: string): Promise<Results["results"]> =>
    answered(await client.call<Results>("GET", `/v3/batches/${id}/results`), 200).results;
  const kept = await results(mixed);
  expect(kept.map(({ id }) => id)).toEqual(kept.map((_, index) => `b${String(index)}`));
  expect(kept.map(({ error }) => error?.code ?? null)).toEqual(
    kept.map((_, index) => (index % 3 === 0 ? null : "account_holder_not_found")),
  );
  expect((await results(unowned)).map(({ error }) => error?.code)).toEqual([
    "account_holder_not_found",
  ]);
  expect(await client.listAll("/v3/reports")).toEqual([]);
  const again = await client.call(
    "POST",
    "/v3/account_holders",
    { id: HOLDER, type: "consumer", name: MARK },
    { "Idempotency-Key": "k1" },
  );
  expect([statusOf(again), JSON.stringify(again)]).toEqual([
    404,
    expect.not.stringContaining(MARK),
  ]);

  await stop(service);
  expect(traces(dataFolder, "PLAINWATER")).not.toEqual([]);
  expect(traces(dataFolder, MARK)).toEqual([]);
});
