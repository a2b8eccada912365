// A document is read, or it has a fault that names the reason: no bytes make the reader fail.
import { describe, expect, it } from "vitest";
import { lockPdf, makePdf } from "../../test/support/pdf.ts";
import { GOOD_STATEMENT } from "../../test/support/statement-files.ts";
import { readStatement } from "../../src/pool/statement-reading.ts";
import { readPdf } from "./read-pdf.ts";
import { planDocument, recognisePageTask, rereadPageTask, understandDocument } from "./worker.ts";

const threads = {
  plan: planDocument,
  recognise: recognisePageTask,
  reread: rereadPageTask,
  understand: (task: Parameters<typeof understandDocument>[0]) =>
    Promise.resolve(understandDocument(task)),
};

let documents = 0;

const read = (bytes: Uint8Array, password = ""): ReturnType<typeof readStatement> =>
  readStatement(
    { document: ++documents, bytes, password, submittedAt: Date.UTC(2026, 2, 20) },
    { threads, pagesAtOnce: 1, now: () => 0 },
  );

it("reads words with their boxes, from the top of the page", async () => {
  const result = await readPdf(
    makePdf([[{ text: "Opening balance (2026) 100.00", x: 40, y: 742 }]]),
    "",
  );
  if ("fault" in result) throw new Error(result.fault);
  expect(result.words.map(({ text, page }) => [text, page])).toEqual([
    ["Opening", 1],
    ["balance", 1],
    ["(2026)", 1],
    ["100.00", 1],
  ]);
  const [first] = result.words;
  expect(first?.left).toBeCloseTo(40, 0);
  expect(first?.top).toBeGreaterThan(85);
  expect(first?.bottom).toBeLessThan(110);
});

it("a minus behind a currency at the end of a line is not lost", async () => {
  const result = await readPdf(
    makePdf([
      [
        { text: "New balance 3.566,49 EUR-", x: 40, y: 742 },
        { text: "Limit of this card 5.000,00 EUR", x: 40, y: 725 },
      ],
    ]),
    "",
  );
  if ("fault" in result) throw new Error(result.fault);
  expect(result.words.map(({ text }) => text).slice(2, 4)).toEqual(["3.566,49", "EUR-"]);
});

it("a file that was changed after it had been written has a signal", async () => {
  const once = Buffer.from(makePdf([GOOD_STATEMENT]));
  const xref = /startxref\n(\d+)/u.exec(once.toString("latin1"))?.[1] ?? "";
  const change = `xref\n0 0\ntrailer\n<< /Size 6 /Root 1 0 R /Prev ${xref} >>\nstartxref\n${String(once.length)}\n%%EOF\n`;
  expect(await read(once)).toMatchObject({ signals: [] });
  expect(await read(Buffer.concat([once, Buffer.from(change)]))).toMatchObject({
    signals: [{ kind: "incremental_updates", page: null }],
  });
});

it("leaves out a watermark that lies across the page", async () => {
  const mark = { text: "SPECIMEN", x: 200, y: 500, turn: 45 };
  const result = await readPdf(makePdf([[...GOOD_STATEMENT, mark]]), "");
  if ("fault" in result) throw new Error(result.fault);
  expect(result.words.map(({ text }) => text).join("")).not.toMatch(/SPEC|MEN/u);
  expect(result.words.map(({ text }) => text)).toContain("145.00");
});

it("reads a page that is turned by a right angle", async () => {
  const turned = GOOD_STATEMENT.map(({ text, x, y }) => ({ text, x: 842 - y, y: x, turn: 90 }));
  expect(await read(makePdf([turned]))).toMatchObject({
    accounts: [{ opening: "100.00", closing: "145.00", verdict: "reconciled" }],
  });
});

it("reads a statement and names the pages without text", async () => {
  expect(await read(makePdf([GOOD_STATEMENT, []]))).toMatchObject({
    pages: 2,
    pagesWithoutText: [2],
    accounts: [
      {
        sum: "45.00",
        transactions: [
          { date: "2026-01-02", amount: "5.00", direction: "debit", balance: "95.00" },
          { date: "2026-01-05", amount: "50.00", direction: "credit", balance: "145.00" },
        ],
      },
    ],
  });
});

it("gives rows without any printed year the last one that is possible, marked as inferred", async () => {
  const yearless = GOOD_STATEMENT.map((line) => ({
    ...line,
    text: line.text.replace("2026-01-02", "28 Dec").replace("2026-01-05", "5 Jan"),
  }));
  expect(await read(makePdf([yearless]))).toMatchObject({
    accounts: [
      {
        verdict: "reconciled",
        transactions: [
          { date: "2025-12-28", isYearInferred: true },
          { date: "2026-01-05", isYearInferred: true },
        ],
      },
    ],
  });
});

describe("a locked document", () => {
  it("opens with its password, and has a fault without and with another", async () => {
    const locked = await lockPdf(makePdf([GOOD_STATEMENT]), "sesame");
    expect(await read(locked)).toEqual({ fault: "password_needed" });
    expect(await read(locked, "other")).toEqual({ fault: "password_wrong" });
    expect(await read(locked, "sesame")).toMatchObject({ accounts: [{ verdict: "reconciled" }] });
  });
});

describe("a fault is an answer", () => {
  const text = (value: string): Uint8Array => new Uint8Array(Buffer.from(value));
  const whole = makePdf([GOOD_STATEMENT]);
  it.each([
    ["nothing", new Uint8Array(), "unsupported_type"],
    ["HTML", text("<html><body>Statement</body></html>"), "unsupported_type"],
    ["a ZIP archive", text("PK\u0003\u0004 word/document.xml"), "unsupported_type"],
    ["a header alone", text("%PDF-1.7\n"), "damaged"],
    ["noise behind a header", text(`%PDF-1.7\n${"\u0000x".repeat(500)}`), "damaged"],
    ["a page without text", makePdf([[]]), "no_text"],
    ["301 pages", makePdf(Array.from({ length: 301 }, () => [])), "too_many_pages"],
    [
      "a letter",
      makePdf([[{ text: "Dear customer, thank you for your letter.", x: 40, y: 700 }]]),
      "no_transactions",
    ],
    [
      "an invoice",
      makePdf([[{ text: "Invoice 7781 of 2026-01-02, total 45.00 due", x: 40, y: 700 }]]),
      "no_transactions",
    ],
    ["half of a file", whole.subarray(0, 300), "damaged"],
  ])("%s", async (_, bytes, fault) => {
    expect(await read(bytes)).toEqual({ fault });
  });

  it("reads a good document after bad ones", async () => {
    await read(text("%PDF-1.7\nxref"));
    expect(await read(whole)).toMatchObject({ accounts: [{ verdict: "reconciled" }] });
  });
});
