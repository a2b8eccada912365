// What a reader of statements promises: every date, amount, direction and balance, for layouts that it has no template of,
// and a verdict that is never wrong.
import { describe, expect, it } from "vitest";
import type { StatementAccount } from "../../src/model/bank-statement.ts";
import {
  type MadeAccount,
  makeStatement,
  STATEMENT_LAYOUTS,
  type StatementLayout,
} from "../../test/support/statements.ts";
import { toDecimal } from "./money.ts";
import { understandStatement } from "./understand.ts";
import type { PageWord } from "./words.ts";

const SEEDS = [1, 2, 3, 4, 5];

const rowsOf = (account: StatementAccount, hasBalance: boolean): unknown[] =>
  account.transactions.map(({ date, amount, direction, balance }) => [
    date,
    direction,
    amount,
    ...(hasBalance ? [balance] : []),
  ]);

const truthOf = (account: MadeAccount, layout: StatementLayout, hasBalance: boolean): unknown[] => {
  const rows = account.transactions.map(({ date, units, balance }) => [
    date,
    units < 0 ? "debit" : "credit",
    toDecimal(Math.abs(units), 2),
    ...(hasBalance ? [toDecimal(balance, 2)] : []),
  ]);
  if (layout.hasSections === true)
    return [
      ...rows.filter(([, kind]) => kind === "credit"),
      ...rows.filter(([, kind]) => kind === "debit"),
    ];
  return layout.isNewestFirst === true ? rows.toReversed() : rows;
};

describe.each(STATEMENT_LAYOUTS)("$name", (layout) => {
  const hasBalance = layout.columns.some(({ cell }) => cell === "balance");

  it.each(SEEDS)("has every row and adds up (seed %i)", (seed) => {
    const made = makeStatement(layout, seed);
    const { accounts } = understandStatement(made.words);
    expect(accounts.map((account) => rowsOf(account, hasBalance))).toEqual(
      made.accounts.map((account) => truthOf(account, layout, hasBalance)),
    );
    expect(
      accounts.map(({ number, opening, closing, verdict }) => ({
        number,
        opening,
        closing,
        verdict,
      })),
    ).toEqual(
      made.accounts.map(({ number, opening, closing }) => ({
        number,
        opening: toDecimal(opening, 2),
        closing: toDecimal(closing, 2),
        verdict: "reconciled",
      })),
    );
  });

  it("is not reconciled when an amount was changed", () => {
    const made = makeStatement(layout, 1);
    const at = made.accounts[0]?.transactions[5];
    if (at === undefined) throw new Error("The layout has too few rows.");
    const printed = layout.number(Math.abs(at.units)).split(" ").at(-1) ?? "";
    const changed =
      layout
        .number(Math.abs(at.units) + 9)
        .split(" ")
        .at(-1) ?? "";
    const words = replaceOnce(made.words, printed, changed);
    const [account] = understandStatement(words).accounts;
    expect(account?.verdict).toBe("not_reconciled");
    expect(account?.firstBreak).not.toBeNull();
  });
});

/** In the first word that holds it. */
function replaceOnce(words: readonly PageWord[], from: string, to: string): PageWord[] {
  const at = words.findIndex(({ text }) => text.includes(from) && /\d/u.test(text));
  return words.map((word, index) =>
    index === at ? { ...word, text: word.text.replace(from, to) } : word,
  );
}

describe("the verdict", () => {
  const layout = STATEMENT_LAYOUTS[0] as StatementLayout;

  it("names the page, the row and the difference of the first break", () => {
    const made = makeStatement(layout, 1);
    const row = made.accounts[0]?.transactions[5];
    const words = replaceOnce(
      made.words,
      toDecimalText(row?.units ?? 0),
      toDecimalText((row?.units ?? 0) - 9),
    );
    expect(understandStatement(words).accounts[0]?.firstBreak).toEqual({
      page: 1,
      row: 6,
      difference: (row?.units ?? 0) < 0 ? "0.09" : "-0.09",
    });
  });

  it("is reconciled with repairs when one printed sign contradicts the balances around it", () => {
    const made = makeStatement(layout, 1);
    const row = made.accounts[0]?.transactions.findIndex(({ units }) => units < 0) ?? 0;
    const text = layout.number(made.accounts[0]?.transactions[row]?.units ?? 0);
    const [account] = understandStatement(replaceOnce(made.words, text, text.slice(1))).accounts;
    expect(account?.verdict).toBe("reconciled_with_repairs");
    expect(account?.repairs).toEqual([
      { page: 1, row: row + 1, field: "direction", from: "credit", to: "debit" },
    ]);
    expect(account?.transactions[row]?.direction).toBe("debit");
  });

  it("is not checkable without balances", () => {
    const sections = STATEMENT_LAYOUTS[1] as StatementLayout;
    const { words } = makeStatement(sections, 1);
    const lines = new Set(
      words.filter(({ text }) => text === "Beginning" || text === "Ending").map(({ top }) => top),
    );
    const [account] = understandStatement(
      words.filter(({ top, page }) => page > 1 || !lines.has(top)),
    ).accounts;
    expect(account?.verdict).toBe("not_checkable");
    expect(account?.transactions).toHaveLength(24);
  });
});

const toDecimalText = (units: number): string =>
  toDecimal(Math.abs(units), 2).replaceAll(/\B(?=(?:\d{3})+\.)/gu, ",");

/** Lines of cells: a text and its left edge. */
const page = (lines: readonly (readonly (readonly [text: string, left: number])[])[]): PageWord[] =>
  lines.flatMap((cells, line) =>
    cells.flatMap(([text, left]) =>
      text.split(" ").map((word, at, all): PageWord => {
        const start = left + all.slice(0, at).join(" ").length * 5 + (at > 0 ? 5 : 0);
        return {
          page: 1,
          text: word,
          ...{ left: start, right: start + word.length * 5 },
          ...{ top: 40 + line * 14, bottom: 50 + line * 14, confidence: 1 },
        };
      }),
    ),
  );

it("reads checks that are printed side by side, and leaves balances by day out", () => {
  const { accounts } = understandStatement(
    page([
      [["Beginning balance 01/01/2026 1,000.00", 40]],
      [["Ending balance 01/31/2026 850.00", 40]],
      [["Deposits and other credits", 40]],
      [
        ["Date", 40],
        ["Description", 100],
        ["Amount", 400],
      ],
      [
        ["01/05", 40],
        ["PAYROLL", 100],
        ["250.00", 400],
      ],
      [["Checks paid", 40]],
      [
        ["Check", 40],
        ["Date", 100],
        ["Amount", 160],
        ["Check", 300],
        ["Date", 360],
        ["Amount", 420],
      ],
      [
        ["1001", 40],
        ["01/06", 100],
        ["100.00", 160],
        ["1002", 300],
        ["01/08", 360],
        ["200.00", 420],
      ],
      [
        ["1003", 40],
        ["01/09", 100],
        ["100.00", 160],
      ],
      [["Daily balances", 40]],
      [
        ["Date", 40],
        ["Balance", 100],
        ["Date", 300],
        ["Balance", 360],
      ],
      [
        ["01/05", 40],
        ["1,250.00", 100],
        ["01/06", 300],
        ["1,150.00", 360],
      ],
    ]),
  );
  expect(accounts).toHaveLength(1);
  expect(accounts[0]).toMatchObject({ verdict: "reconciled", opening: "1000.00", sum: "-150.00" });
  expect(
    accounts[0]?.transactions.map(({ date, direction, amount, description }) =>
      [date, direction, amount, description].join(" "),
    ),
  ).toEqual([
    "2026-01-05 credit 250.00 PAYROLL",
    "2026-01-06 debit 100.00 Check 1001",
    "2026-01-08 debit 200.00 Check 1002",
    "2026-01-09 debit 100.00 Check 1003",
  ]);
});

it("reads statements that print each value behind its label", () => {
  const block = (date: string, text: string, amount: string, balance: string) =>
    [`Date: ${date}`, `Description: ${text}`, `Amount: ${amount}`, `Balance: ${balance}`].map(
      (line) => [[line, 40]] as const,
    );
  const { accounts } = understandStatement(
    page([
      [["Bank statement of March 2024", 40]],
      [["Date: 2024-03-01", 40]],
      [["Description: Opening Balance", 40]],
      [["Balance: $500.00", 40]],
      ...block("2024-03-05", "Stock purchase", "$-120.00", "$380.00"),
      ...block("2024-03-07", "Deposit", "$20.00", "$400.00"),
    ]),
  );
  expect(accounts).toMatchObject([{ verdict: "reconciled", opening: "500.00", sum: "-100.00" }]);
  expect(accounts[0]?.transactions).toMatchObject([
    { date: "2024-03-05", direction: "debit", description: "Stock purchase", balance: "380.00" },
    { date: "2024-03-07", direction: "credit", description: "Deposit", balance: "400.00" },
  ]);
});

it("has no accounts for words without transactions", () => {
  const words = makeStatement(STATEMENT_LAYOUTS[0] as StatementLayout, 1).words;
  expect(
    understandStatement(words.filter(({ top, page }) => page === 1 && top < 60)).accounts,
  ).toEqual([]);
  expect(understandStatement([]).accounts).toEqual([]);
});

it.each([66, 89, 112])(
  "a card paid beyond what was owed keeps its directions (seed %i)",
  (seed) => {
    const layout = STATEMENT_LAYOUTS.find(({ name }) => name.startsWith("credit card"));
    const made = makeStatement(layout as StatementLayout, seed);
    const [account] = understandStatement(made.words).accounts;
    expect(account?.transactions.map(({ direction }) => direction)).toEqual(
      made.accounts[0]?.transactions.map(({ units }) => (units < 0 ? "debit" : "credit")),
    );
  },
);
