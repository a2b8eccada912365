// One good request for every operation of the API, about things that are there. An operation that is missing here fails the
// tests that call all of them: add a sample for each new operation.
import type { Role } from "../../src/model/api-key.ts";
import { operatorRoutes } from "../../src/http/ops/routes.ts";
import { v2Routes } from "../../src/http/v2/routes.ts";
import { v3Routes } from "../../src/http/v3/routes.ts";
import { coffee } from "./coffee.ts";
import { formOf, type SampleFile, statementFile } from "./statement-files.ts";
import { labelledItems, type Things } from "./things.ts";

/** Every operation of the v3 document. */
export const v3Operations = [...v3Routes, ...operatorRoutes];
/** Every operation of the v2 document. */
export const v2Operations = [...v2Routes];
/** Every operation that is served. */
export const operations = [...v3Routes, ...v2Routes, ...operatorRoutes];
export type Operation = (typeof operations)[number];

export interface Sample {
  /** The values of the path's parameters. */
  readonly path: Readonly<Record<string, string>>;
  /** Undefined: none is sent. */
  readonly body: unknown;
  /** In place of a body: the file of a form. */
  readonly file: SampleFile | null;
}

type FromThings = (things: Things) => unknown;

/** What each parameter of a path is the id of. */
const PLACES: Readonly<Record<string, (things: Things) => string>> = {
  "/v3/transactions/{id}": (things) => things.transaction,
  "/v3/account_holders/{id}": (things) => things.holder,
  "/v3/batches/{id}": (things) => things.batch,
  "/v3/webhooks/{id}": (things) => things.webhook,
  "/v3/webhooks/{id}/deliveries/{event_id}": (things) => things.event,
  "/v3/webhooks/{id}/recoveries/{recovery_id}": (things) => things.recovery,
  "/v3/rules/{id}": () => "0",
  "/v3/categories/{id}": (things) => things.categorySet,
  "/v3/entities/{id}": (things) => things.entity,
  "/v2/transactions/async/{id}": (things) => things.batch,
  "/transactions/async/{id}": (things) => things.batch,
  "/v2/account-holder/{account_holder_id}": (things) => things.holder,
  "/v2/account-holder/{account_holder_id}/transactions/{transaction_id}": (things) =>
    things.transaction,
  "/v2/models/{name}": (things) => things.model,
  "/v2/labels/hierarchy/{account_holder_type}": () => "consumer",
  "/v2/labels/hierarchy/custom/{account_holder_type}": () => "freelance",
  "/v2/rules/{index}": () => "0",
  "/v2/report/{id}": (things) => things.report,
  "/v2/entities/{id}": (things) => things.entity,
  "/v3/reapplications/{id}": (things) => things.reapplication,
  "/v3/reports/{id}": (things) => things.report,
  "/ops/reports/{id}": (things) => things.report,
  "/ops/corrections/{id}": (things) => things.correction,
  "/ops/organizations/{org}": (things) => things.org,
  "/v3/bank_statements/{id}": (things) => things.statement,
  "/datasources/bank_statements/{uuid}": (things) => things.statement,
};

/** The coffee in the words of the v2 API. */
const submitted = (transaction_id: string, fields: object): object => ({
  transaction_id,
  description: "BLUE BOTTLE COFFEE",
  date: "2026-11-20",
  amount: 6.5,
  entry_type: "debit",
  iso_currency_code: "USD",
  ...fields,
});

const RANGE = { since: "2020-01-01T00:00:00Z", until: "2020-01-02T00:00:00Z" };

const describedHolder = (secret: string) => ({
  type: "unknown",
  name: secret,
  industry: secret,
  website: secret,
  company: { loan_state: "tbd", logo: secret },
});

/** Bodies by operation. */
const BODIES: Readonly<Record<string, FromThings>> = {
  enrich_transaction: ({ mark, holder }) =>
    coffee(`${mark}-new`, { account_holder_id: holder, location: { raw_address: "Oakland" } }),
  correct_transaction: ({ secret }) => ({ merchant: secret, review_state: "satisfied" }),
  correct_transactions: ({ transaction, secret }) => ({
    transaction_ids: [transaction],
    corrections: [{ merchant: secret }],
  }),
  get_transactions: ({ transaction }) => [transaction],
  query_ledger: () => ({
    metrics: ["overall_stats", "stats_by_label", "stats_by_merchant"],
    start: "2026-01-01",
  }),
  enrich_transactions: ({ mark, holder }) => [
    submitted(`${mark}-listed`, { account_holder_id: holder, location: "Oakland" }),
  ],
  enrich_transactions_of_list: ({ mark }) => [submitted(`${mark}-listed-alone`, {})],
  enrich_transactions_without_version: ({ mark }) => [submitted(`${mark}-listed-again`, {})],
  submit_transactions: ({ mark, holder }) => [
    submitted(`${mark}-submitted`, { account_holder_id: holder }),
  ],
  submit_transactions_without_version: ({ mark }) => [submitted(`${mark}-submitted-alone`, {})],
  assign_transaction: ({ otherHolder }) => ({ account_holder_id: otherHolder }),
  create_batch: ({ mark, holder }) => ({
    operation: "POST /v3/transactions",
    data: [coffee(`${mark}-batched`, { account_holder_id: holder }), coffee(`${mark}-alone`)],
  }),
  create_account_holder: ({ mark }) => ({ id: `${mark}-new`, type: "business", name: "Name" }),
  create_holder: ({ mark, secret }) => ({ ...describedHolder(secret), id: `${mark}-unknown` }),
  replace_holder: ({ secret }) => describedHolder(secret),
  rename_holder: ({ secret }) => ({ name: secret }),
  delete_account_holder_transactions: ({ mark }) => ({ transaction_ids: [`${mark}-none`] }),
  create_webhook: ({ receiver }) => ({
    url: `${receiver}/new`,
    events: ["batches.error"],
    token: "token",
    hmac_secret: "secret",
  }),
  patch_webhook: () => ({ events: ["batches.completed"] }),
  recover_webhook: () => ({ ...RANGE, states: ["exhausted"], dry_run: true }),
  append_rule: ({ secret }) => ({
    if: { is_substring: [{ get: "description" }, secret] },
    then: [{ set: "merchant", to: secret }],
    else: [],
  }),
  replace_rules: ({ secret }) => [{ add_label: secret }, { set: "website", to: "example.com" }],
  change_rule: ({ secret }) => ({ remove_label: secret }),
  set_custom_label_hierarchy: ({ secret }) => ({ incoming: ["pay"], outgoing: ["eating", secret] }),
  replace_ruleset: ({ secret }) => [{ add_label: secret }, { set: "website", to: "example.com" }],
  append_to_ruleset: ({ secret }) => ({ add_label: secret }),
  change_in_ruleset: ({ secret }) => ({ remove_label: secret }),
  train_model: ({ secret }) => ({ transactions: labelledItems(secret) }),
  set_category_set: ({ secret }) => ({ incoming: ["pay"], outgoing: ["eating", secret] }),
  patch_category_mapping: () => ({ outgoing: { "cafes and coffee shops": null } }),
  resolve_entity: () => ({ website: "netflix.com" }),
  create_report: ({ transaction, secret }) => ({
    transaction_id: transaction,
    description: secret,
    fields: ["entities.counterparty.name"],
  }),
  create_enrichment_report: ({ transaction, secret, receiver }) => ({
    transaction_id: transaction,
    merchant: secret,
    labels: [secret],
    mcc: [5942],
    notes: secret,
    webhook_url: `${receiver}/report`,
  }),
  rename_document: ({ secret }) => ({ name: secret }),
  move_report: () => ({ status: "pending" }),
  patch_organization: () => ({ features: { phone_number: true } }),
  explain: () => ({
    description: "BLUE BOTTLE",
    amount: 1,
    entry_type: "outgoing",
    currency: "USD",
  }),
};

/** @throws Error that names the missing sample */
export function sampleOf(operation: Operation, things: Things): Sample {
  const { path, operationId, request } = operation;
  const body = BODIES[operationId];
  if ((body === undefined) !== (request.body === null)) {
    throw new Error(`Say in ${HERE} what the body of ${operationId} is, if it has one`);
  }
  // Files are all of one kind, those of bank statements.
  const file = request.upload === null ? null : statementFile(`${things.mark}-new`);
  return { path: pathValues(path, things), body: body?.(things), file };
}

/** What is sent for a sample: its body as JSON, or its file in a form. */
export function payloadOf({ body, file }: Pick<Sample, "body" | "file">): {
  readonly body?: string | FormData;
  readonly headers?: Readonly<Record<string, string>>;
} {
  if (file !== null) return { body: formOf(file) };
  if (body === undefined) return {};
  return { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
}

const HERE = "test/support/operations.ts";

function pathValues(path: string, things: Things): Record<string, string> {
  const values: Record<string, string> = {};
  for (const { 0: parameter, index, 1: name = "" } of path.matchAll(/\{(\w+)\}/g)) {
    const place = path.slice(0, index + parameter.length);
    const value = PLACES[place];
    if (value === undefined) throw new Error(`Say in ${HERE} what ${place} is the id of`);
    values[name] = value(things);
  }
  return values;
}

/** What only reads, though the public interface has it take a POST. */
const SEARCHES = new Set([
  "/v3/account_holders/{id}/recurring_groups",
  "/v2/account-holder/{account_holder_id}/query",
  "/v2/account-holder/{account_holder_id}/recurring-payments",
  "/v2/account-holder/{account_holder_id}/income",
  "/v3/entities/resolve",
  "/v3/bank_statements/{id}/verify",
]);

/** The same of paths that another method changes. */
const READ_BY_POST = new Set(["/v2/account-holder/{account_holder_id}/transactions"]);

/** What is promised of keys with one role, not how it is kept. */
export function mayUse(role: Role, { method, path }: Pick<Operation, "method" | "path">): boolean {
  if (path.startsWith("/ops/")) return role === "operator";
  if (role === "admin") return true;
  if (path === "/v3/audit" || role === "operator") return false;
  return (
    role === "write" ||
    method === "GET" ||
    SEARCHES.has(path) ||
    (method === "POST" && READ_BY_POST.has(path))
  );
}

/** The path with values for its parameters. */
export function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
}
