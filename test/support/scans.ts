// Scans and photos of documents with a text layer: drawn, turned, shaded, with noise, and compressed as a device does it.
import sharp from "sharp";
import { renderPage } from "../../workers/statements/render-pdf.ts";
import { type PdfText, showText } from "./pdf.ts";
import { createRandom } from "./random.ts";

/** Shorter side of what a scanner makes of a page, pixels: 200 dots per inch. */
export const SCANNER_SIDE = 1_650;

export interface ScanDefects {
  /** Degrees with the clock. */
  readonly turn?: number;
  /** Share of the light that is lost in the darkest corner, 0 to 1. */
  readonly shadow?: number;
  /** Largest change of the brightness of a pixel, 0 to 255. */
  readonly noise?: number;
  /** Of JPEG, 1 to 100. */
  readonly quality?: number;
  /** Pixels. */
  readonly width?: number;
}

/** A JPEG file, and its size in pixels. */
export interface ScannedPicture {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

/** A page of a PDF as a JPEG file. */
export async function scanPage(
  bytes: Uint8Array,
  page: number,
  { turn = 0, shadow = 0, noise = 0, quality = 80, width = SCANNER_SIDE }: ScanDefects,
): Promise<ScannedPicture> {
  const drawn = await renderPage(bytes, "", page, SCANNER_SIDE);
  if ("fault" in drawn) throw new Error(drawn.fault);
  const raw = { width: drawn.width, height: drawn.height, channels: 1 } as const;
  const { data, info } = await sharp(drawn.pixels, { raw })
    .rotate(turn, { background: "#ddd" })
    .resize({ width: Math.round((width * drawn.width) / SCANNER_SIDE) })
    .toColourspace("b-w")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const random = createRandom(page);
  const pixels = Uint8Array.from(data, (value, at) => {
    const [x, y] = [(at % info.width) / info.width, Math.floor(at / info.width) / info.height];
    const light = 1 - shadow * ((x + y) / 2) ** 2;
    return Math.min(Math.max(value * light + (random.next() * 2 - 1) * noise, 0), 255);
  });
  const picture = sharp(pixels, { raw: { ...info, channels: 1 } }).toColourspace("b-w");
  const { width: w, height: h } = info;
  return { bytes: await picture.jpeg({ quality }).toBuffer(), width: w, height: h };
}

/** A document drawn again as pictures, 200 dots per inch. */
export async function scanPdf(
  bytes: Uint8Array,
  pages: number,
  defects: ScanDefects,
): Promise<Uint8Array> {
  const pictures: ScannedPicture[] = [];
  for (let page = 1; page <= pages; page += 1) pictures.push(await scanPage(bytes, page, defects));
  return pdfOfPictures(pictures);
}

/**
 * A PDF whose pages are pictures, 200 dots per inch, as scanners make it.
 * @param layers of each page: text that lies invisibly over its picture
 */
export function pdfOfPictures(
  pictures: readonly ScannedPicture[],
  layers: readonly (readonly PdfText[])[] = [],
): Uint8Array {
  const parts: Buffer[] = [Buffer.from("%PDF-1.4\n")];
  const offsets: number[] = [];
  const add = (...object: readonly (string | Buffer)[]): void => {
    offsets.push(parts.reduce((sum, part) => sum + part.length, 0));
    parts.push(Buffer.from(`${String(offsets.length)} 0 obj\n`));
    parts.push(...object.map((part) => Buffer.from(part)), Buffer.from("\nendobj\n"));
  };
  const kids = pictures.map((_, at) => `${String(3 + at * 3)} 0 R`).join(" ");
  add("<< /Type /Catalog /Pages 2 0 R >>");
  add(`<< /Type /Pages /Count ${String(pictures.length)} /Kids [${kids}] >>`);
  for (const [at, picture] of pictures.entries()) {
    const size = [picture.width, picture.height].map((pixels) => (pixels * 72) / 200);
    const [width, height] = size.map((points) => points.toFixed(2));
    const first = offsets.length + 1;
    const layer = (layers[at] ?? []).map(showText).join("\n");
    const content = `q ${String(width)} 0 0 ${String(height)} 0 0 cm /P Do Q\n3 Tr\n${layer}`;
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${String(width)} ${String(height)}] /Resources << /XObject << /P ${String(first + 2)} 0 R >> /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> >> >> /Contents ${String(first + 1)} 0 R >>`,
    );
    add(`<< /Length ${String(content.length)} >>\nstream\n${content}\nendstream`);
    add(
      `<< /Type /XObject /Subtype /Image /Width ${String(picture.width)} /Height ${String(picture.height)} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode /Length ${String(picture.bytes.length)} >>\nstream\n`,
      picture.bytes,
      "\nendstream",
    );
  }
  const start = parts.reduce((sum, part) => sum + part.length, 0);
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
  const count = String(offsets.length + 1);
  parts.push(
    Buffer.from(
      `xref\n0 ${count}\n0000000000 65535 f \n${entries.join("")}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${String(start)}\n%%EOF\n`,
    ),
  );
  return new Uint8Array(Buffer.concat(parts));
}
