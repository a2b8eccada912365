import type { OperationDoc } from "../server/describe.ts";

// A description and an example for each operation of the v2 API, like those of the v3 API.

const transaction = {
  transaction_id: "tx-1",
  description: "SQ *BLUE BOTTLE COFFEE OAKLAND CA",
  date: "2026-11-20",
  amount: 6.5,
  entry_type: "outgoing",
  iso_currency_code: "USD",
  account_holder_id: "holder-1",
  account_holder_type: "consumer",
};

const accountHolder = {
  type: "business",
  name: "Blue Door Bakery",
  industry: "Bakery",
  website: "https://bluedoor.example",
  company: { loan_state: "tbd" },
};

export const OPERATION_DOCS: Readonly<Record<string, OperationDoc>> = {
  submit_bank_statement: {
    description:
      "A form (`multipart/form-data`) whose fields come before its file. Returns at once; poll `get_document` until it is `processed`, then the batch. An account holder that does not exist is created where `account_type` is sent.",
  },
  list_documents: { description: "Bank statements of the organization, with what was read." },
  get_document: { description: "The id is in the answer of `submit_bank_statement`." },
  rename_document: {
    description: "The file stays as it is. The id is in the answer of `submit_bank_statement`.",
    body: { name: "January 2026" },
  },
  delete_document: {
    description:
      "Its transactions stay where they were enriched. The id is in the answer of `submit_bank_statement`.",
  },
  list_document_transactions: {
    description:
      "Those of an account holder as they are in its ledger. What is not enriched yet is null: wait for the batch.",
  },
  get_document_info: {
    description: "Works on the first page alone, also while the document waits.",
  },
  get_document_results: { description: "The transactions as they are printed." },
  enrich_transactions: {
    description:
      "Waits for the results, at most 30 s. An account holder that does not exist is created where its type is sent; else nothing is accepted, and the answer lists the missing ones.",
    body: [transaction],
  },
  enrich_transactions_of_list: {
    description: "The same as `enrich_transactions`.",
    body: [transaction],
  },
  enrich_transactions_without_version: {
    description: "The same as `enrich_transactions`.",
    body: [transaction],
  },
  submit_transactions: {
    description: "Returns at once; poll `get_transaction_batch`. Either all are accepted or none.",
    body: [transaction],
  },
  submit_transactions_without_version: {
    description: "The same as `submit_transactions`.",
    body: [transaction],
  },
  get_transaction_batch: {
    description:
      "The id is in the answer of `submit_transactions`. Results are absent until it is finished.",
  },
  get_transaction_batch_without_version: {
    description: "The same as `get_transaction_batch`.",
  },
  correct_transaction: {
    description:
      "What is corrected takes precedence over everything that is found out later, also when the transaction is submitted again. Null and what is left out stay as they are; the empty text removes a value.",
    path: { account_holder_id: "holder-1", transaction_id: "tx-1" },
    body: { merchant: "Blue Bottle Coffee", labels: ["food and drink"], review_state: "satisfied" },
  },
  correct_transactions: {
    description:
      "`corrections` has one entry for each of `transaction_ids`, in their order, or one for all of them.",
    path: { account_holder_id: "holder-1" },
    body: { transaction_ids: ["tx-1"], corrections: [{ review_state: "satisfied" }] },
  },
  list_transactions: {
    description:
      "With what was found out about each. A page that is read while transactions are added or deleted may repeat or skip one: the v3 list does neither.",
    path: { account_holder_id: "holder-1" },
  },
  get_transactions: {
    description: "Ids that the account holder does not have are left out.",
    path: { account_holder_id: "holder-1" },
    body: ["tx-1"],
  },
  query_ledger: {
    description:
      "Counts the transactions from the date `start` to the date `end`, both included. Sums are exact in minor units.",
    path: { account_holder_id: "holder-1" },
    body: {
      metrics: ["overall_stats", "stats_by_label"],
      start: "2026-01-01",
      end: "2026-12-31",
    },
  },
  find_recurring_payments: {
    description: "Looks at the whole ledger as it is now; nothing is stored.",
    path: { account_holder_id: "holder-1" },
  },
  find_income: {
    description: "Looks at the whole ledger as it is now; nothing is stored.",
    path: { account_holder_id: "holder-1" },
  },
  create_holder: {
    description:
      "Without an id it gets one. It is an account holder of the v3 API too, where `unknown` is shown as `consumer` and `freelance` as `business`.",
    body: { id: "holder-1", ...accountHolder },
  },
  list_holders: {
    description:
      "A page that is read while holders are created or deleted may repeat or skip one: the v3 list does neither.",
  },
  get_holder: {
    description: "Revenue, application and review are not known: they are null.",
    path: { account_holder_id: "holder-1" },
  },
  replace_holder: {
    description:
      "What is left out becomes null. Its id, its ledger and its category set stay; a new type counts for transactions that are submitted later.",
    path: { account_holder_id: "holder-1" },
    body: accountHolder,
  },
  rename_holder: {
    description: "The answer is `null`.",
    path: { account_holder_id: "holder-1" },
    body: { name: "Blue Door Bakery Ltd" },
  },
  delete_holder: {
    description:
      "Deletes its transactions and everything else that is stored about it, like `delete_account_holder` of the v3 API.",
    path: { account_holder_id: "holder-1" },
  },
  get_label_hierarchy: {
    description:
      "Groups with their labels. With a key of an organization that has labels of its own for the type: those, in the groups `incoming` and `outgoing`.",
    path: { account_holder_type: "consumer" },
  },
  set_custom_label_hierarchy: {
    description:
      "They are the category set of the v3 API that has the type as its id. Our categories are mapped to the nearest of them.",
    path: { account_holder_type: "consumer" },
    body: { incoming: ["Pay", "Other income"], outgoing: ["Food", "Home", "Everything else"] },
  },
  get_custom_label_hierarchy: {
    description: "`null` where the type has our labels.",
    path: { account_holder_type: "consumer" },
  },
  delete_custom_label_hierarchy: {
    description: "The type has our labels again. Nothing happens where it has them already.",
    path: { account_holder_type: "consumer" },
  },
  list_ruleset: {
    description: "The rules of the v3 API without their ids: the list can be sent back as it is.",
  },
  replace_ruleset: {
    description: "The rules run in the order of the list, on every transaction.",
    body: [
      {
        if: { is_substring: [{ get: "description" }, "BLUE BOTTLE"] },
        then: [{ add_label: "coffee" }],
        else: [],
      },
    ],
  },
  append_to_ruleset: {
    description: "It runs after those that are there.",
    body: { set: "merchant", to: "Blue Bottle Coffee" },
  },
  change_in_ruleset: {
    description: "The index is the position of the rule in the list, from 0.",
    path: { index: "0" },
    body: { set: "merchant", to: "Blue Bottle Coffee" },
  },
  delete_from_ruleset: {
    description: "The index is the position of the rule in the list, from 0.",
    path: { index: "0" },
  },
  list_merchant_category_codes: {
    description:
      "The codes of ISO 18245, and those that card schemes have given to single merchants.",
  },
  train_model: {
    description:
      "All items must have the same account holder type, and at least two different labels or lists of labels. An item with several labels teaches the model to answer them together. Training the same name again keeps the version before: it labels until the new one is ready, and stays if the training fails. Below `threshold` (default 0.2) the default label stands; 0: the model always labels.",
    path: { name: "expenses" },
    body: {
      transactions: [
        {
          account_holder_type: "business",
          amount: 61.2,
          entry_type: "debit",
          iso_currency_code: "GBP",
          description: "SHELL KINGS 587",
          label: ["Vehicle Fuel"],
        },
        {
          account_holder_type: "business",
          amount: 17.5,
          entry_type: "debit",
          iso_currency_code: "GBP",
          description: "RYMAN BIRMINGHAM",
          label: ["Stationery"],
        },
      ],
    },
  },
  list_models: { description: "In the order of their names." },
  get_model: {
    description:
      "`quality` is that of the version that labels, measured on items that it was not trained on.",
    path: { name: "expenses" },
  },
  delete_model: {
    description: "Transactions that it has labelled stay as they are.",
    path: { name: "expenses" },
  },
  find_entity: {
    description: "A location decides between merchants of one name.",
  },
  get_entity: { description: "The id is in the answer of `find_entity`." },
  create_enrichment_report: {
    description:
      "Send the right values of the fields that are wrong; null counts as left out. `webhook_url` gets an event for every change of status.",
    body: {
      transaction_id: "tx-1",
      merchant: "Blue Bottle Books",
      labels: ["books and magazines"],
      notes: "The receipt is from the bookshop.",
      webhook_url: "https://example.com/reports",
    },
  },
  list_enrichment_reports: {
    description: "`pages` counts the pages of `per_page` reports that the filters leave.",
  },
  get_enrichment_report: { description: "The same reports as those of the v3 API." },
};
