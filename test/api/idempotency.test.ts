// An idempotency key gives the same answer again on every POST of both versions, whichever are in the table of routes.
import { describe, expect, it } from "vitest";
import { ROLES } from "../../src/model/api-key.ts";
import { answered, createClient } from "../support/client.ts";
import {
  fillPath,
  type Operation,
  payloadOf,
  type Sample,
  sampleOf,
  v2Operations,
  v3Operations,
} from "../support/operations.ts";
import { startReceiver } from "../support/receiver.ts";
import { shared, startService } from "../support/service.ts";
import { formOf, statementFile } from "../support/statement-files.ts";
import { createKeysOf, createThings } from "../support/things.ts";
import { callableWebhooks } from "../support/webhooks.ts";

const ORG = "organization-that-repeats";
/** Of operators: nothing of what they ask is stored. */
const NEVER_KEPT = ["explain"];
/** Takes the transaction away from the account holder that others name with it. */
const LAST = "assign_transaction";

const posts = [...v3Operations, ...v2Operations]
  .filter(({ method, operationId }) => method === "POST" && !NEVER_KEPT.includes(operationId))
  .toSorted((one, other) => Number(one.operationId === LAST) - Number(other.operationId === LAST));

const setUp = shared(async (atEnd) => {
  const receiver = await startReceiver(undefined, atEnd);
  const service = await startService({ config: { webhooks: callableWebhooks } }, atEnd);
  const things = await createThings(service, ORG, "repeated", receiver.url);
  const [apiKey = ""] = await createKeysOf(service, ORG, ROLES);
  return { service, things, apiKey };
});

interface Sent {
  readonly status: number;
  readonly text: string;
  readonly isReplayed: boolean;
}

async function send(
  { path }: Operation,
  sample: Sample,
  idempotencyKey: string,
  query = "",
): Promise<Sent> {
  const { service, apiKey } = setUp();
  const { headers = {}, ...payload } = payloadOf(sample);
  const answer = await fetch(service.url + fillPath(path, sample.path) + query, {
    method: "POST",
    headers: { ...headers, "X-Api-Key": apiKey, "Idempotency-Key": idempotencyKey },
    ...payload,
  });
  const isReplayed = answer.headers.get("Idempotency-Replayed") === "true";
  return { status: answer.status, text: await answer.text(), isReplayed };
}

/** Another request: with another body or file, or where neither is read with another id in the path. */
function another({ path, body, file }: Sample): Sample {
  if (file !== null) return { path, body, file: { ...file, name: "another.pdf" } };
  if (body !== undefined) return { path, body: [{ another: true }], file };
  return {
    path: Object.fromEntries(Object.keys(path).map((name) => [name, "another"])),
    body,
    file,
  };
}

describe.each(posts.map((operation) => [`POST ${operation.path}`, operation] as const))(
  "%s",
  (_, operation) => {
    it("repeats its answer to the byte, and refuses another request under the key", async () => {
      const sample = sampleOf(operation, setUp().things);
      const name = operation.operationId;
      const first = await send(operation, sample, name);
      expect(first).toMatchObject({
        isReplayed: false,
        status: operation.successStatus ?? (operation.success === null ? 204 : 200),
      });
      expect(await send(operation, sample, name)).toEqual({ ...first, isReplayed: true });
      const others = [
        await send(operation, sample, name, "?another=1"),
        await send(operation, another(sample), name, "?another=2"),
      ];
      for (const { status, text } of others)
        expect([status, text]).toEqual([422, expect.stringContaining("idempotency_key_reused")]);
      expect(await send(operation, sample, name)).toEqual({ ...first, isReplayed: true });
    });
  },
);

it("answers about a deleted account holder are gone, whatever they were: a repetition is a 404", async () => {
  const { service, apiKey } = setUp();
  const client = createClient(service.url, apiKey);
  const id = "holder-that-is-deleted";
  answered(await client.createHolder(id, "consumer"), 200);
  const v2 = `/v2/account-holder/${id}`;
  const line = { account_holder_id: id, entry_type: "debit", iso_currency_code: "USD" };
  const item = { ...line, transaction_id: "gone", description: "RENT", date: "2026-01-02" };
  const requests: readonly (readonly [string, unknown])[] = [
    ["/v2/transactions/sync", [{ ...item, amount: 1 }]],
    [`/v3/account_holders/${id}/recurring_groups`, undefined],
    [`${v2}/recurring-payments`, undefined],
    [`${v2}/income`, undefined],
    [`${v2}/transactions`, ["gone"]],
    [`${v2}/query`, { metrics: ["overall_stats"] }],
  ];
  const headers = { "Idempotency-Key": "about-a-holder" };
  const upload = async (path: string): Promise<number> => {
    const body = formOf(statementFile("gone"), { account_holder_id: id });
    const sent = { ...headers, "X-Api-Key": apiKey };
    return (await fetch(service.url + path, { method: "POST", headers: sent, body })).status;
  };
  const uploads = ["/v3/bank_statements", `/datasources/bank_statements?account_holder_id=${id}`];
  const statusesOfAll = async (): Promise<readonly number[]> => {
    const statuses: number[] = [];
    for (const [path, body] of requests) {
      const outcome = await client.call("POST", path, body, headers);
      statuses.push(outcome.kind === "answered" ? outcome.status : 0);
    }
    for (const path of uploads) statuses.push(await upload(path));
    return statuses;
  };
  expect(await statusesOfAll()).toEqual(Array(8).fill(200));
  answered(await client.deleteHolder(id), 204);
  expect(await statusesOfAll()).toEqual(Array(8).fill(404));
  // An account holder of the same id is another one.
  answered(await client.createHolder(id, "consumer"), 200);
  expect(await statusesOfAll()).toEqual(Array(8).fill(404));
});
