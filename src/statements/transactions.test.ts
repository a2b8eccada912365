import { describe, expect, it } from "vitest";
import type {
  BankStatement,
  StatementAccount,
  StatementTransaction,
} from "../model/bank-statement.ts";
import type { StatementDocument } from "../model/statement-document.ts";
import {
  statementBatchId,
  submittedCurrency,
  statementRowDate,
  hasTooManyRows,
  statementRecords,
  statementTransactionIds,
} from "./transactions.ts";

const ID = "0d7c1a52-9c0e-4f0a-8f4b-2a6f6f3f1f7e";

const row = (over: Partial<StatementTransaction> = {}): StatementTransaction => ({
  date: "2026-05-04",
  isYearInferred: false,
  description: "COFFEE",
  amount: "1234.56",
  direction: "debit",
  balance: null,
  page: 1,
  row: 1,
  evidence: { date: null, description: [], amount: null, balance: null },
  ...over,
});

const account = (
  transactions: readonly StatementTransaction[],
  over: Partial<StatementAccount> = {},
): StatementAccount => ({
  ...{ number: null, name: null, type: null, currency: "EUR", period: null },
  ...{ opening: null, isOpeningCalculated: false, closing: null, sum: "0" },
  ...{ totalIncoming: "0", totalOutgoing: "0", verdict: "not_checkable", unproven: [] },
  ...{ firstBreak: null, repairs: [], transactions },
  ...over,
});

const statement = (...accounts: readonly StatementAccount[]): BankStatement => ({
  pages: 1,
  pagesWithoutText: [],
  pagesRecognised: [],
  header: { institution: null, holder: null, period: null, accounts: [] },
  accounts,
  signals: [],
});

const document = (over: Partial<StatementDocument> = {}): StatementDocument => ({
  ...{ org: "acme", id: ID, name: null, createdAt: Date.UTC(2026, 5, 1), status: "processing" },
  ...{ size: 1, pages: 0, accountHolderId: "h", accountType: null },
  ...{ currency: null, failure: null, batchId: null },
  ...over,
});

describe("the transactions of a statement", () => {
  it("become one batch of chunks of 250, the same ones each time", async () => {
    const rows = Array.from({ length: 501 }, () => row());
    const read = statement(account(rows), account([row({ direction: "credit" })]));
    const batch = await statementRecords(document(), read);
    if (batch === null) throw new Error("no batch");
    expect(batch.head).toMatchObject({ id: statementBatchId(ID), total: 502, chunkCount: 3 });
    expect(batch.records.map(({ value }) => value.transactions.length)).toEqual([250, 250, 2]);
    expect(new Set(batch.records.map(({ key }) => key)).size).toBe(3);
    const inputs = batch.records.flatMap(({ value }) => value.transactions);
    expect(inputs.map(({ id }) => id)).toEqual((await statementTransactionIds(ID, read)).flat());
    expect(new Set(inputs.map(({ id }) => id)).size).toBe(502);
    expect(inputs.at(-1)).toMatchObject({
      ...{ description: "COFFEE", date: "2026-05-04", amount: 1234.56, entryType: "incoming" },
      ...{ currency: "EUR", accountHolderId: "h", location: null },
    });
    expect(await statementRecords(document(), read)).toEqual(batch);
  });

  it("have ids that no other document gives", async () => {
    const read = statement(account([row()]));
    const other = await statementTransactionIds(statementBatchId(ID), read);
    expect(other).not.toEqual(await statementTransactionIds(ID, read));
  });

  it("are categorised by the type of account that is named without a holder", async () => {
    const batch = await statementRecords(
      document({ accountHolderId: null, accountType: "business" }),
      statement(account([row()])),
    );
    expect(batch).toMatchObject({
      records: [{ value: { transactions: [{ details: { accountHolderType: "business" } }] } }],
    });
  });

  it("are as many as a batch has; none make no batch", async () => {
    const many = Array.from({ length: 24_960 }, () => row());
    const most = statement(account(many));
    const tooMany = statement(account(many), account([row()]));
    expect([most, tooMany].map(hasTooManyRows)).toEqual([false, true]);
    await expect(statementRecords(document(), tooMany)).rejects.toThrow("more rows than a batch");
    expect(await statementRecords(document(), statement(account([])))).toBeNull();
  });

  it("have descriptions that end at 1 024 characters, never within one", async () => {
    const batch = await statementRecords(
      document(),
      statement(account([row({ description: "😀".repeat(1_500) })])),
    );
    expect(batch).toMatchObject({
      records: [{ value: { transactions: [{ description: "😀".repeat(1_024) }] } }],
    });
  });
});

describe("the currency of an account", () => {
  const of = (printed: string | null, given: string | null, ...others: readonly string[]): string =>
    submittedCurrency(
      { currency: printed },
      { currency: given },
      {
        accounts: [{ currency: printed }, ...others.map((currency) => ({ currency }))],
      },
    );

  it("is what it prints, else the submitter's, else the only other one, else US dollars", () => {
    expect(of("EUR", "GBP", "CHF")).toBe("EUR");
    expect(of(null, "GBP", "CHF")).toBe("GBP");
    expect(of(null, null, "CHF", "CHF")).toBe("CHF");
    expect(of(null, null, "CHF", "EUR")).toBe("USD");
    expect(of(null, null)).toBe("USD");
  });

  it("is never a word that is not a currency", () => {
    expect(of("AMT", null)).toBe("USD");
  });
});

describe("the day of a row", () => {
  const period = { start: "2026-04-01", end: "2026-04-30" };
  const submitted = document();
  const of = (
    date: string | null,
    own: typeof period | null,
    common: typeof period | null,
  ): string =>
    statementRowDate({ date }, { period: own }, submitted, { header: { period: common } });

  it("is as printed, else the end of the period, else the day of the submission", () => {
    expect(of("2026-04-07", period, null)).toBe("2026-04-07");
    expect(of(null, period, null)).toBe("2026-04-30");
    expect(of(null, null, period)).toBe("2026-04-30");
    expect(of(null, null, null)).toBe("2026-06-01");
  });

  it("is one that there is", () => {
    expect(of("2026-02-30", period, null)).toBe("2026-04-30");
    expect(of("2026-13-01", period, null)).toBe("2026-04-30");
  });
});
