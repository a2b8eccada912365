// Days are found in the ways in which exports and reports of banking systems write them.
import { describe, expect, it } from "vitest";
import { readStatementText } from "../../test/support/read-statement-text.ts";

describe("reads the days of rows", () => {
  it("written as eight digits behind the number of the row", () => {
    const { rows, verdicts } = readStatementText(`
Example Bank     Account: 10271-17621     Statement Number 20260131
Line  Date      Code  Description                     Amount     Balance
                      Opening balance                           1,000.00
1     20260105  412   Supplier 20251231               250.00-     750.00
2     20260107  399   Customer payment                500.00    1,250.00
3     20260109  412   Supplier                        100.00-   1,150.00
`);
    expect(rows).toEqual(["2026-01-05 -250.00", "2026-01-07 500.00", "2026-01-09 -100.00"]);
    expect(verdicts).toEqual(["reconciled"]);
  });

  it("written as eight digits, booked and of value", () => {
    const { rows } = readStatementText(`
Example Bank     Account: 10271-17621
Date      Value     Description                     Amount     Balance
20260105  20260106  Supplier                        250.00-     750.00
20260107  20260107  Customer payment                500.00    1,250.00
20260109  20260112  Supplier                        100.00-   1,150.00
`);
    expect(rows).toEqual(["2026-01-05 -250.00", "2026-01-07 500.00", "2026-01-09 -100.00"]);
  });

  it("and no reference of eight digits below a day", () => {
    const { rows } = readStatementText(`
Example Bank     Account: 10271-17621
Date        Description                     Amount     Balance
2026-01-05  Supplier                       -250.00      750.00
            20251105 invoice
2026-01-07  Customer payment                500.00    1,250.00
            20251106 invoice
2026-01-09  Supplier                       -100.00    1,150.00
            20251107 invoice
`);
    expect(rows).toEqual(["2026-01-05 -250.00", "2026-01-07 500.00", "2026-01-09 -100.00"]);
  });

  const book = ([
    opening = "",
    first = "",
    second = "",
    third = "",
    last = "",
  ]: readonly string[]) =>
    readStatementText(`
Example Savings Society     Passbook     Account: 10271-17621
   Date    Code  Withdrawal        Deposit          Balance             Teller
   ${opening}  B/F                                    ********1,000.00
1  ${first}  CDM                     *******250.00    ********1,250.00    022
2  ${second}  ATM   *******150.00                      ********1,100.00    999
3  ${third}  GIR   *******100.00                      ********1,000.00    017
4  ${last}  INT                     **********5.00   ********1,005.00    017
`);

  it.each([
    ["the day first", ["021225", "051225", "171225", "020126", "140126"]],
    ["the year first", ["251202", "251205", "251217", "260102", "260114"]],
    ["the month first", ["120225", "120525", "121725", "010226", "011426"]],
  ])("written as six digits in a savings book, %s", (_, days) => {
    const { rows, verdicts } = book(days);
    expect(rows).toEqual([
      "2025-12-05 250.00",
      "2025-12-17 -150.00",
      "2026-01-02 -100.00",
      "2026-01-14 5.00",
    ]);
    expect(verdicts).toEqual(["reconciled"]);
  });

  it("and no numbers of six digits that do not go on in time", () => {
    expect(book(["021225", "051225", "171225", "140126", "020126"]).rows).toEqual([
      ...[" 250.00", " -150.00", " -100.00", " 5.00"],
    ]);
  });

  it("with the time of day in the same word", () => {
    const { rows } = readStatementText(`
Example Wallet     Account: 10271-17621
Timestamp                 Notes                           Amount     Balance
2026-01-05T09:33:11Z      Card spend                     -250.00      750.00
2026-01-07T10:01:59.120Z  Deposit                         500.00    1,250.00
2026-01-08T722:50:52Z     Card spend                      -10.00    1,240.00
2026-01-09T23:59:00+01:00 Fee                            -100.00    1,140.00
`);
    expect(rows).toEqual([
      "2026-01-05 -250.00",
      "2026-01-07 500.00",
      "2026-01-08 -10.00",
      "2026-01-09 -100.00",
    ]);
  });
});

describe("takes the year that stands with a month of the rows", () => {
  const rows = `
Dec 5         Supplier                       250.00                 750.00
Dec 7         Customer payment                          500.00    1,250.00
`;
  const read = ["2025-12-05 -250.00", "2025-12-07 500.00"];

  it.each([
    [
      "in front of the first day",
      `
Date          Details                         Debit     Credit     Balance
2025 Dec 1    Balance brought down                                1,000.00${rows}`,
    ],
    [
      "in the title",
      `
Statement for December 2025
Date          Details                         Debit     Credit     Balance
              Opening balance                                     1,000.00${rows}`,
    ],
    [
      "above the days, in place of their heading",
      `
2025          Details                         Debit     Credit     Balance
Dec 1         Balance b/d                                         1,000.00${rows}`,
    ],
  ])("%s", (_, text) => {
    expect(
      readStatementText(`First National Bank     Account number 014 33 221${text}`).rows,
    ).toEqual(read);
  });

  it("and not that of another month, or below the rows", () => {
    const { rows: dated } = readStatementText(`
First National Bank     Account number 014 33 221
Tariff of March 2019
Date          Details                         Debit     Credit     Balance
              Opening balance                                     1,000.00${rows}
Terms of December 2020
`);
    expect(dated).toEqual([" -250.00", " 500.00"]);
  });
});

describe("takes no number of a row for the day of the month next to it", () => {
  it.each([
    ["with the year behind the day", "Oct 05, 2026", "Oct 07, 2026"],
    ["without a year", "Oct 05", "Oct 07"],
    ["behind the day of the week", "Mon 05 Oct 2026", "Wed 07 Oct 2026"],
  ])("%s", (_, first, second) => {
    const { rows } = readStatementText(`
First National Bank     Account number 014 33 221
From 01 Oct 2026 to 31 Oct 2026
No.   Date             Details                         Debit     Credit     Balance
                       Opening balance                                     1,000.00
1     ${first.padEnd(15)}  Supplier                       250.00                 750.00
2     ${second.padEnd(15)}  Customer payment                          500.00    1,250.00
`);
    expect(rows).toEqual(["2026-10-05 -250.00", "2026-10-07 500.00"]);
  });

  it("without a header", () => {
    const { rows } = readStatementText(`
First National Bank     Account number 014 33 221
1     Oct 05, 2026     Supplier                       -250.00         750.00
2     Oct 07, 2026     Customer payment                500.00       1,250.00
`);
    expect(rows).toEqual(["2026-10-05 -250.00", "2026-10-07 500.00"]);
  });
});

it("takes no speck that is read as a number at the edge of the page for the day of the month", () => {
  const { rows } = readStatementText(`
Example Card     Account ending 4417     Feb 26 - Mar 25, 2026
        Trans Date     Post Date     Description          Amount
        Mar 2          Mar 3         WALGREENS            $22.16
3       Mar 11         Mar 12        CHIPOTLE             $13.75
        Mar 18         Mar 19        TARGET               $84.60
`);
  expect(rows.map((row) => row.slice(0, 10))).toEqual(["2026-03-02", "2026-03-11", "2026-03-18"]);
});

it("takes the day of booking without a year for that of the row, where a value date with its year follows", () => {
  const { rows } = readStatementText(`
First National Bank     Account number 014 33 221
15.10.  16.10.2026     Supplier                       -250.00         750.00
17.10.  18.10.2026     Customer payment                500.00       1,250.00
`);
  expect(rows).toEqual(["2026-10-15 -250.00", "2026-10-17 500.00"]);
});

describe("takes the day of the transaction for that of the row, where the day of posting stands left of it", () => {
  const card = (header: string, rows: readonly [string, string, string]): string => `
Example Card     Account: 4000 1234 5678 9010      Closing Date: 01/24/2026
Previous balance  $100.00
New balance       $165.50
${header}
${rows[0]}        1234    COFFEE HOUSE                        $5.50
${rows[1]}        2345    PAYMENT THANK YOU                   $40.00CR
${rows[2]}        3456    GARDEN CENTRE                       $100.00
`;
  const days = ["01/05      01/03", "01/07      01/06", "01/09      01/08"] as const;
  const named = ["Jan 05     Jan 03", "Jan 07     Jan 06", "Jan 09     Jan 08"] as const;

  it.each([
    ["Post Date  Trans Date   Ref #   Transaction Description             Amount", days],
    ["Post       Trans\nDate       Date         Ref #   Description         Amount", days],
    ["Post Date  Trans Date   Ref #   Transaction Description             Amount", named],
    ["Posted Date  Purchase Date  Ref #   Description                     Amount", days],
  ])("%s", (header, rows) => {
    const { rows: read, verdicts } = readStatementText(card(header, rows));
    expect(read).toEqual(["2026-01-03 -5.50", "2026-01-06 40.00", "2026-01-08 -100.00"]);
    expect(verdicts).toEqual(["reconciled"]);
  });

  it("and the day of posting where it is the only one, or stands right of it", () => {
    const one = "Post Date               Ref #   Transaction Description             Amount";
    const only = readStatementText(card(one, ["01/05", "01/07", "01/09"]));
    expect(only.rows).toEqual(["2026-01-05 -5.50", "2026-01-07 40.00", "2026-01-09 -100.00"]);
    const two = "Trans Date Post Date    Ref #   Transaction Description             Amount";
    const right = readStatementText(
      card(two, ["01/03      01/05", "01/06      01/07", "01/08      01/09"]),
    );
    expect(right.rows).toEqual(["2026-01-03 -5.50", "2026-01-06 40.00", "2026-01-08 -100.00"]);
  });
});
