// Short statements as text, laid out as banks of many countries lay them out, with their rows. Written by hand: what is
// between the columns is spaces. They are development material: rules were changed after most of them had been seen.
import type { StatementVerdict } from "../../src/model/bank-statement.ts";
import type { PageWord } from "../../workers/statements/words.ts";

export interface StatementText {
  readonly name: string;
  /** Pages are set apart by form feeds. */
  readonly text: string;
  /** "DATE AMOUNT", with a minus for a debit, in any order. */
  readonly rows: readonly string[];
  readonly verdict: StatementVerdict;
}

const CHARACTER_WIDTH = 5;
const LINE_STEP = 13;
const LETTER_HEIGHT = 10;

/** The words of a text with a box each, as a reader gives them. */
export const wordsOfText = (text: string): PageWord[] =>
  text.split("\f").flatMap((page, number) =>
    page.split("\n").flatMap((line, at) =>
      [...line.matchAll(/\S+/gu)].map((match): PageWord => {
        const top = 40 + at * LINE_STEP;
        const left = 20 + match.index * CHARACTER_WIDTH;
        const right = left + match[0].length * CHARACTER_WIDTH;
        return {
          ...{ page: number + 1, text: match[0], left, right },
          ...{ top, bottom: top + LETTER_HEIGHT, confidence: 1 },
        };
      }),
    ),
  );

export const STATEMENT_TEXTS: readonly StatementText[] = [
  {
    name: "chase sections",
    text: `
CHASE                                            January 01, 2025 through January 31, 2025
JPMorgan Chase Bank, N.A.                        Account Number:     000000123456789
PO Box 182051
Columbus, OH 43218 - 2051
                                                 CUSTOMER SERVICE INFORMATION
JANE Q PUBLIC                                    Web site:      Chase.com
12 MAIN STREET APT 4                             Service Center: 1-800-935-9935
SPRINGFIELD IL 62704

CHECKING SUMMARY        Chase Total Checking
                                            AMOUNT
Beginning Balance                        $1,500.00
Deposits and Additions                    2,300.00
ATM & Debit Card Withdrawals               -245.50
Electronic Withdrawals                     -900.00
Fees                                        -12.00
Ending Balance                           $2,642.50

TRANSACTION DETAIL
DATE    DESCRIPTION                                                  AMOUNT     BALANCE
        Beginning Balance                                                     $1,500.00
01/03   Card Purchase 01/02 Whole Foods Austin TX Card 1234          -145.50   1,354.50
01/06   ACME CORP Payroll PPD ID: 1234567890                        2,300.00   3,654.50
01/08   ATM Withdrawal 01/08 100 Main St Card 1234                   -100.00   3,554.50
01/15   Zelle Payment To Landlord 1234567                            -900.00   2,654.50
01/31   Monthly Service Fee                                           -12.00   2,642.50
        Ending Balance                                                        $2,642.50
`,
    rows: [
      "2025-01-03 -145.50",
      "2025-01-06 2300.00",
      "2025-01-08 -100.00",
      "2025-01-15 -900.00",
      "2025-01-31 -12.00",
    ],
    verdict: "reconciled",
  },
  {
    name: "boa sections no balance",
    text: `
Bank of America
Your Adv Plus Banking
for March 1, 2025 to March 31, 2025                     Account number: 0123 4567 8901
JOHN SMITH

Account summary
Beginning balance on March 1, 2025                     $2,000.00
Deposits and other additions                            1,250.00
Withdrawals and other subtractions                       -300.25
Checks                                                   -150.00
Service fees                                               -5.00
Ending balance on March 31, 2025                       $2,794.75

Deposits and other additions
Date        Description                                                   Amount
03/05/25    PAYROLL DES:DIRECT DEP ID:99 INDN:SMITH JOHN                 1,250.00
Total deposits and other additions                                     $1,250.00

Withdrawals and other subtractions
Date        Description                                                   Amount
03/07/25    CHECKCARD 0306 SHELL OIL 5744 DALLAS TX                        -40.25
03/12/25    UTILITY CO DES:BILLPAY ID:77                                  -260.00
            INDN:JOHN SMITH CO ID:8877
Total withdrawals and other subtractions                                 -$300.25

Checks
Date        Check #       Amount        Date        Check #       Amount
03/10       1021          -100.00       03/20       1023*          -50.00
Total checks                                                            -$150.00
Total # of checks 2

Service fees
Date        Transaction description                                       Amount
03/31/25    Monthly Maintenance Fee                                        -5.00
Total service fees                                                        -$5.00

Daily ledger balances
Date        Balance($)      Date       Balance ($)      Date       Balance($)
03/01        2,000.00       03/07        3,209.75       03/12        2,949.75
03/05        3,250.00       03/10        3,109.75       03/31        2,794.75
`,
    rows: [
      "2025-03-05 1250.00",
      "2025-03-07 -40.25",
      "2025-03-12 -260.00",
      "2025-03-10 -100.00",
      "2025-03-20 -50.00",
      "2025-03-31 -5.00",
    ],
    verdict: "reconciled",
  },
  {
    name: "wells fargo day balances",
    text: `
Wells Fargo Everyday Checking
January 31, 2025  Page 1 of 4
Account number: 1234567890
Statement period activity summary
Beginning balance on 1/1                 $500.00
Deposits/Additions                      1,000.00
Withdrawals/Subtractions                 - 180.00
Ending balance on 1/31                 $1,320.00

Transaction history
        Check                                           Deposits/    Withdrawals/    Ending daily
Date    Number    Description                           Additions     Subtractions       balance
1/3               Purchase authorized on 01/02 Target                      30.00
                  Minneapolis MN S123 Card 9999
1/3               Recurring Payment Netflix.com                            20.00           450.00
1/10              Acme Payroll 250110 Jane Doe           1,000.00                        1,450.00
1/21    203       Check                                                   130.00         1,320.00
Ending balance on 1/31                                                                   1,320.00
Totals                                                  $1,000.00        $180.00
`,
    rows: ["2025-01-03 -30.00", "2025-01-03 -20.00", "2025-01-10 1000.00", "2025-01-21 -130.00"],
    verdict: "reconciled",
  },
  {
    name: "hsbc uk",
    text: `
HSBC UK
Contact tel 03457 404 404
Mr J Bloggs
1 High Street
LONDON
SW1A 1AA
Your Statement
Account Name                                   Sortcode     Account Number    Sheet Number
Mr J Bloggs                                    40-11-22     12345678          101
Your Bank Account details
Date        Payment type and details                Paid out       Paid in        Balance
11 Dec 24   BALANCE BROUGHT FORWARD                                              1,234.56
12 Dec 24   ))) TESCO STORES 2233
                LONDON                                 12.34
            VIS AMAZON
                AMAZON.CO.UK                           20.00                      1,202.22
15 Dec 24   CR  ACME LTD
                SALARY                                              2,000.00      3,202.22
03 Jan 25   DD  COUNCIL TAX                           150.00
            BP  J SMITH
                RENT                                   800.00                      2,252.22
            BALANCE CARRIED FORWARD                                               2,252.22
`,
    rows: [
      "2024-12-12 -12.34",
      "2024-12-12 -20.00",
      "2024-12-15 2000.00",
      "2025-01-03 -150.00",
      "2025-01-03 -800.00",
    ],
    verdict: "reconciled",
  },
  {
    name: "barclays OD",
    text: `
Barclays Bank UK PLC
Your Business Current Account
At a glance            01 - 28 Feb 2025
Start balance          £100.00
Money in               £50.00
Money out              £400.00
End balance            -£250.00
Date       Description                           Money out      Money in       Balance
1 Feb      Start Balance                                                         100.00
3 Feb      Card Payment to Esso On 01 Feb            400.00                     -300.00
10 Feb     Received From J Smith Ref: Inv 7                         50.00       -250.00
28 Feb     Balance carried forward                                              -250.00
           Total Payments/Receipts                   400.00         50.00
`,
    rows: ["2025-02-03 -400.00", "2025-02-10 50.00"],
    verdict: "reconciled",
  },
  {
    name: "lloyds type col",
    text: `
LLOYDS BANK
CLASSIC ACCOUNT          Sort Code 30-90-89    Account Number 12345678
01 January 2025 to 31 January 2025
Money In £1,500.00      Balance on 01 January 2025  £200.00
Money Out £310.00       Balance on 31 January 2025  £1,390.00
Your Transactions
Date         Description              Type     Money In (£)   Money Out (£)     Balance (£)
02 Jan 25    TESCO STORE              DEB                          110.00           90.00
05 Jan 25    SALARY ACME              FPI          1,500.00                      1,590.00
09 Jan 25    MR A LANDLORD            SO                           200.00        1,390.00
`,
    rows: ["2025-01-02 -110.00", "2025-01-05 1500.00", "2025-01-09 -200.00"],
    verdict: "reconciled",
  },
  {
    name: "rbc chequing",
    text: `
Royal Bank of Canada
Your RBC personal banking account statement
From December 15, 2024 to January 15, 2025
Your opening balance on December 15, 2024            $300.00
Total deposits into your account                   + 1,000.00
Total withdrawals from your account                  - 450.00
Your closing balance on January 15, 2025            = $850.00
Details of your account activity
Date     Description                                Withdrawals ($)    Deposits ($)    Balance ($)
         Opening Balance                                                                  300.00
16 Dec   Interac purchase - 1234 LOBLAWS                      50.00
         Online Banking transfer - 5678                      100.00                       150.00
2 Jan    Payroll Deposit ACME                                              1,000.00     1,150.00
15 Jan   e-Transfer sent Bob                                 300.00                       850.00
         Closing Balance                                                                 $850.00
`,
    rows: ["2024-12-16 -50.00", "2024-12-16 -100.00", "2025-01-02 1000.00", "2025-01-15 -300.00"],
    verdict: "reconciled",
  },
  {
    name: "td two dates",
    text: `
TD Canada Trust
Statement period DEC 31/24 - JAN 31/25
Branch No.  Account No.
1234        1234-5678901
Description                 Withdrawals      Deposits      Date       Balance
STARTING BALANCE                                           DEC31       100.00
GROCERY STORE                     25.00                    JAN02        75.00
PAYROLL                                          500.00    JAN10       575.00
MONTHLY ACCOUNT FEE               11.95                    JAN31       563.05
`,
    rows: ["2025-01-02 -25.00", "2025-01-10 500.00", "2025-01-31 -11.95"],
    verdict: "reconciled",
  },
  {
    name: "commbank",
    text: `
Commonwealth Bank of Australia
Account Number     06 2000 12345678
Statement Period   1 Mar 2025 - 31 Mar 2025
Closing Balance    $1,450.00 CR
Date     Transaction                            Debit          Credit         Balance
01 Mar 2025 OPENING BALANCE                                               $1,000.00 CR
02 Mar   WOOLWORTHS 1234 SYDNEY NSW
         Card xx1234
         Value Date: 28/02/2025                 50.00                       $950.00 CR
15 Mar   Direct Credit 012345 ACME
         Salary                                               $500.00     $1,450.00 CR
31 Mar 2025 CLOSING BALANCE                                               $1,450.00 CR
Opening balance   -   Total debits   +   Total credits   =   Closing balance
$1,000.00 CR          $50.00             $500.00             $1,450.00 CR
`,
    rows: ["2025-03-02 -50.00", "2025-03-15 500.00"],
    verdict: "reconciled",
  },
  {
    name: "hdfc india",
    text: `
HDFC BANK LIMITED
MR RAHUL SHARMA                     Account Branch : KORAMANGALA
FLAT 12 BRIGADE ROAD                Account No : 50100123456789
BENGALURU 560001                    Currency : INR
From : 01/04/2024     To : 30/04/2024
Date      Narration                          Chq./Ref.No.        Value Dt    Withdrawal Amt.    Deposit Amt.    Closing Balance
01/04/24  UPI-SWIGGY-SWIGGY@ICICI            0000409212345678    01/04/24            450.00                        1,24,550.00
          -UPI
05/04/24  NEFT CR-ACME-SALARY APR            N096241234567       05/04/24                         1,00,000.00      2,24,550.00
10/04/24  ATW-512345XXXXXX1234-BANGALORE     0000000000001234    10/04/24         10,000.00                        2,14,550.00
STATEMENT SUMMARY :-
Opening Balance     Dr Count    Cr Count      Debits         Credits        Closing Bal
1,25,000.00         2           1             10,450.00      1,00,000.00    2,14,550.00
`,
    rows: ["2024-04-01 -450.00", "2024-04-05 100000.00", "2024-04-10 -10000.00"],
    verdict: "reconciled",
  },
  {
    name: "sbi",
    text: `
STATE BANK OF INDIA
Account Name       : Mr. RAHUL SHARMA
Account Number     : 00000012345678901
Balance as on 1 Apr 2024 : 5,000.00
Account Statement from 1 Apr 2024 to 30 Apr 2024
Txn Date     Value Date   Description                       Ref No./Cheque No.    Debit          Credit        Balance
1 Apr 2024   1 Apr 2024   BY TRANSFER-NEFT*ACME             TRANSFER FROM                        2,000.00      7,000.00
                          SALARY                            12345
3 Apr 2024   3 Apr 2024   TO TRANSFER-UPI/DR/4093/AMAZON    TRANSFER TO 4897      1,500.50                     5,499.50
`,
    rows: ["2024-04-01 2000.00", "2024-04-03 -1500.50"],
    verdict: "reconciled",
  },
  {
    name: "fnb za",
    text: `
First National Bank
Gold Business Account : 62123456789
Statement Period : 1 March 2025 to 31 March 2025
Opening Balance 10,000.00 Cr
Closing Balance 11,350.00 Cr
Transactions in RAND (ZAR)
Date     Description                          Amount        Balance     Accrued Bank Charges
02 Mar   POS Purchase Checkers                 250.00      9,750.00Cr                3.50
05 Mar   FNB App Payment From Client         2,000.00Cr   11,750.00Cr
10 Mar   Debit Order Insurance                 400.00     11,350.00Cr               12.00
Closing Balance                                           11,350.00Cr
Turnover for Statement Period
No. Credit Transactions      1      2,000.00Cr
No. Debit Transactions       2        650.00
`,
    rows: ["2025-03-02 -250.00", "2025-03-05 2000.00", "2025-03-10 -400.00"],
    verdict: "reconciled",
  },
  {
    name: "standard bank za",
    text: `
STANDARD BANK
BUSINESS CURRENT ACCOUNT
Statement from 1 February 2025 to 28 February 2025
BANK STATEMENT / TAX INVOICE
Details                             Service Fee    Debits        Credits      Date     Balance
BALANCE BROUGHT FORWARD                                                       02 01     15 000.00
CHEQUE CARD PURCHASE                               1 250.00-                  02 03     13 750.00
  ENGEN 4278*1234
CREDIT TRANSFER                                                   5 500.00    02 10     19 250.00
  ACME PTY LTD
MONTHLY MANAGEMENT FEE                  ##           110.00-                  02 28     19 140.00
`,
    rows: ["2025-02-03 -1250.00", "2025-02-10 5500.00", "2025-02-28 -110.00"],
    verdict: "reconciled",
  },
  {
    name: "sparkasse",
    text: `
Sparkasse KölnBonn
Kontoauszug 3/2025    Blatt 1
Konto-Nr. 1234567   IBAN: DE12 3705 0198 0001 2345 67
Datum      Erläuterung                                                     Betrag
Kontostand am 28.02.2025, Auszug Nr. 2                                  1.000,00+
03.03.2025 Lastschrift
           STADTWERKE KOELN ABSCHLAG 03.25                                 85,50-
04.03.2025 Gutschrift Überweisung
           MUSTER GMBH LOHN 02/25                                       2.100,00+
31.03.2025 Entgeltabschluss                                                 4,95-
Kontostand am 31.03.2025 um 20:05 Uhr                                   3.009,55+
`,
    rows: ["2025-03-03 -85.50", "2025-03-04 2100.00", "2025-03-31 -4.95"],
    verdict: "reconciled",
  },
  {
    name: "ing de value date line 2",
    text: `
ING-DiBa AG
Girokonto Nummer 5412345678
Kontoauszug Januar 2025
Alter Saldo                                                   500,00 Euro
Neuer Saldo                                                   650,00 Euro
Buchung      Buchung / Verwendungszweck                       Betrag (EUR)
Valuta
02.01.2025   Lastschrift NETFLIX INTERNATIONAL                      -50,00
02.01.2025   Mandat: ABC123
             Referenz: 9988
10.01.2025   Gehalt/Rente ACME GmbH                                 200,00
10.01.2025   LOHN 01/2025
             Neuer Saldo                                            650,00
`,
    rows: ["2025-01-02 -50.00", "2025-01-10 200.00"],
    verdict: "reconciled",
  },
  {
    name: "bnp",
    text: `
BNP PARIBAS
RELEVE DE COMPTE CHEQUES
du 28 février 2025 au 31 mars 2025
RIB : 30004 00123 00001234567 89   IBAN : FR76 3000 4001 2300 0012 3456 789
Date     Nature des opérations                      Valeur        Débit         Crédit
SOLDE CREDITEUR AU 28.02.2025                                                  1 250,00
03.03    PRLV SEPA EDF                              03.03         85,00
05.03    VIR SEPA RECU /DE ACME SARL                05.03                      2 000,00
         /MOTIF SALAIRE
31.03    COMMISSIONS                                31.03          2,50
TOTAL DES OPERATIONS                                              87,50        2 000,00
SOLDE CREDITEUR AU 31.03.2025                                                  3 162,50
`,
    rows: ["2025-03-03 -85.00", "2025-03-05 2000.00", "2025-03-31 -2.50"],
    verdict: "reconciled",
  },
  {
    name: "amex card",
    text: `
American Express
Platinum Card
Prepared for                     Account Number         Closing Date
J SMITH                          XXXX-XXXXXX-01009      02/14/25
Previous Balance                   $500.00
Payments/Credits                  -$500.00
New Charges                       +$175.50
Fees                                +$0.00
New Balance                        $175.50
Minimum Payment Due                 $35.00
Payment Due Date                  03/11/25
Payments and Credits
Detail                                                                  Amount
01/20/25*  AUTOPAY PAYMENT - THANK YOU                                -$500.00
New Charges
Detail                                                                  Amount
01/22/25   UBER TRIP                  HELP.UBER.COM    CA               $25.50
           8005928996
02/02/25   DELTA AIR LINES            ATLANTA          GA              $150.00
`,
    rows: ["2025-01-20 500.00", "2025-01-22 -25.50", "2025-02-02 -150.00"],
    verdict: "reconciled",
  },
  {
    name: "capital one card two dates fx",
    text: `
Capital One
Venture Card | World Elite ending in 1234
Jan 10, 2025 - Feb 9, 2025 | 31 days in Billing Cycle
Previous Balance       $1,000.00
Payments               - $1,000.00
Transactions           + $163.97
Interest Charged       + $0.00
New Balance            = $163.97
Payment Due Date Mar 06, 2025    Minimum Payment Due $25.00
J SMITH #1234: Payments, Credits and Adjustments
Trans Date    Post Date    Description                               Amount
Jan 15        Jan 15       CAPITAL ONE MOBILE PYMT                 - $1,000.00
J SMITH #1234: Transactions
Trans Date    Post Date    Description                               Amount
Jan 12        Jan 13       STARBUCKS STORE SEATTLE WA                     $13.97
Jan 20        Jan 22       HOTEL PARIS                                   $150.00
              $140.00
              EUR
              1.071428571 Exchange Rate
J SMITH #1234: Total Transactions                                        $163.97
`,
    rows: ["2025-01-15 1000.00", "2025-01-12 -13.97", "2025-01-20 -150.00"],
    verdict: "reconciled",
  },
  {
    name: "revolut multi ccy",
    text: `
Revolut Ltd
EUR Statement
Generated on 2 Apr 2025
IBAN LT12 3250 0123 4567 8901
Balance summary
Product            Opening balance     Money out      Money in      Closing balance
Account (Current Account)   €100.00       €30.00        €50.00           €120.00
Account transactions from 1 March 2025 to 31 March 2025
Date           Description                       Money out     Money in      Balance
2 Mar 2025     Uber                                 €10.00                     €90.00
               To: Uber, Amsterdam
5 Mar 2025     Payment from J Smith                              €50.00       €140.00
9 Mar 2025     Amazon                               €20.00                    €120.00
               $21.50    Revolut Rate €1.00 = $1.07
               Card: 535456******1234
`,
    rows: ["2025-03-02 -10.00", "2025-03-05 50.00", "2025-03-09 -20.00"],
    verdict: "reconciled",
  },
  {
    name: "swiss apostrophe newest first",
    text: `
PostFinance AG
Kontoauszug 01.03.2025 - 31.03.2025
IBAN CH93 0076 2011 6238 5295 7
Datum       Text                                Gutschrift      Lastschrift      Valuta        Saldo
31.03.2025  Kontoführung                                               5.00      31.03.2025   11'229.50
15.03.2025  Gutschrift Lohn                     5'000.00                         15.03.2025   11'234.50
02.03.2025  Miete                                                  1'765.50      02.03.2025    6'234.50
01.03.2025  Kontostand                                                                         8'000.00
`,
    rows: ["2025-03-31 -5.00", "2025-03-15 5000.00", "2025-03-02 -1765.50"],
    verdict: "reconciled",
  },
  {
    name: "desc above amount line",
    text: `
Example Savings Bank
Account Number: 123456789
Statement Period 06/01/2025 - 06/30/2025
Beginning Balance   $1,000.00
Ending Balance      $1,045.00
Date        Description                     Debits       Credits        Balance
            POS PURCHASE TERMINAL 1234
06/03       GROCERY OUTLET                    55.00                        945.00
            ACH DEPOSIT
06/15       ACME PAYROLL                                  100.00         1,045.00
`,
    rows: ["2025-06-03 -55.00", "2025-06-15 100.00"],
    verdict: "reconciled",
  },
  {
    name: "jpy no minor",
    text: `
みずほ銀行  Mizuho Bank
Account Number 1234567
Period 2025/01/01 - 2025/01/31
Date         Description             Withdrawal      Deposit       Balance
2025/01/01   Opening balance                                     ¥100,000
2025/01/05   ATM                       ¥30,000                    ¥70,000
2025/01/25   SALARY                                ¥250,000      ¥320,000
`,
    rows: ["2025-01-05 -30000.00", "2025-01-25 250000.00"],
    verdict: "reconciled",
  },
  {
    name: "krona",
    text: `
Nordea Bank Abp
Kontoutdrag 2025-01-01 - 2025-01-31
Konto 1234 56 78901
Datum        Transaktion                     Belopp         Saldo
2025-01-31   Lön ACME AB                  25 000,00     31 500,00
2025-01-10   Hyra                         -8 500,00      6 500,00
`,
    rows: ["2025-01-31 25000.00", "2025-01-10 -8500.00"],
    verdict: "reconciled",
  },
  {
    name: "two-line rows amount last line, page break",
    text: `
First Regional Bank
Account Number 555-123-9
Statement Period: May 1, 2025 through May 31, 2025
Previous statement balance                                           2,000.00
May 02   Debit Card Purchase
         COSTCO WHSE 0123 SEATTLE WA                  -120.00        1,880.00
May 05   Direct Deposit
         EMPLOYER INC                                  900.00        2,780.00
Page 1 of 2
\f
First Regional Bank                                                  Page 2 of 2
Account Number 555-123-9
May 09   Bill Payment
         CITY WATER                                    -80.00        2,700.00
New balance                                                          2,700.00
`,
    rows: ["2025-05-02 -120.00", "2025-05-05 900.00", "2025-05-09 -80.00"],
    verdict: "reconciled",
  },
  {
    name: "CR/DR column, count of rows",
    text: `
Union Bank
Account No: 1122334455
Period: 01-Jan-2025 to 31-Jan-2025
Opening Balance : 10,000.00
Sl  Date         Particulars                  Amount (Rs.)    Dr/Cr     Balance (Rs.)
1   02-Jan-2025  UPI/PAYTM                          500.00    DR           9,500.00
2   09-Jan-2025  NEFT ACME                        2,000.00    CR          11,500.00
3   12-Jan-2025  CHQ PAID 000123                  1,500.00    DR          10,000.00
Closing Balance : 10,000.00
`,
    rows: ["2025-01-02 -500.00", "2025-01-09 2000.00", "2025-01-12 -1500.00"],
    verdict: "reconciled",
  },
  {
    name: "weekday and Rs",
    text: `
Canara Bank
Account 9988776655
Statement from 01 Jan 2025 to 31 Jan 2025
Date               Details                 Withdrawal        Deposit        Balance
Mon 06 Jan 2025    Rent                  Rs. 5,000.00                    Rs. 15,000.00
Fri 10 Jan 2025    Salary                                Rs. 50,000.00   Rs. 65,000.00
`,
    rows: ["2025-01-06 -5000.00", "2025-01-10 50000.00"],
    verdict: "reconciled",
  },
  {
    name: "overdrawn OD suffix",
    text: `
Ulster Bank
Account No 12345678
Period 01/02/2025 to 28/02/2025
Date        Details                 Debit       Credit      Balance
            Balance Forward                                  50.00
03/02/2025  Card Esso               80.00                    30.00 OD
10/02/2025  Lodgement                           100.00       70.00
`,
    rows: ["2025-02-03 -80.00", "2025-02-10 100.00"],
    verdict: "reconciled",
  },
  {
    name: "two accounts combined us cu",
    text: `
Evergreen Credit Union
Member Number 445566
Statement Period 01/01/2025 - 01/31/2025
SHARE SAVINGS   Account 445566-S1
Date     Description            Amount        Balance
01/01    Beginning Balance                     500.00
01/31    Dividend                  0.42        500.42
01/31    Ending Balance                        500.42
CHECKING   Account 445566-S7
Date     Description            Amount        Balance
01/01    Beginning Balance                   1,000.00
01/04    Withdrawal Debit Card   -20.00        980.00
01/15    Deposit ACH ACME        400.00      1,380.00
01/31    Ending Balance                      1,380.00
`,
    rows: ["2025-01-31 0.42", "2025-01-04 -20.00", "2025-01-15 400.00"],
    verdict: "reconciled",
  },
  {
    name: "missing row must not reconcile",
    text: `
Test Bank
Account Number: 123456789
Period 06/01/2025 - 06/30/2025
Beginning Balance   $1,000.00
Ending Balance      $1,045.00
Date        Description                     Debits       Credits        Balance
06/03       GROCERY OUTLET                    55.00                        945.00
06/15       ACME PAYROLL                                   90.00         1,045.00
`,
    rows: ["2025-06-03 -55.00", "2025-06-15 90.00"],
    verdict: "not_reconciled",
  },
  {
    name: "totals show missing cancelling rows",
    text: `
Test Bank
Account Number: 123456789
Period 06/01/2025 - 06/30/2025
Beginning Balance   $1,000.00
Total Deposits      $200.00
Total Withdrawals   $155.00
Ending Balance      $1,045.00
Date        Description                     Debits       Credits        Balance
06/03       GROCERY OUTLET                    55.00                        945.00
06/15       ACME PAYROLL                                  100.00         1,045.00
`,
    rows: ["2025-06-03 -55.00", "2025-06-15 100.00"],
    verdict: "not_reconciled",
  },
  {
    name: "nz asb csv-like, plus/minus and no balance header",
    text: `
ASB Bank Limited
MR A KIWI                        Account: 12-3456-0789012-50
1 QUEEN STREET
AUCKLAND 1010
Statement period: 1 Mar 2025 to 31 Mar 2025
Date      Transaction                     Debits      Credits      Balance
Opening balance                                                    $820.15
3 Mar     COUNTDOWN AUCKLAND              45.15                    $775.00
12 Mar    ACME WAGES                                  1,200.00     $1,975.00
Closing balance                                                    $1,975.00
`,
    rows: ["2025-03-03 -45.15", "2025-03-12 1200.00"],
    verdict: "reconciled",
  },
  {
    name: "natwest type col then desc",
    text: `
NatWest
Account Name  MR J BLOGGS      Account No 12345678      Sort Code 60-11-22      Page No 1 of 1
Statement Date   28 FEB 2025
Period Covered   01 FEB 2025 to 28 FEB 2025
Previous Balance £500.00
Paid In £100.00
Withdrawn £61.50
New Balance £538.50
Date        Description                                 Paid In(£)    Withdrawn(£)     Balance(£)
01 FEB 2025 BROUGHT FORWARD                                                                500.00
03 FEB      Card Transaction 1234 02FEB25 TFL                                2.80          497.20
            Card Transaction 1234 02FEB25 PRET                               8.70          488.50
17 FEB      Automated Credit ACME LTD                     100.00                           588.50
24 FEB      Direct Debit GYM                                                50.00          538.50
`,
    rows: ["2025-02-03 -2.80", "2025-02-03 -8.70", "2025-02-17 100.00", "2025-02-24 -50.00"],
    verdict: "reconciled",
  },
  {
    name: "abn amro nl af bij",
    text: `
ABN AMRO Bank N.V.
Rekeningafschrift  Priverekening   NL12 ABNA 0123 4567 89
Datum afschrift 31-03-2025
Vorig saldo EUR 1.000,00 + Nieuw saldo EUR 1.452,75 +
Totaal afgeschreven 47,25    Totaal bijgeschreven 500,00
Boekdatum   Omschrijving                                  Bedrag af (debet)      Bedrag bij (credit)
(Rentedatum)
03-03       BEA, Betaalpas                                        47,25
(03-03)     ALBERT HEIJN 1234,PAS123
25-03       SEPA Overboeking                                                              500,00
(25-03)     IBAN: NL98INGB0001234567 SALARIS
`,
    rows: ["2025-03-03 -47.25", "2025-03-25 500.00"],
    verdict: "reconciled",
  },
  {
    name: "santander es",
    text: `
Banco Santander, S.A.
Extracto de cuenta corriente
Titular: Juan Pérez García
IBAN ES91 2100 0418 4502 0005 1332
Periodo: 01/03/2025 al 31/03/2025
Fecha       Fecha valor    Concepto                                   Importe          Saldo
01/03/2025                 Saldo anterior                                          2.500,00€
04/03/2025  04/03/2025     RECIBO IBERDROLA CLIENTES                  -76,40€      2.423,60€
10/03/2025  10/03/2025     NOMINA ACME SL                           1.800,00€      4.223,60€
28/03/2025  31/03/2025     COMISION MANTENIMIENTO                     -10,00€      4.213,60€
`,
    rows: ["2025-03-04 -76.40", "2025-03-10 1800.00", "2025-03-28 -10.00"],
    verdict: "reconciled",
  },
  {
    name: "intesa it dare avere",
    text: `
INTESA SANPAOLO
Estratto conto n. 1/2025 dal 01.01.2025 al 31.03.2025
Data        Data valuta   Descrizione                          Addebiti       Accrediti
01.01.2025                Saldo iniziale                                       1.000,00
15.01.2025  15.01.2025    Disposizione di addebito ENEL           120,50
27.01.2025  27.01.2025    Stipendio                                            1.500,00
31.03.2025  31.03.2025    Imposta di bollo                          8,55
                          Totali                                  129,05       1.500,00
31.03.2025                Saldo finale                                         2.370,95
`,
    rows: ["2025-01-15 -120.50", "2025-01-27 1500.00", "2025-03-31 -8.55"],
    verdict: "reconciled",
  },
  {
    name: "br itau pt",
    text: `
Banco Itaú S.A.
Extrato de conta corrente
Período: 01/03/2025 a 31/03/2025
data      lançamentos                          valor (R$)        saldo (R$)
01/03     SALDO ANTERIOR                                           1.000,00
05/03     PIX TRANSF JOAO 05/03                   -250,00            750,00
10/03     REMUNERACAO/SALARIO                    3.000,00          3.750,00
31/03     SALDO DO DIA                                             3.750,00
`,
    rows: ["2025-03-05 -250.00", "2025-03-10 3000.00"],
    verdict: "reconciled",
  },
  {
    name: "citi balance only some rows, CR payments",
    text: `
Citibank
Citi Double Cash Card
Account number ending in: 9876
Billing Period: 01/15/25-02/13/25
Account Summary
Previous balance                 $250.00
Payments                        -$250.00
Credits                          -$10.00
Purchases                        +$80.00
New balance                       $70.00
Standard Purchases
Sale     Post
Date     Date      Description                              Amount
01/16    01/17     COSTCO WHSE #0123 SEATTLE WA            $55.00
02/01    02/02     SPOTIFY USA                             $25.00
Payments, Credits and Adjustments
Date     Description                              Amount
01/28    ONLINE PAYMENT, THANK YOU              -$250.00
02/05    COSTCO WHSE RETURN                      -$10.00
Fees charged
TOTAL FEES FOR THIS PERIOD                         $0.00
2025 totals year-to-date
Total fees charged in 2025     $0.00
`,
    rows: ["2025-01-16 -55.00", "2025-02-01 -25.00", "2025-01-28 250.00", "2025-02-05 10.00"],
    verdict: "reconciled",
  },
  {
    name: "uk card CR suffix",
    text: `
Barclaycard
Your statement 14 March 2025
Your previous balance £400.00
Your new balance £375.25
Your credit limit £5,000
Minimum payment £8.00
Date      Description                                   Money out      Money in
20 Feb    Payment, thank you                                           £400.00
22 Feb    Tesco Stores London                             £75.25
01 Mar    Ryanair                                        £300.00
`,
    rows: ["2025-02-20 400.00", "2025-02-22 -75.25", "2025-03-01 -300.00"],
    verdict: "reconciled",
  },
  {
    name: "india card Cr suffix",
    text: `
ICICI Bank Credit Card
MR RAHUL SHARMA
Statement period : December 19, 2024 to January 18, 2025
STATEMENT SUMMARY
Total Amount due       Minimum Amount due
₹6,500.00              ₹330.00
Previous Balance       Purchases / Charges     Cash Advances     Payments / Credits
₹5,000.00              ₹6,500.00               ₹0.00             ₹5,000.00
Date         SerNo.        Transaction Details          Reward Points    Intl.# amount    Amount (in₹)
4315XXXXXXXX1001
22/12/2024   10001         AMAZON PAY INDIA IN                  30                        1,500.00
05/01/2025   10002         BBPS Payment received                 0                        5,000.00 CR
10/01/2025   10003         MAKEMYTRIP IN                       100                        5,000.00
`,
    rows: ["2024-12-22 -1500.00", "2025-01-05 5000.00", "2025-01-10 -5000.00"],
    verdict: "reconciled",
  },
  {
    name: "absa za leading minus balance, charges column",
    text: `
ABSA Bank Limited
Cheque Account Statement
Account 40-1234-5678
Statement period 1 Mar 2025 to 31 Mar 2025
Your transactions
Date        Transaction Description                  Charge      Debit Amount      Credit Amount      Balance
1/03/2025   Bal Brought Forward                                                                        2 000.00
3/03/2025   Pos Purchase                Settlement    5.50          350.00                             1 650.00
            Card No. 1234 Engen Sandton
25/03/2025  Acb Credit                  Settlement                                    12 000.00       13 650.00
            Acme Salary
28/03/2025  Monthly Acc Fee             Headoffice                  150.00                            13 500.00
`,
    rows: ["2025-03-03 -350.00", "2025-03-25 12000.00", "2025-03-28 -150.00"],
    verdict: "reconciled",
  },
  {
    name: "capitec",
    text: `
Capitec Bank
Main Account Statement
From Date: 01/03/2025
To Date: 31/03/2025
Account Number: 1234567890
Opening Balance: R1 000.00
Closing Balance: R5 790.50
Money In Summary             Money Out Summary
Salary R5 000.00             Groceries R200.00
Transaction History
Date         Description                 Category        Money In      Money Out     Fee*      Balance
02/03/2025   Card Purchase: Shoprite     Groceries                     -200.00                  800.00
25/03/2025   Salary Acme                 Income          5 000.00                             5 800.00
31/03/2025   Monthly Account Admin Fee   Fees                                       -9.50     5 790.50
`,
    rows: ["2025-03-02 -200.00", "2025-03-25 5000.00", "2025-03-31 -9.50"],
    verdict: "reconciled",
  },
  {
    name: "us bank negative trailing in withdrawals",
    text: `
U.S. Bank National Association
Statement Period: Jan 2, 2025 through Jan 31, 2025
Business Checking        Account Number 1-234-5678-9012
Account Summary
                       # Items
Beginning Balance on Jan 2              $     10,000.00
Customer Deposits         1                    2,500.00
Other Withdrawals         1                    1,200.00-
Checks Paid               2                      800.00-
Ending Balance on  Jan 31, 2025         $     10,500.00
Customer Deposits
Number       Date        Ref Number            Amount
             Jan 10      8888123456          2,500.00
                            Total Customer Deposits        $    2,500.00
Other Withdrawals
Date      Description of Transaction                Ref Number      Amount
Jan 15    Electronic Withdrawal To INTUIT PAYROLL   REF=2501        $ 1,200.00-
                            Total Other Withdrawals        $    1,200.00-
Checks Presented Conventionally
Check     Date      Ref Number      Amount      Check     Date      Ref Number      Amount
1001      Jan 6     8100200300      300.00      1002*     Jan 21    8100200301      500.00
                            Conventional Checks Paid (2)    $     800.00-
Balance Summary
Date        Ending Balance      Date        Ending Balance
Jan 6            9,700.00       Jan 15          11,000.00
Jan 10          12,200.00       Jan 21          10,500.00
`,
    rows: ["2025-01-10 2500.00", "2025-01-15 -1200.00", "2025-01-06 -300.00", "2025-01-21 -500.00"],
    verdict: "reconciled",
  },
  {
    name: "monzo signed",
    text: `
Monzo Bank Limited
Personal Account statement
01/03/2025 - 31/03/2025
J Bloggs
Sort code: 04-00-04   Account number: 12345678
£150.00 Total outgoings     £500.00 Total deposits    £850.00 Balance
Date         Description                           (GBP) Amount      (GBP) Balance
31/03/2025   Pot transfer                              -100.00           850.00
20/03/2025   ACME LTD (Faster Payments)                 500.00           950.00
02/03/2025   TESCO STORES LONDON GBR                    -50.00           450.00
`,
    rows: ["2025-03-31 -100.00", "2025-03-20 500.00", "2025-03-02 -50.00"],
    verdict: "reconciled",
  },
  {
    name: "desjardins fr-ca",
    text: `
Desjardins
Relevé de compte
Période du 1 mars 2025 au 31 mars 2025
Date     Code     Description                        Frais      Retrait        Dépôt         Solde
1 MAR             Solde reporté                                                            1 250,00
4 MAR    IGA      Achat IGA MONTREAL                             64,30                     1 185,70
14 MAR   DI       Dépôt direct ACME                                         1 500,00       2 685,70
`,
    rows: ["2025-03-04 -64.30", "2025-03-14 1500.00"],
    verdict: "reconciled",
  },
  {
    name: "kwd three decimals",
    text: `
National Bank of Kuwait
Account No 2001234567
Statement from 01/01/2025 to 31/01/2025   Currency KWD
Date          Description              Debit         Credit        Balance
01/01/2025    Opening Balance                                    1,000.000
05/01/2025    K-NET SULTAN CENTER      25.750                      974.250
25/01/2025    SALARY                                1,500.000    2,474.250
`,
    rows: ["2025-01-05 -25.750", "2025-01-25 1500.000"],
    verdict: "reconciled",
  },
  {
    name: "no opening, newest first, missing row inside",
    text: `
Some Bank
Account Number 123456
Date         Description         Amount       Balance
2025-03-09   C                   -20.00        70.00
2025-03-05   B                    10.00        80.00
2025-03-01   A                   -10.00       100.00
`,
    rows: ["2025-03-09 -20.00", "2025-03-05 10.00", "2025-03-01 -10.00"],
    verdict: "not_reconciled",
  },
  {
    name: "two months of statements one file",
    text: `
Metro Bank
Account Number 123456789
Statement Period 1 Jan 2025 to 31 Jan 2025
Date     Transaction       Money out     Money in     Balance
         Balance brought forward                       100.00
05 Jan   Card A            10.00                        90.00
         Closing balance                                90.00
\f
Metro Bank
Account Number 123456789
Statement Period 1 Feb 2025 to 28 Feb 2025
Date     Transaction       Money out     Money in     Balance
         Balance brought forward                        90.00
07 Feb   Card B            15.00                        75.00
         Closing balance                                75.00
`,
    rows: ["2025-01-05 -10.00", "2025-02-07 -15.00"],
    verdict: "reconciled",
  },
  {
    name: "amount with currency code after, one column D/C",
    text: `
Raiffeisenbank
Kontonummer 12345
Zeitraum 01.03.2025 bis 31.03.2025
Alter Kontostand 1.000,00 EUR H
Datum        Text                                          Betrag EUR
05.03.2025   Miete                                          700,00 S
10.03.2025   Lohn                                         2.000,00 H
Neuer Kontostand 2.300,00 EUR H
`,
    rows: ["2025-03-05 -700.00", "2025-03-10 2000.00"],
    verdict: "reconciled",
  },
  {
    name: "no header no table",
    text: `
Small Town Bank
Account 998877
Beginning balance 100.00
Ending balance 130.00
Mar 3, 2025   Deposit Cash              +50.00
Mar 9, 2025   Payment Store             -20.00
`,
    rows: ["2025-03-03 50.00", "2025-03-09 -20.00"],
    verdict: "reconciled",
  },
  {
    name: "closing label value not last; available balance; pending",
    text: `
Discover Bank
Account 1111222233
Statement Period 03/01/2025 - 03/31/2025
Current balance $1,999.00
Available balance $1,950.00
Opening balance $1,000.00
Date        Description                 Amount        Balance
03/04/2025  Transfer In                 $500.00       $1,500.00
03/20/2025  Card payment               -$100.00       $1,400.00
Pending transactions
03/31/2025  Coffee                       -$5.00
`,
    rows: ["2025-03-04 500.00", "2025-03-20 -100.00"],
    verdict: "reconciled",
  },
  {
    name: "headings of two lines that are read as one",
    text: `
Great Lakes Bank
Account number: 5620 866-4250
Period: 14 Dec 24 to 13 Jan 25
Your opening balance on December 14           1,000.00

                                     Amounts deducted from      Amounts added to
Date      Description                     your account ($)      your account ($)    Balance ($)
16 Dec    GST CANADA                                                       40.39       1,040.39
20 Dec    HYDRO BILL                                  7.80                             1,032.59
02 Jan    PAYROLL                                                       1,117.88       2,150.47
Your closing balance                                                                   2,150.47
`,
    rows: ["2024-12-16 40.39", "2024-12-20 -7.80", "2025-01-02 1117.88"],
    verdict: "reconciled",
  },
  {
    name: "headings of sections that join others",
    text: `
First Lakeside Bank
Account number 1234567890
Statement period 03/01/2025 through 03/31/2025
Beginning balance                                  $500.00
Ending balance                                     $940.00

Direct deposits and other credits
Date        Description                              Amount
03/03       ACME PAYROLL                             600.00

Electronic withdrawals and other debits
Date        Description                              Amount
03/04       POWER COMPANY                            120.00
03/09       MONTHLY FEE                               40.00
`,
    rows: ["2025-03-03 600.00", "2025-03-04 -120.00", "2025-03-09 -40.00"],
    verdict: "reconciled",
  },
  {
    name: "a card with charges below zero that does not add up",
    text: `
Table Bay Bank                    Credit card statement
Account number: 62167992381
Statement period: 2025/06/01 - 2025/06/30
Previous balance                                      641.51
New balance                                           999.99
Credit limit                                        5,000.00

Date         Details                              Amount (R)
2025/06/01   MONTHLY ACCOUNT FEE                      -50.00
2025/06/03   POWER AND LIGHT                         -100.00
2025/06/05   PAYMENT THANK YOU                        200.00
2025/06/09   SHOP                                     -25.50
`,
    rows: ["2025-06-01 -50.00", "2025-06-03 -100.00", "2025-06-05 200.00", "2025-06-09 -25.50"],
    verdict: "not_reconciled",
  },
  {
    name: "a card whose minus stands behind the currency",
    text: `
Rheintal Volksbank eG              Relevé de carte de crédit
IBAN: NL36 DELT 0525 8688 82
Relevé du: 01.09.2024 au 30.09.2024
Solde précédent           100,00 €
Nouveau solde             470,28 €-
Limite de crédit        5.000,00 €

Date         Valeur       Nature des opérations          Montant
01.09.2024   03.09.2024   SUPERMARCHE                    57,32 €
04.09.2024   04.09.2024   VIREMENT RECU                 627,60 €-
`,
    rows: ["2024-09-01 -57.32", "2024-09-04 627.60"],
    verdict: "reconciled",
  },
  {
    name: "zeros behind the decimal mark are left out",
    text: `
Bank of Something
Account number 00002134001
Beginning Balance: $8016.50
February 1, 2022 to February 28, 2022

Date        Description            Credits   Debits   Balance
2/4/2022    Life Insurance                    45.45   10824.05
2/3/2022    Rental Deposit            3000             10869.5
            Retail Store 2 Refund                5.5    7869.5
            Retail Store 1                       170      7875
2/1/2022    Shoe Store Refund           33              8045
            Snack Vending Machine                4.5      8012
`,
    rows: [
      "2022-02-04 -45.45",
      "2022-02-03 3000.00",
      "2022-02-03 -5.50",
      "2022-02-03 -170.00",
      "2022-02-01 33.00",
      "2022-02-01 -4.50",
    ],
    verdict: "reconciled",
  },
  {
    name: "a heading of a section made of words that name columns",
    text: `
Banque du Littoral
N° de compte: 40001234
Relevé du: 01/04/2025 au 30/04/2025
Solde précédent               430,11
Nouveau solde                 821,80

Opérations au crédit
Date        Libellé                              Montant
15/04/2025  VIREMENT RECU                         300,00
26/04/2025  ABRECHNUNG                            106,64

Opérations au débit
Date        Libellé                              Montant
07/04/2025  ASSURANCE                              14,95
`,
    rows: ["2025-04-15 300.00", "2025-04-26 106.64", "2025-04-07 -14.95"],
    verdict: "reconciled",
  },
  {
    name: "an Italian card",
    text: `
Banca Valdarno                 Estratto conto carta di credito
Periodo dal: 01.09.2024 al 30.09.2024
Saldo precedente          347,51
Nuovo saldo               302,58

Data        Descrizione                             Importo
03.09.2024  PAGAMENTO POS                              2,17
09.09.2024  BONIFICO RICEVUTO                        -47,10
`,
    rows: ["2024-09-03 -2.17", "2024-09-09 47.10"],
    verdict: "reconciled",
  },
];
