// Values that text recognition lost, as a whole or in part: put back where the balances prove them, and nowhere else.
import { describe, expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";
import type { PageWord } from "./words.ts";

const HEAD = `Example Bank
Account number 40001234
Statement period 1 March 2026 to 31 March 2026
Opening balance 1000.00
Closing balance 724.50
Date        Description          Amount    Balance
`;
const ROWS = `2026-03-01  Shop                 -10.00     990.00
2026-03-02  Rent                -125.00     865.00
2026-03-02  Refund                25.50     890.50
2026-03-03  Shop                 -20.00     870.50
2026-03-03  Power                -70.00     800.50
2026-03-04  Shop                 -15.50     785.00
2026-03-04  Water                -60.50     724.50
`;

const read = (text: string, source: PageWord["source"] = "ocr", confidence = 0.95) => {
  const words = wordsOfText(text).map((word) => ({ ...word, confidence, source }));
  const [account] = understandStatement(words).accounts;
  return {
    verdict: account?.verdict,
    repairs: account?.repairs,
    rows: account?.transactions.map(({ date, amount, direction, balance }) =>
      [date, amount, direction, balance ?? "-"].join(" "),
    ),
  };
};

const TRUE_ROWS = read(HEAD + ROWS, "text").rows;
/** The text with the last of its matches left out: spaces in its place. */
const without = (text: string, value: string): string => {
  const at = text.lastIndexOf(value);
  expect(at).toBeGreaterThan(0);
  return text.slice(0, at) + " ".repeat(value.length) + text.slice(at + value.length);
};

describe("a balance that was not read", () => {
  it("follows from the others where every row has one, and is listed as not read", () => {
    const account = read(HEAD + without(ROWS, "870.50"));
    expect(account.rows).toEqual(TRUE_ROWS);
    expect(account.verdict).toBe("reconciled_with_repairs");
    expect(account.repairs).toEqual([
      { page: 1, row: 4, field: "balance", from: null, to: "870.50" },
    ]);
  });

  it("of a day follows where the last row of each day has one, and rows within a day stay blank", () => {
    const daily = [" 865.00", " 870.50", " 785.00"].reduce(without, ROWS);
    expect(read(HEAD + daily).repairs).toEqual([]);
    const more = `${daily}2026-03-05  Rail                  -4.50     720.00\n`;
    const account = read((HEAD + without(more, " 890.50")).replace("724.50", "720.00"));
    expect(account.rows?.map((row) => row.split(" ").at(-1))).toEqual(
      "990.00 - 890.50 - 800.50 - 724.50 720.00".split(" "),
    );
  });

  it("of a day stays blank where the rest of the day begins a page, without its date", () => {
    const daily = [" 865.00", " 870.50", " 785.00"].reduce(without, ROWS);
    const table = HEAD.trimEnd().split("\n").at(-1) ?? "";
    const text = (HEAD + daily).replace("2026-03-02  Refund", `\f${table}\n            Refund`);
    const account = read(text);
    expect(account.rows).toEqual(read(HEAD + daily).rows);
    expect(account.repairs).toEqual([]);
  });

  it("stays blank in a text layer, where few are printed, and where the balances do not add up", () => {
    const lost = HEAD + without(ROWS, "870.50");
    expect(read(lost, "text").rows?.[3]).toMatch(/-$/u);
    const few = ["990.00", "865.00", "890.50", "785.00"].reduce(without, ROWS);
    expect(read(HEAD + few).repairs).toEqual([]);
    expect(
      read(lost.replace("Closing balance 724.50", "Closing balance 704.50")).rows?.[3],
    ).toMatch(/-$/u);
  });
});

describe("a balance that was read as another number", () => {
  it.each(["820.60", "70.50", "8870.50"])(
    "is what the rows before and behind it give alike: %s",
    (printed) => {
      const account = read(HEAD + ROWS.replace(" 870.50", printed.padStart(7)), "ocr", 0.6);
      expect(account.rows).toEqual(TRUE_ROWS);
      expect(account.repairs).toEqual([
        { page: 1, row: 4, field: "balance", from: printed, to: "870.50" },
      ]);
    },
  );

  it("stays where it was read with confidence, or is another number in more than two digits", () => {
    const wrong = HEAD + ROWS.replace("870.50", "820.60");
    expect(read(wrong).verdict).toBe("not_reconciled");
    expect(read(wrong.replace("820.60", "121.60"), "ocr", 0.6).verdict).toBe("not_reconciled");
    expect(read(wrong, "text").verdict).toBe("not_reconciled");
  });

  it("is not repaired in the last row, where nothing follows", () => {
    const account = read(
      (HEAD + ROWS).replace("Closing balance 724.50\n", "").replace("724.50", "734.60"),
      "ocr",
      0.6,
    );
    expect(account.verdict).toBe("not_reconciled");
    expect(account.repairs).toEqual([]);
  });
});

describe("an amount that was not read", () => {
  it("is what the balance of its row differs by, if the next row follows", () => {
    const account = read(HEAD + without(ROWS, "-20.00"));
    expect(account.rows).toEqual(TRUE_ROWS);
    expect(account.verdict).toBe("reconciled_with_repairs");
    expect(account.repairs).toEqual([
      { page: 1, row: 4, field: "amount", from: null, to: "20.00" },
    ]);
  });

  it("is known behind a row whose balance was lost too", () => {
    const account = read(HEAD + without(without(ROWS, "-20.00"), "890.50"));
    expect(account.rows).toEqual(TRUE_ROWS);
    expect(account.repairs?.map(({ row, field, from }) => [row, field, from])).toEqual([
      [3, "balance", null],
      [4, "amount", null],
    ]);
  });

  it("is not known in the order of the newest first unless the older row is next to it", () => {
    const [head = "", ...lines] = ROWS.split("\n").filter(Boolean).toReversed();
    const newest = `${[head, ...lines].join("\n")}\n`;
    expect(read(HEAD + without(newest, "-20.00")).rows).toEqual(TRUE_ROWS?.toReversed());
    const gap = without(newest, "-20.00").replace(/(?=2026-03-02 {2}Refund)/u, "\n");
    expect(read(HEAD + gap).verdict).toBe("not_reconciled");
  });

  it("hides no row that was lost as a whole: where one has room above, the balances break", () => {
    const lost = without(ROWS, "-20.00").replace(/2026-03-02 {2}Refund.*/u, "");
    const account = read(HEAD + lost);
    expect(account.verdict).toBe("not_reconciled");
    expect(account.repairs).toEqual([]);
  });

  it("of the last row breaks the balances unless the closing balance proves it", () => {
    const head = HEAD.replace("Closing balance 724.50\n", "");
    expect(read(head + ROWS).verdict).toBe("reconciled");
    const lost = read(head + without(ROWS, "-60.50"));
    expect(lost.verdict).toBe("not_reconciled");
    expect(lost.repairs).toEqual([]);
    expect(read(HEAD + without(ROWS, "-60.50")).rows).toEqual(TRUE_ROWS);
  });

  it("stays unknown in a text layer", () => {
    expect(read(HEAD + without(ROWS, "-20.00"), "text").verdict).toBe("not_reconciled");
  });
});

describe("a decimal mark that was lost inside a number", () => {
  const unmarked = (text: string): string => text.replaceAll(/ ([- ]\d+)\.(\d\d)/gu, "  $1$2");

  it("is put back wherever the balances follow with it, and each is listed", () => {
    const account = read(
      HEAD +
        ROWS.split("\n")
          .map((row, at) => (at % 2 === 0 ? unmarked(row) : row))
          .join("\n"),
    );
    expect(account.rows).toEqual(TRUE_ROWS);
    expect(account.verdict).toBe("reconciled_with_repairs");
    expect(account.repairs?.length).toBe(8);
    expect(account.repairs?.[0]).toEqual({
      page: 1,
      row: 1,
      field: "amount",
      from: "1000.00",
      to: "10.00",
    });
  });

  it("is put back in the opening and the closing balance, and each is listed", () => {
    const head = HEAD.replace("1000.00", "100000").replace("724.50", "72450");
    const ends = [
      { page: 1, row: 1, field: "opening_balance", from: "100000.00", to: "1000.00" },
      { page: 1, row: 7, field: "closing_balance", from: "72450.00", to: "724.50" },
    ];
    const verdict = "reconciled_with_repairs";
    expect(read(head + ROWS)).toEqual({ verdict, repairs: ends, rows: TRUE_ROWS });
    const again = `${head}Closing balance 724.50\n`;
    expect(read(again + ROWS).repairs).toEqual(ends.slice(0, 1));
  });

  it("is put back in a first amount that no opening balance proves, in a table of marks", () => {
    const head = HEAD.replace("Opening balance 1000.00\n", "");
    const account = read(head + ROWS.replace("-10.00", " -1000"));
    expect(account.rows).toEqual(TRUE_ROWS);
    expect(account.verdict).toBe("reconciled_with_repairs");
  });

  it("was not there where the balances follow from whole numbers", () => {
    const whole = `Opening balance 1000
Date        Description          Amount    Balance
2026-03-01  Shop                   -100     900
2026-03-02  Salary               150.50    1050.50
2026-03-03  Rent                   -500     550.50
`;
    expect(read(whole).repairs).toEqual([]);
    expect(read(whole).rows?.map((row) => row.split(" ")[1])).toEqual([
      "100.00",
      "150.50",
      "500.00",
    ]);
  });

  it("is put back without balances where nearly all other numbers have one, and nowhere else", () => {
    const rows = Array.from(
      { length: 12 },
      (_, at) => `2026-03-${String(at + 1).padStart(2, "0")}  Shop       -${String(at + 1)}0.25`,
    );
    const list = `Date        Description  Amount\n${rows.join("\n")}\n2026-03-14  Power        -1525\n`;
    expect(read(list).rows?.at(-1)).toBe("2026-03-14 15.25 debit -");
    expect(read(list.replace("-1525", "  -25")).rows?.at(-1)).toBe("2026-03-14 0.25 debit -");
    expect(read(list, "text").rows?.at(-1)).toBe("2026-03-14 1525.00 debit -");
    expect(read(list.replaceAll(".25\n", "\n")).rows?.at(-1)).toBe("2026-03-14 1525.00 debit -");
  });
});

it("a minus that was lost is put back where one closing balance proves all amounts", () => {
  const list = `Opening balance 1000.00
Closing balance 764.50
Date        Description          Amount
2026-03-01  Shop                 -10.00
2026-03-02  Rent                 125.00
2026-03-03  Power                -70.00
2026-03-04  Water                -30.50
`;
  expect(read(list).repairs).toEqual([
    { page: 1, row: 2, field: "direction", from: "credit", to: "debit" },
  ]);
  expect(read(list).verdict).toBe("reconciled_with_repairs");
  expect(read(list, "text").verdict).toBe("not_reconciled");
  expect(read(list.replace("764.50", "765.50")).verdict).toBe("not_reconciled");
});
