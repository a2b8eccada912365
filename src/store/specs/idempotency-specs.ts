// Collections of idempotency keys, with the answers that are kept under them.
import type { CollectionSpec } from "../collection.ts";

export interface IdempotencyRow {
  readonly org: string;
  readonly route: string;
  readonly key: string;
  /** SHA-256 of the request body. */
  readonly fingerprint: string;
  /** Id for what the request creates. */
  readonly resourceId: string;
  readonly startedAt: number;
  /** Null while the first request is still running. */
  readonly status: number | null;
  /** The answer's text, or a reference to the parts of a long one: see `long-answers.ts`. */
  readonly body: string | null;
  /** The account holder that the answer is about, whose deletion erases it; null: none. */
  readonly holderId: string | null;
  /** The same of the bank statement that the answer is about. */
  readonly statementId: string | null;
}

export const idempotencySpec: CollectionSpec<IdempotencyRow> = {
  name: "idempotency",
  fields: {
    org: "text",
    route: "text",
    key: "text",
    fingerprint: "text",
    startedAt: "integer",
    status: "integer",
    body: "text",
    holderId: "text",
    statementId: "text",
  },
  key: ["org", "route", "key"],
  indexes: [
    { name: "started", fields: ["startedAt"] },
    { name: "holder", fields: ["org", "holderId"] },
    { name: "statement", fields: ["org", "statementId"] },
  ],
};

/** A part of a long answer, which the row of its key refers to. */
export interface AnswerPartRow {
  readonly org: string;
  readonly answerId: string;
  readonly part: number;
  readonly keptAt: number;
  /** Text compressed with zstd. */
  readonly text: Uint8Array;
}

export const answerPartSpec: CollectionSpec<AnswerPartRow> = {
  name: "answerParts",
  fields: { org: "text", answerId: "text", part: "integer", keptAt: "integer", text: "bytes" },
  key: ["org", "answerId", "part"],
  indexes: [{ name: "kept", fields: ["keptAt"] }],
};

/** Which long answers are about an account holder: what its deletion has to erase. */
export interface AnswerHolderRow {
  readonly org: string;
  readonly holderId: string;
  readonly answerId: string;
  readonly keptAt: number;
  // In the document: the key under which the answer is kept.
  readonly route: string;
  readonly key: string;
}

export const answerHolderSpec: CollectionSpec<AnswerHolderRow> = {
  name: "answerHolders",
  fields: { org: "text", holderId: "text", answerId: "text", keptAt: "integer" },
  key: ["org", "holderId", "answerId"],
  indexes: [{ name: "kept", fields: ["keptAt"] }],
};
