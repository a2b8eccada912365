import type { Shape } from "./shape.ts";

export const ELSEWHERE: readonly Shape[] = [
  {
    bank: "Monzo: name and description, amount, and money out and money in",
    text: `Transaction ID,Date,Time,Type,Name,Emoji,Category,Amount,Currency,Local amount,Local currency,Notes and #tags,Address,Receipt,Description,Category split,Money Out,Money In
tx_1,17/05/2024,12:01:22,Card payment,Pret,🥪,Eating out,-4.50,GBP,-4.50,GBP,,1 High St,,PRET A MANGER LONDON GBR,,-4.50,
tx_2,16/05/2024,09:00:00,Faster payment,Jane Doe,,Income,20.00,GBP,20.00,GBP,dinner,,,dinner,,,20.00
`,
    expected: [
      "2024-05-17 | PRET A MANGER LONDON GBR | -4.5 GBP",
      "2024-05-16 | Jane Doe | 20 GBP",
    ],
    joined: ["2024-05-16 | Jane Doe dinner | 20 GBP"],
  },
  {
    bank: "Barclays: memo padded with spaces",
    text: `Number,Date,Account,Amount,Subcategory,Memo
 ,17/05/2024,20-00-00 12345678,-9.99,Debit,"SPOTIFY UK              ON 16 MAY BCC"
 ,16/05/2024,20-00-00 12345678,1200.00,Credit,"ACME LTD   SALARY        BGC"
`,
    expected: [
      "2024-05-17 | SPOTIFY UK ON 16 MAY BCC | -9.99 GBP",
      "2024-05-16 | ACME LTD SALARY BGC | 1200 GBP",
    ],
  },
  {
    bank: "HSBC UK: no header, thousands in quotes",
    text: `17/05/2024,SAINSBURYS S/MKT LONDON,-23.45
16/05/2024,RENT,"-1,250.00"
15/05/2024,SALARY ACME,"2,500.00"
`,
    expected: [
      "2024-05-17 | SAINSBURYS S/MKT LONDON | -23.45 GBP",
      "2024-05-16 | RENT | -1250 GBP",
      "2024-05-15 | SALARY ACME | 2500 GBP",
    ],
  },
  {
    bank: "Lloyds: sort code, debit and credit amount",
    text: `Transaction Date,Transaction Type,Sort Code,Account Number,Transaction Description,Debit Amount,Credit Amount,Balance
03/05/2024,DEB,'30-00-00,12345678,TESCO STORES 3297,12.40,,987.60
02/05/2024,FPI,'30-00-00,12345678,J DOE,,50.00,1000.00
`,
    expected: ["2024-05-03 | TESCO STORES 3297 | -12.4 GBP", "2024-05-02 | J DOE | 50 GBP"],
    expectedNote: "every date in the sample can be read both ways",
  },
  {
    bank: "Revolut: times in the dates, a Fee and a State column",
    text: `Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance
CARD_PAYMENT,Current,2024-05-17 10:11:12,2024-05-18 09:00:00,Lidl,-12.30,0.00,EUR,COMPLETED,87.70
TOPUP,Current,2024-05-16 08:00:00,2024-05-16 08:00:01,Top-Up by *1234,100.00,0.00,EUR,COMPLETED,100.00
`,
    expected: ["2024-05-17 | Lidl | -12.3 EUR", "2024-05-16 | Top-Up by *1234 | 100 EUR"],
  },
  {
    bank: "N26: amount in EUR and a foreign amount",
    text: `"Date","Payee","Account number","Transaction type","Payment reference","Amount (EUR)","Amount (Foreign Currency)","Type Foreign Currency","Exchange Rate"
"2024-05-17","REWE Markt","","MasterCard Payment","","-23.11","-25.00","USD","1.08"
"2024-05-16","ACME GmbH","DE02120300000000202051","Income","Gehalt Mai","2500.0","","",""
`,
    expected: [
      "2024-05-17 | REWE Markt | -23.11 EUR",
      "2024-05-16 | ACME GmbH Gehalt Mai | 2500 EUR",
    ],
  },
  {
    bank: "Deutsche Bank: preamble, Soll and Haben",
    latin1: true,
    text: `Umsätze Girokonto;;;Kundennummer: 123 1234567 00
01.05.2024 - 31.05.2024
Letzter Kontostand;;;;1.234,56;EUR
Vorgemerkte und noch nicht gebuchte Umsätze sind nicht Bestandteil dieser Übersicht.
Buchungstag;Wert;Umsatzart;Begünstigter / Auftraggeber;Verwendungszweck;IBAN / Kontonummer;BIC;Kundenreferenz;Mandatsreferenz;Gläubiger ID;Fremde Gebühren;Betrag;Abweichender Empfänger;Anzahl der Aufträge;Anzahl der Schecks;Soll;Haben;Währung
17.05.2024;17.05.2024;"SEPA-Lastschrift";Stadtwerke München;Strom Mai;DE02;;;;;;;;;;-1.089,20;;EUR
16.05.2024;16.05.2024;"SEPA-Gutschrift";Jörg Müller;Miete;DE03;;;;;;;;;;;850,00;EUR
Kontostand;31.05.2024;;;1.234,56;EUR
`,
    expected: [
      "2024-05-17 | Stadtwerke München Strom Mai | -1089.2 EUR",
      "2024-05-16 | Jörg Müller Miete | 850 EUR",
    ],
  },
  {
    bank: "Sparkasse CAMT: Windows-1252, two-digit years",
    latin1: true,
    text: `"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Glaeubiger ID";"Mandatsreferenz";"Kundenreferenz (End-to-End)";"Sammlerreferenz";"Lastschrift Ursprungsbetrag";"Auslagenersatz Ruecklastschrift";"Beguenstigter/Zahlungspflichtiger";"Kontonummer/IBAN";"BIC (SWIFT-Code)";"Betrag";"Waehrung";"Info"
"DE01";"17.05.24";"17.05.24";"KARTENZAHLUNG";"2024-05-16T18:22 Debitk.1";"";"";"";"";"";"";"BÄCKEREI GRÖßMANN";"DE02";"X";"-4,20";"EUR";"Umsatz gebucht"
"DE01";"15.05.24";"15.05.24";"LOHN  GEHALT";"GEHALT MAI";"";"";"";"";"";"";"ACME GMBH";"DE03";"X";"3.210,99";"EUR";"Umsatz gebucht"
`,
    expected: [
      "2024-05-17 | BÄCKEREI GRÖßMANN 2024-05-16T18:22 Debitk.1 | -4.2 EUR",
      "2024-05-15 | ACME GMBH GEHALT MAI | 3210.99 EUR",
    ],
  },
  {
    bank: "DKB: sign of the euro in the header, payer and payee",
    text: `"Girokonto";"DE02120300000000202051"
"Kontostand vom 20.05.2024:";"1.000,00 €"
""
"Buchungsdatum";"Wertstellung";"Status";"Zahlungspflichtige*r";"Zahlungsempfänger*in";"Verwendungszweck";"Umsatztyp";"IBAN";"Betrag (€)";"Gläubiger-ID"
"17.05.24";"17.05.24";"Gebucht";"ISSUER";"dm-drogerie markt";"VISA Debitkartenumsatz";"Ausgang";"DE1";"-12,95";""
"16.05.24";"16.05.24";"Gebucht";"Erika Muster";"Max Muster";"Geschenk";"Eingang";"DE2";"50";""
`,
    expected: [
      "2024-05-17 | dm-drogerie markt VISA Debitkartenumsatz | -12.95 EUR",
      "2024-05-16 | Max Muster Geschenk | 50 EUR",
    ],
  },
  {
    bank: "ING NL: Af or Bij decides",
    text: `"Datum";"Naam / Omschrijving";"Rekening";"Tegenrekening";"Code";"Af Bij";"Bedrag (EUR)";"Mutatiesoort";"Mededelingen";"Saldo na mutatie";"Tag"
"20240517";"ALBERT HEIJN 1522";"NL01INGB";"";"BA";"Af";"34,18";"Betaalautomaat";"Pasvolgnr: 001";"965,82";""
"20240516";"J DE VRIES";"NL01INGB";"NL02RABO";"GT";"Bij";"1000,00";"Online bankieren";"Huur";"1000,00";""
`,
    expected: [
      "2024-05-17 | ALBERT HEIJN 1522 Pasvolgnr: 001 | -34.18 EUR",
      "2024-05-16 | J DE VRIES Huur | 1000 EUR",
    ],
    expectedNote: "direction from 'Af Bij'",
  },
  {
    bank: "BNP Paribas: spaces between thousands",
    text: `Date operation;Libelle court;Type operation;Libelle operation;Montant operation en euro
17/05/2024;Paiement carte;PAIEMENT CB;PAIEMENT CB MONOPRIX PARIS;-23,90
15/05/2024;Virement recu;VIREMENT;VIREMENT SALAIRE ACME;2 345,67
`,
    expected: [
      "2024-05-17 | PAIEMENT CB MONOPRIX PARIS | -23.9 EUR",
      "2024-05-15 | VIREMENT SALAIRE ACME | 2345.67 EUR",
    ],
  },
  {
    bank: "Crédit Agricole: débit and crédit in euros",
    latin1: true,
    text: `Compte de Dépôt n° 123;
Solde au 20/05/2024 1 234,56 €;

Date;Libellé;Débit euros;Crédit euros;
17/05/2024;"PAIEMENT PAR CARTE
BOULANGERIE PAUL";3,20;;
16/05/2024;"VIREMENT EN VOTRE FAVEUR";;1 200,00;
`,
    expected: [
      "2024-05-17 | PAIEMENT PAR CARTE BOULANGERIE PAUL | -3.2 EUR",
      "2024-05-16 | VIREMENT EN VOTRE FAVEUR | 1200 EUR",
    ],
  },
  {
    bank: "Intesa Sanpaolo: operazione and dettagli",
    text: `Data;Operazione;Dettagli;Conto o carta;Contabilizzazione;Categoria;Valuta;Importo
17/05/2024;Esselunga;PAGAMENTO POS ESSELUNGA MILANO;Conto 1;CONTABILIZZATO;Spesa;EUR;-45,10
16/05/2024;Stipendio;STIPENDIO ACME SPA;Conto 1;CONTABILIZZATO;Entrate;EUR;1.850,00
`,
    expected: [
      "2024-05-17 | PAGAMENTO POS ESSELUNGA MILANO | -45.1 EUR",
      "2024-05-16 | STIPENDIO ACME SPA | 1850 EUR",
    ],
  },
  {
    bank: "Santander ES: importe EUR and saldo",
    text: `Fecha Operación;Fecha Valor;Concepto;Importe EUR;Saldo EUR
17/05/2024;17/05/2024;Compra Mercadona Madrid, Tarj. :*123456;-31,05;968,95
16/05/2024;16/05/2024;Transferencia De Acme Sl;1.000,00;1.000,00
`,
    expected: [
      "2024-05-17 | Compra Mercadona Madrid, Tarj. :*123456 | -31.05 EUR",
      "2024-05-16 | Transferencia De Acme Sl | 1000 EUR",
    ],
  },
  {
    bank: "Millennium bcp: Portuguese, tabs",
    text: `Data lançamento\tData valor\tDescrição\tMontante\tTipo\tSaldo
17-05-2024\t17-05-2024\tCOMPRA PINGO DOCE LISBOA\t-18,42\tDébito\t981,58
16-05-2024\t16-05-2024\tTRF DE JOAO SILVA\t1.000,00\tCrédito\t1.000,00
`,
    expected: [
      "2024-05-17 | COMPRA PINGO DOCE LISBOA | -18.42 EUR",
      "2024-05-16 | TRF DE JOAO SILVA | 1000 EUR",
    ],
  },
  {
    bank: "CommBank: no header, plus signs, a balance",
    text: `17/05/2024,"-12.34","WOOLWORTHS 1234 SYDNEY NS AUS","+987.66"
16/05/2024,"+500.00","Salary ACME PTY","+1000.00"
15/05/2024,"-20.00","Wdl ATM CBA","+500.00"
`,
    expected: [
      "2024-05-17 | WOOLWORTHS 1234 SYDNEY NS AUS | -12.34 AUD",
      "2024-05-16 | Salary ACME PTY | 500 AUD",
      "2024-05-15 | Wdl ATM CBA | -20 AUD",
    ],
    expectedNote: "ignored: balance 'column_4'",
  },
  {
    bank: "Westpac: BSB, narrative",
    text: `Bank Account,Date,Narrative,Debit Amount,Credit Amount,Balance,Categories,Serial
BSB 732001 123456,17/05/2024,"EFTPOS COLES 0423",55.20,,944.80,PAYMENT,
BSB 732001 123456,16/05/2024,"DEPOSIT ACME",,1000.00,1000.00,DEP,
`,
    expected: [
      "2024-05-17 | EFTPOS COLES 0423 | -55.2 AUD",
      "2024-05-16 | DEPOSIT ACME | 1000 AUD",
    ],
  },
  {
    bank: "RBC: CAD$ is the amount, two descriptions",
    text: `"Account Type","Account Number","Transaction Date","Cheque Number","Description 1","Description 2","CAD$","USD$"
Chequing,00001-1234567,5/17/2024,,"CONTACTLESS INTERAC PURCHASE","TIM HORTONS #123",-4.5,,
Chequing,00001-1234567,5/15/2024,,"PAYROLL DEPOSIT","ACME INC",1500,,
`,
    expected: [
      "2024-05-17 | CONTACTLESS INTERAC PURCHASE TIM HORTONS #123 | -4.5 CAD",
      "2024-05-15 | PAYROLL DEPOSIT ACME INC | 1500 CAD",
    ],
  },
  {
    bank: "TD Canada: no header, debit and credit",
    text: `05/17/2024,TIM HORTONS #42,4.50,,995.50
05/16/2024,PAYROLL ACME,,1000.00,1000.00
05/15/2024,INTERAC FEE,1.50,,0.00
`,
    expected: [
      "2024-05-17 | TIM HORTONS #42 | -4.5 CAD",
      "2024-05-16 | PAYROLL ACME | 1000 CAD",
      "2024-05-15 | INTERAC FEE | -1.5 CAD",
    ],
  },
  {
    bank: "FNB: preamble, months by name, Cr behind credits",
    text: `FNB Transaction History
Account Number,62000000000,ZAR

Date,Description,Amount,Balance
17 May 2024,POS Purchase Checkers,"1,234.50","8,765.50Cr"
16 May 2024,Magtape Credit Salary,"10,000.00Cr","10,000.00Cr"
`,
    expected: [
      "2024-05-17 | POS Purchase Checkers | -1234.5 ZAR",
      "2024-05-16 | Magtape Credit Salary | 10000 ZAR",
    ],
    expectedNote: "CR/DR behind the number",
  },
  {
    bank: "HDFC: narration, withdrawal and deposit, Indian grouping",
    text: `Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance
17/05/24,UPI-SWIGGY-swiggy@icici,0000413,17/05/24,450.00,,"1,23,006.78"
16/05/24,NEFT CR-ACME-SALARY,0000412,16/05/24,,"1,23,456.78","1,23,456.78"
`,
    expected: [
      "2024-05-17 | UPI-SWIGGY-swiggy@icici | -450 INR",
      "2024-05-16 | NEFT CR-ACME-SALARY | 123456.78 INR",
    ],
  },
  {
    bank: "Kotak: Dr or Cr in a column of its own",
    text: `Sl. No.,Transaction Date,Description,Amount,Dr / Cr,Balance
1,17-05-2024,UPI/ZOMATO/4131,350.00,DR,"9,650.00"
2,16-05-2024,IMPS/ACME,"10,000.00",CR,"10,000.00"
`,
    expected: ["2024-05-17 | UPI/ZOMATO/4131 | -350 INR", "2024-05-16 | IMPS/ACME | 10000 INR"],
    expectedNote: "direction from 'Dr / Cr'",
  },
  {
    bank: "UBS: apostrophes, individual debit and credit",
    text: `Trade date;Booking date;Currency;Debit;Credit;Balance;Description1;Description2
2024-05-17;2024-05-17;CHF;-1'250.00;;8'750.00;Migros Bern;Card payment
2024-05-16;2024-05-16;CHF;;10'000.00;10'000.00;ACME AG;Salary
`,
    expected: [
      "2024-05-17 | Migros Bern Card payment | -1250 CHF",
      "2024-05-16 | ACME AG Salary | 10000 CHF",
    ],
  },
  {
    bank: "PayPal: gross, fee and net, both directions signed",
    text: `"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","From Email Address"
"17/05/2024","10:00:00","BST","Etsy Inc","Express Checkout Payment","Completed","GBP","-20.00","0.00","-20.00","me@example.com"
"16/05/2024","10:00:00","BST","Jane Doe","Mobile Payment","Completed","GBP","1,050.00","-0.30","1,049.70","jane@example.com"
`,
    expected: ["2024-05-17 | Etsy Inc | -20 GBP", "2024-05-16 | Jane Doe | 1050 GBP"],
  },
];
