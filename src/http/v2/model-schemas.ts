import { z } from "zod";
import {
  MODEL_LABEL_LENGTH_MAX,
  TRAINING_ITEMS_MAX,
  type TrainingItem,
} from "../../model/custom-model.ts";
import { LABEL_MARK, LABELS_OF_ITEM_MAX, labelText } from "../../model/labels.ts";
import { MCC_MAX } from "../../model/rules.ts";
import { boundedList, longList, text, trimmedText } from "../server/fields.ts";
import {
  accountHolderType,
  anyText,
  countryCode,
  double,
  instant,
  modelName,
  wholeNumber,
} from "./schemas.ts";
import { anyEntryType, currency, ENTRY_TYPES, TEXT_LENGTH_MAX } from "./transaction-schemas.ts";

// Custom models, like `schemas.ts`.

// ---- Requests

const MARKED = { type: "value_error", msg: `Value error, a label cannot contain ${LABEL_MARK}` };
/** No two bars in a row. */
const UNMARKED = String.raw`^\|?([^|]\|?)*$`;
const oneLabel = trimmedText(1, MODEL_LABEL_LENGTH_MAX)
  .check(({ value, issues }) => {
    if (!value.includes(LABEL_MARK)) return;
    issues.push({ code: "custom", input: null, params: { ...MARKED } });
  })
  .meta({ minLength: 1, maxLength: MODEL_LABEL_LENGTH_MAX, pattern: UNMARKED });

/** A list of labels, or one label itself. */
const trainingLabel = z.preprocess(
  (value) => (typeof value === "string" ? [value] : value),
  boundedList(oneLabel, { min: 1, max: LABELS_OF_ITEM_MAX }, null),
);

const trainingObject = z
  .object({
    account_holder_type: accountHolderType,
    amount: z.number().min(0).openapi({ format: "double" }),
    entry_type: anyEntryType,
    iso_currency_code: currency,
    description: text(0, TEXT_LENGTH_MAX),
    country: countryCode().nullish(),
    mcc: wholeNumber(0, MCC_MAX)
      .nullish()
      .openapi({ type: ["integer", "null"], minimum: 0, maximum: MCC_MAX }),
    label: trainingLabel,
  })
  .openapi("LabeledTransaction");

export const trainingItem = trainingObject.transform(
  (sent): TrainingItem => ({
    description: sent.description,
    amount: sent.amount,
    entryType: ENTRY_TYPES[sent.entry_type],
    currency: sent.iso_currency_code,
    accountHolderType: sent.account_holder_type,
    country: sent.country ?? null,
    mcc: sent.mcc ?? null,
    label: labelText(sent.label),
  }),
);

export const trainingBody = z
  .object({
    transactions: longList(trainingItem, { min: 1, max: TRAINING_ITEMS_MAX }, "LabeledTransaction"),
    threshold: z.number().min(0).max(1).nullish().openapi({ format: "double" }),
  })
  .openapi("ModelTraining");

export const modelPath = z.object({ name: modelName });

// ---- Answers

export const listedModel = z
  .object({ name: z.string(), created_at: instant, account_holder_type: accountHolderType })
  .openapi("CustomModel");

const share = double.nullable();
const modelVersion = z
  .object({
    version: z.int(),
    created_at: instant,
    items: z.int(),
    labels: z.int(),
    accuracy: share,
    threshold: double,
  })
  .openapi("ModelVersion");
const labelQuality = z
  .object({
    label: z.string(),
    items: z.int(),
    held_out: z.int(),
    precision: share,
    recall: share,
  })
  .openapi("LabelQuality");
const confusion = z
  .object({ label: z.string(), answer: z.string(), items: z.int() })
  .openapi("LabelConfusion");
const modelQuality = z
  .object({
    items: z.int(),
    held_out: z.int(),
    accuracy: share,
    macro_f1: share,
    answered: share,
    accuracy_of_answered: share,
    labels: z.array(labelQuality),
    confusions: z.array(confusion),
  })
  .openapi("ModelQuality");
export const modelStatus = z
  .object({
    name: z.string(),
    status: z.enum(["queued", "training", "ready", "error"]).openapi("ModelStatus"),
    progress: z.int(),
    created_at: instant,
    account_holder_type: accountHolderType,
    error: anyText,
    threshold: double,
    versions: z.array(modelVersion),
    quality: modelQuality.nullable(),
  })
  .openapi("CustomModelStatus");

/** The components that others refer to, innermost first. */
export const modelComponents: readonly z.ZodType[] = [
  trainingObject,
  listedModel,
  modelVersion,
  labelQuality,
  confusion,
  modelQuality,
  modelStatus,
];
