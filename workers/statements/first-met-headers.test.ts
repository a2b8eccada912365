// Periods, numbers, currencies and holders that are printed in ways of their own.
import { describe, expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { readStatementHeader } from "./header.ts";
import { understandStatement } from "./understand.ts";

const headerOf = (text: string) => readStatementHeader(wordsOfText(text));

const OCTOBER = { start: "2026-10-01", end: "2026-10-31" };

describe("the period is", () => {
  const month = (title: string, day = "Oct 31"): string => `
Example Bank        ${title}
Account number 10012847713
Beginning balance 1,000.00
Date        Description        Amount      Balance
Oct 02      Shop               -20.00       980.00
${day}      Salary             100.00     1,080.00
`;
  it.each(["October 2026 statement", "Statement for October 2026", "Kontoauszug Oktober 2026"])(
    "the month of the title '%s', also that of the account",
    (title) => {
      expect(headerOf(month(title)).period).toEqual(OCTOBER);
      expect(understandStatement(wordsOfText(month(title))).accounts).toMatchObject([
        { period: OCTOBER, verdict: "reconciled" },
      ]);
    },
  );

  it("not that month where a row is of another one", () => {
    expect(headerOf(month("October 2026 statement", "Nov 02")).period).toBeNull();
  });

  it("not that of a title which is one of something else", () => {
    expect(headerOf(month("October 2026 rewards")).period).toBeNull();
  });

  it("that which is printed, whatever the title names", () => {
    const text = month("October 2026 statement     3 October 2026 to 2 November 2026");
    expect(headerOf(text).period).toEqual({ start: "2026-10-03", end: "2026-11-02" });
  });

  it("in two lines below each other, with other texts between them", () => {
    const text = `
Example Bank                                       Statement
Call us at any time                                Beginning April 17, 2026
for rates and answers
to your questions                                  through May 16, 2026
`;
    expect(headerOf(text).period).toEqual({ start: "2026-04-17", end: "2026-05-16" });
  });

  it("as many days as the billing cycle has, up to the closing date", () => {
    const text = `
Example Card        Account number ending in: 7730
Statement Closing Date        05/17/2026        Late payment warning
Days in Billing Cycle                 30
`;
    expect(headerOf(text).period).toEqual({ start: "2026-04-18", end: "2026-05-17" });
  });

  it("behind its label at the end of a long line", () => {
    const text =
      "Statement of Transactions in Savings Account Number: XXXXXXXX0927 in INR for the period September 01, 2026 - September 30, 2026";
    expect(headerOf(text).period).toEqual({ start: "2026-09-01", end: "2026-09-30" });
  });
});

it("a number may be hidden behind points", () => {
  expect(headerOf("Account number   ••••••••4821").accounts).toMatchObject([
    { number: "••••••••4821" },
  ]);
});

it("a telephone number is not that of an account", () => {
  const [account] = headerOf(`
Questions about your account 1-888-842-6328
Account number 7064418827
`).accounts;
  expect(account?.number).toBe("7064418827");
});

describe("the currency is", () => {
  it("not that of an amount paid abroad", () => {
    const { accounts } = understandStatement(
      wordsOfText(`
Example Bank Card     Account number 4564 80XX XXXX 3315     15 May 2026 - 14 June 2026
Opening balance  $100.00
Closing balance  $155.50
MARRICKVILLE NSW 2204
Date           Description                  Amount
28 May         HOSTING USA                   72.96
               48.00 US DOLLAR
30 May         PAYMENT                       17.46 -
`),
    );
    expect(accounts).toMatchObject([{ currency: "AUD", verdict: "reconciled" }]);
  });

  it("that of the only country with such a deposit insurance, where no amount has a sign", () => {
    const text = `
First Bank     Account number 10012847713
Ending balance 5,101.86
Member FDIC
`;
    expect(headerOf(text).accounts).toMatchObject([{ currency: "USD" }]);
  });
});

describe("the holder is", () => {
  it("above a postcode that stands alone, behind a mark", () => {
    const text = `
First Bank                                         Branch Code 252045
            *MR SIPHO D MOKOENA
            17 KINGFISHER CRESCENT
            DOUGLASDALE
            2191
Cheque account : 62448071953
`;
    expect(headerOf(text).holder).toMatchObject({
      name: "MR SIPHO D MOKOENA",
      address: { street: "17 KINGFISHER CRESCENT", city: "DOUGLASDALE", postcode: "2191" },
    });
  });

  it("not the branch next to it", () => {
    const text = `
Example Bank
                                               BLOOR & RUNNYMEDE BRANCH
                                               2210 BLOOR STREET WEST
                                               TORONTO ON M6S 1N4
                                               Transit number: 3997
SAMIRA N DESROCHERS
407-88 INDIAN GROVE
TORONTO ON M6P 2H2
`;
    expect(headerOf(text).holder?.name).toBe("SAMIRA N DESROCHERS");
  });
});

describe("a period further down is that of", () => {
  const twoPages = (period: string) =>
    understandStatement(
      wordsOfText(`
Example Bank   Account number 4357720164   Mar 09 2026-Apr 08 2026
Date        Description              Amount
03/22       Salary                   100.00
\fExample Bank   ${period}
Date        Description              Amount
04/01       Rent                      80.00
`),
    ).accounts.map(({ transactions }) => transactions.length);

  it("the same account where one of its days is the same: the other was misread, or is that of interest", () => {
    expect(twoPages("Mar 08 2026-Apr 08 2026")).toEqual([2]);
  });

  it("another statement where both are others", () => {
    expect(twoPages("Apr 09 2026-May 08 2026")).toEqual([1, 1]);
  });
});

describe("the number of an account is", () => {
  const numbersOf = (text: string) =>
    understandStatement(wordsOfText(text)).accounts.map(({ number, verdict }) => [number, verdict]);

  it("that above its rows, and not that of the account before, which is continued at the top of the page", () => {
    const text = `
Example Bank   Primary account number: 40006147   March 1, 2026 to March 31, 2026
Account number: 40006147
Beginning balance 1,000.00
Ending balance      900.00
Date        Description              Amount
03/22       Shop                    -100.00
\fAccount number: 40006147 - continued
Account number: 40006155
Beginning balance   500.00
Ending balance      600.00
Date        Description              Amount
03/22       Salary                   100.00
\fAccount number: 40006147 - continued
Account number: 40006163
Beginning balance   200.00
Ending balance      250.00
Date        Description              Amount
03/23       Gift                      50.00
`;
    expect(numbersOf(text)).toEqual([
      ["40006147", "reconciled"],
      ["40006155", "reconciled"],
      ["40006163", "reconciled"],
    ]);
  });

  it("the suffix in the title of its table", () => {
    const text = `
Example Credit Union   Member Number XXXXXX7413   March 1, 2026 to March 31, 2026
REGULAR SAVINGS SUFFIX 0001
Date        Description              Amount      Balance
03/01       Beginning Balance                   1,000.00
03/22       Shop                    -100.00       900.00
HIGH-RATE CHECKING SUFFIX 4550
Date        Description              Amount      Balance
03/01       Beginning Balance                     500.00
03/22       Transfer From Share 0001 -100.00      400.00
`;
    expect(numbersOf(text)).toEqual([
      ["0001", "reconciled"],
      ["4550", "reconciled"],
    ]);
  });
});
