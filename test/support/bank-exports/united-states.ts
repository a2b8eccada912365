import type { Shape } from "./shape.ts";

export const UNITED_STATES: readonly Shape[] = [
  {
    bank: "Chase checking: a comma too many on each row",
    text: `Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #
DEBIT,05/17/2024,"TRADER JOE S #512 SEATTLE WA",-54.12,DEBIT_CARD,1200.50,,
CREDIT,05/15/2024,"ACME CORP PAYROLL PPD ID: 123",2000.00,ACH_CREDIT,1254.62,,
CHECK,05/14/2024,"CHECK 1001",-745.38,CHECK_PAID,-745.38,1001,
`,
    expected: [
      "2024-05-17 | TRADER JOE S #512 SEATTLE WA | -54.12 USD",
      "2024-05-15 | ACME CORP PAYROLL PPD ID: 123 | 2000 USD",
      "2024-05-14 | CHECK 1001 | -745.38 USD",
    ],
    expectedNote: "negative = money leaving: the balance confirms it",
  },
  {
    bank: "Chase card: two dates, Type is Sale or Payment",
    text: `Transaction Date,Post Date,Description,Category,Type,Amount,Memo
05/13/2024,05/14/2024,DOORDASH*WENDYS,Food & Drink,Sale,-18.40,
05/12/2024,05/13/2024,Payment Thank You-Mobile,,Payment,250.00,
`,
    expected: [
      "2024-05-13 | DOORDASH*WENDYS | -18.4 USD",
      "2024-05-12 | Payment Thank You-Mobile | 250 USD",
    ],
  },
  {
    bank: "Bank of America: a summary above the header",
    text: `Description,,Summary Amt.
Beginning balance as of 05/01/2024,,"1,000.00"
Total credits,,"500.00"
Total debits,,"-25.50"
Ending balance as of 05/31/2024,,"1,474.50"

Date,Description,Amount,Running Bal.
05/01/2024,Beginning balance as of 05/01/2024,,"1,000.00"
05/13/2024,"Zelle payment from JANE DOE","500.00","1,500.00"
05/14/2024,"SQ *BLUE BOTTLE 05/13 PURCHASE","-25.50","1,474.50"
`,
    expected: [
      "2024-05-13 | Zelle payment from JANE DOE | 500 USD",
      "2024-05-14 | SQ *BLUE BOTTLE 05/13 PURCHASE | -25.5 USD",
    ],
  },
  {
    bank: "Wells Fargo: no header",
    text: `"05/17/2024","-12.34","*","","PURCHASE AUTHORIZED ON 05/16 STARBUCKS"
"05/16/2024","-100.00","*","","ATM WITHDRAWAL AUTHORIZED"
"05/15/2024","1500.00","*","","ACME PAYROLL"
`,
    expected: [
      "2024-05-17 | PURCHASE AUTHORIZED ON 05/16 STARBUCKS | -12.34 USD",
      "2024-05-16 | ATM WITHDRAWAL AUTHORIZED | -100 USD",
      "2024-05-15 | ACME PAYROLL | 1500 USD",
    ],
    expectedNote: "no header",
  },
  {
    bank: "Capital One: debit and credit",
    text: `Transaction Date,Posted Date,Card No.,Description,Category,Debit,Credit
2024-05-17,2024-05-18,1234,UBER EATS,Dining,23.10,
2024-05-16,2024-05-16,1234,CAPITAL ONE MOBILE PYMT,Payment/Credit,,300.00
`,
    expected: [
      "2024-05-17 | UBER EATS | -23.1 USD",
      "2024-05-16 | CAPITAL ONE MOBILE PYMT | 300 USD",
    ],
  },
  {
    bank: "Amex: charges are positive, an address with a line break",
    text: `Date,Description,Card Member,Account #,Amount,Extended Details,Appears On Your Statement As,Address,City/State,Zip Code,Country,Reference,Category
05/17/2024,WHOLE FOODS,J DOE,-11001,84.20,"WHOLE FOODS
AUSTIN",WHOLE FOODS,"525 N LAMAR
BLVD","AUSTIN
TX",78703,UNITED STATES,'320241',Groceries
05/16/2024,NETFLIX.COM,J DOE,-11001,15.49,NETFLIX,NETFLIX.COM,121 ALBRIGHT,LOS GATOS CA,95032,UNITED STATES,'320242',Entertainment
05/15/2024,DELTA AIR LINES,J DOE,-11001,420.00,DELTA,DELTA,,ATLANTA GA,30320,UNITED STATES,'320243',Travel
05/14/2024,MOBILE PAYMENT - THANK YOU,J DOE,-11001,-500.00,PAYMENT,THANK YOU,,,,,'320244',
`,
    expected: [
      "2024-05-17 | WHOLE FOODS | -84.2 USD",
      "2024-05-16 | NETFLIX.COM | -15.49 USD",
      "2024-05-15 | DELTA AIR LINES | -420 USD",
      "2024-05-14 | MOBILE PAYMENT - THANK YOU | 500 USD",
    ],
    expectedNote: "positive = money leaving",
  },
  {
    bank: "Citi: credits are negative in their own column",
    text: `Status,Date,Description,Debit,Credit
Cleared,05/17/2024,"COSTCO WHSE #0001 SEATTLE WA",120.11,
Cleared,05/16/2024,"ONLINE PAYMENT, THANK YOU",,-640.00
`,
    expected: [
      "2024-05-17 | COSTCO WHSE #0001 SEATTLE WA | -120.11 USD",
      "2024-05-16 | ONLINE PAYMENT, THANK YOU | 640 USD",
    ],
  },
  {
    bank: "Discover: card, positive charges",
    text: `Trans. Date,Post Date,Description,Amount,Category
05/17/2024,05/17/2024,"SHELL OIL 5744",44.10,Gasoline
05/16/2024,05/16/2024,"WALMART",31.02,Merchandise
05/14/2024,05/14/2024,"PANERA BREAD",12.50,Restaurants
05/13/2024,05/13/2024,"INTERNET PAYMENT - THANK YOU",-200.00,Payments and Credits
`,
    expected: [
      "2024-05-17 | SHELL OIL 5744 | -44.1 USD",
      "2024-05-16 | WALMART | -31.02 USD",
      "2024-05-14 | PANERA BREAD | -12.5 USD",
      "2024-05-13 | INTERNET PAYMENT - THANK YOU | 200 USD",
    ],
  },
];
