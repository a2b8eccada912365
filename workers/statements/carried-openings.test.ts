// A balance carried forward between the header of a table and its first row is the opening balance where the rows lead from it.
import { expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";

const HEAD = "Example Bank\nIBAN: NL01 DELT 0076 3281 68\n";
const COLUMNS = "Buchung     Vorgang                Soll       Haben       Saldo\n";
const carried = (balance: string): string =>
  `            Übertrag                                   ${balance.padStart(8)}\n`;
/** A day prints its balance once. */
const ROWS = `03.07.2025  Fahrkarte               8,31
            Markt                  20,04                  971,65
05.07.2025  Markt                   6,42
            Lohn                              100,00    1.065,23
`;
const NEWEST_FIRST = `05.07.2025  Lohn                              100,00    1.065,23
04.07.2025  Markt                   6,42                  965,23
03.07.2025  Markt                  20,04                  971,65
`;

const read = (text: string) => {
  const [account] = understandStatement(wordsOfText(HEAD + COLUMNS + text)).accounts;
  return {
    verdict: account?.verdict,
    unproven: account?.unproven,
    opening: account?.opening,
    isCalculated: account?.isOpeningCalculated,
    closing: account?.closing,
  };
};

it("it proves the rows before the first balance", () => {
  expect(read(carried("1.000,00") + ROWS + carried("1.065,23"))).toEqual({
    ...{ verdict: "reconciled", unproven: [], isCalculated: false },
    ...{ opening: "1000.00", closing: "1065.23" },
  });
});

it("without it, several rows before the first balance are not checkable", () => {
  expect(read(ROWS + carried("1.065,23"))).toMatchObject({ verdict: "not_checkable" });
});

it("one that the rows do not lead from proves nothing, and is not the opening balance", () => {
  expect(read(carried("1.000,50") + ROWS)).toMatchObject({ verdict: "not_checkable" });
});

it("where the newest row comes first, it is the closing balance", () => {
  expect(read(carried("1.065,23") + NEWEST_FIRST)).toMatchObject({
    ...{ verdict: "reconciled", closing: "1065.23", unproven: ["opening_balance"] },
    ...{ opening: "991.69", isCalculated: true },
  });
});
