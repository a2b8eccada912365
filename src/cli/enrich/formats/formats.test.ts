// The samples are written by hand from the specifications; names and numbers are made up.
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseText } from "../../../../test/support/parse-file.ts";
import { InputError } from "../input-error.ts";

const ofx1 = (transactions: string): string =>
  `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:USASCII\nCHARSET:1252\nCOMPRESSION:NONE\n\n` +
  `<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><DTSERVER>20240520<LANGUAGE>ENG</SONRS></SIGNONMSGSRSV1>\n` +
  `<BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>USD\n` +
  `<BANKACCTFROM><BANKID>1<ACCTID>000123<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><DTSTART>20240501<DTEND>20240531\n` +
  `${transactions}</BANKTRANLIST><LEDGERBAL><BALAMT>10.10<DTASOF>20240531</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;

const mt940 = (entries: string, closing = "C240518EUR1037,70"): string =>
  `:20:STARTUMS\r\n:25:50010517/5400001234\r\n:28C:00001/001\r\n:60F:C240516EUR1000,00\r\n${entries}:62F:${closing}\r\n-\r\n`;

const camt = (entries: string, closing = "1037.70"): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>` +
  `<GrpHdr><MsgId>m</MsgId><CreDtTm>2024-05-18T20:00:00</CreDtTm></GrpHdr><Stmt><Id>S1</Id><Acct><Id><IBAN>DE02120300000000202051</IBAN></Id><Ccy>EUR</Ccy></Acct>` +
  `<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">1000.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>` +
  `<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${closing}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>` +
  `${entries}</Stmt></BkToCstmrStmt></Document>`;

const entry = (
  amount: string,
  direction: string,
  details: string,
  status = "<Cd>BOOK</Cd>",
): string =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd><Sts>${status}</Sts><BookgDt><Dt>2024-05-17</Dt></BookgDt>` +
  `<ValDt><Dt>2024-05-18</Dt></ValDt><AcctSvcrRef>R1</AcctSvcrRef><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RDDT</Cd><SubFmlyCd>ESDD</SubFmlyCd></Fmly></Domn></BkTxCd>` +
  `<NtryDtls>${details}</NtryDtls></Ntry>`;

describe("OFX", () => {
  test("values without closing tags, unescaped signs and a comma as decimal mark are read", async () => {
    const { file, good } = await parseText(
      ofx1(
        `<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20240517120000.000[-5:EST]<DTAVAIL>20240518<TRNAMT>-12,30<FITID>F1<NAME>AT&amp;T <b<MEMO></STMTTRN>\n` +
          `<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20240518<TRNAMT>+1000.10<FITID>F2<NAME>ACME PAYROLL<MEMO>ACME PAYROLL PPD 1</STMTTRN>`,
      ),
    );
    expect(file.report).toEqual(["format: OFX", "1 statement (OFX 1, utf-8)"]);
    expect(good).toMatchObject([
      {
        date: "2024-05-17",
        amount: "-12.30",
        entryType: "outgoing",
        currency: "USD",
        description: "AT&T <b",
        id: "F1",
        account: "000123",
        bankType: "DEBIT",
        status: "booked",
      },
      {
        date: "2024-05-18",
        amount: "1000.10",
        entryType: "incoming",
        description: "ACME PAYROLL PPD 1",
        counterparty: "ACME PAYROLL",
      },
    ]);
  });

  test("OFX 2 with card, pending entries and a purchase in another currency", async () => {
    const { good } = await parseText(
      `<?xml version="1.0" encoding="UTF-8"?><?OFX OFXHEADER="200" VERSION="211"?><OFX><CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS>` +
        `<CURDEF>EUR</CURDEF><CCACCTFROM><ACCTID>C9</ACCTID></CCACCTFROM><BANKTRANLIST><STMTTRN><TRNTYPE>POS</TRNTYPE><DTPOSTED>20240517</DTPOSTED>` +
        `<TRNAMT>-5.00</TRNAMT><FITID>1</FITID><PAYEE><NAME><![CDATA[Café <Zoë>]]></NAME></PAYEE><CURRENCY><CURRATE>1.1</CURRATE><CURSYM>USD</CURSYM></CURRENCY></STMTTRN></BANKTRANLIST>` +
        `<BANKTRANLISTP><STMTTRNP><TRNTYPE>POS</TRNTYPE><DTTRAN>20240518</DTTRAN><TRNAMT>-7.00</TRNAMT><NAME>Hotel</NAME></STMTTRNP></BANKTRANLISTP>` +
        `</CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1></OFX>`,
    );
    expect(good).toMatchObject([
      { description: "Café <Zoë>", currency: "USD", account: "C9", status: "booked" },
      { description: "Hotel", currency: "EUR", status: "pending", id: null },
    ]);
  });

  test("text in Windows-1252 is read by the encoding of its header", async () => {
    const text = ofx1(
      "<STMTTRN><TRNTYPE>POS<DTPOSTED>20240517<TRNAMT>-1.00<FITID>1<NAME>CAF\u00c9</STMTTRN>",
    );
    const { good } = await parseText(Buffer.from(text, "latin1"));
    expect(good).toMatchObject([{ description: "CAFÉ" }]);
  });

  test("a bad entry is named by line, the others are read", async () => {
    const { bad, good } = await parseText(
      ofx1(
        "<STMTTRN><TRNTYPE>POS<DTPOSTED>20240230<TRNAMT>-1<NAME>a</STMTTRN>\n<STMTTRN><TRNTYPE>POS<DTPOSTED>20240228<TRNAMT>1.2.3<NAME>b</STMTTRN>\n<STMTTRN><TRNTYPE>POS<DTPOSTED>20240228<TRNAMT>-1<NAME>c</STMTTRN>",
      ),
    );
    expect(bad).toEqual([
      [12, "<DTPOSTED> '20240230' is not a date"],
      [13, "<TRNAMT> '1.2.3' is not an amount"],
    ]);
    expect(good).toHaveLength(1);
  });

  test.each([
    [
      "cut",
      ofx1("<STMTTRN><TRNTYPE>POS<DTPOSTED>20240217<TRNAMT>-1<NAME>a").slice(0, -140),
      "ends inside <STMTTRN>: it is incomplete. Download it again.",
    ],
    [
      "of investments",
      "<OFX><INVSTMTMSGSRSV1><INVSTMTTRNRS><INVSTMTRS><CURDEF>USD</INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1></OFX>",
      "holds an investment statement",
    ],
    [
      "without a statement",
      "OFXHEADER:100\n\n<OFX><SIGNONMSGSRSV1></SIGNONMSGSRSV1></OFX>",
      "holds no bank or card statement",
    ],
    ["nested without end", `<OFX>${"<A>".repeat(100)}`, "nested more than 64 deep"],
  ])("a file %s is refused with what to do", async (_name, text, message) => {
    await expect(parseText(text)).rejects.toThrow(message);
  });
});

describe("MT940", () => {
  const german =
    ":61:2405170516DR12,30NDDTNONREF//8327\r\n:86:105?00SEPA-LASTSCHRIFT?20EREF+ABC-1 ?21SVWZ+Vertrag 12345?32Streaming?33 GmbH\r\n";

  test("German subfields, Dutch words and free text; balances are checked", async () => {
    const { file, good } = await parseText(
      mt940(
        `${german}:61:2401020102C50,00NTRFInv 7\r\n:86:/TRTP/SEPA OVERBOEKING/IBAN/NL91ABNA0417164300/NAME/J JANSEN/REMI/Etentje/EREF/NOTPROVIDED\r\n` +
          `:61:2405180518RD1,00NCHG\r\nsupplement\r\n:61:240518D1,00NMSCNONREF\r\n:86:BEA NR:X1 BAKKER\r\nAMSTERDAM\r\n`,
      ),
    );
    expect(file.report[1]).toBe(
      "1 statement (utf-8), 1 of them with balances that the entries explain",
    );
    expect(good).toMatchObject([
      {
        date: "2024-05-16",
        amount: "-12.30",
        currency: "EUR",
        counterparty: "Streaming GmbH",
        description: "Streaming GmbH Vertrag 12345",
        id: "8327",
        bankType: "SEPA-LASTSCHRIFT NDDT",
        account: "50010517/5400001234",
      },
      { amount: "50.00", counterparty: "J JANSEN", description: "J JANSEN Etentje", id: "Inv 7" },
      { amount: "1.00", description: "supplement", entryType: "incoming" },
      { amount: "-1.00", description: "BEA NR:X1 BAKKER AMSTERDAM", id: null },
    ]);
  });

  test("the booking day around New Year belongs to the year that is near the value day", async () => {
    const { good } = await parseText(mt940(":61:2401021229D1,00NMSC\r\n:86:Shop\r\n"));
    expect(good).toMatchObject([{ date: "2023-12-29" }]);
  });

  test("entries that do not explain the balances are reported", async () => {
    const { file } = await parseText(mt940(german));
    expect(file.report[2]).toBe(
      "Statement 00001/001 of account 50010517/5400001234: the entries add up to -12.30 EUR, but the balances differ by 37.70 EUR (1000.00 to 1037.70): 50.00 EUR cannot be explained.",
    );
  });

  test("unknown fields are left alone; a damaged balance is named by line", async () => {
    const { good } = await parseText(mt940(`:13D:2405171200+0200\r\n${german}`));
    expect(good).toHaveLength(1);
    await expect(parseText(mt940(german, "C2405EUR1,00"))).rejects.toThrow(
      /line 7: the balance :62F:/,
    );
  });
});

describe("CAMT.053", () => {
  const party = (role: string, name: string): string =>
    `<${role}><Pty><Nm>${name}</Nm></Pty></${role}>`;

  test("booked and pending entries, parties by direction, remittance", async () => {
    const { file, good } = await parseText(
      camt(
        entry(
          "12.30",
          "DBIT",
          `<TxDtls><RltdPties>${party("Dbtr", "Me")}${party("Cdtr", "Streaming &amp; Co")}</RltdPties><RmtInf><Ustrd>Vertrag</Ustrd><Ustrd>12345</Ustrd></RmtInf></TxDtls>`,
        ) +
          entry(
            "50.00",
            "CRDT",
            `<TxDtls><RltdPties><Dbtr><Nm>J Jansen</Nm></Dbtr></RltdPties></TxDtls>`,
            "BOOK",
          ) +
          entry("9.00", "DBIT", "", "<Cd>PDNG</Cd>"),
      ),
    );
    expect(file.report[1]).toBe(
      "1 statement (utf-8), 1 of them with balances that the entries explain",
    );
    expect(good).toMatchObject([
      {
        date: "2024-05-17",
        amount: "-12.30",
        currency: "EUR",
        counterparty: "Streaming & Co",
        description: "Streaming & Co Vertrag 12345",
        id: "R1",
        bankType: "PMNT-RDDT-ESDD",
        account: "DE02120300000000202051",
        status: "booked",
      },
      { amount: "50.00", counterparty: "J Jansen", status: "booked" },
      { amount: "-9.00", status: "pending" },
    ]);
  });

  test("a batch booking becomes its transactions when their amounts add up, else one entry", async () => {
    const part = (amount: string, name: string): string =>
      `<TxDtls><Amt Ccy="EUR">${amount}</Amt><RltdPties>${party("Cdtr", name)}</RltdPties></TxDtls>`;
    const { file, good } = await parseText(
      camt(
        entry("3.00", "DBIT", part("1.00", "A") + part("2.00", "B")) +
          entry("3.00", "DBIT", part("1.00", "C") + part("1.00", "D")),
      ),
    );
    expect(good).toMatchObject([
      { amount: "-1.00", counterparty: "A", id: "R1/1" },
      { amount: "-2.00", counterparty: "B", id: "R1/2" },
      { amount: "-3.00", counterparty: null, id: "R1" },
    ]);
    expect(file.report[2]).toBe(
      "1 batch booking taken as one entry: the file has no amounts of the parts.",
    );
  });

  test("a reversal keeps the name of the first payment", async () => {
    const text = entry(
      "5.00",
      "CRDT",
      `<TxDtls><RltdPties>${party("Dbtr", "Me")}${party("Cdtr", "Shop")}</RltdPties></TxDtls>`,
    ).replace("<Sts>", "<RvslInd>true</RvslInd><Sts>");
    const { good } = await parseText(camt(text));
    expect(good).toMatchObject([{ amount: "5.00", counterparty: "Shop" }]);
  });

  test.each([
    [
      "a document type",
      camt("").replace("<Document", '<!DOCTYPE d [<!ENTITY a "aaaa">]><Document'),
      "a document type definition is not allowed",
    ],
    [
      "an unknown entity",
      camt(entry("1.00", "DBIT", "<TxDtls><RmtInf><Ustrd>&a;</Ustrd></RmtInf></TxDtls>")),
      "Invalid character entity",
    ],
    ["a cut file", camt(entry("1.00", "DBIT", "")).slice(0, -30), "the XML is damaged"],
    [
      "another message",
      camt("").replaceAll("Stmt", "Xx").replace("BkToCstmrXx>", "BkToCstmrStmt>"),
      "the XML is damaged",
    ],
    [
      "a payment order",
      '<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"/>',
      "is a payment order",
    ],
    ["another kind of XML", '<?xml version="1.0"?><note/>', "is XML of an unknown kind"],
    ["a balance without a number", camt("", "x"), "<Bal> CLBD: 'x' is not an amount"],
  ])("%s is refused with what to do", async (_name, text, message) => {
    await expect(parseText(text)).rejects.toThrow(message);
  });
});

describe("QIF", () => {
  const bank = (records: string): string => `!Type:Bank\r\n${records}`;
  const usd = { map: "currency=USD" };

  test("Quicken's dates, grouped amounts, splits and categories", async () => {
    const { file, good } = await parseText(
      bank(
        "D5/17'24\r\nT-1,234.56\r\nPCoffee Bar\r\nLDining\r\n^\r\nD5/ 8'24\r\nT-30.00\r\nPGrocer\r\nSFood\r\n$-20.00\r\nSWine\r\n$-10.00\r\n^\r\n",
      ),
      usd,
    );
    expect(file.report).toContain(
      "utf-8, dates month first (a number above 12 decides), decimal point",
    );
    expect(good).toMatchObject([
      {
        date: "2024-05-17",
        amount: "-1234.56",
        currency: "USD",
        description: "Coffee Bar",
        bankCategory: "Dining",
        id: null,
      },
      { date: "2024-05-08", amount: "-30.00", bankCategory: "Food Wine" },
    ]);
  });

  test("day first and a decimal comma are found by evidence", async () => {
    const { good } = await parseText(
      bank("D17/05/2024\nT-1.234,56\nPLaden\n^\nD04/05/24\nT20,00\nPX\n^\n"),
      { map: "currency=EUR" },
    );
    expect(good).toMatchObject([
      { date: "2024-05-17", amount: "-1234.56" },
      { date: "2024-05-04", amount: "20.00" },
    ]);
  });

  test("accounts, lists and opening balances are not transactions", async () => {
    const { file, good } = await parseText(
      "!Option:AutoSwitch\n!Account\nNChecking\nTBank\n^\n!Clear:AutoSwitch\n!Type:Cat\nNFood\nE\n^\n!Account\nNChecking\nTBank\n^\n!Type:Bank\nD1/1'24\nT100.00\nPOpening Balance\nL[Checking]\n^\nD1/2'24\nT-1.00\nPX\n^\n",
      usd,
    );
    expect(good).toMatchObject([{ description: "X", account: "Checking" }]);
    expect(file.report).toContain("1 opening balance left out");
    expect(file.report).toContain("1 record of !Type:cat left out: no transactions");
  });

  test("it has no currency: one must be given", async () => {
    await expect(parseText(bank("D17/05/2024\nT-1\nPX\n^\n"))).rejects.toThrow(
      "Give it with --map currency=EUR.",
    );
  });

  test("investments are refused", async () => {
    await expect(parseText("!Type:Invst\nD1/2'24\nNBuy\nYX\n^\n", usd)).rejects.toThrow(
      "holds investments (!Type:Invst)",
    );
  });
});

test.each([
  [
    "an old workbook",
    Buffer.from("d0cf11e0a1b11ae1", "hex"),
    "Save it as .xlsx without a password, or as CSV",
  ],
  [
    "a web page",
    Buffer.from("<html><table><tr><td>1</td></tr></table>"),
    "is a web page, although its name may end in .xls",
  ],
  ["a PDF", Buffer.from("%PDF-1.7"), "is a PDF"],
])("%s is refused with what to do", async (_name, bytes, message) => {
  await expect(parseText(bytes)).rejects.toThrow(message);
});

test("columns cannot be named for a format whose fields have fixed meanings", async () => {
  await expect(parseText(ofx1(""), { map: "amount=Amt" })).rejects.toThrow(
    "Only currency, country and dates can be given; leave out amount.",
  );
});

test("changed, cut and repeated texts end in rows or in one clear error", async () => {
  const samples = [
    ofx1("<STMTTRN><TRNTYPE>POS<DTPOSTED>20240517<TRNAMT>-1.00<FITID>1<NAME>A</STMTTRN>".repeat(3)),
    mt940(":61:2405170517D1,00NMSCNONREF\r\n:86:105?00X?20SVWZ+Y?32Z\r\n".repeat(3)),
    camt(entry("1.00", "DBIT", "<TxDtls/>").repeat(3)),
    "!Type:Bank\nD5/17'24\nT-1,234.56\nPX\nSA\n$-1\n^\n".repeat(3),
  ];
  const piece = fc.constantFrom(
    ..."< > </ <OFX> <STMTTRN> </OFX> <![CDATA[ <!-- & &#x110000; : :61: :86: :20: {4: -} ^ ! !Type:Bank D T \n , . - 0 99 ? ?32 /NAME/ \u0000 é".split(
      " ",
    ),
  );
  const edit = fc.record({
    at: fc.nat(2_000),
    remove: fc.nat(40),
    insert: fc.oneof(piece, fc.string({ maxLength: 4 })),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...samples),
      fc.array(edit, { minLength: 1, maxLength: 6 }),
      async (sample, edits) => {
        let text = sample;
        for (const { at, remove, insert } of edits) {
          const from = at % text.length;
          text = `${text.slice(0, from)}${insert}${text.slice(from + remove)}` || " ";
        }
        await parseText(text, { map: "currency=EUR" }).catch((error: unknown) => {
          expect(error).toBeInstanceOf(InputError);
        });
      },
    ),
    { numRuns: 600 },
  );
});
