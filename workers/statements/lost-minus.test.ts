// The minus of a recognised opening or closing balance is put back where the rows lead to it with it, and listed.
import { expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";
import type { PageWord } from "./words.ts";

const text = (opening: string, closing: string, amounts: readonly string[]): string => `
Example Bank
Account number 40001234
Opening balance ${opening}
Closing balance ${closing}
Date        Description          Amount
${amounts.map((amount, at) => `2026-03-0${String(at + 1)}  Shop ${String(at)}${amount.padStart(21)}`).join("\n")}
`;

const read = (printed: string, source: PageWord["source"] = "ocr") => {
  const words = wordsOfText(printed).map((word) => ({ ...word, confidence: 0.95, source }));
  const [account] = understandStatement(words).accounts;
  return {
    verdict: account?.verdict,
    ends: [account?.opening, account?.closing],
    repairs: account?.repairs.map(({ field, from, to }) => [field, from, to].join(" ")),
    unproven: account?.unproven,
  };
};
const AMOUNTS = ["-125.00", "25.00", "-10.40"];

it("of a closing balance", () => {
  expect(read(text("100.00", "10.40", ["-125.00", "25.00", "-10.40"]))).not.toMatchObject({
    verdict: "reconciled",
  });
  expect(read(text("90.00", "20.40", AMOUNTS))).toEqual({
    ...{ verdict: "reconciled_with_repairs", ends: ["90.00", "-20.40"], unproven: [] },
    repairs: ["closing_balance 20.40 -20.40"],
  });
});

it("of an opening balance", () => {
  expect(read(text("90.00", "-200.40", AMOUNTS))).toMatchObject({
    ...{ verdict: "reconciled_with_repairs", ends: ["-90.00", "-200.40"] },
    repairs: ["opening_balance 90.00 -90.00"],
  });
});

it.each([
  ["a text layer, which loses no sign", text("90.00", "20.40", AMOUNTS), "text"],
  ["a break of another size", text("90.00", "20.41", AMOUNTS), "ocr"],
  // The lost minus may be that of the row.
  ["an amount of the same size", text("200.00", "100.00", ["-200.00", "-100.00"]), "ocr"],
] as const)("not with %s", (_, printed, source) => {
  expect(read(printed, source).verdict).toBe("not_reconciled");
});

it("not from an opening balance of nothing, where the balance may be owed: all directions stay as printed", () => {
  const words = wordsOfText(text("0.00", "110.40", AMOUNTS));
  const [account] = understandStatement(
    words.map((word) => ({ ...word, confidence: 0.95, source: "ocr" as const })),
  ).accounts;
  expect(account?.transactions.map(({ direction }) => direction)).toEqual([
    "debit",
    "credit",
    "debit",
  ]);
  expect(account?.repairs).toEqual([]);
});
