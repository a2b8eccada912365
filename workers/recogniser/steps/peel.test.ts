import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createProblems } from "../../knowledge/builder/rows.ts";
import { readLayouts } from "../../knowledge/builder/small-tables.ts";
import { indexLayouts } from "../../knowledge/layouts.ts";
import { packArea } from "../../knowledge/sections.ts";
import type { Line } from "../line.ts";
import { tokenise, written } from "../text/tokenise.ts";
import { peelWrappers, skipDate } from "./peel.ts";

const lineOf = (text: string): Line => ({ text, tokens: tokenise(text) });

const table = join(import.meta.dirname, "../../knowledge/tables/layouts.txt");
const layouts = indexLayouts(
  readLayouts({ name: "layouts.txt", text: readFileSync(table, "utf8") }, createProblems()),
);

const peeled = (text: string, direction = 1, country = "US"): string => {
  const line = lineOf(text);
  const { span } = peelWrappers(line, direction, {
    layouts,
    countries: [packArea(country)],
    startsMark: (word) => word?.text === "paypal",
    nameEnd: (of, from) =>
      /^(CREDIT KETTLE|KETTLE CARD)$/u.test(written(of.text, of.tokens, from, from + 2))
        ? from + 2
        : from,
  });
  return written(line.text, line.tokens, span.from, span.to);
};

test.each([
  ["CHECKCARD 0122 MILL LANE GARAGE", "MILL LANE GARAGE"],
  [
    "PURCHASE AUTHORIZED ON 01/23 COPPER KETTLE KENT WA S123456789012345 CARD 1082",
    "COPPER KETTLE KENT WA S123456789012345",
  ],
  ["POS DEBIT - VISA CHECK CARD 0123 - COPPER KETTLE", "COPPER KETTLE"],
  ["VISA DDA PUR 123456 COPPER KETTLE", "COPPER KETTLE"],
  ["COPPER KETTLE ON 17 MAY BCC", "COPPER KETTLE"],
  ["COPPER KETTLE CD 1234 01-02-2024", "COPPER KETTLE CD 1234"],
  ["GREEN POWER WEB ID: 1234567890", "GREEN POWER"],
  ["PURCHASE RETURN AUTHORIZED ON 02/09 COPPER KETTLE", "COPPER KETTLE"],
  ["COPPER KETTLE ON 02/09", "COPPER KETTLE"],
  ["COPPER KETTLE ON XX/XX", "COPPER KETTLE"],
  ["STANDING ORDER TO COPPER KETTLE REF FLAT 3", "COPPER KETTLE"],
  ["CARD PAYMENT 3391 Merchant name: COPPER KETTLE", "COPPER KETTLE"],
  ["PRLV SEPA COPPER KETTLE", "COPPER KETTLE"],
  ["7-ELEVEN 33421", "7-ELEVEN 33421"],
  ["PURCHASE 99 CENTS HOUSE", "99 CENTS HOUSE"],
  ["CARD FACTORY 12", "CARD FACTORY 12"],
  ["CREDIT KETTLE CLUB", "CREDIT KETTLE CLUB"],
  ["DEBIT CARD PURCHASE CARD ENDING IN 3310 COPPER KETTLE", "COPPER KETTLE"],
  ["COPPER KETTLE BILL PAY CHK 0000", "COPPER KETTLE"],
])("%j is about %j", (text, name) => {
  expect(peeled(text)).toBe(name);
});

test("labelled fields name the party, in the direction of the money", () => {
  expect(peeled("ACME CORP DES:PAYROLL ID:123 INDN:DOE,JANE CO ID:1234567 PPD", 0)).toBe(
    "ACME CORP",
  );
  expect(peeled("ORIG CO NAME:ACME STAFFING ORIG ID:1234567890 DESC DATE:010123", 0)).toBe(
    "ACME STAFFING",
  );
  expect(peeled("WIRE TYPE:WIRE OUT DATE:010123 BNF:SMITH CONSULTING ID:1234", 1)).toBe(
    "SMITH CONSULTING",
  );
});

test("a line of wrappings only is left as it is", () => {
  expect(peeled("POS PURCHASE")).not.toBe("");
  expect(peeled("")).toBe("");
});

test("dates in figures are recognised, names with figures are not", () => {
  const date = lineOf("01/23/24 X");
  expect(skipDate(date, 0, date.tokens.length)).toBe(3);
  const dotted = lineOf("12.03.2024 X");
  expect(skipDate(dotted, 0, dotted.tokens.length)).toBe(3);
  const amount = lineOf("12.50 X");
  expect(skipDate(amount, 0, amount.tokens.length)).toBe(0);
  const name = lineOf("7-ELEVEN");
  expect(skipDate(name, 0, name.tokens.length)).toBe(0);
});

test("a day or an amount with a dot at the end of a line is no part of the name", () => {
  expect(peeled("KARTENZAHLUNG KETTLE HAMELN 12.06.", 1, "DE")).toBe("KETTLE HAMELN");
  expect(peeled("COPPER KETTLE 7.", 1, "US")).toBe("COPPER KETTLE 7");
});

test("a phrase of the bank that begins with the last word of a known name ends nothing", () => {
  expect(peeled("COPPER CARD PAYMENT")).toBe("COPPER");
  expect(peeled("KETTLE CARD PAYMENT")).toBe("KETTLE CARD PAYMENT");
});

test("the company behind a mark is no field of the line", () => {
  expect(peeled("PAYPAL           INST XFER  KETTLECO WEB ID: PAYPALSI77")).toContain("KETTLECO");
});

test("CB is a card payment where prices are in euros and the beginning of a name elsewhere", () => {
  expect(peeled("CB COPPER KETTLE", 1, "FR")).toBe("COPPER KETTLE");
  expect(peeled("CB COPPER KETTLE", 1, "US")).toBe("CB COPPER KETTLE");
});
