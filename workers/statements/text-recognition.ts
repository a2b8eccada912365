// Text recognition by Tesseract compiled to WebAssembly, called in the thread itself: a task that is stopped really ends.
import { createRequire } from "node:module";
import type { Box } from "./affine.ts";
import type { GreyPicture } from "./page-picture.ts";

/** How a page is divided: `sparse` finds most words, `automatic` finds columns and paragraphs. */
export type RecognitionMode = "sparse" | "automatic";

export interface RecognisedWord {
  readonly text: string;
  /** Pixels of the picture. */
  readonly box: Box;
  /** 0 to 1. */
  readonly confidence: number;
}

export interface TextRecogniser {
  read(picture: GreyPicture, mode: RecognitionMode): RecognisedWord[];
  /** One line that is a number. */
  readNumber(picture: GreyPicture): RecognisedLine;
  /** One line of any characters. */
  readLine(picture: GreyPicture): RecognisedLine;
}

export interface RecognisedLine {
  readonly text: string;
  /** 0 to 1, of the words together. */
  readonly confidence: number;
}

/** Trained data of Tesseract, not compressed. */
export interface RecognitionLanguage {
  /** As Tesseract names it, such as `eng`. */
  readonly language: string;
  readonly data: Uint8Array;
}

/** The part of the module that is used here; the package has no types. */
interface TesseractCore {
  readonly FS: { writeFile(path: string, data: Uint8Array): void; unlink(path: string): void };
  readonly TessBaseAPI: new () => TesseractApi;
}

interface TesseractApi {
  Init(folder: string, languages: string, mode: number): number;
  SetPageSegMode(mode: number): void;
  SetVariable(name: string, value: string): boolean;
  SetImageFile(orientation: number, angle: number): number;
  SetSourceResolution(dotsPerInch: number): void;
  Recognize(monitor: null): number;
  GetTSVText(page: number): string;
  GetUTF8Text(): string;
  MeanTextConf(): number;
  Clear(): void;
}

const LSTM_ONLY = 1;
const MODES: Readonly<Record<RecognitionMode, number>> = { sparse: 11, automatic: 3 };
const SINGLE_LINE = 7;
const DOTS_PER_INCH = 200;
const NUMBER_CHARACTERS = "0123456789.,-+()$";
const INPUT = "/input";
/** Relaxed SIMD is in V8 from this version of Node on. */
const RELAXED_SIMD_FROM = 24;

/** @throws Error when the trained data cannot be used */
export async function createTextRecogniser(
  languages: readonly RecognitionLanguage[],
): Promise<TextRecogniser> {
  const build =
    Number.parseInt(process.versions.node, 10) >= RELAXED_SIMD_FROM ? "relaxedsimd" : "simd";
  const load = createRequire(import.meta.url)(
    `tesseract.js-core/tesseract-core-${build}-lstm.js`,
  ) as (options: object) => Promise<TesseractCore>;
  const core = await load({ print: () => undefined, printErr: () => undefined });
  for (const { language, data } of languages) core.FS.writeFile(`/${language}.traineddata`, data);
  const api = new core.TessBaseAPI();
  const names = languages.map(({ language }) => language).join("+");
  if (api.Init("/", names, LSTM_ONLY) !== 0)
    throw new Error(`The trained data of ${names} cannot be used for text recognition.`);
  // Each has its copy in the memory of the recogniser.
  for (const { language } of languages) core.FS.unlink(`/${language}.traineddata`);
  // A second reading of each line that is unsure, in white on black: it is drawn as print on paper before (shaded-areas.ts).
  api.SetVariable("tessedit_do_invert", "0");
  const show = (picture: GreyPicture, mode: number, characters = ""): void => {
    core.FS.writeFile(INPUT, toPgm(picture));
    api.SetVariable("tessedit_char_whitelist", characters);
    api.SetPageSegMode(mode);
    api.SetImageFile(1, 0);
    api.SetSourceResolution(DOTS_PER_INCH);
    api.Recognize(null);
  };
  const cleanAfter = <Result>(read: () => Result): Result => {
    try {
      return read();
    } finally {
      api.Clear();
      core.FS.writeFile(INPUT, new Uint8Array());
    }
  };
  const readLine = (picture: GreyPicture, characters: string): RecognisedLine =>
    cleanAfter(() => {
      show(picture, SINGLE_LINE, characters);
      return { text: api.GetUTF8Text().trim(), confidence: api.MeanTextConf() / PERCENT };
    });
  return {
    read: (picture, mode) =>
      cleanAfter(() => {
        show(picture, MODES[mode]);
        return wordsOf(api.GetTSVText(0));
      }),
    readNumber: (picture) => readLine(picture, NUMBER_CHARACTERS),
    readLine: (picture) => readLine(picture, ""),
  };
}

/** Portable greymap: the simplest form that Leptonica reads. */
function toPgm({ width, height, pixels }: GreyPicture): Uint8Array {
  const header = Buffer.from(`P5\n${String(width)} ${String(height)}\n255\n`);
  return Buffer.concat([header, pixels]);
}

const PERCENT = 100;
const WORD_LEVEL = "5";

/** Columns of the table: level, page, block, paragraph, line, word, left, top, width, height, confidence, text. */
const wordsOf = (table: string): RecognisedWord[] =>
  table.split("\n").flatMap((row) => {
    const [level, , , , , , left, top, width, height, confidence, text = ""] = row.split("\t");
    if (level !== WORD_LEVEL || text.trim() === "") return [];
    const [x, y] = [Number(left), Number(top)];
    return [
      {
        text: text.trim(),
        box: [x, y, x + Number(width), y + Number(height)],
        confidence: Math.min(Math.max(Number(confidence) / PERCENT, 0), 1),
      },
    ];
  });
