import { expect, test } from "vitest";
import { STATEMENT_FAULTS } from "../../model/bank-statement.ts";
import type { StatementDocument } from "../../model/statement-document.ts";
import { CREATED_AT_TEXT, fakeDeps, startServer } from "../../../test/support/http-server.ts";
import {
  fakeStatements,
  printed,
  statementAccount,
  statementDocument,
  statementReading,
} from "../../../test/support/http-statements.ts";
import type { HttpDeps } from "../http.ts";

const AT = `/v3/bank_statements/${statementDocument.id}`;

const startWith = (statements: Partial<HttpDeps["statements"]>) =>
  startServer({ statements: { ...fakeStatements, ...statements } });

const withDocument = (fields: Partial<StatementDocument>) =>
  startWith({ get: () => Promise.resolve({ ...statementDocument, ...fields }) });

test.each([
  ["queued", "processing"],
  ["processing", "processing"],
  ["processed", "completed"],
  ["unenriched", "completed"],
] as const)("a document that is %s is shown as %s, with its file", async (status, shown) => {
  await using server = await withDocument({ status });
  const answer = await server.call("GET", AT);
  expect([answer.status, answer.json]).toEqual([
    200,
    {
      id: statementDocument.id,
      name: "january.pdf",
      status: shown,
      created_at: CREATED_AT_TEXT,
      file: { no_pages: 2, size: 1234 },
      error: null,
    },
  ]);
});

test.each([
  ...STATEMENT_FAULTS.map((fault) => [fault, "invalid_bank_statement"] as const),
  ["internal_error", "internal_error"] as const,
])("a document that failed with %s has the code %s and a sentence", async (failure, code) => {
  await using server = await withDocument({ status: "failed", failure });
  const { json } = await server.call("GET", AT);
  const message = expect.stringMatching(/^[A-Z].*\.$/u) as string;
  expect(json).toMatchObject({ status: "error", error: { code, message, fault: failure } });
});

test("the list asks for one row more than the page, and its cursor goes on behind the last", async () => {
  const asked: unknown[] = [];
  const documents = ["c", "b", "a"].map((id, place) => ({
    ...statementDocument,
    id,
    createdAt: statementDocument.createdAt - place,
  }));
  await using server = await startWith({
    list: (org, query) => {
      asked.push({ org, ...query });
      const from = query.after === null ? 0 : 2;
      return Promise.resolve(documents.slice(from, from + query.limit));
    },
  });
  const list = "/v3/bank_statements?limit=2&created_after=2024-01-01 05:06:07&status=";
  const first = (await server.call("GET", `${list}completed`)).json as {
    next_cursor: string;
    data: { id: string }[];
  };
  const next = await server.call("GET", `${list}completed&cursor=${first.next_cursor}`);
  expect(first.data.map(({ id }) => id)).toEqual(["c", "b"]);
  expect(next.json).toMatchObject({ next_cursor: null, data: [{ id: "a" }] });
  expect(asked).toEqual(
    [null, [statementDocument.createdAt - 1, "b"]].map((after) => ({
      org: "acme",
      limit: 3,
      createdAfter: Date.parse("2024-01-01T05:06:07Z"),
      createdBefore: null,
      status: ["processed", "unenriched"],
      after,
    })),
  );
  const foreign = await server.call("GET", `/v3/batches?cursor=${first.next_cursor}`);
  expect(foreign.status).toBe(422);
});

test.each([
  ["queued", ["queued"]],
  ["processing", ["queued", "processing"]],
  ["processed", ["processed", "unenriched"]],
  ["failed", ["failed"]],
  ["completed", ["processed", "unenriched"]],
  ["error", ["failed"]],
])("the list takes the status %s, in the words of both versions", async (status, wanted) => {
  const asked: unknown[] = [];
  await using server = await startWith({
    list: (_, query) => {
      asked.push(query.status);
      return Promise.resolve([]);
    },
  });
  const answer = await server.call("GET", `/v3/bank_statements?status=${status}`);
  expect([answer.json, asked]).toEqual([{ next_cursor: null, data: [] }, [wanted]]);
});

test("results have every key of an account and of each row", async () => {
  await using server = await startServer();
  const { status, json } = await server.call("GET", `${AT}/results`);
  const row = { currency: "EUR", is_year_inferred: false };
  expect([status, json]).toEqual([
    200,
    {
      accounts: [
        {
          number: "12345678",
          name: "Everyday Checking",
          type: "checking",
          currency: "EUR",
          opening_balance: 100,
          closing_balance: 187.5,
          is_opening_calculated: false,
          start_date: "2026-01-01",
          end_date: "2026-01-31",
          is_balance_reconciled: true,
          total_incoming: 100,
          total_outgoing: 12.5,
          verdict: "reconciled",
          unproven: [],
          first_break: null,
          repairs: [],
          transactions: [
            {
              ...row,
              id: "t1",
              description: "RENT",
              date: "2026-01-02",
              amount: 12.5,
              entry_type: "outgoing",
              running_balance: 87.5,
              page_number: 1,
              row: 1,
              is_date_inferred: false,
            },
            {
              ...row,
              id: "t2",
              description: "PAY",
              date: "2026-01-31",
              amount: 100,
              entry_type: "incoming",
              running_balance: null,
              page_number: 2,
              row: 2,
              is_date_inferred: true,
            },
          ],
        },
      ],
    },
  ]);
});

test.each([
  ["reconciled", true],
  ["reconciled_with_repairs", true],
  ["not_reconciled", false],
  ["not_checkable", null],
] as const)(
  "a verdict of %s is is_balance_reconciled %j, with break and repairs",
  async (verdict, is) => {
    const firstBreak = { page: 2, row: 7, difference: "-0.10" };
    const repairs = [{ page: 1, row: 3, field: "amount", from: "8.00", to: "3.00" }] as const;
    const account = { ...statementAccount, verdict, firstBreak, repairs, opening: null };
    const statement = { ...statementReading.statement, accounts: [account] };
    await using server = await startWith({
      reading: () =>
        Promise.resolve({ kind: "reading", reading: { ...statementReading, statement } }),
    });
    const shown = { verdict, first_break: { page: 2, row: 7, difference: -0.1 }, repairs };
    const results = await server.call("GET", `${AT}/results`);
    expect(results.json).toMatchObject({
      accounts: [{ ...shown, is_balance_reconciled: is, opening_balance: null }],
    });
    expect((await server.call("GET", `${AT}/evidence`)).json).toMatchObject({ accounts: [shown] });
  },
);

test("rows have the currency and the days that they are submitted with, the account what is printed", async () => {
  const statement = {
    ...statementReading.statement,
    accounts: [{ ...statementAccount, currency: null }],
  };
  const submitted = [{ currency: "CAD", dates: ["2026-01-02", "2026-01-30"] }];
  await using server = await startWith({
    reading: () =>
      Promise.resolve({ kind: "reading", reading: { ...statementReading, statement, submitted } }),
  });
  expect((await server.call("GET", `${AT}/results`)).json).toMatchObject({
    accounts: [
      {
        currency: null,
        transactions: [
          { currency: "CAD", date: "2026-01-02", is_date_inferred: false },
          { currency: "CAD", date: "2026-01-30", is_date_inferred: true },
        ],
      },
    ],
  });
});

test.each([
  ["queued", "processing"],
  ["processing", "processing"],
  ["failed", "error"],
] as const)(
  "of a document that is %s results and evidence are a 404 that names %s",
  async (status, shown) => {
    await using server = await startWith({
      reading: () => Promise.resolve({ kind: "not_processed", status }),
    });
    for (const part of ["results", "evidence"]) {
      const answer = await server.call("GET", `${AT}/${part}`);
      expect([answer.status, answer.json]).toMatchObject([
        404,
        {
          detail: `The bank statement has no results: its status is ${shown}`,
          code: "statement_not_completed",
        },
      ]);
    }
  },
);

test("evidence has page, box, text, confidence and source of each value, and the signals", async () => {
  await using server = await startServer();
  const { status, json } = await server.call("GET", `${AT}/evidence`);
  const values = {
    date: printed("02/01"),
    description: [printed("RENT")],
    amount: printed("12.50"),
    balance: null,
  };
  expect([status, json]).toEqual([
    200,
    {
      pages: 2,
      pages_without_text: [],
      pages_recognised: [2],
      signals: [
        {
          kind: "modified_after_creation",
          reason: "The file was changed 3 days after it was made.",
          page: null,
          box: null,
        },
      ],
      accounts: [
        {
          number: "12345678",
          name: "Everyday Checking",
          verdict: "reconciled",
          unproven: [],
          first_break: null,
          repairs: [],
        },
      ],
      transactions: [
        { id: "t1", account: 0, page: 1, row: 1, ...values },
        { id: "t2", account: 0, page: 2, row: 2, ...values },
      ],
    },
  ]);
});

test("the evidence of ten thousand rows is one JSON text with all of them", async () => {
  const [row] = statementAccount.transactions;
  if (row === undefined) throw new Error("no row");
  const many = { ...statementAccount, transactions: Array.from({ length: 10_001 }, () => row) };
  const reading = {
    ...statementReading,
    statement: { ...statementReading.statement, accounts: [many, statementAccount] },
    transactionIds: [many.transactions.map((_, at) => `a${String(at)}`), ["b0", "b1"]],
  };
  await using server = await startWith({
    reading: () => Promise.resolve({ kind: "reading", reading }),
  });
  const { json } = await server.call("GET", `${AT}/evidence`);
  const { transactions } = json as { transactions: { id: string; account: number }[] };
  expect([transactions.length, transactions.at(-3), transactions.at(-1)]).toMatchObject([
    10_003,
    { id: "a10000", account: 0 },
    { id: "b1", account: 1 },
  ]);
});

test("verify has all its keys, and null where nothing is found on the first page", async () => {
  await using server = await startServer();
  const account = { type: "checking", number: "12345678", iso_currency_code: "EUR" };
  const known = await server.call("POST", `${AT}/verify`);
  expect([known.status, known.json]).toEqual([
    200,
    {
      institution: "Bank of Tests",
      start_date: "2026-01-01",
      end_date: "2026-01-31",
      account_holder: {
        type: "consumer",
        name: "Ada Example",
        address: { street: "1 Way", postcode: "10115", city: "Berlin", state: null, country: "DE" },
      },
      accounts: [{ ...account, opening_balance: 100, closing_balance: 187.5 }],
    },
  ]);
  await using other = await startWith({
    verify: () => Promise.resolve({ institution: null, holder: null, period: null, accounts: [] }),
  });
  expect((await other.call("POST", `${AT}/verify`)).json).toEqual({
    institution: null,
    start_date: null,
    end_date: null,
    account_holder: null,
    accounts: [],
  });
});

test("what verify answers is about its statement and account holder, also when the document is deleted meanwhile", async () => {
  const { get, verify } = fakeStatements;
  const kept: unknown[] = [];
  let isDeleted = false;
  await using server = await startServer({
    statements: {
      ...fakeStatements,
      get: (org, id) => (isDeleted ? Promise.resolve(null) : get(org, id)),
      verify: (org, id) => {
        isDeleted = true;
        return verify(org, id);
      },
    },
    idempotency: {
      ...fakeDeps([], []).idempotency,
      finish: (...call) => Promise.resolve(void kept.push(...call.slice(-2))),
    },
  });
  await server.call("POST", `${AT}/verify`, { headers: { "Idempotency-Key": "k" } });
  expect(kept).toEqual(["h1", AT.split("/").at(-1)]);
});

test.each(STATEMENT_FAULTS)("verify of a document with the fault %s is a 400", async (fault) => {
  await using server = await startWith({ verify: () => Promise.resolve({ fault }) });
  const answer = await server.call("POST", `${AT}/verify`);
  expect([answer.status, answer.json]).toMatchObject([400, { code: "unreadable_statement" }]);
});

test("a statement is deleted once", async () => {
  await using server = await startServer();
  expect((await server.call("DELETE", AT)).status).toBe(204);
  expect((await server.call("DELETE", "/v3/bank_statements/none")).status).toBe(404);
});

test("an id of nothing is a 404 everywhere", async () => {
  await using server = await startServer();
  for (const [method, path] of [
    ["GET", ""],
    ["GET", "/results"],
    ["GET", "/evidence"],
    ["POST", "/verify"],
  ] as const) {
    const answer = await server.call(method, `/v3/bank_statements/none${path}`);
    expect([path, answer.status, answer.json]).toMatchObject([
      path,
      404,
      { detail: "Bank statement not found", code: "statement_not_found" },
    ]);
  }
});
