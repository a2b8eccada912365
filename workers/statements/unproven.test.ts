// What a verdict claims: the numbers between two printed balances; ends that no printed number proves are named.
import { describe, expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";

const HEAD = "Example Bank\nAccount number 40001234\n";
const OPENING = "Opening balance                                1000.00\n";
const CLOSING = "Closing balance                                 880.00\n";
const COLUMNS = "Date        Description          Amount    Balance\n";
const ROWS = `2026-03-01  Shop                 -10.00     990.00
2026-03-02  Rent                -125.00     865.00
2026-03-03  Refund                25.00     890.00
2026-03-04  Shop                 -10.00     880.00
`;
const TOTALS = `Paid in                                          25.00
Paid out                                        145.00
`;

const read = (text: string, source: "ocr" | "text" = "ocr") => {
  const words = wordsOfText(text).map((word) => ({ ...word, confidence: 0.95, source }));
  const [account] = understandStatement(words).accounts;
  return { verdict: account?.verdict, unproven: account?.unproven, opening: account?.opening };
};

describe("an end that no printed number proves", () => {
  it("does not exist between an opening and a closing balance", () => {
    expect(read(HEAD + OPENING + CLOSING + COLUMNS + ROWS)).toMatchObject({
      verdict: "reconciled",
      unproven: [],
    });
  });

  it.each([
    ["the first amount without an opening balance", CLOSING, ["opening_balance"]],
    ["rows behind the last one without a closing balance", OPENING, ["closing_balance"]],
    ["both without either", "", ["opening_balance", "closing_balance"]],
  ])("is named: %s", (_, facts, unproven) => {
    const text = HEAD + facts + COLUMNS + ROWS;
    for (const source of ["ocr", "text"] as const)
      expect(read(text, source)).toMatchObject({ verdict: "reconciled", unproven });
  });

  it("is proven by printed totals of both directions", () => {
    expect(read(HEAD + TOTALS + COLUMNS + ROWS)).toMatchObject({
      verdict: "reconciled",
      unproven: [],
    });
    const one = TOTALS.split("\n")[0] ?? "";
    expect(read(`${HEAD + one}\n${COLUMNS}${ROWS}`).unproven).toEqual([
      "opening_balance",
      "closing_balance",
    ]);
  });

  it("is not proven by the amount of a row without a date, which is not a sum", () => {
    const rows = `Date        Description            Paid out    Paid in    Balance
2026-03-04  Salary                              500.00     500.00
            Shop                    50.00                  450.00
`;
    for (const source of ["ocr", "text"] as const)
      expect(read(`${HEAD}Total in 500.00\n${rows}`, source)).toMatchObject({
        ...{ verdict: "reconciled", unproven: ["opening_balance", "closing_balance"] },
      });
  });

  it("is named next to a wrong first amount and a lost last row", () => {
    const wrong = ROWS.replace("-10.00     990.00", "-70.00     990.00");
    expect(read(HEAD + CLOSING + COLUMNS + wrong).unproven).toEqual(["opening_balance"]);
    const lost = ROWS.replace(/2026-03-04.*\n/u, "");
    expect(read(HEAD + OPENING + COLUMNS + lost).unproven).toEqual(["closing_balance"]);
  });
});

describe("a summary whose labels are not known", () => {
  const card = (rent: string, refund: string): string =>
    `${HEAD}${OPENING}${TOTALS}${CLOSING}Date        Description          Amount
2026-03-01  Shop                 -10.00
2026-03-02  Rent                ${rent}
2026-03-03  Refund                ${refund}
2026-03-04  Shop                 -10.00
`;

  it("shows two wrong amounts that cancel each other out in the balances", () => {
    expect(read(card("-125.00", "25.00")).verdict).toBe("reconciled");
    expect(read(card("-123.00", "23.00")).verdict).toBe("not_reconciled");
    expect(read(card("-123.00", "23.00"), "text").verdict).toBe("not_reconciled");
  });

  it("makes larger rows of a recognised statement not checkable: a reversal may be netted", () => {
    expect(read(card("-128.00", "28.00")).verdict).toBe("not_checkable");
    expect(read(card("-128.00", "28.00"), "text").verdict).toBe("reconciled");
  });

  it("names no section of rows where its sum was lost", () => {
    const lost = `${HEAD}${OPENING}Withdrawals and debits\n${CLOSING}${COLUMNS}${ROWS}`;
    const words = wordsOfText(lost).map((word) => ({ ...word, source: "ocr" as const }));
    const [account] = understandStatement(words).accounts;
    expect(account?.transactions.map(({ direction }) => direction)).toEqual([
      ...["debit", "debit", "credit", "debit"],
    ]);
    expect(account?.repairs).toEqual([]);
  });
});

describe("a balance in a row without an amount", () => {
  const CARRIED = "2026-03-01  Carried over                    1000.00\n";

  it("is the opening balance, also below the oldest row where the newest is first", () => {
    const newest = `${ROWS.split("\n").filter(Boolean).toReversed().join("\n")}\n`;
    for (const rows of [CARRIED + ROWS, newest + CARRIED])
      expect(read(HEAD + COLUMNS + rows, "text")).toMatchObject({
        ...{ verdict: "reconciled", opening: "1000.00", unproven: ["closing_balance"] },
      });
  });

  it("is not the opening one where it was recognised: the row may have lost its amount", () => {
    expect(read(HEAD + CLOSING + COLUMNS + CARRIED + ROWS)).toMatchObject({
      unproven: ["opening_balance"],
    });
  });
});

describe("a recognised statement without an opening balance", () => {
  const DEBITS = `2026-03-01  Lohn                  125.00    1115.00
2026-03-02  Rent                -125.00     990.00
2026-03-03  Shop                 -10.00     980.00
`;
  const text = `${HEAD}Paid out                                        135.00\n${COLUMNS}${DEBITS}`;

  it("is not checkable where its first row lost its amount, also next to a printed total of the debits", () => {
    expect(read(text)).toMatchObject({ verdict: "reconciled" });
    expect(read(text.replace("  125.00  ", "          "))).toMatchObject({
      verdict: "not_checkable",
      unproven: ["opening_balance", "closing_balance"],
    });
  });
});
