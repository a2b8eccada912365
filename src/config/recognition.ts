// Settings of the text recognition of bank statements.
import { ConfigError, type ReadSetting } from "./values.ts";

export interface RecognitionConfig {
  /** As Tesseract names them, the main one first. */
  readonly languages: readonly string[];
  /** Folder with their trained data; null: that of npm packages. */
  readonly folder: string | null;
}

/** More languages make recognition slower and no better. */
const LANGUAGES_MAX = 5;
/** The names are parts of file names. */
const LANGUAGE = /^[a-z]{3}(?:_[A-Za-z]{2,10})?$/u;

/** @throws ConfigError for names that trained data cannot have; whether it exists is found when statements are opened */
export function readRecognition(value: ReadSetting): RecognitionConfig {
  const text = value("STATEMENT_LANGUAGES") ?? "eng";
  const languages = text.split(/[,+]/u).map((language) => language.trim());
  if (languages.length > LANGUAGES_MAX || !languages.every((name) => LANGUAGE.test(name)))
    throw new ConfigError(
      `STATEMENT_LANGUAGES must be 1 to ${String(LANGUAGES_MAX)} names of trained data such as eng or chi_sim, separated by commas, not "${text}".`,
    );
  return { languages, folder: value("STATEMENT_TESSDATA") };
}
