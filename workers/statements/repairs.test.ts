// Repairs of what text recognition read wrongly: only errors that it makes, only where all becomes exact, each one listed.
import { expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";
import type { PageWord } from "./words.ts";

const TEXT = `Example Bank
Account number 40001234
Opening balance 1000.00
Closing balance 880.00
Date        Description          Amount    Balance
2026-03-01  Shop                 -10.00     990.00
2026-03-02  Rent                -125.00     865.00
2026-03-03  Refund                25.00     890.00
2026-03-04  Shop                 -10.00     880.00
`;

const read = (text: string, confidence = 0.6, source: PageWord["source"] = "ocr") =>
  understandStatement(wordsOfText(text).map((word) => ({ ...word, confidence, source })))
    .accounts[0];

it.each([
  [
    "a digit of an amount",
    "-125.00",
    "-126.00",
    { row: 2, field: "amount", from: "126.00", to: "125.00" },
  ],
  [
    "a digit of a balance",
    "865.00",
    "868.00",
    { row: 2, field: "balance", from: "868.00", to: "865.00" },
  ],
  [
    "a dollar that was read as a digit",
    "$865.00",
    "8865.00",
    { row: 2, field: "balance", from: "8865.00", to: "865.00" },
  ],
  ["a lost decimal mark", " 25.00", "  2500", null],
  [
    "a lost minus",
    "-125.00",
    " 125.00",
    { row: 2, field: "direction", from: "credit", to: "debit" },
  ],
])("repairs %s and lists it", (_, from, to, repair) => {
  const account = read(
    TEXT.replace("  865.00", from.startsWith("$") ? " $865.00" : "  865.00").replace(from, to),
  );
  expect(account?.verdict).toBe("reconciled_with_repairs");
  if (repair !== null) expect(account?.repairs).toEqual([{ page: 1, ...repair }]);
  expect(account?.transactions.map(({ amount, balance }) => [amount, balance])).toEqual([
    ["10.00", "990.00"],
    ["125.00", "865.00"],
    ["25.00", "890.00"],
    ["10.00", "880.00"],
  ]);
  const printed = to.trim();
  const evidence = account?.transactions.flatMap((row) => [
    row.evidence.amount,
    row.evidence.balance,
  ]);
  expect(evidence?.map((value) => value?.text)).toContain(printed);
});

it("repairs no value of a text layer, and no digit that was read with confidence", () => {
  const changed = TEXT.replace("-125.00", "-126.00");
  expect(read(changed, 1, "text")?.verdict).toBe("not_reconciled");
  expect(read(changed, 0.95)?.verdict).toBe("not_reconciled");
});

it("repairs a number to what it was read as another time, and to nothing else", () => {
  const readAs = (...others: readonly string[]) => {
    const words = wordsOfText(TEXT.replace("-125.00", "-163.00")).map((word) => ({
      ...{ ...word, confidence: 0.95, source: "ocr" as const },
      ...(word.text === "-163.00" ? { others } : {}),
    }));
    return understandStatement(words).accounts[0];
  };
  const account = readAs("-183.00", "-125.00");
  expect(account?.verdict).toBe("reconciled_with_repairs");
  expect(account?.repairs).toEqual([
    { page: 1, row: 2, field: "amount", from: "163.00", to: "125.00" },
  ]);
  expect(readAs("-183.00", "-25.00")?.verdict).toBe("not_reconciled");
});

it("repairs nothing where two digits differ or two repairs would fit", () => {
  expect(read(TEXT.replace("-125.00", "-163.00"))?.verdict).toBe("not_reconciled");
  const last = TEXT.replace("Closing balance 880.00\n", "")
    .replace(" 25.00     890.00", " 25.88     890.88")
    .replace("-10.00     880.00", "-10.80     880.88");
  const account = read(last);
  expect(account?.verdict).toBe("not_reconciled");
  expect(account?.repairs).toEqual([]);
});

it("never hides a row that is missing", () => {
  const account = read(TEXT.replace(/2026-03-03.*\n/u, ""));
  expect(account?.verdict).toBe("not_reconciled");
});

it("never hides a row that is missing behind ten times the amount of another, whose mark is printed", () => {
  const account = read(`Example Bank
Account number 40001234
Opening balance 1000.00
Closing balance 765.70
Date        Description          Amount
2026-03-01  Train                -10.93
2026-03-02  Rent                -125.00
`);
  expect(account?.verdict).toBe("not_reconciled");
  expect(account?.repairs).toEqual([]);
});

const CARDS = `Example Bank
Account number 40001234
Opening balance 1000.00
Closing balance 880.00
Date        Description          Amount
2026-03-01  Shop                 -10.00
2026-03-02  Rent                -125.00
2026-03-03  Refund                25.00
2026-03-04  Shop                 -10.00
`;

it("repairs no digit where one equation has several amounts: others would fit by chance", () => {
  expect(read(CARDS)?.verdict).toBe("reconciled");
  const account = read(CARDS.replace("-125.00", "-126.00"));
  expect(account?.verdict).toBe("not_reconciled");
  expect(account?.repairs).toEqual([]);
});

it("repairs no amount next to an opening balance that one digit would make as exact", () => {
  const text = TEXT.replace("-10.00     990.00", "-13.00     987.00").replace("-125.00", "-122.00");
  expect(read(text)?.verdict).toBe("reconciled");
  const account = read(text.replace("Opening balance 1000.00", "Opening balance 1006.00"));
  expect(account?.verdict).toBe("not_reconciled");
  expect(account?.repairs).toEqual([]);
});

it("a letter of the direction behind an amount that was read as a digit is taken off", () => {
  const text = `Example Bank
Kontonummer: 40001234
Alter Saldo 1.000,00
Neuer Saldo 880,00
Datum       Text               Betrag S/H     Saldo
01.03.2026  Shop                   10,00S    990,00
02.03.2026  Rent                  125,008    865,00
03.03.2026  Refund                 25,00H    890,00
04.03.2026  Shop                   10,00S    880,00
`;
  const account = read(text, 0.95);
  expect(account?.verdict).toBe("reconciled_with_repairs");
  expect(account?.repairs).toEqual([
    { page: 1, row: 2, field: "amount", from: "125008.00", to: "125.00" },
  ]);
  // Where no letters are printed, the digit is one.
  expect(read(text.replaceAll(/[SH] /gu, "  "), 0.95)?.verdict).toBe("not_reconciled");
});

it("among many amounts, another reading of one that was read with confidence repairs nothing", () => {
  const withOther = (confidence: number) => {
    const text = TEXT.replaceAll(/ {4,6}\d{3}\.00\n/gu, "\n").replace("-125.00", "-126.00");
    const words = wordsOfText(text).map(
      (word): PageWord => ({
        ...{ ...word, confidence: 0.95, source: "ocr" },
        ...(word.text === "-126.00" ? { confidence, others: ["-125.00"] } : {}),
      }),
    );
    return understandStatement(words).accounts[0]?.verdict;
  };
  expect(withOther(0.95)).toBe("not_reconciled");
  expect(withOther(0.7)).toBe("reconciled_with_repairs");
});

it("a digit is not repaired where one of another amount, however surely it was read, makes the balances exact too", () => {
  const withSurer = (other: string, balance: string, closing: string) => {
    const text = `Example Bank
Account number 40001234
Opening balance 78.04
Closing balance ${closing}
Date        Description          Amount    Balance
2026-03-01  Coffee                -${other}
2026-03-02  Lunch                 -8.85     ${balance}
2026-03-03  Bus                  -12.00     ${closing}
`;
    const words = wordsOfText(text).map((word): PageWord => {
      const confidence = word.text === "-8.85" ? 0.6 : 0.95;
      return { ...word, confidence, source: "ocr" };
    });
    return understandStatement(words).accounts[0];
  };
  // 6.58 and 8.85, or 5.58 and 9.85.
  expect(withSurer("5.58", "62.61", "50.61")).toMatchObject({
    verdict: "not_reconciled",
    repairs: [],
  });
  // A 7 does not look like an 8.
  expect(withSurer("7.58", "60.61", "48.61")).toMatchObject({
    verdict: "reconciled_with_repairs",
    repairs: [{ row: 2, field: "amount", from: "8.85", to: "9.85" }],
  });
});
