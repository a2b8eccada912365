// How large the bodies of operations may be. A route declares one of these with its schema; what is larger is a 413 before
// it is parsed.

const KIB = 1024;
const MIB = 1024 * KIB;

export interface BodyBounds {
  /** Decompressed. */
  readonly bytesMax: number;
  /** Values of any kind, as commas and brackets count them: V8 needs up to 100 bytes for a value of three bytes. */
  readonly valuesMax: number;
}

/** A webhook with certificates, a report with fifty fields: every character of either escaped is less. */
export const USUAL_BODY: BodyBounds = { bytesMax: 256 * KIB, valuesMax: 10_000 };

/** 50 KiB of compact rules, indented; those with more are refused by what they are when compact. */
export const RULES_BODY: BodyBounds = { bytesMax: 512 * KIB, valuesMax: 50_000 };

/** 64 KiB of words, every character escaped. */
export const CATEGORIES_BODY: BodyBounds = { bytesMax: 512 * KIB, valuesMax: 10_000 };

/** A thousand ids of 256 characters, every character escaped. */
export const IDS_BODY: BodyBounds = { bytesMax: 4 * MIB, valuesMax: 10_000 };

/** A thousand corrections of a transaction with usual texts, and their ids. */
export const CORRECTIONS_BODY: BodyBounds = { bytesMax: 4 * MIB, valuesMax: 50_000 };

/**
 * Batches, and trainings of models, whose items have fewer texts. The longest batch with usual texts has 6 MB, with every text at its limit more than this. It has 300 000 values; this
 * leaves room for as many members again that are not known, and more.
 */
export const BATCH_BODY: BodyBounds = { bytesMax: 32 * MIB, valuesMax: 1_000_000 };
