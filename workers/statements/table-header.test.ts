// Headings that touch each other, or go over two lines next to others that do not.
import { expect, it } from "vitest";
import { processorMs } from "../../test/support/processor-time.ts";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { makeLine } from "./lines.ts";
import { tableHeaderOf } from "./table-header.ts";
import { understandStatement } from "./understand.ts";

const read = (text: string) => {
  const [account] = understandStatement(wordsOfText(text)).accounts;
  return {
    verdict: account?.verdict,
    rows: account?.transactions.map(({ description, amount, direction, balance }) =>
      [description, amount, direction, balance].join(" "),
    ),
  };
};

/** The same rows under each of two headings; what is below a heading stands where its column does. */
const TWO_LINES = {
  "its lower line": `
Account number 40001234
Opening balance 1,000.00
                                                  Amounts deducted from
Date        Details                     Reference your account ($)       Deposits ($)    Balance ($)
03 May 2025 Shop at the corner          344438                   1.12                         998.88
03 May 2025 Salary                      920313                               27.94          1,026.82
04 May 2025 Power and light             885793                 112.70                         914.12
Closing balance 914.12
`,
  "its upper line": `
Account number 40001234
Opening balance 1,000.00
                                            Withdrawals Amounts added to
Date        Details             Ref.                ($) your account ($)    Balance ($)
03 May 2025 Shop at the corner  344438             1.12                          998.88
03 May 2025 Salary              920313                             27.94       1,026.82
04 May 2025 Power and light     885793           112.70                          914.12
Closing balance 914.12
`,
};

it.each(Object.entries(TWO_LINES))(
  "a heading of two lines is found where the one next to it touches %s",
  (_, text) => {
    expect(read(text)).toEqual({
      verdict: "reconciled",
      rows: [
        "Shop at the corner 1.12 debit 998.88",
        "Salary 27.94 credit 1026.82",
        "Power and light 112.70 debit 914.12",
      ],
    });
  },
);

it("a heading of two lines that is wider than its column leaves the one that it reaches over", () => {
  const text = `
Account number 40001234
Opening balance 1,000.00
                                                   Amounts added to
Date        Details             Ref.         Debit                       Balance ($)
                                                   your account ($)
03 May 2025 Shop at the corner  344438        1.12                            998.88
03 May 2025 Salary              920313                        27.94         1,026.82
04 May 2025 Power and light     885793      112.70                            914.12
Closing balance 914.12
`;
  const words = wordsOfText(text).flatMap((word) => {
    const isLower = word.text === "your" || word.text === "account" || word.text === "($)";
    const isOfHeading = isLower && word.top > 100 && word.left < 400;
    if (!isOfHeading) return [word];
    const up = 13;
    return [{ ...word, top: word.top - up, bottom: word.bottom - up }];
  });
  // So wide that it begins above the end of the heading left of it.
  const wide = words.map((word) =>
    ["Amounts", "your"].includes(word.text) ? { ...word, left: word.left - 14 } : word,
  );
  const [account] = understandStatement(wide).accounts;
  expect(account?.verdict).toBe("reconciled");
  expect(account?.transactions.map(({ amount, direction }) => `${amount} ${direction}`)).toEqual([
    "1.12 debit",
    "27.94 credit",
    "112.70 debit",
  ]);
});

it("columns of amounts and of their type without a gap between them are two", () => {
  const text = `
Conto corrente n.: 40001234
Saldo iniziale 1.000,00
Data        Descrizione operazione    ImportoD/A     Saldo
03.05.2025  PAGAMENTO POS                  1,12D    998,88
04.05.2025  BONIFICO RICEVUTO            162,26A  1.161,14
05.05.2025  ADDEBITO LUCE                 10,00D  1.151,14
Saldo finale 1.151,14
`;
  expect(read(text)).toEqual({
    verdict: "reconciled",
    rows: [
      "PAGAMENTO POS 1.12 debit 998.88",
      "BONIFICO RICEVUTO 162.26 credit 1161.14",
      "ADDEBITO LUCE 10.00 debit 1151.14",
    ],
  });
});

it("two lines of hundreds of words that headings have cost less than seconds", () => {
  const text = "the account balance on any date is a reference for amounts of a deposit ";
  const [above, line] = [0, 12].map((top) =>
    makeLine(wordsOfText(text.repeat(30)).map((word) => ({ ...word, top, bottom: top + 10 }))),
  );
  if (above === undefined || line === undefined) throw new Error("There are two lines.");
  const before = processorMs();
  tableHeaderOf(line, above, []);
  expect(processorMs() - before).toBeLessThan(2_000);
});

it("a unit or a second word far behind a heading takes nothing from it", () => {
  const heading = (text: string) => tableHeaderOf(makeLine(wordsOfText(text)), undefined, []);
  const roles = (text: string) => heading(text)?.map(({ role }) => role);
  expect(roles("Date     Details          Amount   (R)")).toEqual([
    "date",
    "description",
    "amount",
  ]);
  const wide = wordsOfText("Date   Cheque   no.          Amount").map((word) =>
    word.text === "no." ? { ...word, left: word.left - 6, right: word.right - 6 } : word,
  );
  expect(tableHeaderOf(makeLine(wide), undefined, [])?.map(({ role }) => role)).toEqual([
    "date",
    "reference",
    "amount",
  ]);
});

it("words of a heading above the first column of a table are not headings of columns", () => {
  const [above, line] = [
    "Purchases  and  other  charges",
    "Posting date  Description   Reference   Amount",
  ].map((text, at) =>
    makeLine(wordsOfText(text).map((word) => ({ ...word, top: at * 14, bottom: at * 14 + 10 }))),
  );
  if (above === undefined || line === undefined) throw new Error("There are two lines.");
  expect(tableHeaderOf(line, above, [])?.map(({ role }) => role)).toEqual([
    ...["date", "description", "reference", "amount"],
  ]);
});

it("dates below a heading in words that are not known begin rows whose amounts stand in their last lines", () => {
  const text = `
Account number 40001234
Saldo anterior 1,000.00
F. op.      Concepto                       Importe         Saldo
13/05/2025  Shop at the corner
            Ref 344438
13/05/2025  Salary                            27.94     1,027.94
14/05/2025  Power and light
            Ref 885793                      -112.70       915.24
`;
  const shifted = text.replace(
    "            Ref 344438\n",
    "            Ref 344438                        -0.00     1,000.00\n",
  );
  const [account] = understandStatement(wordsOfText(shifted)).accounts;
  expect(
    account?.transactions.map(({ date, description }) => `${String(date)} ${description}`),
  ).toEqual([
    "2025-05-13 Shop at the corner Ref 344438",
    "2025-05-13 Salary",
    "2025-05-14 Power and light Ref 885793",
  ]);
});

it("a heading of two lines in type with wide spaces is one", () => {
  const [above, line] = [
    "                       Amounts  added  to",
    "Date   Description     your  account  ($)   Debits   Balance",
  ].map((text, at) =>
    makeLine(wordsOfText(text).map((word) => ({ ...word, top: at * 11, bottom: at * 11 + 8.5 }))),
  );
  if (above === undefined || line === undefined) throw new Error("There are two lines.");
  expect(tableHeaderOf(line, above, [])?.map(({ role }) => role)).toEqual([
    ...["date", "description", "credit", "debit", "balance"],
  ]);
});

it("a heading of a section in the middle above a whole header names no columns of it", () => {
  const [above, line] = [
    "                    DEPOSITS AND CREDITS",
    "Date   Description                                Amount",
  ].map((text, at) =>
    // Of a printer for listings: a space is wider than half of the height of its letters.
    makeLine(wordsOfText(text).map((word) => ({ ...word, top: at * 11, bottom: at * 11 + 8.5 }))),
  );
  if (above === undefined || line === undefined) throw new Error("There are two lines.");
  expect(tableHeaderOf(line, above, [])?.map(({ role }) => role)).toEqual([
    ...["date", "description", "amount"],
  ]);
});

it.each([
  ["German", "Beschreibung", "Eingehend", "Ausgehend", "Betrag"],
  ["French", "Description", "Entrant", "Sortant", "Montant"],
  ["Spanish", "Descripción", "Entrante", "Saliente", "Importe"],
  ["Italian", "Descrizione", "In entrata", "In uscita", "Importo"],
  ["Dutch", "Omschrijving", "Inkomend", "Uitgaand", "Bedrag"],
  ["Polish", "Opis", "Przychodzące", "Wychodzące", "Kwota"],
])(
  "what comes in and goes out in %s, next to an amount that is the balance",
  (_, ...[text, comesIn, goesOut, amount]) => {
    const cell = (word: string): string => word.padStart(14);
    const header = [text.padEnd(30), cell(comesIn), cell(goesOut), cell(amount)].join("");
    const rows = `
${header}
Groceries                                           -38.60        474.15
30.03.2026 Card 4471
Cashback                                1.23                      512.75
29.03.2026 Cashback 1416869687
Power and light                                     -45.99        511.52
28.03.2026 Card 4471
`;
    expect(read(`Example Pay\nAccount number 40001234\n${rows}`)).toMatchObject({
      verdict: "reconciled",
      rows: [
        expect.stringMatching(/ 38\.60 debit 474\.15$/u),
        expect.stringMatching(/ 1\.23 credit 512\.75$/u),
        expect.stringMatching(/ 45\.99 debit 511\.52$/u),
      ],
    });
  },
);

it("a long sentence in two parts, with some words of headings, does not begin a table", () => {
  const text =
    "Summary of checks written    (those listed are also displayed in the preceding history of it)";
  expect(tableHeaderOf(makeLine(wordsOfText(text)), undefined, [])).toBeNull();
});

it("two sentences next to each other, with many words of headings, do not begin a table", () => {
  const text =
    "Interest Charges accrue from the date of the transaction, date the   information: your name and account number; the dollar amount of";
  expect(tableHeaderOf(makeLine(wordsOfText(text)), undefined, [])).toBeNull();
});

it("of two balances below one heading the first is that behind the row, the second another of the day", () => {
  const text = `
Cuenta 40001234
Saldo inicial 1,000.00
FECHA                                                              SALDO
OPER    DESCRIPCION                CARGOS      ABONOS     OPERACION  LIQUIDACION
03/05/2025  TIENDA LA ESQUINA        100.00                  900.00       900.00
04/05/2025  NOMINA                               500.00    1,400.00     1,400.00
05/05/2025  CINE                      50.00                1,350.00     1,400.00
06/05/2025  LUZ                       25.00                1,325.00     1,325.00
Saldo final 1,325.00
`;
  expect(read(text)).toEqual({
    verdict: "reconciled",
    rows: [
      "TIENDA LA ESQUINA 100.00 debit 900.00",
      "NOMINA 500.00 credit 1400.00",
      "CINE 50.00 debit 1350.00",
      "LUZ 25.00 debit 1325.00",
    ],
  });
});

it("next to charges, payments lower what is owed", () => {
  const text = `
Example Building Society
Mortgage account number 40001234
Date          Description                  Charges    Payments    Amount owed
1 April 2025  Opening balance                                     148,220.63
2 April 2025  Direct Debit payment                      812.40    147,408.23
30 April 2025 Interest charged             539.27                 147,947.50
30 April 2025 Balance carried forward                             147,947.50
`;
  expect(read(text)).toEqual({
    verdict: "reconciled",
    rows: [
      "Direct Debit payment 812.40 credit 147408.23",
      "Interest charged 539.27 debit 147947.50",
    ],
  });
});

it("of a loan, what is issued raises what is owed, and of each payment the principal lowers it", () => {
  const text = `
Example Credit Union
Loan Account 20817-L3
Date        Transaction               Loan Issued      Repaid    Interest   Principal    Loan Balance
01/01/2025  Opening balance                                                                  4,126.90
13/01/2025  Repayment from Shares                       85.00       34.17       50.83        4,076.07
24/01/2025  Loan Top-Up - Car            2,500.00                                            6,576.07
10/02/2025  Repayment from Shares                       85.00       49.83       35.17        6,540.90
21/02/2025  Over Counter Cash                           40.00       18.02       21.98        6,518.92
`;
  expect(read(text).rows).toEqual([
    "Repayment from Shares 50.83 credit 4076.07",
    "Loan Top-Up - Car 2500.00 debit 6576.07",
    "Repayment from Shares 35.17 credit 6540.90",
    "Over Counter Cash 21.98 credit 6518.92",
  ]);
});

it("the heading of a section may go on right of the headings of columns, with the sum of its rows", () => {
  const text = `
Example Bank       Account number 40001234       02/14/2025 to 03/13/2025
Opening balance 1,000.00
Closing balance   759.25
Checks            There was 1 check listed totaling $145.00.
Date      Check       Amount    Reference number
02/20     1187        145.00    081344219
Purchases                                              There were 2 purchases
Date      Amount      Description                      totaling $95.75.
02/18      54.25      4417  Debit Card Giant Eagle
02/19      41.50      POS Purchase GetGo #3298
`;
  expect(read(text)).toEqual({
    verdict: "reconciled",
    rows: [
      "Check 1187 081344219 145.00 debit ",
      "4417 Debit Card Giant Eagle 54.25 debit ",
      "POS Purchase GetGo #3298 41.50 debit ",
    ],
  });
});

it("of two lines, the upper one may have the heading of the texts, with another word behind it", () => {
  const text = `
Banco Esempio
Estratto conto dal 01/01/2026 al 31/01/2026
Data       Data       Addebiti   Accrediti  Descrizione operazioni
Contabile  Valuta       (euro)      (euro)
01/01/26   01/01/26                 100,00  SALDO INIZIALE
02/01/26   02/01/26      10,00              PAGAMENTO POS CONAD CITY LECCE OPERAZIONE
                                            081276 CARTA *8817
06/01/26   05/01/26      20,00              BONIFICO ISTANTANEO
31/01/26   31/01/26                  70,00  SALDO FINALE
`;
  expect(read(text).rows).toEqual([
    "PAGAMENTO POS CONAD CITY LECCE OPERAZIONE 081276 CARTA *8817 10.00 debit ",
    "BONIFICO ISTANTANEO 20.00 debit ",
  ]);
});

it("the heading of the texts may be that of their section, and a second line of a column is not one", () => {
  const text = `
Example Card ending in 7305     12/16/2025 to 01/15/2026
Previous Balance    $100.00
New Balance         $105.00
Minimum payment due  $35.00
TRANSACTIONS
DATE     PAYMENTS AND CREDITS                            AMOUNT
12/28    DIRECTPAY FULL BALANCE                         -$100.00
01/11    CASHBACK BONUS           Awards and             -$25.00
                                  Credits
DATE     PURCHASES                MERCHANT CATEGORY      AMOUNT
12/18    WEGMANS ROCHESTER        Supermarkets            $90.00
12/19    SUNOCO HENRIETTA         Gasoline                $40.00
`;
  expect(read(text)).toEqual({
    verdict: "reconciled",
    rows: [
      "DIRECTPAY FULL BALANCE 100.00 credit ",
      "CASHBACK BONUS Awards and Credits 25.00 credit ",
      "WEGMANS ROCHESTER Supermarkets 90.00 debit ",
      "SUNOCO HENRIETTA Gasoline 40.00 debit ",
    ],
  });
});

it("of three lines, the first may have the direction of the amounts in the last", () => {
  const text = `
Account number 015501507764      01/04/2025 to 30/04/2025
Transaction   Cheque                              Withdrawal        Deposit
S No.         Value Date   Transaction Remarks                                   Balance (INR)
              Number       Date                   Amount (INR)   Amount (INR)
1             01/04/2025   UPI payment from Ada           0.00       1,500.00      11,500.00
2             02/04/2025   BESCOM                     2,384.00           0.00       9,116.00
`;
  expect(read(text).rows).toEqual([
    "UPI payment from Ada 1500.00 credit 11500.00",
    "BESCOM 2384.00 debit 9116.00",
  ]);
});
