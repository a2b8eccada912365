// Small PDF files, written by hand: text in one font, pages without text, turned text, and locked copies.
import { init } from "@embedpdf/pdfium";

export interface PdfText {
  readonly text: string;
  readonly x: number;
  /** From the bottom of the page. */
  readonly y: number;
  /** Degrees against the clock. */
  readonly turn?: number;
  /** Whether each character is given next to what is drawn, as browsers print glyphs that stand for another one. */
  readonly isReplaced?: boolean;
  /** Between characters, in points. */
  readonly spacing?: number;
}

/** A4 pages with these texts in Helvetica, 10 points. */
export function makePdf(pages: readonly (readonly PdfText[])[]): Uint8Array {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${String(pages.length)} /Kids [${pages.map((_, at) => `${String(4 + at * 2)} 0 R`).join(" ")}] >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ...pages.flatMap((texts, at) => {
      const content = texts.map(showText).join("\n");
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${String(5 + at * 2)} 0 R >>`,
        `<< /Length ${String(content.length)} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  let body = "%PDF-1.4\n";
  const offsets = objects.map((object, at) => {
    const offset = body.length;
    body += `${String(at + 1)} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
  const count = String(objects.length + 1);
  return new Uint8Array(
    Buffer.from(
      `${body}xref\n0 ${count}\n0000000000 65535 f \n${entries.join("")}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${String(body.length)}\n%%EOF\n`,
      "latin1",
    ),
  );
}

/** Of Helvetica, 10 points. */
const widthOf = (character: string | undefined): number =>
  character === undefined ? 0 : /[.,]/u.test(character) ? 2.78 : character === "-" ? 3.33 : 5.56;

/** The operators that draw a text in the font `F1`. */
export function showText(given: PdfText): string {
  const { text, x, y, turn = 0, isReplaced = false, spacing = 0 } = given;
  const angle = (turn * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle).toFixed(4), Math.sin(angle).toFixed(4)];
  const show = (part: string): string => `(${part.replaceAll(/[\\()]/gu, String.raw`\$&`)})`;
  const shown = isReplaced
    ? Array.from(text, (one, at) => {
        const step = `${String(widthOf(text[at - 1]))} 0 Td`;
        return `/Span << /ActualText ${show(one)} >> BDC ${step} ${show(one)} Tj EMC`;
      })
    : [`${String(spacing)} Tc ${show(text)} Tj 0 Tc`];
  return `BT /F1 10 Tf ${cos} ${sin} -${sin} ${cos} ${String(x)} ${String(y)} Tm ${shown.join(" ")} ET`.replace(
    "--",
    "",
  );
}

const ALL_PERMISSIONS = 0xf_ff;

/** The same document, which opens with the password only. */
export async function lockPdf(bytes: Uint8Array, password: string): Promise<Uint8Array> {
  const pdfium = await init({});
  pdfium.PDFiumExt_Init();
  const memory = (): Uint8Array =>
    (pdfium.pdfium as unknown as { readonly HEAPU8: Uint8Array }).HEAPU8;
  const { malloc } = pdfium.pdfium.wasmExports;
  const pointer = malloc(bytes.length);
  memory().set(bytes, pointer);
  const document = pdfium.FPDF_LoadMemDocument(pointer, bytes.length, "");
  if (!pdfium.EPDF_SetEncryption(document, password, password, ALL_PERMISSIONS))
    throw new Error("PDFium did not encrypt the document.");
  const writer = pdfium.PDFiumExt_OpenFileWriter();
  pdfium.PDFiumExt_SaveAsCopy(document, writer);
  const size = pdfium.PDFiumExt_GetFileWriterSize(writer);
  const target = malloc(size);
  pdfium.PDFiumExt_GetFileWriterData(writer, target, size);
  return memory().slice(target, target + size);
}
