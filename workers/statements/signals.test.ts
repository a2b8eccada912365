// Signals of a changed document, from real files and from words; and the facts that they rest on.
import { init } from "@embedpdf/pdfium";
import { describe, expect, it } from "vitest";
import { makePdf } from "../../test/support/pdf.ts";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import type { DocumentFacts } from "./document-facts.ts";
import { parsePdfDate, readPdfFacts } from "./pdf-facts.ts";
import { understandStatement } from "./understand.ts";

async function readFacts(bytes: Uint8Array): Promise<DocumentFacts> {
  const pdfium = await init({});
  pdfium.PDFiumExt_Init();
  const pointer = pdfium.pdfium.wasmExports.malloc(bytes.length);
  (pdfium.pdfium as unknown as { readonly HEAPU8: Uint8Array }).HEAPU8.set(bytes, pointer);
  const document = pdfium.FPDF_LoadMemDocument(pointer, bytes.length, "");
  try {
    return readPdfFacts(pdfium, document, bytes);
  } finally {
    pdfium.FPDF_CloseDocument(document);
  }
}

const page = [
  { text: "Example Bank", x: 40, y: 800 },
  { text: "Balance 1,250.00", x: 40, y: 700 },
];

/** Appends a second version of the dictionary of the document, with a date that is later, and an annotation. */
function changed(bytes: Uint8Array): Uint8Array {
  const file = Buffer.from(bytes).toString("latin1");
  const before = /startxref\n(\d+)/u.exec(file)?.[1] ?? "0";
  const object =
    "6 0 obj\n<< /Type /Annot /Subtype /Square /Rect [70 695 130 715] >>\nendobj\n4 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents 5 0 R /Annots [6 0 R] >>\nendobj\n7 0 obj\n<< /CreationDate (D:20260101120000Z) /ModDate (D:20260301120000+02'00') /Author (Example Bank) >>\nendobj\n";
  const at = (number: number): string =>
    String(file.length + object.indexOf(`${String(number)} 0 obj`)).padStart(10, "0");
  const table = `xref\n4 1\n${at(4)} 00000 n \n6 2\n${at(6)} 00000 n \n${at(7)} 00000 n \ntrailer\n<< /Size 8 /Root 1 0 R /Info 7 0 R /Prev ${before} >>\nstartxref\n${String(file.length + object.length)}\n%%EOF\n`;
  return new Uint8Array(Buffer.from(file + object + table, "latin1"));
}

describe("the facts of a file", () => {
  it("are one trailer, no annotation and a font for each number, as it was written", async () => {
    const facts = await readFacts(makePdf([page]));
    expect(facts).toMatchObject({ trailers: 1, isLinearized: false, createdAt: null });
    expect(facts.annotations).toEqual([]);
    expect(facts.fonts).toMatchObject([{ page: 1, text: "1,250.00", font: "Helvetica", size: 10 }]);
  });

  it("show a change: a second trailer, later dates and an annotation over a number", async () => {
    const facts = await readFacts(changed(makePdf([page])));
    expect(facts.trailers).toBe(2);
    expect(facts.author).toBe("Example Bank");
    expect(facts.annotations).toMatchObject([
      { page: 1, kind: "square", box: [70, 127, 130, 147] },
    ]);
    expect((facts.modifiedAt ?? 0) - (facts.createdAt ?? 0)).toBe(58 * 86_400_000 + 22 * 3_600_000);
  });

  it.each([
    ["D:20260301120000+02'00'", "2026-03-01T10:00:00.000Z"],
    ["D:20260301120000-0530", "2026-03-01T17:30:00.000Z"],
    ["2026", "2026-01-01T00:00:00.000Z"],
  ])("have the time of %s", (text, iso) => {
    expect(new Date(parsePdfDate(text) ?? 0).toISOString()).toBe(iso);
  });
});

const ROWS = Array.from({ length: 12 }, (_, at) => {
  const day = String(at + 1).padStart(2, "0");
  return `2026-03-${day}  Shop                 -10.00    ${String(990 - at * 10)}.00`;
});
const STATEMENT = `Example Bank
Account number 40001234
Statement period 2026-03-01 to 2026-03-31
Opening balance 1000.00
Date        Description          Amount    Balance
${ROWS.join("\n")}`;
const PLAIN: DocumentFacts = {
  ...{ trailers: 1, isLinearized: false, createdAt: 0, modifiedAt: 0 },
  ...{ author: "", title: "", producer: "", annotations: [], fonts: [], hiddenLayers: [] },
};

const ROWS_OF_PAGE = 40;
const DAY_MS = 86_400_000;

/** A page of a statement whose first balance is 49,999.00, with a row of 1.00 less each. */
function fullPage(page: number): string {
  const date = new Date(Date.UTC(2026, 0, 1) + page * DAY_MS).toISOString().slice(0, 10);
  const rows = Array.from({ length: ROWS_OF_PAGE }, (_, row) => {
    const balance = 50_000 - (page * ROWS_OF_PAGE + row + 1);
    return `${date}  Shop           -1.00     ${String(balance)}.00`;
  });
  return ["Date        Description   Amount      Balance", ...rows].join("\n");
}

describe("signals", () => {
  const words = wordsOfText(STATEMENT);

  it("do not exist for a plain statement", () => {
    expect(understandStatement(words, PLAIN).signals).toEqual([]);
  });

  it("name changes of the file after it was written", () => {
    const { signals } = understandStatement(words, {
      ...PLAIN,
      ...{ trailers: 3, modifiedAt: 40 * 86_400_000 },
    });
    expect(signals.map(({ kind, reason }) => [kind, reason])).toEqual([
      ["incremental_updates", "The file was changed 2 times after it had been written."],
      ["modified_after_creation", "The file was modified 40 days after it was created."],
    ]);
  });

  it("name the number that an annotation covers", () => {
    const word = words.find(({ text }) => text === "950.00");
    if (word === undefined) throw new Error("The statement has no such balance.");
    const box = [word.left, word.top, word.right, word.bottom] as const;
    const annotations = [{ page: 1, kind: "square", box }];
    expect(understandStatement(words, { ...PLAIN, annotations }).signals).toMatchObject([
      { kind: "annotations_over_text", page: 1, box },
    ]);
  });

  it("name the one amount in another font", () => {
    const fonts = words
      .filter(({ text }) => /^-?\d+\.\d\d$/u.test(text))
      .map(({ text, left, top, right, bottom }, at) => ({
        ...{ page: 1, text, box: [left, top, right, bottom] as const, size: 9 },
        font: at === 7 ? "Arial" : "Helvetica",
      }));
    const { signals } = understandStatement(words, { ...PLAIN, fonts });
    expect(signals).toMatchObject([{ kind: "rare_font", box: fonts[7]?.box }]);
  });

  it("name the one amount that stands next to its column", () => {
    const moved = words.map((word) =>
      word.text === "950.00" ? { ...word, left: word.left - 3, right: word.right - 3 } : word,
    );
    expect(understandStatement(moved, PLAIN).signals).toMatchObject([
      {
        kind: "misaligned_amount",
        reason: expect.stringContaining('"950.00" ends 3.0') as unknown,
      },
    ]);
  });

  it("name the one amount that stands next to its column on 300 full pages too", () => {
    const head = "Example Bank\nAccount number 12345678\nOpening balance            50000.00\n";
    const pages = Array.from({ length: 300 }, (_, page) =>
      wordsOfText((page === 0 ? head : "") + fullPage(page)).map((word) => ({
        ...word,
        page: page + 1,
      })),
    ).flat();
    const moved = pages.map((word) =>
      word.page === 200 && word.text === "42034.00"
        ? { ...word, left: word.left - 3, right: word.right - 3 }
        : word,
    );
    const { accounts, signals } = understandStatement(moved, PLAIN);
    expect(accounts).toMatchObject([{ verdict: "reconciled", transactions: { length: 12_000 } }]);
    expect(signals).toMatchObject([{ kind: "misaligned_amount", page: 200 }]);
  });

  it("name the one date that is out of order, of rising and of falling dates", () => {
    const changed = STATEMENT.replace("2026-03-05", "2026-03-25");
    const { signals } = understandStatement(wordsOfText(changed), PLAIN);
    expect(signals).toMatchObject([
      {
        kind: "date_out_of_order",
        page: 1,
        reason: "2026-03-25 is out of order: the 11 other dates of the account rise.",
      },
    ]);
    expect(signals[0]?.box?.[1]).toBe(words.find(({ text }) => text === "2026-03-05")?.top);
  });

  it("do not name dates of purchases that are some days late, nor those without an order", () => {
    const late = STATEMENT.replace("2026-03-05", "2026-03-09");
    const mixed = STATEMENT.replace("2026-03-05", "2026-03-25").replace("2026-03-09", "2026-03-29");
    // A payment in a section of its own, above the purchases.
    const sections = STATEMENT.replace("2026-03-01  Shop", "2026-03-20  Paid");
    for (const text of [late, mixed, sections])
      expect(understandStatement(wordsOfText(text), PLAIN).signals).toEqual([]);
  });

  it("name a date that is out of order where the newest row is the first", () => {
    const days = [28, 26, 24, 22, 2, 18, 16, 14];
    const rows = days.map((day) => `2026-03-${String(day).padStart(2, "0")}  Shop   -10.00`);
    const text = `Example Bank\nDate        Description    Amount\n${rows.join("\n")}`;
    expect(understandStatement(wordsOfText(text), PLAIN).signals).toMatchObject([
      { reason: "2026-03-02 is out of order: the 7 other dates of the account fall." },
    ]);
  });

  it("name amounts that are both larger than the printed totals, though the balances are exact", () => {
    const text = `Example Bank
Account number 40001234
Opening balance 1000.00
Total credits 100.00
Total debits 60.00
Closing balance 1040.00
Date        Description          Amount
2026-03-01  Wages                100.00
2026-03-02  Shop                 -40.00
2026-03-03  Rent                 -20.00
`;
    const signalsOf = (changed: string) =>
      understandStatement(wordsOfText(changed), PLAIN).signals.map(({ kind, reason }) => [
        kind,
        reason,
      ]);
    expect(signalsOf(text)).toEqual([]);
    const raised = text.replace("100.00\n2026", "190.00\n2026").replace("-40.00", "-130.00");
    expect(signalsOf(raised)).toEqual([
      [
        "totals_differ",
        "The credits and the debits of the rows are each 90.00 more than the printed totals.",
      ],
    ]);
    // One of them alone is a break.
    expect(signalsOf(raised.replace("190.00", "100.00")).map(([kind]) => kind)).toEqual([
      "arithmetic_break",
    ]);
  });

  it("name a break, dates outside of the period, and a second account number", () => {
    const text = STATEMENT.replace("950.00", "951.00")
      .replace("2026-03-12", "2026-05-12")
      .replace("Opening", "Account number 40001284\nOpening");
    expect(understandStatement(wordsOfText(text), PLAIN).signals.map(({ kind }) => kind)).toEqual([
      "arithmetic_break",
      "dates_outside_period",
      "conflicting_account_number",
    ]);
  });
});
