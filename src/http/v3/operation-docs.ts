import type { OperationDoc } from "../server/describe.ts";
import { BATCH_OPERATION } from "../../model/batch.ts";

// A description and an example for each operation. Called in the order of the resources, the examples succeed on a new
// installation; ids that the service makes are filled in from the answer of the operation that the description names.

const transaction = {
  id: "tx-1",
  description: "SQ *BLUE BOTTLE COFFEE OAKLAND CA",
  date: "2026-11-20",
  amount: 6.5,
  entry_type: "outgoing",
  currency: "USD",
  account_holder_id: null,
};
const netflix = {
  ...transaction,
  id: "tx-2",
  description: "NETFLIX.COM 866-579-7172 CA",
  amount: 15.49,
};
const rule = {
  if: { is_substring: ["BLUE BOTTLE", { get: "description" }] },
  then: [{ add_label: "coffee" }],
};
const HOLDER = { id: "holder-1" };
const TRANSACTION = { id: "tx-1" };
const SET = { id: "app" };
const ORGANIZATION = { org: "default" };
const OPERATOR = "Needs a key with the role `operator`.";
const from = (operation: string): string => `The id is in the answer of \`${operation}\`.`;

export const OPERATION_DOCS: Readonly<Record<string, OperationDoc>> = {
  enrich_transaction: {
    description:
      "Waits for the result, at most 30 s. With an account holder the transaction is also categorised and added to its ledger; the account holder must exist.",
    body: transaction,
  },
  list_transactions: { description: "Stored transactions with their results." },
  get_transaction: { description: "The transaction with its result.", path: TRANSACTION },
  delete_transaction: { description: "Removes it from every list.", path: TRANSACTION },
  assign_transaction: {
    description: "Categories are found again for the new account holder, which must exist.",
    path: TRANSACTION,
    body: { account_holder_id: "holder-1" },
  },
  create_batch: {
    description:
      "Returns at once; poll `get_batch`, or subscribe a webhook to `batches.completed`. Either all transactions are accepted or none.",
    body: { operation: BATCH_OPERATION, data: [transaction, netflix] },
  },
  list_batches: { description: "Batches with their progress." },
  get_batch: { description: `The progress of a batch. ${from("create_batch")}` },
  get_batch_results: {
    description: `Empty until the batch is completed. ${from("create_batch")}`,
  },
  delete_batch: {
    description: `Its transactions stay in the ledgers of their account holders. ${from("create_batch")}`,
  },
  create_account_holder: {
    description: "The id is yours. An id that exists is refused.",
    body: { ...HOLDER, type: "consumer", name: "Ada Example" },
  },
  list_account_holders: { description: "Account holders of the organization." },
  get_account_holder: { description: "The account holder as it was created.", path: HOLDER },
  delete_account_holder: {
    description: "Deletes the account holder and all its transactions permanently.",
    path: HOLDER,
  },
  find_recurring_groups: {
    description:
      "Looks at the whole ledger as it is now; nothing is stored. An account holder without transactions has no groups.",
    path: HOLDER,
  },
  delete_account_holder_transactions: {
    description: "Ids of other account holders are ignored.",
    path: HOLDER,
    body: { transaction_ids: ["tx-2"] },
  },
  create_webhook: {
    description: "An organization may have 10. Events are sent again for 24 hours until a 2xx.",
    body: {
      url: "https://example.com/ledgerline",
      events: ["batches.completed", "batches.error"],
    },
  },
  list_webhooks: { description: "Webhooks with their health." },
  get_webhook: { description: `A webhook with its health. ${from("create_webhook")}` },
  patch_webhook: {
    description: `Fields that are left out do not change. ${from("create_webhook")}`,
    body: { enabled: true },
  },
  delete_webhook: { description: `It is not called any more. ${from("create_webhook")}` },
  test_webhook: {
    description: `Calls the URL once and returns the outcome. ${from("create_webhook")}`,
  },
  list_deliveries: { description: `Deliveries with their state. ${from("create_webhook")}` },
  get_delivery: {
    description:
      "Every attempt with its status, timings and the start of the answer. The ids are in the answer of `list_deliveries`.",
  },
  resend_delivery: {
    description:
      "The attempts start from the beginning. The ids are in the answer of `list_deliveries`.",
  },
  recover_webhook: {
    description: `Runs in the background; \`dry_run\` only counts. ${from("create_webhook")}`,
    body: { since: "2026-11-20T00:00:00Z", until: "2026-11-21T00:00:00Z", dry_run: false },
  },
  get_recovery: {
    description:
      "How many deliveries were sent again. The ids are in the answer of `recover_webhook`.",
  },
  create_report: {
    description: "An operator looks into it; its status changes send events.",
    body: {
      transaction_id: "tx-1",
      description: "This was the bookshop of the same name.",
      fields: ["entities.counterparty"],
    },
  },
  list_reports: { description: "Reports of the organization." },
  get_report: { description: `The report with its status. ${from("create_report")}` },
  delete_report: {
    description: `What it corrected stays corrected. ${from("create_report")}`,
  },
  append_rule: { description: "The new rule runs after all others.", body: rule },
  list_rules: { description: "The rules in the order in which they run." },
  replace_rules: { description: "All rules at once.", body: [rule] },
  change_rule: {
    description: "The id is the position of the rule, from 0.",
    path: { id: "0" },
    body: { ...rule, then: [{ add_label: "coffee" }, { set: "merchant", to: "Blue Bottle" }] },
  },
  delete_rule: {
    description: "Rules behind it move up: their ids become smaller by one.",
    path: { id: "0" },
  },
  get_category_set: {
    description: "`consumer` and `business` always exist.",
    path: { id: "consumer" },
  },
  set_category_set: {
    description: "Creates or replaces a set. Account holders use it by their `category_id`.",
    path: SET,
    body: { incoming: ["Pay"], outgoing: ["Eating out", "Home", "Travel"] },
  },
  reset_category_set: {
    description: "Restores the default names, or removes a set that has no default.",
    path: SET,
  },
  get_category_mapping: {
    description: "The category of the set that is assigned to each built-in category.",
    path: SET,
  },
  patch_category_mapping: {
    description: "Categories that are left out do not change.",
    path: SET,
    body: { outgoing: { "cafes and coffee shops": "Eating out" } },
  },
  resolve_entity: {
    description: "Give exactly one of `name` and `website`.",
    body: { website: "netflix.com" },
  },
  get_entity: {
    description: "The id of an entity is the same in every installation.",
    path: { id: "fe4bf929-29ba-3933-b588-407855c85b52" },
  },
  create_bank_statement: {
    description:
      "A form (`multipart/form-data`) whose fields come before its file. Returns at once; poll `get_bank_statement`, or subscribe a webhook to `bank_statements.completed` and `bank_statements.error`. Its transactions are enriched too.",
  },
  list_bank_statements: { description: "Bank statements with their status." },
  get_bank_statement: {
    description: `The status of a bank statement. ${from("create_bank_statement")}`,
  },
  delete_bank_statement: {
    description: `Its transactions stay where they were enriched. ${from("create_bank_statement")}`,
  },
  get_bank_statement_results: {
    description: `The transactions as they are printed; \`get_transaction\` has what was found out about each. ${from("create_bank_statement")}`,
  },
  get_bank_statement_evidence: {
    description: `Extension: for those who check a document. ${from("create_bank_statement")}`,
  },
  verify_bank_statement: {
    description: `Works on the first page alone, also while the document is processing. ${from("create_bank_statement")}`,
  },
  create_reapplication: { description: "One runs at a time; a second is refused." },
  list_reapplications: { description: "Reapplications of the organization." },
  get_reapplication: { description: `Its progress. ${from("create_reapplication")}` },
  list_audit_entries: { description: "Needs a key with the role `admin`." },
  explain: {
    description: `${OPERATOR} Nothing is stored.`,
    body: {
      description: transaction.description,
      amount: transaction.amount,
      entry_type: transaction.entry_type,
      currency: transaction.currency,
    },
  },
  list_all_reports: { description: `Oldest first. ${OPERATOR}` },
  get_report_details: {
    description: `The report with its transaction. ${OPERATOR} ${from("create_report")}`,
  },
  move_report: {
    description: `A resolved report may correct the transaction and later ones of the same name. ${OPERATOR} ${from("create_report")}`,
    body: {
      status: "resolved",
      corrected: { merchant: "Blue Bottle Books", type: "organization" },
    },
  },
  list_corrections: { description: OPERATOR },
  delete_correction: {
    description: `${OPERATOR} The id is in the answer of \`move_report\`.`,
  },
  get_organization: {
    description: `The optional fields that are filled for it. ${OPERATOR}`,
    path: ORGANIZATION,
  },
  patch_organization: {
    description: `Features that are left out do not change. ${OPERATOR}`,
    path: ORGANIZATION,
    body: { features: { phone_number: true } },
  },
};
