// The order of day and month where no number above 12 shows it: the printed period decides before the country does.
import { expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";

const datesOf = (period: string, dates: readonly string[], mark = ""): (string | null)[] => {
  const [first, second, third] = dates;
  const text = `
Example Bank
Account number 40001234
${period}
Opening balance ${mark}1000.00
Date        Description          Amount    Balance
${first ?? ""}       Shop                 -10.00     990.00
${second ?? ""}       Rent                -125.00     865.00
${third ?? ""}       Refund                25.00     890.00
`;
  const { accounts } = understandStatement(wordsOfText(text));
  return accounts.flatMap(({ transactions }) => transactions.map(({ date }) => date));
};

const MARCH = "Statement period 1 March 2026 to 31 March 2026";
const DAYS = ["02/03", "09/03", "11/03"];
const IN_MARCH = ["2026-03-02", "2026-03-09", "2026-03-11"];

it("is that in which the rows lie in the printed period", () => {
  expect(datesOf(MARCH, DAYS)).toEqual(IN_MARCH);
  expect(datesOf(MARCH, ["03/02", "03/09", "03/11"])).toEqual(IN_MARCH);
  expect(datesOf(MARCH, ["03/02", "03/09", "03/11"], "€")).toEqual(IN_MARCH);
  expect(datesOf("Statement period 2026-03-01 to 2026-03-31", DAYS)).toEqual(IN_MARCH);
});

it("is that of rows with a year, and over new year", () => {
  const years = DAYS.map((day) => `${day}/2026`);
  expect(datesOf(MARCH, years)).toEqual(IN_MARCH);
  const winter = "Statement period 5 December 2025 to 4 January 2026";
  expect(datesOf(winter, ["06/12", "09/12", "02/01"])).toEqual([
    ...["2025-12-06", "2025-12-09", "2026-01-02"],
  ]);
});

it("is that of the country where the rows lie in the period in both orders, or in neither", () => {
  const quarters = "Statement period 1 January 2026 to 31 December 2026";
  const monthFirst = ["2026-02-03", "2026-09-03", "2026-11-03"];
  expect(datesOf(quarters, DAYS, "$")).toEqual(monthFirst);
  expect(datesOf(quarters, DAYS, "€")).toEqual(IN_MARCH);
  expect(datesOf("Statement period 1 May 2026 to 31 May 2026", DAYS, "€")).toEqual(IN_MARCH);
});

it("is that of a number above 12, whatever the period", () => {
  const may = "Statement period 1 May 2026 to 31 May 2026";
  expect(datesOf(may, ["05/03", "05/04", "13/03"], "$")).toEqual([
    ...["2026-03-05", "2026-04-05", "2026-03-13"],
  ]);
});

it("is that of a period with the day of printing next to it, also for days with a point", () => {
  const period = "Period: FROM 2026/03/01 TO 2026/03/31 Printed on: 2026/04/02";
  expect(datesOf(period, ["3.02", "3.09", "3.11"], "€")).toEqual(IN_MARCH);
  expect(datesOf(period, ["02.03", "09.03", "11.03"], "€")).toEqual(IN_MARCH);
});
