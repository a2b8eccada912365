// Where the trained data of text recognition is: in npm packages, or in a folder that the operator names.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { LedgerlineError } from "../shared/errors.ts";

export interface LanguageSettings {
  /** As Tesseract names them, the main one first. */
  readonly languages: readonly string[];
  /** Folder with `LANGUAGE.traineddata` or the same with `.gz`; null: packages `@tesseract.js-data/LANGUAGE`. */
  readonly folder: string | null;
}

export interface LanguageFile {
  readonly language: string;
  readonly path: string;
}

/** The precise models with whole numbers: as good as those with fractions, and faster. */
const PACKAGE_FOLDER = "4.0.0_best_int";

/** @throws LedgerlineError `misconfigured` when one is missing */
export const findLanguageFiles = ({ languages, folder }: LanguageSettings): LanguageFile[] =>
  languages.map((language) => {
    const names = [`${language}.traineddata`, `${language}.traineddata.gz`];
    const from = folder ?? packageFolder(language);
    const path = names.map((name) => join(from ?? "", name)).find(existsSync);
    if (from !== null && path !== undefined) return { language, path };
    throw new LedgerlineError(
      "misconfigured",
      folder === null
        ? `Trained data of the language "${language}" is missing: install the package @tesseract.js-data/${language}, or set STATEMENT_TESSDATA to a folder that has it.`
        : `Trained data of the language "${language}" is missing in ${folder}.`,
    );
  });

function packageFolder(language: string): string | null {
  try {
    const file = createRequire(import.meta.url).resolve(
      `@tesseract.js-data/${language}/package.json`,
    );
    return join(dirname(file), PACKAGE_FOLDER);
  } catch {
    return null;
  }
}

/** Reads trained data into memory that threads share. */
export function readLanguageFile({ language, path }: LanguageFile): {
  readonly language: string;
  readonly data: Uint8Array;
} {
  const file = readFileSync(path);
  const plain = path.endsWith(".gz") ? gunzipSync(file) : file;
  const data = new Uint8Array(new SharedArrayBuffer(plain.length));
  data.set(plain);
  return { language, data };
}
