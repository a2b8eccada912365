// Words and numbers next to those of the rows that only look like a column, a sign, a total or the number of an account.
import { describe, expect, it } from "vitest";
import { readDescribedAccounts as read } from "../../test/support/read-statement-text.ts";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";

const CARD = `
Example Card     Account: 4000 1234 5678 9010      Jun 16, 2026 - Jul 15, 2026
Previous balance  $100.00
`;
const CARD_ROWS = `
Transactions
Trans Date   Post Date    Description                Amount
Jun 17       Jun 18       COFFEE HOUSE                $5.50
Jun 21       Jun 22       GARDEN CENTRE             $100.00
Jun 28       Jun 28       PAYMENT                   - $40.00
Total Transactions for This Period                  $105.50
Interest Charge on Purchases                         $10.00
`;

it("the value below its label is its own, and not that of another label further right in its line", () => {
  const [account] = read(`${CARD}New balance        Minimum payment due        Transactions  $105.50
$175.50            $25.00                     Fees            $0.00
                                                             New balance       $175.50${CARD_ROWS}`);
  expect(account).toEqual({
    ends: "100.00 175.50 reconciled",
    rows: [
      "2026-06-17 -5.50 COFFEE HOUSE",
      "2026-06-21 -100.00 GARDEN CENTRE",
      "2026-06-28 40.00 PAYMENT",
      "2026-07-15 -10.00 Interest Charge on Purchases",
    ],
  });
});

it("the end of a card's number in a column is not an amount, and a total in the column of the charges is that of payments above it", () => {
  const [account] = read(`
Example Card     Account ending in 5528      09/17/2026 to 10/16/2026
Previous balance  $100.00
New balance       $165.50
Transactions
Card      Trans  Post
Ending in Date   Date    Reference Number     Description                       Credits       Charges
Payments
5528      10/04  10/04   6881263J1E706AZKQ    ONLINE PAYMENT                     30.00
5528      10/05  10/05   9655154A7Z46HL6J2    AUTOMATIC PAYMENT                  10.00
                                              TOTAL PAYMENTS FOR THIS PERIOD                  $40.00
Other Credits
5528      10/06  10/07   7982377N2HA0E0JNC    REFUND                             24.00
5528      10/08  10/09   7982377N2HA0E0JND    CASH BACK                           6.00
                                              TOTAL OTHER CREDITS FOR THIS PERIOD             $30.00
Purchases, Balance Transfers & Other Charges
5528      10/09  10/10   4746648V4LG8884VR    COFFEE HOUSE                                      5.50
5528      10/11  10/12   5714924ZPF2EY4ZHS    GARDEN CENTRE                                   100.00
                                              TOTAL PURCHASES FOR THIS PERIOD                $105.50
Interest Charged
                                              INTEREST CHARGE ON PURCHASES                     30.00
                                              TOTAL INTEREST CHARGED FOR THIS PERIOD          $30.00
`);
  expect(account).toEqual({
    ends: "100.00 165.50 reconciled",
    rows: [
      "2026-10-04 30.00 ONLINE PAYMENT",
      "2026-10-05 10.00 AUTOMATIC PAYMENT",
      "2026-10-06 24.00 REFUND",
      "2026-10-08 6.00 CASH BACK",
      "2026-10-09 -5.50 COFFEE HOUSE",
      "2026-10-11 -100.00 GARDEN CENTRE",
      "2026-10-16 -30.00 INTEREST CHARGE ON PURCHASES",
    ],
  });
});

it("'Deposits to your account' and 'Other debits from your account' are headings of their rows", () => {
  const [account] = read(`
Example Bank     Account number 10012847713      September 12, 2026 to October 10, 2026
Deposits To Your Account
Date       Description                                   Amount
09-15      Deposit                                       425.00
Checks Paid From Your Account
Check No.   Date          Amount      Check No.   Date           Amount
2207        09-16          15.00      2208        09-22           20.00
Other Debits From Your Account
Date       Description                                   Amount
09-20      Shop                                          100.00
`);
  expect(account?.rows).toEqual([
    "2026-09-15 425.00 Deposit",
    "2026-09-16 -15.00 Check 2207",
    "2026-09-22 -20.00 Check 2208",
    "2026-09-20 -100.00 Shop",
  ]);
});

it("a sort code below a word for accounts is not the number of one", () => {
  const { accounts } = understandStatement(
    wordsOfText(`
Example Bank                                  Account with Example Bank
                         Sort Code            93-10-63
Name: Jane Doe           Account Name         Jane Doe
Dublin                   Account Number       20817436
Date          Details                Debit      Credit     Balance
11 Sep 2026   Balance forward                              1,000.00
12 Sep 2026   Shop                   20.00                   980.00
`),
  );
  expect(accounts).toMatchObject([{ number: "20817436", verdict: "reconciled" }]);
});

describe("an amount without a minus of a debit card", () => {
  const rows = (refund: string): string => `
Example Bank     Account number 10012847713      1 October 2026 to 31 October 2026
Beginning balance  $1,000.00
Ending balance     $1,159.20
Date       Description          Type                    Amount
Oct 02     Design               Debit card 6104        –$75.00
Oct 03     Sales                ACH credit             $200.00
Oct 06     Hosting              Debit card 6104        –$50.00
Oct 08     Chat                 Debit card 6104        –$25.00
Oct 20     Airline              Debit card 8837        ${refund}
`;
  it("is a refund where the others have one", () => {
    expect(read(rows("$109.20"))).toEqual([
      {
        ends: "1000.00 1159.20 reconciled",
        rows: [
          "2026-10-02 -75.00 Design",
          "2026-10-03 200.00 Sales",
          "2026-10-06 -50.00 Hosting",
          "2026-10-08 -25.00 Chat",
          "2026-10-20 109.20 Airline",
        ],
      },
    ]);
  });

  it("is a debit where none has one", () => {
    const [account] = read(rows("$9.20").replaceAll("–", "").replace("1,159.20", "1,040.80"));
    expect(account).toMatchObject({ ends: "1000.00 1040.80 reconciled" });
    expect(account?.rows.at(-1)).toBe("2026-10-20 -9.20 Airline");
  });
});

it("amounts with a minus next to words for debits are debits, though the balances would follow if all were turned", () => {
  const [account] = read(`
Example Bank     Everyday Checking
Account number 10012847713      1 October 2026 to 31 October 2026
Beginning balance  $1,000.00
Ending balance       $950.00
Date       Description          Type                    Amount
Oct 02     Design               Debit card 6104        –$75.00
Oct 03     Sales                ACH credit             $200.00
Oct 06     Hosting              Debit card 6104        –$50.00
Oct 08     Chat                 Debit card 6104        –$25.00
`);
  expect(account?.rows).toEqual([
    "2026-10-02 -75.00 Design",
    "2026-10-03 200.00 Sales",
    "2026-10-06 -50.00 Hosting",
    "2026-10-08 -25.00 Chat",
  ]);
});

describe("charges in a list of their own, whose heading is mostly that of rows printed above,", () => {
  const statement = (charges: string): string => `
Example Bank   Account number 10012847713    July 1, 2026 to July 31, 2026
Beginning balance  1,000.00
Ending balance     1,046.00
Other Credits (+)
Date      Amount      Description
07/03     100.00      SALES
Other Debits (-)
Date      Amount      Description
07/05      20.00      SHOP
${charges}
Service Charge Summary
Total Service Charges (-)                 $34.00
Service Charge Detail
Date      Service Charge (-)   Waives and Discounts (+)   Description
07/15               25.00                                 MONTHLY FEE
07/15                9.00                                 PAPER FEE
`;
  const expected = {
    ends: "1000.00 1046.00 reconciled",
    rows: [
      "2026-07-03 100.00 SALES",
      "2026-07-05 -20.00 SHOP",
      "2026-07-15 -25.00 MONTHLY FEE",
      "2026-07-15 -9.00 PAPER FEE",
    ],
  };

  it("are rows where only so the balances follow", () => {
    expect(read(statement(""))).toEqual([expected]);
  });

  it("are not rows where they are printed above", () => {
    const above = "07/15      25.00      MONTHLY FEE\n07/15       9.00      PAPER FEE";
    expect(read(statement(above))).toEqual([expected]);
  });
});

it("a list of what escrow payments are expected to do is refused", () => {
  const { accounts } = understandStatement(
    wordsOfText(`
Example Servicing            Escrow Account Disclosure Statement
Loan Number: 0688114207      Analysis Date: 07/22/2026
Projected Escrow Account Activity
Month      Payment      Disbursement    Description        Balance
                                        Beginning Balance  $1,643.10
09/01/2026 $645.90      $0.00                              $2,289.00
11/01/2026 $645.90      $2,816.44       COUNTY TAX         $118.46
12/01/2026 $645.90      $0.00                              $900.00
`),
  );
  expect(accounts).toEqual([]);
});

it("headings such as 'Electronic deposits this statement period' name their rows, and the lowest balance of a day is not the closing one", () => {
  const [account] = read(`
Example Bank     Commercial checking 1851774402     May 1, 2026 to May 31, 2026
Beginning balance on May 1, 2026       $1,000.00
Electronic deposits this statement period
Date         Amount ($)    Activity
May 01           100.00    Sales
Electronic withdrawals this statement period
Date         Amount ($)    Activity
May 10            50.00    Rent
Your lowest daily balance this statement period was $930.00 on May 02, 2026.
`);
  expect(account?.ends).toMatch(/^1000\.00 (?!930)/u);
  expect(account?.rows).toEqual(["2026-05-01 100.00 Sales", "2026-05-10 -50.00 Rent"]);
});

it("a transfer is a row, though its word alone is that of a balance carried over", () => {
  const [account] = read(`
Example Bank     Girokonto DE62 2004 1155 0447 2218 00
Buchungstag   Vorgang                   Buchungstext       Ausgang      Eingang
01.04.2026    Alter Saldo                                            +1.000,00
02.04.2026    Übertrag / Überweisung    Miete               -100,00
03.04.2026    Lastschrift               Strom                -20,00
04.04.2026    Übertrag / Überweisung    Gehalt                           +50,00
30.04.2026    Neuer Saldo                                              +930,00
`);
  expect(account).toMatchObject({
    ends: "1000.00 930.00 reconciled",
    rows: [
      expect.stringMatching(/^2026-04-02 -100\.00 /u),
      expect.stringMatching(/^2026-04-03 -20\.00 /u),
      expect.stringMatching(/^2026-04-04 50\.00 /u),
    ],
  });
});

it("the number of a card above its rows begins no account where that of the account is printed", () => {
  const { accounts } = understandStatement(
    wordsOfText(`
Example Bank     Account number 1047 8812 3390     Dec 14, 2026 to Jan 13, 2027
Deposits
Date      Description          Amount
Dec 20    Salary               100.00
Card Withdrawals
Card Number: XXXX-XXXX-XXXX-4471
Date      Description          Amount
Dec 21    Shop                  20.00-
`),
  );
  expect(accounts).toMatchObject([{ number: "1047 8812 3390", transactions: [{}, {}] }]);
});

it("the number of a card above its own balances is that of an account", () => {
  const { accounts } = understandStatement(
    wordsOfText(`
Example Corporate Card   Account number 4000 0000 0000 0001    1 July 2026 to 31 July 2026
Card number 4000 0000 0000 0011 JANE DOE
Previous balance 100.00
New balance       120.00
Date      Description     Amount
02 Jul    Shop             20.00
Card number 4000 0000 0000 0012 JOHN DOE
Previous balance 200.00
New balance       250.00
Date      Description     Amount
03 Jul    Hotel            50.00
`),
  );
  expect(accounts).toMatchObject([
    { opening: "100.00", closing: "120.00" },
    { number: "4000 0000 0000 0012", opening: "200.00", closing: "250.00" },
  ]);
});

it("the illustration of how a loan would be repaid is refused", () => {
  const { accounts } = understandStatement(
    wordsOfText(`
Example Bank     Re: your personal loan has been approved
Repayment illustration
Payment no.   Due date     Payment    Principal    Interest    Remaining balance
              04/12/2026                                       $15,000.00
1             05/12/2026   $494.57    $350.95      $143.62     $14,649.05
2             06/12/2026   $494.57    $354.31      $140.26     $14,294.74
3             07/12/2026   $494.57    $357.70      $136.87     $13,937.04
`),
  );
  expect(accounts).toEqual([]);
});
