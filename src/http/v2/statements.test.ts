import { Readable } from "node:stream";
import { expect, test } from "vitest";
import type { ChunkResults } from "../../model/batch.ts";
import type { LedgerTransaction } from "../../model/ledger-transaction.ts";
import type { StatementUpload } from "../../model/statement-document.ts";
import {
  batch,
  CREATED_AT_TEXT,
  fakeDeps,
  startServer,
  stored,
} from "../../../test/support/http-server.ts";
import {
  fakeStatements,
  statementDocument,
  statementReading,
} from "../../../test/support/http-statements.ts";
import type { HttpDeps } from "../http.ts";

const PATH = "/datasources/bank_statements";
const AT = `${PATH}/${statementDocument.id}`;
const deps = fakeDeps([], []);

const startWith = (
  statements: Partial<HttpDeps["statements"]>,
  overrides: Partial<HttpDeps> = {},
) => startServer({ statements: { ...fakeStatements, ...statements }, ...overrides });

function fileForm(): FormData {
  const form = new FormData();
  form.append("file", new Blob(["%PDF"]), "january.pdf");
  return form;
}

const upload = async (url: string, query = "") => {
  const response = await fetch(`${url}${PATH}${query}`, {
    method: "POST",
    headers: { "X-API-KEY": "acme:write" },
    body: fileForm(),
  });
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
};

test("the answer to an upload is queued, with every key that clients read", async () => {
  await using server = await startServer();
  const answer = await upload(server.url, "?account_type=business&iso_currency_code=GBP");
  expect(answer).toEqual({
    status: 200,
    json: {
      id: "made",
      name: "january.pdf",
      size: 4,
      created_at: CREATED_AT_TEXT,
      account_holder_id: null,
      account_type: "business",
      status: "queued",
      bank_accounts: null,
      statements: null,
      error_code: null,
      error: null,
      complete: false,
      batch_id: null,
      file: { no_pages: 0, size: 4 },
    },
  });
});

test("an upload goes with its holder and type; a missing holder is a 404", async () => {
  const submitted: StatementUpload[] = [];
  await using server = await startWith({
    submit: (org, sent) => {
      submitted.push(sent);
      return sent.accountType === null
        ? Promise.resolve({ ok: false, reason: "holder_not_found" })
        : fakeStatements.submit(org, sent);
    },
  });
  const missing = await upload(server.url, "?account_holder_id=new");
  expect(missing).toMatchObject({
    status: 404,
    json: {
      code: "account_holder_not_found",
      detail: expect.stringContaining("account_type") as string,
    },
  });
  const made = await upload(server.url, "?account_holder_id=new&account_type=freelance");
  expect(made).toMatchObject({ status: 200, json: { account_type: "freelance" } });
  expect(submitted[1]).toMatchObject({ accountHolderId: "new", accountType: "freelance" });
});

test("a processed document has its accounts, periods and batch, and the type of its holder", async () => {
  await using server = await startServer();
  const { status, json } = await server.call("GET", AT);
  expect([status, json]).toMatchObject([
    200,
    {
      status: "processed",
      complete: true,
      batch_id: "b1",
      account_type: "consumer",
      bank_accounts: [
        {
          name: "Everyday Checking",
          bank_name: "Bank of Tests",
          account_holder: "Ada Example",
          account_number: "12345678",
        },
      ],
      statements: [
        {
          begin_date: "2026-01-01",
          end_date: "2026-01-31",
          begin_balance: 100,
          end_balance: 187.5,
          total_incoming: 100,
          total_outgoing: 12.5,
          is_balance_reconciled: true,
        },
      ],
    },
  ]);
});

test.each([
  ["no_transactions", 301],
  ["damaged", 301],
  ["internal_error", 500],
] as const)("a document that failed with %s has the error code %i", async (failure, code) => {
  await using server = await startWith({
    get: () => Promise.resolve({ ...statementDocument, status: "failed", failure }),
  });
  const error = expect.stringMatching(/\.$/u) as string;
  expect((await server.call("GET", AT)).json).toMatchObject({
    status: "failed",
    complete: false,
    error_code: code,
    error,
  });
});

test("a document that was read and could not be enriched has failed with 301, and what was read", async () => {
  await using server = await startWith({
    get: () => Promise.resolve({ ...statementDocument, status: "unenriched" }),
  });
  expect((await server.call("GET", AT)).json).toMatchObject({
    ...{ status: "failed", complete: false, error_code: 301 },
    error: "The document was read, but its transactions could not be enriched.",
    bank_accounts: [{ account_number: "12345678" }],
  });
});

test.each([
  ["", { page: 0, perPage: 20, order: "desc", status: null, query: null, accountHolderId: null }],
  ["?page=2&per_page=7&order_by=asc", { page: 2, perPage: 7, order: "asc" }],
  ["?page_size=1000", { perPage: 1000 }],
  [
    "?status=failed&account_holder_id=h&query=jan",
    { status: ["failed", "unenriched"], accountHolderId: "h", query: "jan" },
  ],
])("the list %s asks for %j, and answers a plain list", async (query, wanted) => {
  const asked: unknown[] = [];
  await using server = await startWith({
    listPage: (_, page) => {
      asked.push(page);
      return fakeStatements.listPage("acme", page);
    },
  });
  const { status, json } = await server.call("GET", PATH + query);
  expect([status, json, asked]).toMatchObject([
    200,
    [{ id: statementDocument.id, statements: [{ begin_balance: 100 }] }],
    [wanted],
  ]);
});

test("a document is renamed and deleted, and both answer null", async () => {
  const names: string[] = [];
  await using server = await startWith({
    rename: (_, __, name) => {
      names.push(name);
      return Promise.resolve(true);
    },
  });
  const renamed = await server.call("PATCH", AT, { body: { name: "January" } });
  expect([renamed.status, renamed.text, names]).toEqual([200, "null", ["January"]]);
  expect((await server.call("PATCH", AT, { body: { name: "" } })).status).toBe(422);
  const deleted = await server.call("DELETE", AT);
  expect([deleted.status, deleted.text]).toEqual([200, "null"]);
});

const FACTS =
  '"entities":{"counterparty":{"type":"organization","id":"m1","name":"Landlord","website":null,"phone_number":null,"tax_number":null,"naics2017":null,"logo":null,"mccs":[],"parent":null},"intermediaries":[]},"categories":{"general":"rent","accounting":null},"location":null,"confidence":0.9';

const resultChunk: ChunkResults = {
  results: Buffer.from(
    `{"created_at":"${CREATED_AT_TEXT}","id":"t1",${FACTS},"error":null},{"created_at":"${CREATED_AT_TEXT}","id":"t2","entities":null,"categories":null,"location":null,"confidence":null,"error":{"code":"internal_error","message":"No."}}`,
  ),
  accountHolderIds: [null, null],
  accountTypes: ["consumer", null],
};

const batchOf = (status: "processing" | "completed", chunk = resultChunk): HttpDeps["batches"] => ({
  ...deps.batches,
  resultChunks: (_, id) =>
    Promise.resolve(
      id === "b1"
        ? {
            batch: { ...batch, status },
            chunks: Readable.from(status === "completed" ? [chunk] : []),
          }
        : null,
    ),
});

const ledgerOf = (...transactions: readonly LedgerTransaction[]): HttpDeps["ledgerPages"] => ({
  ...deps.ledgerPages,
  among: async (org, id) => ({
    holder: (await deps.holders.get(org, id)) ?? (undefined as never),
    total: transactions.length,
    transactions: Readable.from([transactions]),
  }),
});

const withoutHolder: Partial<HttpDeps["statements"]> = {
  reading: () =>
    Promise.resolve({
      kind: "reading",
      reading: {
        ...statementReading,
        document: { ...statementDocument, accountHolderId: null, accountType: "consumer" },
      },
    }),
};

test("without an account holder transactions have the results of their batch, and its errors", async () => {
  await using server = await startWith(withoutHolder, { batches: batchOf("completed") });
  const { status, json } = await server.call("GET", `${AT}/transactions?sort_order=asc`);
  const both = { account_holder_id: null, iso_currency_code: "EUR" };
  expect([status, json]).toMatchObject([
    200,
    [
      {
        ...both,
        transaction_id: "t1",
        description: "RENT",
        amount: 12.5,
        entry_type: "outgoing",
        merchant: "Landlord",
        labels: ["rent"],
        transaction_type: "consumer",
        confidence: 0.9,
        error: null,
        error_details: null,
      },
      {
        ...both,
        transaction_id: "t2",
        labels: null,
        error: "internal_error",
        error_details: "No.",
      },
    ],
  ]);
});

test("while its batch runs what is not found out yet is null", async () => {
  await using server = await startWith(withoutHolder, { batches: batchOf("processing") });
  const { json } = await server.call("GET", `${AT}/transactions`);
  const unknown = { labels: null, merchant: null, error: null, account_holder_type: "consumer" };
  expect(json).toMatchObject([
    { transaction_id: "t2", ...unknown },
    { transaction_id: "t1", ...unknown },
  ]);
});

test("with an account holder they are those of its ledger: what was deleted from it is gone", async () => {
  const inLedger = { ...stored, input: { ...stored.input, id: "t1", description: "OWN" } };
  await using server = await startWith(
    {},
    { batches: batchOf("completed"), ledgerPages: ledgerOf(inLedger) },
  );
  const { json } = await server.call("GET", `${AT}/transactions`);
  expect(json).toMatchObject([
    { transaction_id: "t1", account_holder_id: "h1", description: "OWN", labels: ["rent"] },
  ]);
  expect(json).toHaveLength(1);
});

test.each([
  ["", ["t2", "t1"]],
  ["?sort_by=amount&sort_order=asc", ["t1", "t2"]],
  ["?sort_by=description&sort_order=desc", ["t1", "t2"]],
  ["?sort_by=transaction_id&page=1&per_page=1", ["t1"]],
  ["?page=7", []],
])("transactions by %s are %j", async (query, ids) => {
  await using server = await startWith(withoutHolder);
  const { json } = await server.call("GET", `${AT}/transactions${query}`);
  expect((json as { transaction_id: string }[]).map((one) => one.transaction_id)).toEqual(ids);
});

test("transactions by a field that sorts nothing are a 400", async () => {
  await using server = await startServer();
  const answer = await server.call("GET", `${AT}/transactions?sort_by=labels`);
  expect([answer.status, answer.json]).toMatchObject([400, { code: "invalid_sort" }]);
});

test("results have what was read, in the words of v2", async () => {
  await using server = await startServer();
  const { json } = await server.call("GET", `${AT}/results`);
  expect(json).toMatchObject({
    accounts: [
      {
        number: "12345678",
        is_balance_reconciled: true,
        transactions: [
          {
            transaction_id: "t1",
            date: "2026-01-02",
            amount: 12.5,
            entry_type: "outgoing",
            iso_currency_code: "EUR",
            running_balance: 87.5,
            page_number: 1,
          },
          { transaction_id: "t2", running_balance: null },
        ],
      },
    ],
  });
});

test("statement-info is what verify answers in v3", async () => {
  await using server = await startServer();
  const v3 = await server.call("POST", `/v3/bank_statements/${statementDocument.id}/verify`);
  const v2 = await server.call("GET", `${AT}/statement-info`);
  expect([v2.status, v2.json]).toEqual([200, v3.json]);
});

test("before it is processed a document has neither transactions nor results: a 404 names queued", async () => {
  await using server = await startWith({
    reading: () => Promise.resolve({ kind: "not_processed", status: "queued" }),
  });
  for (const part of ["transactions", "results"]) {
    const answer = await server.call("GET", `${AT}/${part}`);
    expect([answer.status, answer.json]).toMatchObject([
      404,
      { detail: "The bank statement has no results: its status is queued" },
    ]);
  }
});

test("a 401 has its reason in detail and in details, here and in no other operation", async () => {
  await using server = await startServer();
  for (const key of [null, "unknown"]) {
    const { status, json } = await server.call("GET", AT, { key });
    const { detail, details } = json as { detail: string; details: string };
    expect([status, detail.length > 0, details]).toEqual([401, true, detail]);
    const other = await server.call("GET", "/v2/report", { key });
    expect(other.json).not.toHaveProperty("details");
  }
});
