// Pages of a PDF with embedded fonts, drawn by pdfkit. Coordinates are points from the top left corner.
import { createRequire } from "node:module";
import PdfDocument from "pdfkit";

/** Packages of @fontsource, whose files have a Latin part. */
export const SHEET_FONTS = ["arimo", "tinos", "cousine", "roboto"] as const;
export type SheetFont = (typeof SHEET_FONTS)[number];

export interface SheetText {
  readonly size?: number;
  readonly isBold?: boolean;
  /** Where `x` is: the left edge without it. */
  readonly align?: "right" | "center";
  readonly colour?: string;
}

export interface Sheet {
  readonly width: number;
  readonly height: number;
  readonly page: number;
  text(text: string, x: number, y: number, style?: SheetText): void;
  widthOf(text: string, style?: SheetText): number;
  line(
    from: readonly [x: number, y: number],
    to: readonly [x: number, y: number],
    colour?: string,
  ): void;
  fill(x: number, y: number, width: number, height: number, colour: string): void;
  nextPage(): void;
  /** The file. Nothing can be drawn afterwards. */
  end(): Promise<Uint8Array>;
}

/** Large pale letters across every page. */
export interface Watermark {
  readonly text: string;
  /** With the clock. */
  readonly degrees: number;
}

const SIZES = { A4: [595.28, 841.89], letter: [612, 792] } as const;
export type PaperSize = keyof typeof SIZES;

const resolve = createRequire(import.meta.url).resolve;
const fileOf = (font: SheetFont, weight: number): string =>
  resolve(`@fontsource/${font}/files/${font}-latin-${String(weight)}-normal.woff`);
/** The same file for the same drawing: the time of writing is part of a PDF. */
const WRITTEN = new Date(Date.UTC(2026, 0, 2));
const MARK_SIZE = 84;

export function openSheet(
  font: SheetFont,
  paper: PaperSize,
  title: string,
  watermark: Watermark | null,
): Sheet {
  const [width, height] = SIZES[paper];
  const document = new PdfDocument({
    size: [width, height],
    margin: 0,
    info: { Title: title, Creator: "statement", Producer: "statement", CreationDate: WRITTEN },
  });
  const parts: Buffer[] = [];
  document.on("data", (part: Buffer) => parts.push(part));
  document.registerFont("regular", fileOf(font, 400));
  document.registerFont("bold", fileOf(font, 700));
  let page = 1;
  const choose = ({ size = 9, isBold = false, colour = "#111" }: SheetText): void => {
    document
      .font(isBold ? "bold" : "regular")
      .fontSize(size)
      .fillColor(colour);
  };
  const widthOf = (text: string, style: SheetText = {}): number => {
    choose(style);
    return document.widthOfString(text);
  };
  const drawMark = (): void => {
    if (watermark === null) return;
    const { text, degrees } = watermark;
    const left = (width - widthOf(text, { size: MARK_SIZE, isBold: true })) / 2;
    document.save().rotate(degrees, { origin: [width / 2, height / 2] });
    document.fillOpacity(0.15).text(text, left, height / 2 - MARK_SIZE / 2, { lineBreak: false });
    document.restore();
  };
  drawMark();
  return {
    ...{ width, height, widthOf },
    get page() {
      return page;
    },
    text: (text, x, y, style = {}) => {
      if (text === "") return;
      const share = style.align === "right" ? 1 : style.align === "center" ? 0.5 : 0;
      const left = x - widthOf(text, style) * share;
      document.text(text, left, y, { lineBreak: false });
    },
    line: ([x1, y1], [x2, y2], colour = "#888") => {
      document.moveTo(x1, y1).lineTo(x2, y2).lineWidth(0.5).stroke(colour);
    },
    fill: (x, y, w, h, colour) => {
      document.rect(x, y, w, h).fill(colour);
    },
    nextPage: () => {
      document.addPage();
      page += 1;
      drawMark();
    },
    end: () =>
      new Promise((done) => {
        document.on("end", () => {
          done(new Uint8Array(Buffer.concat(parts)));
        });
        document.end();
      }),
  };
}
