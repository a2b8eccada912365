// Every code that an error body carries: stable names that programs may compare, while `detail` is for people and may
// change. docs/reference/errors.md has the same table, which a test compares with this one.

interface ErrorMeaning {
  readonly status: number;
  /** What is wrong, and what the caller can do. */
  readonly meaning: string;
}

const CODES = {
  account_holder_exists: [
    400,
    "An account holder with this id exists already: use it, or choose another id.",
  ],
  account_type_mismatch: [400, "Both account holders of an assignment must be of the same type."],
  body_cut_off: [400, "The connection ended before the whole body had arrived: send it again."],
  body_not_decodable: [400, "The body does not match its `Content-Encoding`."],
  category_set_limit: [
    400,
    "The organization has as many category sets as it may have: reset one first.",
  ],
  invalid_correction: [
    400,
    "A value of the correction is not possible for the transaction; `detail` has the reason.",
  ],
  invalid_entity_id: [400, "The id of an entity is a UUID."],
  invalid_entity_query: [400, "Exactly one of `name` and `website` must be given."],
  invalid_report_change: [
    400,
    "The change of the report is not possible; `detail` has the reason.",
  ],
  invalid_request: [400, "The bytes received are not an HTTP request."],
  invalid_rule: [400, "The rule has a value of the wrong type; `detail` has its place."],
  invalid_sort: [
    400,
    "The list cannot be sorted by this field; `detail` has those it can be sorted by.",
  ],
  invalid_training_data: [
    400,
    "Nothing can be learned from the items of the training; `detail` has the reason.",
  ],
  ledger_too_large: [
    400,
    "The account holder has more transactions than recurring groups are found in; docs/reference/limits.md has the limit.",
  ],
  model_limit: [400, "The organization has as many models as it may have: delete one first."],
  unreadable_statement: [
    400,
    "The document cannot be read as a bank statement; `detail` has the reason.",
  ],
  unknown_model: [400, "There is no ready model with this name in your organization."],
  unknown_rule: [400, "There is no rule with this id; the id of a rule is its place in the list."],
  webhook_limit: [400, "The organization has as many webhooks as it may have: delete one first."],
  ambiguous_api_key: [
    401,
    "`X-Api-Key` and `Authorization` carry different keys: send one of them.",
  ],
  invalid_api_key: [
    401,
    "The API key is unknown, revoked or expired: make one with `ledgerline keys create`.",
  ],
  missing_api_key: [
    401,
    "No API key was sent: send it in `X-Api-Key` or as `Authorization: Bearer`.",
  ],
  missing_role: [403, "The API key does not have the role for this operation."],
  account_holder_not_found: [404, "There is no account holder with this id in your organization."],
  batch_not_found: [404, "There is no batch with this id in your organization."],
  category_set_not_found: [404, "There is no category set with this id in your organization."],
  correction_not_found: [404, "There is no correction with this id."],
  delivery_not_found: [404, "There is no delivery of this event to this webhook."],
  entity_not_found: [404, "There is no entity with this id."],
  logo_not_found: [404, "There is no logo at this address."],
  organization_not_found: [404, "There has never been an API key for this organization."],
  public_key_not_found: [
    404,
    "Calls to webhooks are not signed with Ed25519: `WEBHOOK_ED25519` is off.",
  ],
  model_not_found: [404, "There is no model with this name in your organization."],
  reapplication_not_found: [404, "There is no reapplication with this id in your organization."],
  recovery_not_found: [404, "There is no recovery with this id for this webhook."],
  report_not_found: [404, "There is no report with this id."],
  route_not_found: [404, "This path does not exist: compare it with `/docs`."],
  statement_not_completed: [
    404,
    "The bank statement has no results; `detail` has its status: wait until it is completed, or read its error.",
  ],
  statement_not_found: [404, "There is no bank statement with this id in your organization."],
  transaction_not_found: [404, "There is no transaction with this id in your organization."],
  webhook_not_found: [404, "There is no webhook with this id in your organization."],
  method_not_allowed: [
    405,
    "The path does not support this method; the header `Allow` lists those it supports.",
  ],
  request_timeout: [408, "The request was not sent in time."],
  batch_processing: [409, "The batch is still processing: wait until it has ended."],
  concurrent_change: [
    409,
    "Another request changed the same thing: repeat this one after `Retry-After`.",
  ],
  idempotency_answer_unreadable: [
    409,
    "The request with this `Idempotency-Key` was done, but its answer cannot be decrypted any more: read what it made.",
  ],
  idempotency_key_in_use: [
    409,
    "A request with this `Idempotency-Key` is running: repeat this one after `Retry-After`.",
  ],
  model_training: [409, "The model is being trained: wait until it is ready, or delete it."],
  reapplication_running: [409, "A reapplication is running: wait until it is completed."],
  recovery_running: [409, "A recovery of this webhook is running: wait until it is completed."],
  report_conflict: [409, "The report is not in a state that allows this change."],
  webhook_secret_unavailable: [
    409,
    "The token or signing secret of the webhook cannot be decrypted: set it again with PATCH.",
  ],
  body_too_large: [413, "The body is larger than this operation accepts: send less at once."],
  category_set_too_large: [413, "The category set is larger than it may be."],
  credits_above_maximum: [
    413,
    "The request needs more credits than this API key can ever have: send smaller batches.",
  ],
  file_too_large: [413, "The file is larger than this operation accepts."],
  request_too_large: [413, "The request is too large for this installation: send less at once."],
  ruleset_too_large: [413, "All rules together are larger than they may be."],
  unsupported_content_encoding: [415, "`Content-Encoding` must be gzip, deflate, br or identity."],
  unsupported_file_type: [415, "The first bytes of the file are not those of a PDF, PNG or JPEG."],
  unsupported_media_type: [415, "`Content-Type` must be application/json, in UTF-8."],
  idempotency_key_reused: [
    422,
    "This `Idempotency-Key` was used for another request: choose a new one.",
  ],
  validation_error: [
    422,
    "Fields or parameters are not valid; `detail` is a list that names each of them.",
  ],
  credits_exhausted: [
    429,
    "The API key has too few credits left: repeat the request after `Retry-After`.",
  ],
  rate_limited: [429, "The API key sent too many requests: repeat this one after `Retry-After`."],
  too_many_concurrent_calls: [
    429,
    "Too many calls of this API key are running: repeat this one after `Retry-After`.",
  ],
  headers_too_large: [431, "The headers of the request are too large."],
  internal_error: [
    500,
    "A fault of the service: report it with the `request_id`, which is in the log.",
  ],
  recognition_failed: [500, "The recogniser fails on this transaction: report it."],
  not_served_here: [501, "This process does not have the role for the operation: ask another one."],
  unsupported_transfer_encoding: [501, "`Transfer-Encoding` must be chunked."],
  overloaded: [
    503,
    "Too much work is waiting; nothing was accepted. Repeat the request after `Retry-After`.",
  ],
  unavailable: [
    503,
    "The log or the store cannot be reached. Repeat the request after `Retry-After`.",
  ],
  recurrence_timeout: [
    503,
    "What repeats in a ledger was not found in time; what was submitted is accepted. Repeat the request after `Retry-After`, or by v2 `with_recurrence=false`.",
  ],
  result_timeout: [
    504,
    "No result in time; the request stays accepted and can be repeated safely.",
  ],
} as const satisfies Readonly<Record<string, readonly [number, string]>>;

export type ErrorCode = keyof typeof CODES;

/** Status and meaning by code. */
export const ERROR_CODES = Object.fromEntries(
  Object.entries(CODES).map(([code, [status, meaning]]) => [code, { status, meaning }]),
) as Readonly<Record<ErrorCode, ErrorMeaning>>;
