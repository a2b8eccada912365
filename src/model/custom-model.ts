// Custom labelling models: what organizations send to train one, and what is known about it.
import type { EntryType, HolderType } from "./transaction.ts";

/** Items of one training. */
export const TRAINING_ITEMS_MAX = 50_000;
/** Distinct labels of a model. */
export const MODEL_LABELS_MAX = 1_000;
export const MODEL_LABEL_LENGTH_MAX = 256;
/** A model as it is stored and as it crosses to the threads. */
export const MODEL_BYTES_MAX = 8 * 1024 * 1024;
/**
 * Below this probability a model does not label, unless it was trained with another one: on the lines of two cities a label is
 * right that often even by the most frequent label of the merchant.
 */
export const MODEL_THRESHOLD = 0.2;

export const MODEL_NAME_LENGTH_MAX = 256;
/** Models of an organization. */
export const MODELS_MAX = 100;
/** Trained versions of a model that are kept: the one that labels, and those before. */
export const MODEL_VERSIONS_KEPT = 3;
/** A training that was interrupted so often ends with an error: it may be what ends the processes. */
export const TRAINING_ATTEMPTS_MAX = 3;

export type ModelStatus = "queued" | "training" | "ready" | "error";

/** A trained version in short. */
export interface ModelVersion {
  /** The number of the training that it is from. */
  readonly version: number;
  /** When it was ready. */
  readonly createdAt: number;
  readonly items: number;
  readonly labels: number;
  readonly accuracy: number | null;
  readonly threshold: number;
}

/** A model as its organization sees it. */
export interface CustomModel {
  readonly org: string;
  /** The organization's own, without slashes; one model for each. */
  readonly name: string;
  /** Of the last training: milliseconds since 1970, UTC. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly accountHolderType: HolderType;
  /** Of the last training. An earlier version labels until it is ready, and goes on if it ends with an error. */
  readonly status: ModelStatus;
  /** 0 to 100. */
  readonly progress: number;
  /** Why the last training failed. */
  readonly error: string | null;
  /** Trainings so far: the number of the last one. */
  readonly training: number;
  /** Id of the request that began it. */
  readonly trainingId: string;
  /** Probability below which the model of this training does not label. */
  readonly threshold: number;
  /** Those that are kept, the one that labels first. */
  readonly versions: readonly ModelVersion[];
}

/** A training that a process has claimed. */
export interface ClaimedTraining extends CustomModel {
  /** Claims before that did not end. */
  readonly attempts: number;
}

/** A training that is to begin. */
export type NewTraining = Pick<
  CustomModel,
  "org" | "name" | "createdAt" | "accountHolderType" | "trainingId" | "threshold"
>;

/** The outcome of a training. */
export type TrainingOutcome =
  | { readonly bytes: Uint8Array; readonly quality: ModelQuality }
  | { readonly error: string };

/** `training`: it is being trained. `full`: the organization has MODELS_MAX others. `busy`: too many at once. */
export type TrainingRefusal = "training" | "full" | "busy";

/** A labelled transaction. */
export interface TrainingItem {
  readonly description: string;
  /** Units of the currency, never negative. */
  readonly amount: number;
  readonly entryType: EntryType;
  /** ISO 4217. */
  readonly currency: string;
  readonly accountHolderType: HolderType;
  /** ISO 3166-1 alpha-2 or ISO 3166-2. */
  readonly country: string | null;
  /** ISO 18245. */
  readonly mcc: number | null;
  /** Its labels as one text, see `labelText`. */
  readonly label: string;
}

/** How a label was answered on the items that were held out. Shares are 0 to 1. */
export interface LabelQuality {
  readonly label: string;
  /** All items with it, those that were held out included. */
  readonly items: number;
  /** Of those held out. */
  readonly heldOut: number;
  /** Share of the answers with this label that are right; null: it was not answered. */
  readonly precision: number | null;
  /** Share of the items with this label that are answered with it; null: none was held out. */
  readonly recall: number | null;
}

/** Items with the label `label` that were answered with `answer`. */
export interface Confusion {
  readonly label: string;
  readonly answer: string;
  readonly items: number;
}

/**
 * How a model does on items that it was not trained on: a fifth, chosen by chance, before it is trained on all. Shares are
 * 0 to 1, null where nothing could be held out.
 */
export interface ModelQuality {
  readonly items: number;
  readonly heldOut: number;
  readonly accuracy: number | null;
  /** Mean over the labels of the harmonic mean of precision and recall. */
  readonly macroF1: number | null;
  /** Share of the held-out items that are labelled, not left to the default labels; and how many of those are right. */
  readonly answered: number | null;
  readonly accuracyOfAnswered: number | null;
  /** The most frequent first. */
  readonly labels: readonly LabelQuality[];
  /** The most frequent mistakes first. */
  readonly confusions: readonly Confusion[];
}
