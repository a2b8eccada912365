// An invoice with dated lines is refused, and no statement is because of words that invoices have too.
import { describe, expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandDocument } from "./worker.ts";

const readOf = (text: string): unknown => {
  const read = [{ page: 1, words: wordsOfText(text), toSeen: [1, 0, 0, 1, 0, 0] as const }];
  const result = understandDocument({ scope: "all", pages: 1, read, facts: null, submittedAt: 0 });
  if ("fault" in result) return result.fault;
  return "signals" in result ? result.accounts[0]?.transactions.length : null;
};

const INVOICE = `
ACME Consulting Ltd
INVOICE
Invoice number: 2026-0117
Invoice date: 31/03/2026
Bill to: Example GmbH

Date        Description              Hours   Amount
02/03/2026  Workshop                  4.0    400.00
09/03/2026  Development               8.0    800.00
16/03/2026  Review                    2.5    250.00
Subtotal                                    1450.00
VAT 20%                                      290.00
Total due                                   1740.00
Please pay to account number 40001234, sort code 20-00-00
`;
const STATEMENT = `
Example Bank
Account number 40001234
Date        Description                      Amount
02/03/2026  Workshop                         -400.00
09/03/2026  Development                      -800.00
16/03/2026  Review                           -250.00
`;

describe("an invoice is refused", () => {
  it.each([
    ["in English", INVOICE],
    [
      "with its number behind its title",
      INVOICE.replace(
        "INVOICE\nInvoice number: 2026-0117\nInvoice date",
        "INVOICE INV-2026-0117\nDate",
      ),
    ],
    ["with an account number of its own", INVOICE.replace("40001234,", "40001234")],
    [
      "in German",
      INVOICE.replace("Invoice number", "Rechnungsnummer")
        .replace("Invoice date", "Rechnungsdatum")
        .replace("VAT", "MwSt"),
    ],
  ])("%s", (_, text) => {
    expect(readOf(text)).toBe("no_transactions");
  });
});

const TRADES = `
Example Securities
Trade confirmation      Account number 40001234
Trade date  Settlement date  Action  Quantity  Symbol  Net Amount
02/03/2026  04/03/2026       BUY     100       ABC      18,419.95
03/03/2026  05/03/2026       BUY     25        DEF       6,199.95
04/03/2026  06/03/2026       SELL    40        GHI      16,257.09
`;

it("the confirmation of trades is refused, and a statement that names one is read", () => {
  expect(readOf(TRADES)).toBe("no_transactions");
  // With the apostrophe that word processors write.
  expect(readOf(TRADES.replace("Trade confirmation", "Avis d’opéré"))).toBe("no_transactions");
  expect(readOf(STATEMENT.replace("Account", "See your trade confirmation. Account"))).toBe(3);
});

describe("a statement is read", () => {
  it.each([
    ["with balances", INVOICE.replace("Bill to", "Opening balance  2000.00\nBill to")],
    [
      "of a card, which has a due date",
      `Credit card statement\nPayment due date 20/04/2026\nInvoice number 12\n${STATEMENT}Amount due 1450.00`,
    ],
    ["that is called so", `Account statement\nInvoice number 12\nVAT 20%\n${STATEMENT}`],
    [
      "with the number of an invoice in its rows",
      STATEMENT.replace("-400.00", "-400.00\n            Invoice number 117, VAT"),
    ],
    ["with taxes on its fees", `${STATEMENT}VAT  20%\nDue date 20/04/2026`],
  ])("%s", (_, text) => {
    expect(readOf(text)).toBe(3);
  });
});

describe("what a supplier or a lender lists never becomes transactions", () => {
  const BILL = `
Greenfen Energy
Your electricity and gas bill
Account number: 8500 4471 2290
Account summary
Your last bill: balance brought over 86.40
Date           Description                        Amount
02 Apr 2026    Direct Debit - thank you           136.00
01 May 2026    Direct Debit - thank you           136.00
Electricity charges
Meter 19L3302841       Previous reading     Latest reading     kWh
14 Mar 2026            41,208               41,371             163     46.65
Standing charge 92 days                                                55.29
`;
  const PLAN = `
Ashdown Finance
Illustrative repayment schedule
No.   Due          Payment    Interest    Principal    Balance
1     01/03/2026    375.48       79.00       296.48    11,703.52
2     01/04/2026    375.48       77.05       298.43    11,405.09
3     01/05/2026    375.48       75.08       300.40    11,104.69
`;

  const ESCROW = `
ESCROW ACCOUNT DISCLOSURE STATEMENT
Example Mortgage
Statement Date: 01/22/2026
Loan Number: 0628114937
Coming year projections. These transactions have not occurred.
Date         Payments    Disbursements   Description      Projected balance
             Beginning balance                                  2,118.44
03/01/2026     487.20                    Escrow deposit          2,605.64
04/01/2026     487.20       2,143.66     COUNTY TAX                949.18
05/01/2026     487.20                    Escrow deposit          1,436.38
`;
  const LETTER = `
Example Card Services
Re: Transaction dispute, case number NP-25-0077419
Account ending in 2286
The provisional credit of $512.00 will appear on your next statement.
Trans. date    Merchant             Amount
02/11/2026     LUXE TRAVEL         $412.00
02/13/2026     E-TICKETS           $100.00
`;
  const PAYOFF = `
Example Credit Union
RE: Payoff Quote - Vehicle Loan
Loan ID: L0041
PAYOFF CALCULATION
Principal balance as of 02/18/2026                        $14,822.67
Total payoff amount through 03/02/2026                    $14,884.99
Your next scheduled payment of $438.52 is due
02/28/2026 and should be made before.
The last payment was applied $341.90 to principal and $96.62 to
interest.
`;
  const PAYSLIP = `
Employer          NI number       Tax code      Pay date
Example Printing  QQ 12 34 56 C   1257L         28/03/2026
Date         Payments           This period   Deductions           This period
07/03/2026   Basic pay             2,266.15   National Insurance        121.23
14/03/2026   Overtime                133.74   Pension                   128.17
Total payments 2,399.90               Total deductions 249.40
Net pay 1,962.85 paid by BACS to account ****4471
`;
  const NUMBERED = `
INVOICE
Invoice No. 2026-0317
Account number: SLG-0044
Bill to: Example Guesthouse
Date          Description         Hours    Amount
03 Mar 2026   Site visit            2.0     96.00
04 Mar 2026   Replace units         5.5    264.00
Balance due   360.00
`;

  const PROVEN_BILL = `
Your electricity bill
Account number 904 118 2207
Account summary
Date           Details                          Amount      Balance
04 Jan 2026    Balance on your last bill                     271.94
21 Jan 2026    Payment received - thank you    -271.94         0.00
04 Mar 2026    Charges this bill                306.08       306.08
Charges in detail
Meter          Previous    Present    kWh
Day            44,108      44,720     612      191.37
Standing charge 59 days                         44.91
`;

  const FEES = `
Example Bank
Opgørelse over gebyrer
Kontoidentifikation: DK96 3000 0012 4471 88
Periode: fra 01.01.2024 til 31.12.2024
Detaljeret opgørelse over betalte gebyrer
Tjeneste                        Dato         Antal      I alt DKK
Kontopleje                      02.01.2024       1         240,00
Mastercard Direct               15.03.2024       1         295,00
Detaljeret opgørelse over betalte renter på kontoen
30.06.2024                      14,75 %                     18,05
31.12.2024                      14,25 %                     23,22
`;

  it.each([
    ["the statement of the fees of a year, which the European Union requires", FEES],
    ["the bill of a metered supply", BILL],
    ["such a bill whose balances follow", PROVEN_BILL],
    ["the plan of the repayments of a loan", PLAN],
    ["the projection of an escrow account", ESCROW],
    ["a letter about disputed transactions that mentions a statement", LETTER],
    ["the quote of what pays off a loan", PAYOFF],
    ["a payslip without a title", PAYSLIP],
    ["an invoice with the number of the customer's account", NUMBERED],
  ])("%s", (_, text) => {
    expect(readOf(text)).toBe("no_transactions");
  });

  it("a payment for such a supply is a row as any other", () => {
    const paid = STATEMENT.replace("Workshop   ", "kWh tariff ");
    expect(readOf(paid)).toBe(3);
  });

  const OWED = `
STATEMENT OF ACCOUNT
Larch Kitchen Supply LLC    Account Number: 40-4417

Date        Description             Charges   Payments   Balance
01/01/2025  Balance forward                              1,240.50
01/06/2025  Invoice 20418           228.64               1,469.14
01/14/2025  Payment received                  1,156.72     312.42
01/17/2025  Invoice 20421           473.41                 785.83

Current   1-30 days past due   31-60 days   61-90 days   Over 90 days
785.83    0.00                 0.00         0.00         0.00
`;

  it("the advice of a payment to a supplier", () => {
    const advice = OWED.replace("STATEMENT OF ACCOUNT", "REMITTANCE ADVICE").replace(
      /Current[^]*/u,
      "",
    );
    expect(readOf(advice)).toBe("no_transactions");
  });

  it.each([
    ["with what is owed by age", OWED],
    ["with the oldest first", OWED.replace(/Current.*/u, "90 days  60 days  30 days  Current")],
    ["of whose ages the amounts were lost", OWED.replace(/785\.83 +0\.00.*/u, "Amount due 785.83")],
  ])("the account of a customer %s", (_, text) => {
    expect(readOf(text)).toBe("no_transactions");
  });

  it.each([
    ["of a bank", OWED.replace(/Current[^]*/u, "")],
    ["of a bank that names days of notice", OWED.replace("785.83    0.00                 ", "")],
    [
      "of a company's card",
      OWED.replace("Account Number", "Credit limit 5,000.00\nAccount Number"),
    ],
  ])("a statement %s is read", (_, text) => {
    expect(readOf(text)).toBe(3);
  });
});
