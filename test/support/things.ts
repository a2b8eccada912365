// An organization that has one of everything.
import { openKeys } from "../../src/app/commands.ts";
import { ROLES, type Role } from "../../src/model/api-key.ts";
import { createLogger } from "../../src/observability/logger.ts";
import { answered, type BatchResource, type Client, createClient } from "./client.ts";
import { coffee } from "./coffee.ts";
import { until } from "./poll.ts";
import { formOf, type SampleFile, statementFile } from "./statement-files.ts";
import type { TestService } from "./service.ts";

export interface Things {
  readonly org: string;
  /** Begins every id that the organization chose. */
  readonly mark: string;
  /** Contained in every text field that is not an id. */
  readonly secret: string;
  /** A URL that answers calls of webhooks. */
  readonly receiver: string;
  // Ids:
  readonly holder: string;
  /** Of the same type; the other one is not. */
  readonly otherHolder: string;
  readonly businessHolder: string;
  readonly transaction: string;
  readonly batch: string;
  readonly webhook: string;
  readonly event: string;
  readonly recovery: string;
  readonly categorySet: string;
  readonly model: string;
  readonly entity: string;
  readonly reapplication: string;
  /** Of an open report. */
  readonly report: string;
  readonly correction: string;
  /** Of a bank statement that is processed, with its transactions. */
  readonly statement: string;
}

/** Keys of an organization, one for each set of roles. */
export async function createKeysOf(
  { config }: TestService,
  org: string,
  ...roleSets: readonly (readonly Role[])[]
): Promise<string[]> {
  const opened = await openKeys(config, createLogger("silent"), false);
  try {
    const secrets: string[] = [];
    for (const roles of roleSets) {
      secrets.push((await opened.keys.create(org, null, roles)).secret);
    }
    return secrets;
  } finally {
    await opened.close();
  }
}

/**
 * Makes one of everything for an organization, and waits until all of it is complete.
 * @param mark begins every id that the organization chooses
 * @param receiver URL that answers calls of webhooks
 */
export async function createThings(
  service: TestService,
  org: string,
  mark: string,
  receiver: string,
): Promise<Things> {
  const [apiKey = ""] = await createKeysOf(service, org, ROLES);
  const client = createClient(service.url, apiKey);
  const secret = `secret-of-${mark}`;
  const create = async (path: string, body?: unknown): Promise<{ readonly id: string }> =>
    answered(await client.call<{ id: string }>("POST", path, body), 200);
  const holder = `${mark}-holder`;
  const otherHolder = `${mark}-other`;
  const transaction = `${mark}-transaction`;
  for (const id of [holder, otherHolder])
    await create("/v3/account_holders", { id, type: "consumer", name: secret });
  const businessHolder = `${mark}-business`;
  const described = { name: secret, industry: secret, website: secret };
  const company = { loan_state: "tbd", logo: secret };
  await create("/v2/account-holder", {
    ...{ id: businessHolder, type: "business" },
    ...{ ...described, company },
  });
  const line = { account_holder_id: holder, description: `BLUE BOTTLE COFFEE ${secret}` };
  await create("/v3/transactions", coffee(transaction, line));
  const webhook = await create("/v3/webhooks", {
    url: `${receiver}/${secret}`,
    events: ["batches.completed"],
    token: secret,
    hmac_secret: secret,
  });
  const batch = await create("/v3/batches", {
    operation: "POST /v3/transactions",
    data: [coffee(`${mark}-in-batch`, line)],
  });
  const at = `/v3/webhooks/${webhook.id}`;
  await ended(client, `/v3/batches/${batch.id}`);
  const event = await until("the delivery", async () => {
    const page = await client.call<{ data: readonly Delivery[] }>("GET", `${at}/deliveries`);
    return answered(page, 200).data.find(({ state }) => state === "delivered") ?? null;
  });
  const range = { since: "2020-01-01T00:00:00Z", until: "2020-01-02T00:00:00Z" };
  const recovery = await create(`${at}/recover`, range);
  await ended(client, `${at}/recoveries/${recovery.id}`);
  await create("/v3/rules", { if: { has_label: secret }, then: [{ set: "merchant", to: secret }] });
  const categorySet = `${mark}-words`;
  const words = { incoming: [secret], outgoing: [secret, "coffee"] };
  answered(await client.call("POST", `/v3/categories/${categorySet}`, words), 200);
  const model = `${mark}-model`;
  await create(`/v2/models/${model}`, { transactions: labelledItems(secret) });
  await ended(client, `/v2/models/${model}`);
  const entity = await create("/v3/entities/resolve", { website: "netflix.com" });
  const reapplication = await create("/v3/reapplications");
  await ended(client, `/v3/reapplications/${reapplication.id}`);
  const right = { merchant: secret, labels: [secret], notes: secret };
  const url = { webhook_url: `${receiver}/${secret}` };
  const report = await create("/v2/report", { transaction_id: transaction, ...right, ...url });
  const wrong = { transaction_id: transaction, description: secret, fields: [secret] };
  const resolved = await create("/v3/reports", wrong);
  const move = { status: "resolved", corrected: { merchant: secret } };
  const moved = await client.call<Moved>("PATCH", `/ops/reports/${resolved.id}`, move);
  const statement = await submitStatement(service.url, apiKey, statementFile(secret));
  await ended(client, `/v3/bank_statements/${statement}`);
  const document = `/datasources/bank_statements/${statement}`;
  const read = answered(await client.call<{ batch_id: string }>("GET", document), 200);
  await ended(client, `/v3/batches/${read.batch_id}`);
  return {
    statement,
    org,
    mark,
    secret,
    receiver,
    holder,
    otherHolder,
    businessHolder,
    transaction,
    batch: batch.id,
    webhook: webhook.id,
    event: event.event_id,
    recovery: recovery.id,
    categorySet,
    model,
    entity: entity.id,
    reapplication: reapplication.id,
    report: report.id,
    correction: answered(moved, 200).corrected.correction_id,
  };
}

/** What a model of two labels is trained with. */
export const labelledItems = (secret: string): object[] =>
  ["one", "two"].map((label) => ({
    ...{ account_holder_type: "consumer", amount: 1, entry_type: "debit" },
    ...{
      iso_currency_code: "USD",
      description: `${label} ${secret}`,
      label: [`${label} ${secret}`],
    },
  }));

/** Submits a bank statement by the v3 API; its id. */
export async function submitStatement(
  url: string,
  apiKey: string,
  file: SampleFile,
  fields: Readonly<Record<string, string>> = {},
): Promise<string> {
  const headers = { "X-Api-Key": apiKey };
  const body = formOf(file, fields);
  const answer = await fetch(`${url}/v3/bank_statements`, { method: "POST", headers, body });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`Status ${String(answer.status)}: ${text}`);
  return (JSON.parse(text) as { readonly id: string }).id;
}

interface Delivery {
  readonly event_id: string;
  readonly state: string;
}

interface Moved {
  readonly corrected: { readonly correction_id: string };
}

const IN_FLIGHT: readonly string[] = ["queued", "training", "processing", "running"];

const ended = (client: Client, path: string): Promise<string> =>
  until(`the end of ${path}`, async () => {
    const { status } = answered(await client.call<BatchResource>("GET", path), 200);
    return IN_FLIGHT.includes(status) ? null : status;
  });
