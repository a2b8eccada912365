// What a reader finds of a document next to its words, as plain data: what signals and the name of the institution rest on.
import type { PrintedValue } from "../../src/model/bank-statement.ts";
import type { ReadPage } from "./read-page.ts";

export interface DocumentFacts {
  /** How many times the file was ended; 2 is usual for files that are laid out for the web. null: not known. */
  readonly trailers: number | null;
  /** Whether the file is laid out for reading over a network, which has two trailers from the start. */
  readonly isLinearized: boolean;
  /** Milliseconds since 1970; null: not in the file. */
  readonly createdAt: number | null;
  readonly modifiedAt: number | null;
  /** As in the file; empty: none. */
  readonly author: string;
  readonly title: string;
  readonly producer: string;
  readonly annotations: readonly PageAnnotation[];
  /** Empty: not known. */
  readonly fonts: readonly NumberFont[];
  /** Text layers that a person does not see. Their pages are recognised. */
  readonly hiddenLayers: readonly ReadPage[];
}

/** One that covers a part of the page, such as a text, a square or a stamp; links and form fields are left out. */
export interface PageAnnotation {
  readonly page: number;
  readonly kind: string;
  /** In the coordinates of the words. */
  readonly box: PrintedValue["box"];
}

/** The font of a number of the text layer. */
export interface NumberFont {
  readonly page: number;
  readonly box: PrintedValue["box"];
  readonly text: string;
  /** Without the tag of a subset. */
  readonly font: string;
  /** Height of the letters in points. */
  readonly size: number;
}
