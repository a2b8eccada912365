// Enrichment finds the merchant in the text of a row: its own lines, and none of its neighbours.
import { describe, expect, it } from "vitest";
import { readDescribedAccounts } from "../../test/support/read-statement-text.ts";

const rowsOf = (text: string): readonly string[] =>
  readDescribedAccounts(text).flatMap(({ rows }) => rows);

const HEAD = `Example Bank     Account: 10271-17621
Date        Description                      Amount     Balance
`;

describe("the lines of a row are those between the wider gaps", () => {
  it("where the amount stands in its last line", () => {
    const text = `${HEAD}
            SQUARE INC 240301
2026-01-05  NURSERY                         1384.12     2384.12

            PURCHASE SITEONE FRESNO
2026-01-06  CARD 6610                       -482.19     1901.93

2026-01-07  SALARY                           850.00     2751.93

            ONLINE TRANSFER
2026-01-07  SAVINGS                         -500.00     2251.93

            CHEVRON 0094112
            CLOVIS
2026-01-08  CARD 6628                       -112.87     2139.06
`;
    expect(rowsOf(text)).toEqual([
      "2026-01-05 1384.12 SQUARE INC 240301 NURSERY",
      "2026-01-06 -482.19 PURCHASE SITEONE FRESNO CARD 6610",
      "2026-01-07 850.00 SALARY",
      "2026-01-07 -500.00 ONLINE TRANSFER SAVINGS",
      "2026-01-08 -112.87 CHEVRON 0094112 CLOVIS CARD 6628",
    ]);
  });

  it("where the balance stands below the amount, and neither is a part of the text", () => {
    const row = (day: number, text: string, amount: string, balance: string): string => `
            BEFORE ${text}
2026-01-0${String(day)}  ${text} SHOP IN TOWN                   ${amount}
            AT NIGHT                                    ${balance}
`;
    const rows = [
      row(5, "ONE", "-10.00", "990.00"),
      row(6, "TWO", "-20.00", "970.00"),
      row(7, "TEN", "-30.00", "940.00"),
      row(8, "SIX", "-40.00", "900.00"),
    ];
    expect(rowsOf(`${HEAD}${rows.join("")}`)).toEqual([
      "2026-01-05 -10.00 BEFORE ONE ONE SHOP IN TOWN AT NIGHT",
      "2026-01-06 -20.00 BEFORE TWO TWO SHOP IN TOWN AT NIGHT",
      "2026-01-07 -30.00 BEFORE TEN TEN SHOP IN TOWN AT NIGHT",
      "2026-01-08 -40.00 BEFORE SIX SIX SHOP IN TOWN AT NIGHT",
    ]);
  });

  it("where the amount stands in its middle", () => {
    const text = `${HEAD}
            UPI/5560/SWIGGY
2026-01-05  STORES@AX/AXIS                   384.12     1384.12
            BANK/AXLC9G5

            UPI/5284/PAYMENT
2026-01-06  FROM PH/YES                     -182.19     1201.93
            BANK LIMITED

            ACH/BAJAJ
2026-01-07  FINANCE                         -850.00      351.93
            LTD/3470

            NFS/CASH
2026-01-08  WDL                             -100.00      251.93
            PUNE
`;
    expect(rowsOf(text)).toEqual([
      "2026-01-05 384.12 UPI/5560/SWIGGY STORES@AX/AXIS BANK/AXLC9G5",
      "2026-01-06 -182.19 UPI/5284/PAYMENT FROM PH/YES BANK LIMITED",
      "2026-01-07 -850.00 ACH/BAJAJ FINANCE LTD/3470",
      "2026-01-08 -100.00 NFS/CASH WDL PUNE",
    ]);
  });

  it("where the amounts stand below the headings of their days, level with a second line", () => {
    const text = `Quicksilver Credit Card 4410     11/28/2026
Last statement balance $100.00     Current balance $195.47     Available credit $804.53

Pending transactions (1)

Fri, Nov 27
     Shell Service Station
S    Priya N.                                          $38.02
     Pending

Posted transactions since your last statement

Tue, Nov 24
     Publix 1187
P    Priya N.                                          $40.00
     Grocery

Sun, Nov 22
     Apple.com
A    Priya N.                                          $11.80
     Internet

     Target
T    Priya N.                                          $13.67
     Merchandise

     Uber
U    Samuel N.                                         $20.00
     Other travel

     QT 791
Q    Samuel N.                                         $10.00
     Gas
`;
    expect(rowsOf(text)).toEqual([
      "2026-11-24 -40.00 Publix 1187 P Priya N. Grocery",
      "2026-11-22 -11.80 Apple.com A Priya N. Internet",
      "2026-11-22 -13.67 Target T Priya N. Merchandise",
      "2026-11-22 -20.00 Uber U Samuel N. Other travel",
      "2026-11-22 -10.00 QT 791 Q Samuel N. Gas",
    ]);
  });

  it("and not where the second line is a little nearer to the next row than to its own", () => {
    const rows = [5, 6, 7, 8].map(
      (
        day,
        at,
      ) => `2026-01-0${String(day)}  SHOP ${String(day)}                           -10.00      ${String(990 - at * 10)}.00
            TOWN ${String(day)}
`,
    );
    expect(rowsOf(`${HEAD}${rows.join("")}`)).toEqual([
      "2026-01-05 -10.00 SHOP 5 TOWN 5",
      "2026-01-06 -10.00 SHOP 6 TOWN 6",
      "2026-01-07 -10.00 SHOP 7 TOWN 7",
      "2026-01-08 -10.00 SHOP 8 TOWN 8",
    ]);
  });
});

it("where days begin rows whose amounts end them, the next row of a day begins below an amount", () => {
  const text = `Example Bank     Account: 10271-17621
Date        Description                      Paid out    Paid in     Balance
2026-01-05  Opening balance                                           1000.00
2026-01-06  AUTOPAY
            CLP POWER                         612.40
            STANDING ORDER
            RENT 17C                          100.00                   287.60
2026-01-08  FPS RECEIVED
            CHAN TAI MAN                                  426.00       713.60
2026-01-09  ATM
            HUNG HOM                          200.00                   513.60
`;
  expect(rowsOf(text)).toEqual([
    "2026-01-06 -612.40 AUTOPAY CLP POWER",
    "2026-01-06 -100.00 STANDING ORDER RENT 17C",
    "2026-01-08 426.00 FPS RECEIVED CHAN TAI MAN",
    "2026-01-09 -200.00 ATM HUNG HOM",
  ]);
});

describe("a line below a row continues its text", () => {
  it("behind the day of its value", () => {
    const text = `Example Bank     Account: 10271-17621
Buchung     Buchung / Verwendungszweck                 Betrag (EUR)
03.02.2026  Lastschrift REWE                                -37,99
02.02.2026  NR XXXX 4417 FRANKFURT
04.02.2026  Dauerauftrag Elke Baumann                      -980,00
04.02.2026  Miete Wohnung
05.02.2026  Gehalt                                         2150,00
05.02.2026  Februar
`;
    expect(rowsOf(text)).toEqual([
      "2026-02-03 -37.99 Lastschrift REWE NR XXXX 4417 FRANKFURT",
      "2026-02-04 -980.00 Dauerauftrag Elke Baumann Miete Wohnung",
      "2026-02-05 2150.00 Gehalt Februar",
    ]);
  });

  it("next to the time of its day", () => {
    const text = `Example Wallet     Account: 10271-17621
Date        Description                       Amount     Balance
2026-01-05  Customer withdrawal              -100.00      900.00
08:12       Agent MEDINA
2026-01-06  Received                          250.00     1150.00
14:34       BOUBACAR BA
`;
    expect(rowsOf(text)).toEqual([
      "2026-01-05 -100.00 Customer withdrawal Agent MEDINA",
      "2026-01-06 250.00 Received BOUBACAR BA",
    ]);
  });

  it("right of the amounts, whatever numbers are in it", () => {
    const text = `Example Bank     Account: 10271-17621
Data        Valuta        Dare        Avere      Descrizione
07/01/26    06/01/26      41,39                  PAGAMENTO POS
                                                 ESSELUNGA VERONA ore 19.38
12/01/26    12/01/26                  99,00      BONIFICO
                                                 ROSSI MARIO ore 14.31
19/01/26    18/01/26      23,54                  PAGAMENTO POS
                                                 ESSELUNGA VERONA ore 19.33
`;
    expect(rowsOf(text)).toEqual([
      "2026-01-07 -41.39 PAGAMENTO POS ESSELUNGA VERONA ore 19.38",
      "2026-01-12 99.00 BONIFICO ROSSI MARIO ore 14.31",
      "2026-01-19 -23.54 PAGAMENTO POS ESSELUNGA VERONA ore 19.33",
    ]);
  });

  it("unless it is a sentence that goes on below the amounts", () => {
    const text = `${HEAD}2026-01-05  SHOP                             -10.00      990.00
2026-01-06  SALARY                            10.00     1000.00
            In case of errors or questions about your electronic transfers write to us
`;
    expect(rowsOf(text)).toEqual(["2026-01-05 -10.00 SHOP", "2026-01-06 10.00 SALARY"]);
  });
});

describe("the text of a row is without", () => {
  it("the day of settlement behind the amounts", () => {
    const text = `Example Bank     Account: 10271-17621
Transaction date  Description             Amount      Settlement date
1/30/2026         EXXONMOBIL              -35.00      1/31/2026
1/30/2026         PAYROLL                 135.00      1/30/2026
`;
    expect(rowsOf(text)).toEqual(["2026-01-30 -35.00 EXXONMOBIL", "2026-01-30 135.00 PAYROLL"]);
  });

  it("its number left of the day", () => {
    const text = `Example Bank     Account: 10271-17621
     Date        Description              Withdrawal     Deposit     Balance
1    15-01-2026  SHOP                          10.00                   990.00
2    16-01-2026  SALARY                                    50.00      1040.00
`;
    expect(rowsOf(text)).toEqual(["2026-01-15 -10.00 SHOP", "2026-01-16 50.00 SALARY"]);
  });

  it("its type, which may be wider than its heading", () => {
    const text = `Example Bank     Account: 10271-17621
Date              Type         Description            Amount     Balance
2026-01-05  BANK GIRO CREDIT   OFFICE SALARY         1384.12     2384.12
2026-01-06  DIRECT DEBIT       POWER AND LIGHT       -482.19     1901.93
`;
    expect(rowsOf(text)).toEqual([
      "2026-01-05 1384.12 OFFICE SALARY",
      "2026-01-06 -482.19 POWER AND LIGHT",
    ]);
  });

  it("the name of a holder and headings above the first row", () => {
    const row = (day: number, text: string): string => `
2026-01-0${String(day)}  ${text} SHOP IN TOWN                   ${String(day)}0.00
            ON THE CORNER
`;
    const text = `Example Card     Account: 10271-17621
New charges
ADA L HOLDER
2026-01-04  ONE SHOP IN TOWN                   40.00
            ON THE CORNER
${row(5, "TWO")}${row(6, "TEN")}${row(7, "SIX")}${row(8, "SUN")}`;
    expect(rowsOf(text)[0]).toBe("2026-01-04 -40.00 ONE SHOP IN TOWN ON THE CORNER");
  });

  it("its reference, unless that is all there is", () => {
    const text = `Example Payments     Account: 10271-17621
Date        Type      Reference            Fee       Net      Balance
2026-01-05  Payment   pi_2gKeL Order 20398 -1.91   116.42      616.42
2026-01-06  Payment   pi_8LfMq Order 20844 -2.16   133.97      750.39
2026-01-07  Payout    po_93kaw             -0.00  -700.00       50.39
`;
    expect(rowsOf(text)).toEqual([
      "2026-01-05 116.42 Payment pi_2gKeL Order 20398",
      "2026-01-06 133.97 Payment pi_8LfMq Order 20844",
      "2026-01-07 -700.00 Payout po_93kaw",
    ]);
  });
});

describe("the number of a check is described as one", () => {
  it.each([
    ["Checks paid", "Date        Number           Amount", "Check"],
    ["", "Date        Check number     Amount", "Check"],
    ["", "Date        Cheque no.       Amount", "Cheque"],
  ])("%s %s", (heading, header, word) => {
    const text = `Example Bank     Account: 10271-17621
${heading}
${header}
2026-01-05  1203             850.00
2026-01-06  1205*            425.00
`;
    expect(rowsOf(text).map((row) => row.replace(/-(?=\d{3}\.)/u, ""))).toEqual([
      `2026-01-05 850.00 ${word} 1203`,
      `2026-01-06 425.00 ${word} 1205`,
    ]);
  });

  it("below a header of two lines under the heading that has the word", () => {
    const text = `Example Bank     Account: 10271-17621
Checks and substitute checks
Date        Check            Reference
            number  Amount   number
2026-01-05  1203    850.00   081344219
2026-01-06  1205*   425.00   087201554
* Gap in check sequence
`;
    expect(rowsOf(text)).toEqual([
      "2026-01-05 -850.00 Check 1203 081344219",
      "2026-01-06 -425.00 Check 1205* 087201554",
    ]);
  });

  it("and none behind the end of their section", () => {
    const text = `Example Bank     Account: 10271-17621
Checks paid
Date        Number           Amount
2026-01-05  1203             850.00
Ending balance 150.00
Date        Number           Amount
2026-01-06  7788              25.00
`;
    expect(rowsOf(text).map((row) => row.split(" ").slice(2).join(" "))).toEqual([
      "Check 1203",
      "7788",
    ]);
  });

  it("and no other number alone", () => {
    const text = `Example Bank     Account: 10271-17621
Deposits
Date        Number           Amount
2026-01-05  1203             850.00
2026-01-06  1205             425.00
`;
    expect(rowsOf(text)).toEqual(["2026-01-05 850.00 1203", "2026-01-06 425.00 1205"]);
  });
});
