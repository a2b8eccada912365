// OFX that strict readers accept: the aggregates of the specification, in its order, and no empty element.
import { describe, expect, it } from "vitest";
import { parseText } from "../../../test/support/parse-file.ts";
import type { StatementAccount, StatementTransaction } from "../../model/bank-statement.ts";
import { writeOfx } from "./ofx.ts";

const NOW_MS = Date.UTC(2026, 1, 3, 12);

const row = (
  values: Partial<StatementTransaction> & Pick<StatementTransaction, "row">,
): StatementTransaction => ({
  ...{ date: "2026-01-02", isYearInferred: false, description: "Coffee house", balance: null },
  ...{ amount: "5.00", direction: "debit", page: 1 },
  evidence: { date: null, description: [], amount: null, balance: null },
  ...values,
});

const ACCOUNT: StatementAccount = {
  ...{ number: "1234-5678", name: null, type: "checking", currency: "EUR" },
  period: { start: "2026-01-01", end: "2026-01-31" },
  ...{ opening: "100.00", isOpeningCalculated: false, closing: "145.00", sum: "45.00" },
  ...{ totalIncoming: "50.00", totalOutgoing: "5.00", verdict: "reconciled" },
  ...{ unproven: [], firstBreak: null, repairs: [] },
  transactions: [
    row({ row: 1, description: 'Coffee "House" & <Sons>' }),
    row({
      row: 2,
      date: "2026-01-05",
      description: "Salary",
      amount: "50.00",
      direction: "credit",
    }),
  ],
};
const CARD: StatementAccount = { ...ACCOUNT, type: "credit card", number: "XXXX 4321" };
const NO_ROWS: StatementAccount = {
  ...ACCOUNT,
  ...{ transactions: [], sum: "0.00", opening: "145.00" },
};

const write = (...accounts: readonly Partial<StatementAccount>[]): string =>
  writeOfx(
    accounts.map((account) => ({ file: "january.pdf", account: { ...ACCOUNT, ...account } })),
    NOW_MS,
  );
const idsIn = (text: string): readonly string[] => text.match(/(?<=<FITID>)\w+/gu) ?? [];
const balanceOf = (account: Partial<StatementAccount>): string | undefined =>
  /<BALAMT>(?<amount>[^<]*)/u.exec(write(account))?.groups?.["amount"];

it("is a sign-on, then bank accounts, then cards, in the order of the specification", () => {
  const [first = "", second = ""] = idsIn(write(ACCOUNT));
  const lines = write(CARD, ACCOUNT).split("\n");
  expect(lines.slice(lines.indexOf("") + 1, lines.indexOf("</BANKMSGSRSV1>") + 5)).toEqual([
    "<OFX>",
    "<SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><DTSERVER>20260203<LANGUAGE>ENG</SONRS></SIGNONMSGSRSV1>",
    "<BANKMSGSRSV1>",
    "<STMTTRNRS><TRNUID>2<STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS>",
    "<CURDEF>EUR<BANKACCTFROM><BANKID>0<ACCTID>1234-5678<ACCTTYPE>CHECKING</BANKACCTFROM>",
    "<BANKTRANLIST><DTSTART>20260101<DTEND>20260131",
    `<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260102<TRNAMT>-5.00<FITID>${first}<NAME>Coffee "House" &amp; &lt;Sons&gt;</STMTTRN>`,
    `<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260105<TRNAMT>50.00<FITID>${second}<NAME>Salary</STMTTRN>`,
    "</BANKTRANLIST>",
    "<LEDGERBAL><BALAMT>145.00<DTASOF>20260131</LEDGERBAL>",
    "</STMTRS></STMTTRNRS>",
    "</BANKMSGSRSV1>",
    "<CREDITCARDMSGSRSV1>",
    "<CCSTMTTRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS><CCSTMTRS>",
    "<CURDEF>EUR<CCACCTFROM><ACCTID>XXXX4321</CCACCTFROM>",
    "<BANKTRANLIST><DTSTART>20260101<DTEND>20260131",
  ]);
  expect(lines.slice(-4)).toEqual([
    "</CCSTMTRS></CCSTMTTRNRS>",
    "</CREDITCARDMSGSRSV1>",
    "</OFX>",
    "",
  ]);
});

it("has no message set without accounts", () => {
  expect(write(CARD)).not.toContain("BANKMSGSRSV1");
  expect(write(ACCOUNT)).not.toContain("CREDITCARDMSGSRSV1");
  expect(write()).toContain("</SIGNONMSGSRSV1>\n</OFX>");
});

describe("an account", () => {
  it.each([
    ["checking", "CHECKING"],
    ["savings", "SAVINGS"],
    ["loan", "CREDITLINE"],
    [null, "CHECKING"],
  ])("of the type %s is %s", (type, expected) => {
    expect(write({ type })).toContain(`<ACCTTYPE>${expected}</BANKACCTFROM>`);
  });

  it("has its own currency", () => {
    const text = write({ currency: "EUR" }, { currency: "USD" }, { currency: null });
    expect(text.match(/(?<=<CURDEF>)\w+/gu)).toEqual(["EUR", "USD", "XXX"]);
  });

  it("has at most the 22 last characters of its number", () => {
    expect(write({ number: "FR76 3000 6000 0112 3456 7890 189" })).toContain(
      "<ACCTID>0006000011234567890189<",
    );
    expect(write({ number: null })).toContain("<ACCTID>unknown<");
  });

  it("without rows has an empty list with its days, and its balance", () => {
    expect(write(NO_ROWS)).toContain(
      "<BANKTRANLIST><DTSTART>20260101<DTEND>20260131\n</BANKTRANLIST>\n<LEDGERBAL><BALAMT>145.00<",
    );
  });

  it("without a period has the days of its rows, and without those the day of reading", () => {
    expect(write({ period: null })).toContain("<DTSTART>20260102<DTEND>20260105\n");
    const undated = write({ period: null, transactions: [row({ row: 1, date: null })] });
    expect(undated).toContain("<DTSTART>20260203<DTEND>20260203\n</BANKTRANLIST>");
    expect(undated).toContain("<DTASOF>20260203<");
  });

  it("without a closing balance has none that was made up", () => {
    expect(write({ closing: null })).not.toContain("LEDGERBAL");
  });
});

describe("the balance", () => {
  const owed = { opening: "190.00", closing: "145.00" };
  const isOwedWithMinus = { opening: "-190.00", closing: "-145.00" };

  it.each(["credit card", "loan", null])("that is owed is below zero (%s)", (type) => {
    expect(balanceOf({ type, ...owed })).toBe("-145.00");
    expect(balanceOf({ type, ...isOwedWithMinus })).toBe("-145.00");
  });

  it("of a card that was paid beyond what is owed is above zero", () => {
    expect(balanceOf({ ...CARD, opening: "20.00", closing: "-25.00" })).toBe("25.00");
  });

  it("of a card whose rows decide nothing is owed, and of another account it is not", () => {
    expect(balanceOf({ ...NO_ROWS, type: "credit card" })).toBe("-145.00");
    expect(balanceOf({ ...CARD, opening: null })).toBe("-145.00");
    expect(balanceOf({ ...CARD, opening: "1.00" })).toBe("-145.00");
    expect(balanceOf(NO_ROWS)).toBe("145.00");
  });

  it("of nothing has no minus", () => {
    expect(balanceOf({ ...CARD, opening: "45.00", closing: "0.00" })).toBe("0.00");
  });
});

describe("the id of a row", () => {
  const ids = idsIn(write(ACCOUNT));

  it("is the same on another day, and after another file or account", () => {
    const file = (name: string, account: StatementAccount) => ({ file: name, account });
    const december = file("december.pdf", { ...ACCOUNT, number: "9" });
    const both = [december, file("january.pdf", CARD), file("january.pdf", ACCOUNT)];
    expect(idsIn(writeOfx(both, 0))).toEqual(expect.arrayContaining([...ids]));
  });

  it("differs between rows, and between accounts that are printed with the same number", () => {
    expect(new Set(idsIn(write(ACCOUNT, ACCOUNT, { currency: "USD" }))).size).toBe(6);
  });
});

describe("the description", () => {
  const written = (description: string): string | undefined =>
    /<FITID>\w+(?<rest>.*)<\/STMTTRN>/u.exec(
      write({ transactions: [row({ row: 1, description })] }),
    )?.groups?.["rest"];

  it.each([
    ["Exactly thirty-two characters 12", "<NAME>Exactly thirty-two characters 12"],
    [
      "Exactly thirty-two characters 12 and more",
      "<NAME>Exactly thirty-two characters 12<MEMO>and more",
    ],
    [
      "Card payment at a shop with a long name",
      "<NAME>Card payment at a shop with a<MEMO>long name",
    ],
    [`${"x".repeat(32)}yz`, `<NAME>${"x".repeat(32)}<MEMO>yz`],
    ["Two\nlines\u0007", "<NAME>Two lines"],
    ["", ""],
    [" ", ""],
  ])("%j is a name of at most 32 characters, and a memo of the rest", (description, expected) => {
    expect(written(description)).toBe(expected);
  });

  it("of any length has a memo of at most 255 characters", () => {
    expect(written("word ".repeat(200))?.split("<MEMO>")[1]?.length).toBeLessThanOrEqual(255);
  });
});

it("has no empty element, whatever is not printed", () => {
  const nothing = { number: null, type: null, currency: null, period: null, closing: null };
  const bare = row({ row: 1, description: "" });
  const text = write(
    { ...nothing, transactions: [bare] },
    { ...CARD, ...nothing, transactions: [] },
  );
  const values =
    /<(?:CODE|SEVERITY|DT\w+|LANGUAGE|TRN\w+D|CURDEF|\w+ID|ACCTTYPE|TRNAMT|NAME|MEMO)>/gu;
  expect(text.match(values)?.length).toBeGreaterThan(20);
  for (const { index, 0: tag } of text.matchAll(values))
    expect(text.slice(index + tag.length), tag).toMatch(/^[^<\s]/u);
});

it("is read back with the same rows", async () => {
  const description = "Card payment at a shop with a long name";
  const transactions = [...ACCOUNT.transactions, row({ row: 3, description })];
  const { good, bad } = await parseText(write({ transactions }, CARD));
  expect(bad).toEqual([]);
  expect(good.map((one) => one.description)).toEqual([
    'Coffee "House" & <Sons>',
    "Salary",
    description,
    'Coffee "House" & <Sons>',
    "Salary",
  ]);
});
