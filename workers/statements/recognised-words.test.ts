// Words as text recognition gives them: boxes that stand a little lower, marks with flat boxes, units misread.
import { expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import type { PageLine } from "./layout.ts";
import { makeLine } from "./lines.ts";
import { addLostHeadings } from "./lost-headings.ts";
import type { HeaderCell } from "./header-cell.ts";
import { understandStatement } from "./understand.ts";
import type { PageWord } from "./words.ts";

const recognised = (text: string, move: (word: PageWord) => Partial<PageWord> = () => ({})) =>
  wordsOfText(text).map((word): PageWord => ({ ...word, source: "ocr", ...move(word) }));

const TEXT = `Example Bank
Account number 40001234
Opening balance                                        1000.00
Date        Description      Deposits     Withdrawals   ©  Amount ($)
2026-03-01  Shop - lunch                        10.00       990.00
2026-03-02  Salary             125.00                      1115.00
2026-03-03  Rent                               500.00       615.00
Closing balance                                         615.00
`;

const read = (words: readonly PageWord[]) => {
  const [account] = understandStatement(words).accounts;
  return {
    verdict: account?.verdict,
    rows: account?.transactions.map(({ description, amount, direction, balance }) =>
      [description, amount, direction, balance].join(" "),
    ),
  };
};

const RIGHT = {
  verdict: "reconciled",
  rows: [
    "Shop - lunch 10.00 debit 990.00",
    "Salary 125.00 credit 1115.00",
    "Rent 500.00 debit 615.00",
  ],
};

it("a balance below the word amount is read, and a misread unit tears no header", () => {
  expect(read(recognised(TEXT))).toEqual(RIGHT);
});

it("a balance below the word amount is read where another number has no heading", () => {
  const stray = TEXT.replace("Rent          ", "Rent     31.00");
  expect(stray).not.toBe(TEXT);
  const { verdict, rows } = read(recognised(stray));
  expect([verdict, rows?.map((row) => row.split(" ").at(-1))]).toEqual([
    "reconciled",
    ["990.00", "1115.00", "615.00"],
  ]);
});

it("one line may be bent: each word is compared with the one next to it", () => {
  const words = recognised(TEXT, ({ left, top, bottom }) => ({
    top: top + left / 60,
    bottom: bottom + left / 60,
  }));
  expect(read(words)).toEqual(RIGHT);
});

it("a heading that stands lower than its neighbours is still a column", () => {
  const words = recognised(TEXT, ({ text, top, bottom }) =>
    text === "Withdrawals" ? { top: top + 6, bottom: bottom + 6 } : {},
  );
  expect(read(words)).toEqual(RIGHT);
});

it("a minus with a flat box belongs to its line", () => {
  const words = recognised(TEXT, ({ text, top, bottom }) =>
    text === "-" ? { top: (top + bottom) / 2 + 1, bottom: (top + bottom) / 2 + 2 } : {},
  );
  expect(read(words)).toEqual(RIGHT);
});

it("a year inside a date is not a balance, and an equals sign may precede a sum", () => {
  const facts = (closing: string) =>
    understandStatement(
      wordsOfText(
        TEXT.replace(/Closing balance +/u, `Closing balance on August 2, 2018  ${closing}`),
      ),
    ).accounts[0];
  expect(facts("=$")?.closing).toBe("615.00");
  expect(facts("of $")?.closing).toBe("615.00");
  expect(facts("see below ")?.closing).toBe("615.00");
});

it("the address of a site names no bank", () => {
  const words = wordsOfText(`Statements.example.net\nROYAL BANK OF CANADA\n${TEXT}`);
  const named = words.map((word) =>
    word.text.startsWith("Statements") ? { ...word, text: "BankStatements.net" } : word,
  );
  expect(understandStatement(named).header.institution).toBe("ROYAL BANK OF CANADA");
});

it("a heading that was lost on the next page is known from the page before", () => {
  const next = `Date        Description                   Withdrawals   ©  Amount ($)
2026-03-04  Refund             100.00                       715.00
2026-03-05  Shop                                15.00       700.00
Closing balance                                         700.00
`;
  const pages = `${TEXT.replace(/Closing balance.*\n/u, "")}\f${next}`;
  const { verdict, rows } = read(recognised(pages));
  expect(verdict).toBe("reconciled");
  expect(rows?.slice(3)).toEqual(["Refund 100.00 credit 715.00", "Shop 15.00 debit 700.00"]);
});

it("a box that reaches below its line is of that line", () => {
  const words = recognised(TEXT, ({ text, bottom }) =>
    text === "Deposits" || text === "125.00" ? { bottom: bottom + 9 } : {},
  );
  expect(read(words)).toEqual(RIGHT);
});

it("a decimal mark that was lost between two words is put back, and the balances decide", () => {
  const torn = (text: string): string => text.replaceAll(/(?<=\d)\.(?=\d\d(?:\s|$))/gu, " ");
  const some = TEXT.split("\n").map((line, at) => (at % 2 === 0 ? torn(line) : line));
  expect(torn(TEXT)).not.toBe(TEXT);
  expect(read(recognised(some.join("\n")))).toEqual(RIGHT);
});

it("digits behind a number stay apart in a text layer, and where more words follow", () => {
  const rows = (text: string, source: "ocr" | "text") =>
    understandStatement(
      wordsOfText(`${TEXT}2026-03-09  ${text}`).map((word) => ({ ...word, source })),
    ).accounts[0]?.transactions.length;
  expect(rows("Shop           17 92", "text")).toBe(rows("", "text"));
  expect(rows("Shop 17 92 of the month", "ocr")).toBe(rows("", "ocr"));
});

it("a mark between thousands that was lost in wide type is put back", () => {
  const torn = TEXT.replaceAll("  1115.00", " 1 115.00").replaceAll("  1000.00", " 1 000.00");
  const words = recognised(torn, ({ text, left, right }) =>
    text === "1" ? { left: left - 3, right: right - 3 } : {},
  );
  expect(words.filter(({ text }) => text === "1")).toHaveLength(2);
  expect(read(words)).toEqual(RIGHT);
});

it("a word with noise above it is of the line that lies within its box", () => {
  const tall = (of: string, top: number) =>
    recognised(TEXT, (word) => (word.text === of ? { top: word.top - top } : {}));
  expect(read(tall("500.00", 11))).toEqual(RIGHT);
  expect(read(tall("1115.00", 11))).toEqual(RIGHT);
});

it("a word with noise above it is of its line where one of two words there reaches lower", () => {
  const words = recognised(TEXT, (word) => {
    if (word.text === "1000.00") return { top: word.top - 9 };
    return word.text === "Opening" ? { bottom: word.bottom + 3 } : {};
  });
  expect(read(words)).toEqual(RIGHT);
});

it("a word with noise above it takes those along whose middles lie near its own", () => {
  const words = recognised(TEXT, (word) => {
    if (word.text === "Deposits") return { top: word.top - 7 };
    return ["Withdrawals", "Amount"].includes(word.text) ? { bottom: word.bottom - 2.5 } : {};
  });
  expect(read(words)).toEqual(RIGHT);
});

it("where one of two headings was lost, the other one may stand above either column", () => {
  const heading = "Deposits     Withdrawals   ©  Amount ($)";
  expect(TEXT).toContain(heading);
  const lost = TEXT.replace(heading, "             Deposits           Balance");
  expect(read(recognised(lost))).toEqual(RIGHT);
});

it("a heading that was lost, or has a stain before it, is that of the column that the balances need", () => {
  const stained = TEXT.replace("©  Amount ($)", "     ‘Balance");
  expect(stained).not.toBe(TEXT);
  expect(read(recognised(stained))).toEqual(RIGHT);
  expect(read(recognised(stained.replace("Withdrawals", "           ")))).toEqual(RIGHT);
});

it("a number in three words is one", () => {
  const torn = TEXT.replaceAll("  1115.00", "1 115 00").replaceAll("  1000.00", "1 000 00");
  const words = recognised(torn, ({ text, left, right }) =>
    /^[01]{1,3}$/u.test(text) ? { left: left - 3, right: right - (text === "1" ? 3 : 0) } : {},
  );
  expect(words.filter(({ text }) => text === "115")).toHaveLength(1);
  expect(read(words)).toEqual(RIGHT);
});

it.each(["°", "*"])("%s between two digits and the last two is their decimal mark", (raised) => {
  const changed = TEXT.replace("990.00", `990${raised}00`);
  expect(changed).not.toBe(TEXT);
  expect(read(recognised(changed))).toEqual(RIGHT);
});

it("a colon in the last number of a line is its decimal mark, one of a time is not", () => {
  const colons = TEXT.replaceAll(/(\d)\.00$/gmu, "$1:00");
  expect(colons).not.toBe(TEXT);
  expect(read(recognised(colons))).toEqual(RIGHT);
  const times = TEXT.replace("Shop - lunch         ", "10:31  Shop - lunch  ");
  expect(read(recognised(times)).verdict).toBe("reconciled");
});

it("a closing balance that was lost is not the value of the label below it", () => {
  const lost = TEXT.replace(
    /^Closing balance.*$/mu,
    `Closing balance\nCredit limit ${" ".repeat(42)} 5000.00`,
  );
  const [account] = understandStatement(recognised(lost)).accounts;
  expect(account?.closing).toBe("615.00");
});

it("a number in two words whose mark was read, a stain before one, and a stray mark behind one are numbers", () => {
  const torn = TEXT.replace("       10.00 ", "       10 .00")
    .replace("125.00 ", "‘125.00")
    .replace("500.00 ", "500.00.");
  const words = recognised(torn, ({ text, left, right }) =>
    text === ".00" || text === "‘125.00" ? { left: left - 6, right: right - 6 } : {},
  );
  expect(words.filter(({ text }) => [".00", "‘125.00", "500.00."].includes(text))).toHaveLength(3);
  expect(read(words)).toEqual(RIGHT);
});

it("a number that was torn behind its mark has the letter of its direction", () => {
  const text = `Kontonummer 40001234
Alter Saldo                                1000,00
Neuer Saldo                                2375,00
Buchung     Text             Betrag S/H      Saldo
01.03.2026  Einkauf            557, 95S     442,05
02.03.2026  Lohn             1.932, 95H    2375,00
`;
  const [account] = understandStatement(recognised(text)).accounts;
  expect(account?.verdict).toBe("reconciled");
  expect(account?.transactions.map(({ amount, direction }) => [amount, direction])).toEqual([
    ["557.95", "debit"],
    ["1932.95", "credit"],
  ]);
});

it("a number in two words that were moved has its evidence where they are printed", () => {
  const torn = TEXT.replace("       10.00 ", "       10 .00");
  const words = recognised(torn, (word) => {
    const left = word.text === ".00" ? -6 : 0;
    const printed: PageWord = { ...word, top: word.top + 40, bottom: word.bottom + 40 };
    return { left: word.left + left, right: word.right + left, printed };
  });
  const [account] = understandStatement(words).accounts;
  const amount = account?.transactions[0]?.evidence.amount;
  const [part] = words.filter(({ text }) => text === ".00");
  expect(amount?.text).toBe("10 .00");
  expect(amount?.box.slice(1).filter((_, at) => at !== 1)).toEqual([
    part?.printed?.top,
    part?.printed?.bottom,
  ]);
});

it("a mark that was lost inside a number with thousands is put back", () => {
  const glued = TEXT.replaceAll("1115.00", "1,11500").replaceAll("1000.00", "1,00000");
  expect(glued.match(/1,11500/gu)).toHaveLength(1);
  expect(read(recognised(glued))).toEqual(RIGHT);
});

it("a date in numbers that was torn in two is one", () => {
  const torn = recognised(TEXT.replaceAll("2026-03-", "2026-11-")).flatMap((word) =>
    word.text === "2026-11-02"
      ? [
          { ...word, text: "2026-1", right: word.left + 36 },
          { ...word, text: "1-02", left: word.left + 38 },
        ]
      : [word],
  );
  const dates = understandStatement(torn).accounts[0]?.transactions.map(({ date }) => date);
  expect(dates).toEqual(["2026-11-01", "2026-11-02", "2026-11-03"]);
});

it("CR in a column of its own is the sign of the amount before it", () => {
  const card = `Example Bank
Credit card statement
Previous balance 100.00
New balance 60.00
Date        Description         Amount
2026-03-01  Payment              50.00  CR
2026-03-02  Shop                 10.00
`;
  const words = recognised(card, ({ text, left, right }) =>
    text === "CR" ? { left: left - 1, right: right - 1 } : {},
  );
  expect(read(words).rows).toEqual(["Payment 50.00 credit ", "Shop 10.00 debit "]);
});

it("amounts below headings that were read as something else are those that the balances need", () => {
  const lost = TEXT.replace("Deposits     Withdrawals", "account      account    ").replace(
    "Amount ($)",
    "Balance   ",
  );
  expect(lost).toContain("Balance");
  expect(lost).toContain("account");
  expect(read(recognised(lost))).toEqual(RIGHT);
});

it("a table has no headings of another one that only touch its own", () => {
  const line = (text: string, header: readonly HeaderCell[]): PageLine => ({
    ...makeLine(recognised(text)),
    ...{ header, dates: [], money: [], facts: [], heading: null, day: null },
  });
  const list: readonly HeaderCell[] = [
    { role: "date", left: 47, right: 72 },
    { role: "amount", left: 514, right: 551 },
  ];
  const checks: readonly HeaderCell[] = [
    { role: "date", left: 47, right: 72 },
    { role: "amount", left: 232, right: 268 },
    { role: "date", left: 299, right: 325 },
    { role: "amount", left: 484, right: 520 },
  ];
  const headers = (first: readonly HeaderCell[]) =>
    addLostHeadings([line("Date Amount", first), line("Date Amount Date Amount", checks)]).map(
      ({ header }) => header?.length,
    );
  expect(headers(list)).toEqual([2, 4]);
  expect(headers(checks.slice(0, 2))).toEqual([4, 4]);
});

it("a heading that was read as another word is not the one of another table in its place", () => {
  const line = (text: string, header: readonly HeaderCell[], confidence: number): PageLine => ({
    ...makeLine(recognised(text).map((word) => ({ ...word, confidence }))),
    ...{ header, dates: [], money: [], facts: [], heading: null, day: null },
  });
  const whole: readonly HeaderCell[] = [
    { role: "date", left: 20, right: 40 },
    { role: "debit", left: 80, right: 130 },
    { role: "credit", left: 140, right: 180 },
    { role: "balance", left: 200, right: 235 },
  ];
  const known = whole.filter(({ role }) => role !== "credit");
  const rolesWith = (third: string, confidence: number) =>
    addLostHeadings([
      line("Date        Withdrawn   Deposits    Balance", whole, 1),
      line(`Date        Payments    ${third}    Balance`, known, confidence),
    ])[1]?.header?.length;
  expect(rolesWith("Advances", 0.95)).toBe(3);
  expect(rolesWith("Depos1ts", 0.5)).toBe(4);
  expect(rolesWith("        ", 0.95)).toBe(4);
});

it("amounts whose heading was lost do not take that of the balances", () => {
  const table = `Example Bank
Account number 40001234
Opening balance 1000.00
Closing balance 615.00
Date        Description                  Balance
2026-03-01  Shop - lunch       -10.00                 990.00
2026-03-02  Salary             125.00                1115.00
2026-03-03  Rent              -500.00                 615.00
`;
  expect(read(recognised(table))).toEqual(RIGHT);
});

it("balances whose heading was lost do not take that of the amounts next to them", () => {
  const table = `Example Bank
Account number 40001234
Opening balance 1000.00
Closing balance 1007.50
Date        Description        Money in  Money out
2026-03-01  Interest               1.00               1001.00
2026-03-02  Interest               1.50               1002.50
2026-03-03  Interest               2.00               1004.50
2026-03-04  Shop                             10.00     994.50
2026-03-05  Interest               2.50                997.00
2026-03-06  Salary                10.50               1007.50
`;
  const { verdict, rows } = read(recognised(table));
  expect(verdict).toBe("reconciled");
  expect(rows?.[3]).toBe("Shop 10.00 debit 994.50");
});

it("the balance of columns in and out is found where its heading is in words that are not known", () => {
  const table = TEXT.replace("Withdrawals   ©  Amount ($)", "Withdrawals         Stand  ");
  expect(table).toContain("Stand");
  expect(read(wordsOfText(table))).toEqual(RIGHT);
});

it("a second date that lost its last point is not an amount", () => {
  const table = `Example Bank
IBAN DE31 2001 0020 9999 9999 99
Alter Kontostand 1.000,00
Buchung  Wert    Vorgang            Soll      Haben
19.01.   19.01.  Gutschrift                   50,00
21.01    21.01   Lastschrift      100,00
23.01.   23.01   Lastschrift       84,50
`;
  expect(read(recognised(table)).rows).toEqual([
    "Gutschrift 50.00 credit ",
    "Lastschrift 100.00 debit ",
    "Lastschrift 84.50 debit ",
  ]);
});
