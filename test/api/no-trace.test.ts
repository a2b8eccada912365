// Whatever is wrong with a request, it leaves everything that is kept as it was, to the last byte.
import { request as httpRequest } from "node:http";
import { describe, expect, it } from "vitest";
import { ROLES } from "../../src/model/api-key.ts";
import { coffee } from "../support/coffee.ts";
import type { SampleFile } from "../support/statement-files.ts";
import { labelledItems, createKeysOf, createThings, type Things } from "../support/things.ts";
import {
  fillPath,
  mayUse,
  type Operation,
  operations,
  type Sample,
  sampleOf,
} from "../support/operations.ts";
import { startReceiver } from "../support/receiver.ts";
import { shared, startService } from "../support/service.ts";
import { openSnapshots, type Snapshot } from "../support/snapshot.ts";
import { callableWebhooks } from "../support/webhooks.ts";

interface Attempt {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Any of these. */
  readonly status: readonly number[];
}

const setUp = shared(async (atEnd) => {
  const receiver = await startReceiver(undefined, atEnd);
  const service = await startService({ config: { webhooks: callableWebhooks } }, atEnd);
  const things = await createThings(service, "org-a", "a", receiver.url);
  const keys = await createKeysOf(service, "org-a", ROLES, ...ROLES.map((role) => [role]));
  const snapshots = await openSnapshots(service);
  atEnd(snapshots.close);
  const before = await snapshots.takeAtRest();
  return { url: service.url, keys, things, snapshots, before };
});
/** One with all roles, then one for each. */
type Keys = readonly string[];

const JSON_HEADER = { "Content-Type": "application/json" };
const LONG_ID = "x".repeat(257);
const LONG_TEXT = "x".repeat(1025);
/** Of nothing that is there. */
const NO_ID = "no-such-id";
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** How a parameter of a query can be wrong. */
const BAD_QUERIES: Readonly<Record<string, readonly string[]>> = {
  created_after: ["yesterday", "2026-02-30T00:00:00Z"],
  created_before: ["", "2026-13-01"],
  cursor: ["x", "AAAA"],
  limit: ["0", "1001", "many"],
  org: ["", LONG_ID],
  action: ["lost"],
  account_holder_id: ["", LONG_ID],
  status: ["lost"],
  state: ["lost"],
  page: ["-1", "many"],
  per_page: ["0", "10001", "many"],
  query: [LONG_TEXT],
  sort_by: [LONG_TEXT],
  sort_order: ["upwards"],
  named_only: ["perhaps"],
  with_confidence: [""],
  transaction_id: ["", LONG_ID],
  model_name: ["", LONG_ID],
  create_account_holder: ["perhaps"],
  with_recurrence: ["perhaps"],
  name: [LONG_TEXT],
  website: [LONG_TEXT + LONG_TEXT],
  location: [LONG_TEXT],
  account_type: ["person"],
  iso_currency_code: ["gold"],
  page_size: ["0", "1001", "many"],
  order_by: ["upwards"],
};

/** Operations to which any id is good, because what it names comes into being. */
const ANY_ID = ["set_category_set", "reset_category_set", "train_model"];
/** Parameters of paths that name one of a few things that are always there, so that another value is not a value. */
const NAMED = ["account_holder_type"];

/** Bodies of a good form that mean what cannot be. */
const REFUSED: Readonly<Record<string, (things: Things) => readonly Refused[]>> = {
  train_model: ({ secret }) => [
    [422, { transactions: [] }],
    [422, { transactions: labelledItems(secret), threshold: 2 }],
    [400, { transactions: labelledItems(secret).slice(1) }],
  ],
  get_transactions: () => [
    [422, {}],
    [422, [1]],
    [422, [""]],
    [422, [LONG_ID]],
    [422, Array.from({ length: 1_001 }, (_, at) => `t${String(at)}`)],
  ],
  query_ledger: () => [
    [422, {}],
    [422, { metrics: [] }],
    [422, { metrics: ["sums"] }],
    [422, { metrics: Array.from({ length: 11 }, () => "overall_stats") }],
    [422, { metrics: ["overall_stats"], start: "2026-02-30" }],
    [422, { metrics: ["overall_stats"], end: 5 }],
  ],
  create_account_holder: ({ holder }) => [[400, { id: holder, type: "business" }]],
  create_holder: ({ holder }) => [
    [400, { id: holder, type: "business" }],
    [422, { type: "person" }],
    [422, { id: "", type: "business" }],
    [422, { type: "business", company: { loan_state: "none" } }],
  ],
  replace_holder: () => [
    [422, { name: "without a type" }],
    [422, { type: "business", website: LONG_TEXT + LONG_TEXT }],
  ],
  rename_holder: () => [
    [422, { name: null }],
    [422, {}],
  ],
  assign_transaction: ({ businessHolder }) => [
    [404, { account_holder_id: NO_ID }],
    [400, { account_holder_id: businessHolder }],
  ],
  enrich_transactions: refusedLists,
  enrich_transactions_of_list: refusedLists,
  enrich_transactions_without_version: refusedLists,
  submit_transactions: refusedLists,
  submit_transactions_without_version: refusedLists,
  correct_transaction: () => [
    [400, { labels: ["no label of any set"] }],
    [400, { labels: ["pets", "no label of any set"] }],
    [422, { labels: Array<string>(11).fill("pets") }],
    [422, { review_state: "perhaps" }],
  ],
  correct_transactions: ({ transaction }) => [
    [404, { transaction_ids: [transaction, NO_ID], corrections: [{ labels: ["pets"] }] }],
    [400, { transaction_ids: [transaction], corrections: [{ labels: ["no label of any set"] }] }],
    [400, { transaction_ids: [transaction], corrections: [{}, {}] }],
  ],
  create_batch: ({ mark }) => [
    [422, { operation: "POST /v3/transactions", data: [coffee(mark), { id: mark }] }],
    [422, { operation: "DELETE /v3/transactions", data: [coffee(mark)] }],
  ],
  create_webhook: () => [
    [422, { url: "ftp://example.com", events: [] }],
    [422, { url: "http://10.0.0.1", events: [] }],
    [422, { url: "https://example.com", events: ["everything"] }],
  ],
  patch_webhook: () => [[422, { url: "nowhere" }]],
  recover_webhook: () => [
    [422, { since: "2026-01-02T00:00:00Z", until: "2026-01-01T00:00:00Z" }],
    [422, { since: "2026-01-01T00:00:00Z", until: "2026-01-02T00:00:00Z", states: [] }],
  ],
  append_to_ruleset: () => [
    [422, { make: "tea" }],
    [400, { set: "website", to: true }],
    [413, { if: true, then: Array.from({ length: 3_000 }, () => ({ add_label: "many" })) }],
  ],
  replace_ruleset: () => [
    [422, [{ add_label: "good" }, { make: "tea" }]],
    [400, [{ add_label: "good" }, { set: "amount", to: "1" }]],
    [400, [{ add_label: "good" }, { if: "text", then: [] }]],
    [413, Array.from({ length: 2_000 }, () => ({ add_label: "x".repeat(20) }))],
  ],
  change_in_ruleset: () => [[400, { if: { get: "amount" } }]],
  set_custom_label_hierarchy: () => [
    [422, { incoming: ["twice", " twice "], outgoing: [] }],
    [422, { incoming: [" "], outgoing: [] }],
  ],
  append_rule: () => [
    [422, { make: "tea" }],
    [400, { set: "website", to: true }],
    [413, { if: true, then: Array.from({ length: 3_000 }, () => ({ add_label: "many" })) }],
  ],
  replace_rules: () => [
    [422, [{ add_label: "good" }, { make: "tea" }]],
    [400, [{ add_label: "good" }, { set: "amount", to: "1" }]],
    [400, [{ add_label: "good" }, { if: "text", then: [] }]],
    [413, Array.from({ length: 2_000 }, () => ({ add_label: "x".repeat(20) }))],
  ],
  change_rule: () => [[400, { if: { get: "amount" } }]],
  set_category_set: () => [
    [422, { incoming: ["twice", " twice "], outgoing: [] }],
    [422, { incoming: [" "], outgoing: [] }],
  ],
  patch_category_mapping: () => [
    [422, { outgoing: { "no category of ours": null } }],
    [422, { outgoing: { "cafes and coffee shops": "no word of the set" } }],
  ],
  resolve_entity: () => [
    [400, {}],
    [400, { name: "Netflix", website: "netflix.com" }],
  ],
  create_report: () => [[404, { transaction_id: NO_ID, description: "", fields: [] }]],
  create_enrichment_report: ({ transaction }) => [
    [404, { transaction_id: NO_ID, webhook_url: "https://hooks.example.com/" }],
    [422, { transaction_id: transaction, webhook_url: "no url" }],
    [422, { transaction_id: transaction, labels: ["right", 1] }],
  ],
  rename_document: () => [
    [422, { name: "" }],
    [422, { name: LONG_ID }],
  ],
  move_report: () => [
    [422, { status: "rejected" }],
    [422, { status: "pending", rejection_reason: "none" }],
    [422, { status: "resolved", corrected: { website: "no website" } }],
    [400, { status: "resolved", corrected: { category: "no word of any set" } }],
  ],
  patch_organization: () => [[422, { features: { flying: true } }]],
};
type Refused = readonly [status: number, body: unknown];

function refusedLists({ mark }: Things): readonly Refused[] {
  const good = {
    transaction_id: mark,
    description: "COFFEE",
    date: "2026-11-20",
    amount: 1,
    entry_type: "debit",
    iso_currency_code: "USD",
  };
  const created = { account_holder_id: `${mark}-made`, account_holder_type: "consumer" };
  return [
    [
      404,
      [
        { ...good, ...created },
        { ...good, account_holder_id: NO_ID },
      ],
    ],
    [422, [good, { ...good, amount: -1 }]],
    [422, []],
  ];
}

describe("requests that are refused", () => {
  it.each(operations.map((one) => [`${one.method} ${one.path}`, one] as const))(
    "leave everything as it is: %s",
    async (_, operation) => {
      const { url, keys, things, snapshots, before } = setUp();
      const attempts = badRequests(operation, things, keys);
      expect(attempts.length).toBeGreaterThan(4);
      const wrong: unknown[] = [];
      for (const attempt of attempts) {
        const status = await send(url, attempt);
        if (!attempt.status.includes(status)) wrong.push([attempt.name, status, attempt.status]);
      }
      expect(wrong).toEqual([]);
      expectSame(await snapshots.take(), before);
    },
  );

  it("leave nothing that shows later, where one that is accepted shows", async () => {
    const { url, keys, things, snapshots, before } = setUp();
    expectSame(await snapshots.takeAtRest(), before);
    const body = JSON.stringify({ id: "new", type: "consumer" });
    const headers = { "X-Api-Key": keys[0] ?? "", ...JSON_HEADER };
    const good = { name: "good", method: "POST", path: "/v3/account_holders", headers, body };
    expect(await send(url, { ...good, status: [200] })).toBe(200);
    expect(await snapshots.take()).not.toEqual(before);
    expect(JSON.stringify(before)).toContain(things.secret);
  });
});

/** Lists only the rows that differ. */
function expectSame(after: Snapshot, before: Snapshot): void {
  expect(Object.keys(after)).toEqual(Object.keys(before));
  for (const [name, rows] of Object.entries(before)) {
    const added = after[name]?.filter((row) => !rows.includes(row));
    const lost = rows.filter((row) => after[name]?.includes(row) === false);
    expect({ name, added, lost }).toEqual({ name, added: [], lost: [] });
  }
}

function badRequests(operation: Operation, things: Things, keys: Keys): Attempt[] {
  const { method, path } = operation;
  const sample = sampleOf(operation, things);
  const good = { method, path: fillPath(path, sample.path), ...bodyOf(sample) };
  const [all = "", ...ofRoles] = keys;
  const own = { "X-Api-Key": all };
  const by = (key: string) => ({ ...good.headers, "X-Api-Key": key });
  const at = (values: Readonly<Record<string, string>>) =>
    fillPath(path, { ...sample.path, ...values });
  const others = METHODS.filter(
    (other) => !operations.some((one) => one.path === path && one.method === other),
  );
  const notThere = Object.keys(operation.errors)
    .map(Number)
    .filter((status) => status < 500);
  return [
    ...(operation.isPublic === true ? [] : [{ ...good, name: "no key", status: [401] }]),
    { ...good, name: "an unknown key", headers: by("unknown"), status: [401] },
    ...ROLES.filter((role) => !mayUse(role, operation)).map((role) => ({
      ...good,
      name: `a key of the role ${role}`,
      headers: by(ofRoles[ROLES.indexOf(role)] ?? ""),
      status: [403],
    })),
    ...others.map((other) => ({
      name: `the method ${other}`,
      method: other,
      path: good.path,
      headers: own,
      status: [405],
    })),
    ...Object.keys(sample.path).flatMap((name) => [
      {
        ...good,
        name: `a ${name} that is too long`,
        path: at({ [name]: LONG_ID }),
        headers: by(all),
        status: [422, 400],
      },
      ...(ANY_ID.includes(operation.operationId)
        ? []
        : [
            {
              ...good,
              name: `an unknown ${name}`,
              path: at({ [name]: NO_ID }),
              headers: by(all),
              status: NAMED.includes(name) ? [422] : notThere,
            },
          ]),
    ]),
    ...badQueries(operation).map((query) => ({
      ...good,
      name: `the query ${query}`,
      path: `${good.path}?${query}`,
      headers: by(all),
      status: [422],
    })),
    ...[
      ...(sample.file === null ? badBodies(operation, sample.body) : badForms(sample.file)),
      ...(REFUSED[operation.operationId]?.(things) ?? []).map(([status, body], index) => ({
        name: `refused body ${String(index)}`,
        body: JSON.stringify(body),
        status: [status],
      })),
    ].map((attempt: BadBody) => ({
      ...attempt,
      method,
      path: good.path,
      headers: { ...JSON_HEADER, ...own, ...attempt.headers },
    })),
  ];
}

function bodyOf({ body, file }: Sample): Pick<Attempt, "headers" | "body"> {
  if (file !== null) return { headers: FORM_HEADER, body: formText([file]) };
  return body === undefined
    ? { headers: {} }
    : { headers: JSON_HEADER, body: JSON.stringify(body) };
}

const BOUNDARY = "the-boundary-of-the-form";
const FORM_HEADER = { "Content-Type": `multipart/form-data; boundary=${BOUNDARY}` };

/** A form with these files, and with fields before them. */
function formText(
  files: readonly SampleFile[],
  fields: Readonly<Record<string, string>> = {},
): string {
  const start = `--${BOUNDARY}\r\nContent-Disposition: form-data; name=`;
  const parts = [
    ...Object.entries(fields).map(([name, value]) => `${start}"${name}"\r\n\r\n${value}\r\n`),
    ...files.map(
      ({ name, bytes }) =>
        `${start}"file"; filename="${name}"\r\n\r\n${Buffer.from(bytes).toString("latin1")}\r\n`,
    ),
  ];
  return `${parts.join("")}--${BOUNDARY}--\r\n`;
}

/** Files of types that are not read, by their first bytes. */
const OTHER_FILES: Readonly<Record<string, string>> = {
  "a page of the web": "<!doctype html><html><body>Statement</body></html>",
  "a packed file": "PK\u0003\u0004\u0014\u0000\u0006\u0000statement.docx",
  "a picture of another kind": "\u0000\u0000\u0000\u0018ftypheic\u0000\u0000\u0000\u0000mif1heic",
  text: "Date,Description,Amount",
};

function badForms(good: SampleFile): BadBody[] {
  const text = formText([good]);
  const file = (content: string): string =>
    formText([{ ...good, bytes: Buffer.from(content, "latin1") }]);
  const late = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="password"\r\n\r\nx\r\n--${BOUNDARY}--`;
  const unpacked = { "Content-Encoding": "gzip" };
  return [
    { name: "no body", status: [422] },
    { name: "JSON", body: "{}", headers: JSON_HEADER, status: [422] },
    { name: "a form without a file", body: formText([]), status: [422] },
    { name: "half a form", body: text.slice(0, -30), status: [422, 400] },
    { name: "a second file", body: formText([good, good]), status: [422] },
    { name: "a late field", body: text.replace(`--${BOUNDARY}--`, late), status: [422] },
    { name: "an empty file", body: file(""), status: [422] },
    { name: "a long password", body: formText([good], { password: LONG_TEXT }), status: [422] },
    { name: "a packed form", body: text, headers: unpacked, status: [415] },
    { name: "too large", body: text, headers: { "Content-Length": "99999999" }, status: [413] },
    { name: "a bad idempotency key", body: text, headers: LONG_KEY, status: [422] },
    ...Object.entries(OTHER_FILES).map(([name, content]) => ({
      name,
      body: file(content),
      status: [415],
    })),
  ].map((bad: BadBody) => ({ ...bad, headers: { ...FORM_HEADER, ...bad.headers } }));
}

const LONG_KEY = { "Idempotency-Key": "x".repeat(256) };

function badQueries({ request, path }: Operation): string[] {
  return Object.keys(request.query.shape).flatMap((name) => {
    const values = BAD_QUERIES[name];
    if (values === undefined)
      throw new Error(`Say in BAD_QUERIES how ${name} of ${path} can be wrong`);
    return values.map((value) => `${name}=${encodeURIComponent(value)}`);
  });
}

type BadBody = Pick<Attempt, "name" | "body" | "status"> & {
  readonly headers?: Readonly<Record<string, string>>;
};

function badBodies(operation: Operation, good: unknown): BadBody[] {
  if (good === undefined) return [];
  const takesKey = operation.method === "POST" && operation.isNeverKept !== true;
  const text = JSON.stringify(good);
  const refused = [422, 400];
  return [
    { name: "no body", status: [422] },
    { name: "half a body", body: text.slice(0, -1), status: [422] },
    { name: "no JSON", body: "{nope", status: [422] },
    { name: "a number for a body", body: "5", status: [422] },
    { name: "a list of a list for a body", body: "[[]]", status: [422] },
    { name: "nothing but null", body: "null", status: [422] },
    { name: "another type", body: text, headers: { "Content-Type": "text/plain" }, status: [415] },
    {
      name: "what is not packed",
      body: text,
      headers: { "Content-Encoding": "gzip" },
      status: [400],
    },
    { name: "too large", body: text, headers: { "Content-Length": "99999999" }, status: [413] },
    ...(takesKey
      ? [{ name: "a bad idempotency key", body: text, headers: LONG_KEY, status: [422] }]
      : []),
    ...wrongFields(good).map(([name, body]) => ({
      name,
      body: JSON.stringify(body),
      status: refused,
    })),
  ];
}

/** The body with each of its fields of a wrong type in turn. */
function wrongFields(good: unknown): [string, unknown][] {
  if (Array.isArray(good))
    return good.map((_, index) => [`item ${String(index)}`, good.with(index, [])]);
  const fields = Object.entries(good as Record<string, unknown>);
  return fields.map(([name, value]) => {
    const wrong = Array.isArray(value) ? { not: "a list" } : [{ not: "this" }];
    return [`a wrong ${name}`, { ...(good as object), [name]: wrong }];
  });
}

/** Not by `fetch`, which refuses a body of another length than its header. */
function send(url: string, { method, path, headers, body }: Attempt): Promise<number> {
  return new Promise((resolve, reject) => {
    const length = headers["Content-Length"] ?? String(Buffer.byteLength(body ?? ""));
    const request = httpRequest(url + path, {
      method,
      headers: { ...headers, "Content-Length": length },
      agent: false,
    });
    request.once("response", (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
      request.destroy();
    });
    request.once("error", reject);
    if (body !== undefined) request.write(body);
    if (headers["Content-Length"] === undefined) request.end();
    else request.flushHeaders();
  });
}
