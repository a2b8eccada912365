// A stage of bank statements for tests of the API: one document, which is processed, and submissions of any bytes.
import type {
  PrintedValue,
  StatementAccount,
  StatementTransaction,
} from "../../src/model/bank-statement.ts";
import type { StatementDocument, StatementReading } from "../../src/model/statement-document.ts";
import type { HttpDeps } from "../../src/http/http.ts";

export const statementDocument: StatementDocument = {
  org: "acme",
  id: "7c9e6679-7425-40de-944b-e07fc1f90ae7",
  name: "january.pdf",
  createdAt: 1_714_979_289_010,
  status: "processed",
  size: 1234,
  pages: 2,
  accountHolderId: "h1",
  accountType: null,
  currency: null,
  failure: null,
  batchId: "b1",
};

export const printed = (text: string): PrintedValue => ({
  page: 1,
  box: [10, 20, 30, 40],
  text,
  confidence: 1,
  source: "text",
});

const row = (number: number, fields: Partial<StatementTransaction>): StatementTransaction => ({
  date: "2026-01-02",
  isYearInferred: false,
  description: "RENT",
  amount: "12.50",
  direction: "debit",
  balance: "87.50",
  page: 1,
  row: number,
  evidence: {
    date: printed("02/01"),
    description: [printed("RENT")],
    amount: printed("12.50"),
    balance: null,
  },
  ...fields,
});

export const statementAccount: StatementAccount = {
  number: "12345678",
  name: "Everyday Checking",
  type: "checking",
  currency: "EUR",
  period: { start: "2026-01-01", end: "2026-01-31" },
  opening: "100.00",
  isOpeningCalculated: false,
  closing: "187.50",
  sum: "87.50",
  totalIncoming: "100.00",
  totalOutgoing: "12.50",
  verdict: "reconciled",
  unproven: [],
  firstBreak: null,
  repairs: [],
  transactions: [
    row(1, {}),
    row(2, {
      date: null,
      description: "PAY",
      amount: "100.00",
      direction: "credit",
      balance: null,
      page: 2,
    }),
  ],
};

export const statementReading: StatementReading = {
  document: statementDocument,
  statement: {
    pages: 2,
    pagesWithoutText: [],
    pagesRecognised: [2],
    header: {
      institution: "Bank of Tests",
      holder: {
        type: "consumer",
        name: "Ada Example",
        address: { street: "1 Way", postcode: "10115", city: "Berlin", state: null, country: "DE" },
      },
      period: { start: "2026-01-01", end: "2026-01-31" },
      accounts: [statementAccount],
    },
    accounts: [statementAccount],
    signals: [
      {
        kind: "modified_after_creation",
        reason: "The file was changed 3 days after it was made.",
        page: null,
        box: null,
      },
    ],
  },
  transactionIds: [["t1", "t2"]],
  submitted: [{ currency: "EUR", dates: ["2026-01-02", "2026-01-31"] }],
};

const isKnown = (id: string): boolean => id === statementDocument.id;

/** The same document for every organization. What is submitted is queued, whatever it is. */
export const fakeStatements: HttpDeps["statements"] = {
  async submit(org, { id = "made", name, bytes, accountHolderId, accountType, currency }) {
    let size = 0;
    for await (const chunk of bytes) size += chunk.length;
    const own = { org, id, name, size, accountHolderId, accountType, currency };
    return {
      ok: true,
      document: {
        ...statementDocument,
        ...own,
        status: "queued",
        pages: 0,
        batchId: null,
      },
    };
  },
  get: (_, id) => Promise.resolve(isKnown(id) ? statementDocument : null),
  list: () => Promise.resolve([statementDocument]),
  listPage: () => Promise.resolve([statementDocument]),
  rename: (_, id) => Promise.resolve(isKnown(id)),
  remove: (_, id) => Promise.resolve(isKnown(id)),
  reading: (_, id) =>
    Promise.resolve(isKnown(id) ? { kind: "reading", reading: statementReading } : null),
  verify: (_, id) => Promise.resolve(isKnown(id) ? statementReading.statement.header : null),
};
