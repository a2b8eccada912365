// Files that a stranger may send as a bank statement: damaged, of other types, and made to take all time and memory. Each
// names the outcomes that are right for it; `statement` is a document that was read.
import { crc32, deflateSync } from "node:zlib";
import { strToU8, zipSync } from "fflate";
import sharp from "sharp";
import type { StatementFault } from "../../src/model/bank-statement.ts";
import { lockPdf, makePdf } from "./pdf.ts";
import { GOOD_STATEMENT } from "./statement-files.ts";

export interface HostileStatement {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly outcomes: readonly (StatementFault | "statement")[];
  readonly password?: string;
}

const latin1 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "latin1"));

/** A PDF of these objects, numbered from 1; the first is the catalog. The xref table may be replaced. */
function pdfOf(objects: readonly string[], xref?: string): Uint8Array {
  let body = "%PDF-1.7\n";
  const offsets = objects.map((object, at) => {
    const offset = body.length;
    body += `${String(at + 1)} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const entries = offsets
    .map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`)
    .join("");
  const size = String(objects.length + 1);
  const table =
    xref ??
    `xref\n0 ${size}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${size} /Root 1 0 R >>\n`;
  return latin1(`${body}${table}startxref\n${String(body.length)}\n%%EOF\n`);
}

const CATALOG = "<< /Type /Catalog /Pages 2 0 R >>";
const FONT = "<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>";
const pages = (box: string, more = ""): string[] => [
  CATALOG,
  "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
  `<< /Type /Page /Parent 2 0 R /MediaBox [${box}] /Resources ${FONT} /Contents 4 0 R ${more} >>`,
];
const stream = (content: string, dictionary = ""): string =>
  `<< /Length ${String(content.length)} ${dictionary} >>\nstream\n${content}\nendstream`;
const A4 = "0 0 595 842";
const text = (value: string): string => `BT /F1 10 Tf 40 700 Td (${value}) Tj ET`;
const LETTER = text("Dear customer, thank you for your letter of today.");

/** Deflated zeros: a thousandth of what they become. */
const bomb = (bytes: number): string =>
  Buffer.from(deflateSync(new Uint8Array(bytes))).toString("latin1");

/** A chunk of a PNG file. */
function chunk(type: string, data: Uint8Array, isDamaged = false): Uint8Array {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(isDamaged ? 1 : crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A grey PNG of this size; its pixels are zeros, of which a picture that large has a few. */
function png(width: number, height: number, isDamaged = false): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const pixels = deflateSync(new Uint8Array(Math.min((width + 1) * height, 1_000_000)));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", pixels, isDamaged),
    chunk("IEND", new Uint8Array()),
  ]);
}

/** Soft spots of light and dark, as of an animal on a sofa: nothing in it is text. */
const blurredPicture = (): Promise<Uint8Array> => {
  const size = 64;
  const spots = Uint8Array.from({ length: size * size }, (_, at) => {
    const [x, y] = [at % size, Math.floor(at / size)];
    return 128 + 60 * Math.sin(x / 5) * Math.cos(y / 7) + ((x * 31 + y * 17) % 23);
  });
  return sharp(spots, { raw: { width: size, height: size, channels: 1 } })
    .resize({ width: 1_000, kernel: "cubic" })
    .blur(8)
    .jpeg()
    .toBuffer();
};

const damagedPdfs = (whole: Uint8Array): HostileStatement[] => {
  const named = (name: string, bytes: Uint8Array): HostileStatement => ({
    ...{ name, bytes },
    outcomes: ["damaged", "no_text", "no_transactions"],
  });
  return [
    named("a header alone", latin1("%PDF-1.7\n")),
    named("noise behind a header", latin1(`%PDF-1.7\n${"\u0000x".repeat(500)}`)),
    named("half of a file", whole.subarray(0, 300)),
    named(
      "a million entries in the xref table",
      pdfOf(
        pages(A4),
        `xref\n0 1000000\n${"0000000015 00000 n \n".repeat(1_000_000)}trailer\n<< /Size 1000000 /Root 1 0 R >>\n`,
      ),
    ),
    named(
      "an xref table of four billion entries",
      pdfOf(pages(A4), "xref\n0 4294967295\ntrailer\n<< /Size 4294967295 /Root 1 0 R >>\n"),
    ),
    named(
      "a trailer that is before itself",
      pdfOf(
        [...pages(A4), stream(LETTER)],
        "xref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 5 /Root 1 0 R /Prev 9 >>\n",
      ),
    ),
    named(
      "pages that are their own parent",
      pdfOf([CATALOG, "<< /Type /Pages /Count 1 /Kids [2 0 R] /Parent 2 0 R >>"]),
    ),
    named("a catalog without pages", pdfOf(["<< /Type /Catalog >>"])),
    named("an object that is itself", pdfOf(["1 0 R"])),
    named(
      "arrays in arrays, 100,000 deep",
      pdfOf([...pages(A4, `/Annots ${"[".repeat(100_000)}${"]".repeat(100_000)}`), stream(LETTER)]),
    ),
    named(
      "an unknown security handler",
      pdfOf(
        [...pages(A4), stream(LETTER)],
        "trailer\n<< /Size 5 /Root 1 0 R /Encrypt << /Filter /Unknown /V 99 >> >>\n",
      ),
    ),
    named("a negative count of pages", pdfOf([CATALOG, "<< /Type /Pages /Count -5 /Kids [] >>"])),
  ].map((one) =>
    one.name.startsWith("an unknown")
      ? { ...one, outcomes: [...one.outcomes, "password_needed"] }
      : one,
  );
};

/** Documents that open and have nothing to read, or too much. */
const strangePdfs = (): HostileStatement[] => {
  const named = (
    name: string,
    objects: readonly string[],
    more: HostileStatement["outcomes"] = [],
  ) => ({
    ...{ name, bytes: pdfOf(objects) },
    outcomes: ["no_text", "no_transactions", "damaged", ...more] as const,
  });
  const script = "/AA << /O << /S /JavaScript /JS (while \\(true\\) { app.alert\\(1\\); }) >> >>";
  return [
    named("a script that runs at opening", [...pages(A4, script), stream(LETTER)]),
    named(
      "a stream that becomes 200 MB",
      [...pages(A4), stream(bomb(200_000_000), "/Filter /FlateDecode")],
      ["memory_limit", "time_limit"],
    ),
    named(
      "a form that draws itself",
      [
        ...pages(A4).slice(0, 2),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /XObject << /X 5 0 R >> >> /Contents 4 0 R >>",
        stream("/X Do"),
        stream(
          "/X Do /X Do",
          "/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /XObject << /X 5 0 R >> >>",
        ),
      ],
      ["memory_limit", "time_limit"],
    ),
    named("a page of 10,000,000 points", [...pages("0 0 10000000 10000000"), stream(LETTER)]),
    named("a page without a size", [...pages("0 0 0 0"), stream(LETTER)]),
    named("a page whose size is not a number", [...pages("NaN NaN inf -inf"), stream(LETTER)]),
    named("a page of the size of a hair", [...pages("0 0 1 14400"), stream(LETTER)]),
    named(
      "150,000 characters on a page",
      [
        ...pages(A4),
        stream(Array.from({ length: 1_500 }, () => text("0123456789".repeat(10))).join("\n")),
      ],
      ["time_limit"],
    ),
    named("a stream with a wrong length", [
      ...pages(A4),
      `<< /Length 99999999 >>\nstream\n${LETTER}\nendstream`,
    ]),
    named("a stream of no bytes", [...pages(A4), stream("")]),
    named("a font of infinite size", [
      ...pages(A4),
      stream("BT /F1 1e38 Tf 1e38 1e38 Td (123.45 Balance 123.45 Date) Tj ET"),
    ]),
    named("a state that is saved 1,000,000 times", [...pages(A4), stream("q ".repeat(1_000_000))]),
    named(
      "a picture of 100,000 pixels each way",
      [...pages(A4), stream("q 595 0 0 842 0 0 cm BI /W 100000 /H 100000 /CS /G /BPC 8 ID x EI Q")],
      ["memory_limit", "time_limit"],
    ),
    named("an invoice", [
      ...pages(A4),
      stream(text("Invoice 7781 of 2026-01-02, total 45.00 due")),
    ]),
    named("a letter", [...pages(A4), stream(LETTER)]),
  ];
};

const otherTypes = (): HostileStatement[] => {
  const named = (name: string, bytes: Uint8Array) =>
    ({ name, bytes, outcomes: ["unsupported_type"] }) as const;
  const document = {
    "word/document.xml": strToU8("<w:document/>"),
    "[Content_Types].xml": strToU8("<Types/>"),
  };
  return [
    named("nothing", new Uint8Array()),
    named("one byte", new Uint8Array([0x25])),
    named("HTML", latin1("<!doctype html><html><body>Statement</body></html>")),
    named("a ZIP archive", zipSync({ "statement.txt": strToU8("balance 12.00") })),
    named("DOCX", zipSync(document)),
    named("HEIC", latin1("\u0000\u0000\u0000\u0018ftypheic\u0000\u0000\u0000\u0000mif1heic")),
    named("GIF", latin1("GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000;")),
    named("zeros", new Uint8Array(1_000_000)),
  ];
};

const pictures = async (): Promise<HostileStatement[]> => {
  const photo = await blurredPicture();
  return [
    { name: "30,000 x 30,000 pixels", bytes: png(30_000, 30_000), outcomes: ["too_many_pixels"] },
    {
      name: "4 billion pixels a side",
      bytes: png(0x7fffffff, 0x7fffffff),
      outcomes: ["damaged", "too_many_pixels"],
    },
    { name: "a PNG with a wrong checksum", bytes: png(100, 100, true), outcomes: ["damaged"] },
    { name: "a PNG without its end", bytes: png(900, 900).subarray(0, 60), outcomes: ["damaged"] },
    { name: "a picture of one pixel", bytes: png(1, 1), outcomes: ["no_text"] },
    { name: "a black picture", bytes: png(600, 800), outcomes: ["no_text"] },
    { name: "half of a JPEG", bytes: photo.subarray(0, photo.length / 2), outcomes: ["damaged"] },
    { name: "the first bytes of a JPEG", bytes: photo.subarray(0, 20), outcomes: ["damaged"] },
    { name: "a photo without text", bytes: photo, outcomes: ["no_text", "no_transactions"] },
  ];
};

/** All of them, in an order in which no two of a kind that is expensive follow each other. */
export async function makeHostileStatements(): Promise<HostileStatement[]> {
  const whole = makePdf([GOOD_STATEMENT]);
  const locked = await lockPdf(whole, "sesame");
  return [
    ...otherTypes(),
    ...damagedPdfs(whole),
    ...strangePdfs(),
    ...(await pictures()),
    {
      name: "301 pages",
      bytes: makePdf(Array.from({ length: 301 }, () => [])),
      outcomes: ["too_many_pages"],
    },
    {
      name: "300 empty pages",
      bytes: makePdf(Array.from({ length: 300 }, () => [])),
      outcomes: ["no_text"],
    },
    { name: "a locked file", bytes: locked, outcomes: ["password_needed"] },
    { name: "a wrong password", bytes: locked, password: "other", outcomes: ["password_wrong"] },
    {
      name: "a password of 100,000 characters",
      bytes: locked,
      password: "x".repeat(100_000),
      outcomes: ["password_wrong"],
    },
    {
      name: "a password that is not needed",
      bytes: whole,
      password: "sesame",
      outcomes: ["statement"],
    },
  ];
}
