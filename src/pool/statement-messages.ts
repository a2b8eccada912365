// What crosses between a process and its child that reads bank statements: plain data, cloned as the structured clone does.
import type { ReadingAnswer, RowsPart } from "./answer-parts.ts";
import type { LanguageFile } from "./recognition-languages.ts";

/** The only argument of the child, as JSON: it gets no settings from its environment. */
export interface ChildSetup {
  readonly threads: number;
  readonly languages: readonly LanguageFile[];
  /** Module of the thread side. */
  readonly workerUrl: string;
  /** Resident memory beyond which the child ends, bytes. */
  readonly rssBytesMax: number;
}

/** A document, whose bytes follow in parts. */
export interface StatementCall {
  readonly kind: "read" | "verify";
  readonly id: number;
  /** Bytes that follow. */
  readonly size: number;
  /** Empty: none. */
  readonly password: string;
  /** Milliseconds since 1970. */
  readonly submittedAt: number;
}

/** One document, as it was sent. */
export interface SentDocument extends Omit<StatementCall, "kind" | "id" | "size"> {
  readonly bytes: Uint8Array;
}

export interface DocumentPart {
  readonly kind: "part";
  readonly id: number;
  /** In their order. */
  readonly bytes: Uint8Array;
}

export type ParentMessage = StatementCall | DocumentPart;

/** The service does nothing else while one is sent: some milliseconds at most, and 26 of processor time for a whole 49 MB. */
export const DOCUMENT_PART_BYTES = 1024 * 1024;

export type ChildMessage =
  | RowsPart
  /** Without its rows, which come before it. */
  | { readonly kind: "answer"; readonly id: number; readonly result: ReadingAnswer }
  /** The document could not be read at all. */
  | { readonly kind: "failed"; readonly id: number; readonly reason: string }
  /** Pages of a document that were recognised so far. */
  | {
      readonly kind: "progress";
      readonly id: number;
      readonly done: number;
      readonly total: number;
    }
  /** Sent again and again: the child is alive. */
  | { readonly kind: "alive"; readonly rssBytes: number };

/** How often a child reports that it is alive. */
export const ALIVE_INTERVAL_MS = 1_000;
