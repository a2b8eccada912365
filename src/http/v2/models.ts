import { z } from "zod";
import type { Actor } from "../../model/audit.ts";
import {
  type CustomModel,
  MODEL_THRESHOLD,
  type ModelQuality,
  MODELS_MAX,
  type TrainingItem,
  type TrainingRefusal,
} from "../../model/custom-model.ts";
import { type Answer, errorAnswer, jsonAnswer, noContent, retryAfter } from "../server/answer.ts";
import { BATCH_BODY } from "../server/body-bounds.ts";
import { defineRoute, nothing, type Route } from "../server/route.ts";
import {
  listedModel,
  modelPath,
  modelStatus,
  trainingBody,
  trainingItem,
} from "./model-schemas.ts";

export interface ModelsPort {
  /** Repeating it with the same `id` begins nothing. */
  train(
    request: {
      readonly org: string;
      readonly name: string;
      readonly id: string;
      readonly threshold: number;
      readonly items: readonly TrainingItem[];
    },
    by: Actor,
  ): Promise<
    | CustomModel
    | { readonly reason: "invalid"; readonly detail: string }
    | { readonly reason: TrainingRefusal }
  >;
  list(org: string): Promise<readonly CustomModel[]>;
  get(
    org: string,
    name: string,
  ): Promise<{ readonly model: CustomModel; readonly quality: ModelQuality | null } | null>;
  remove(org: string, name: string, by: Actor): Promise<boolean>;
}

interface ModelServices {
  readonly models: ModelsPort;
}

const tag = "Models";
const INVALID = "Nothing can be learned from the items, or the organization has too many models";
const FULL = `An organization may have at most ${String(MODELS_MAX)} models`;
const TRAINING = "The model is being trained: wait until it is ready";
const BUSY = "The models are being changed by too many at once";
const NOT_FOUND = "Model not found";

const REFUSALS: Readonly<Record<TrainingRefusal, Answer>> = {
  training: errorAnswer("model_training", TRAINING),
  full: errorAnswer("model_limit", FULL),
  busy: errorAnswer("concurrent_change", BUSY, retryAfter(1)),
};

export const modelRoutes: readonly Route<ModelServices>[] = [
  defineRoute({
    method: "POST",
    path: "/v2/models/{name}",
    operationId: "train_model",
    summary: "Train a custom model with 1 to 50 000 labelled transactions, in the background",
    tag,
    request: {
      path: modelPath,
      query: nothing,
      body: trainingBody,
      bounds: BATCH_BODY,
      list: { field: "transactions", item: trainingItem },
    },
    success: modelStatus,
    errors: { 400: INVALID, 409: TRAINING },
    async handle(
      { models }: ModelServices,
      { principal, requestId, path, body, items, resourceId },
    ) {
      const { org, keyId } = principal;
      const threshold = body.threshold ?? MODEL_THRESHOLD;
      const request = { org, name: path.name, id: resourceId(), threshold, items };
      const begun = await models.train(request, { keyId, requestId });
      if (!("reason" in begun)) return jsonAnswer(200, statusResource(begun, null));
      if (begun.reason === "invalid") return errorAnswer("invalid_training_data", begun.detail);
      return REFUSALS[begun.reason];
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v2/models",
    operationId: "list_models",
    summary: "List the custom models of the organization",
    tag,
    request: { path: nothing, query: nothing, body: null },
    success: z.array(listedModel),
    errors: {},
    handle: async ({ models }: ModelServices, { principal }) =>
      jsonAnswer(
        200,
        (await models.list(principal.org)).map(({ name, createdAt, accountHolderType }) => ({
          name,
          created_at: new Date(createdAt).toISOString(),
          account_holder_type: accountHolderType,
        })),
      ),
  }),
  defineRoute({
    method: "GET",
    path: "/v2/models/{name}",
    operationId: "get_model",
    summary: "Get the status of a custom model, and how good it is",
    tag,
    request: { path: modelPath, query: nothing, body: null },
    success: modelStatus,
    errors: { 404: NOT_FOUND },
    async handle({ models }: ModelServices, { principal, path }) {
      const found = await models.get(principal.org, path.name);
      return found === null
        ? errorAnswer("model_not_found", NOT_FOUND)
        : jsonAnswer(200, statusResource(found.model, found.quality));
    },
  }),
  defineRoute({
    method: "DELETE",
    path: "/v2/models/{name}",
    operationId: "delete_model",
    summary: "Delete a custom model with all its versions, and end a training that runs",
    tag,
    request: { path: modelPath, query: nothing, body: null },
    success: null,
    errors: { 404: NOT_FOUND },
    async handle({ models }: ModelServices, { principal, requestId, path }) {
      const { org, keyId } = principal;
      const isGone = await models.remove(org, path.name, { keyId, requestId });
      return isGone ? noContent() : errorAnswer("model_not_found", NOT_FOUND);
    },
  }),
];

function statusResource(model: CustomModel, quality: ModelQuality | null): object {
  const { name, status, progress, createdAt, accountHolderType, error, threshold } = model;
  return {
    name,
    status,
    progress,
    created_at: new Date(createdAt).toISOString(),
    account_holder_type: accountHolderType,
    error,
    threshold,
    versions: model.versions.map(({ createdAt: readyAt, ...version }) => ({
      ...version,
      created_at: new Date(readyAt).toISOString(),
    })),
    quality: quality === null ? null : qualityResource(quality),
  };
}

const qualityResource = ({
  items,
  heldOut,
  accuracy,
  macroF1,
  answered,
  accuracyOfAnswered,
  labels,
  confusions,
}: ModelQuality): object => ({
  items,
  held_out: heldOut,
  accuracy,
  macro_f1: macroF1,
  answered,
  accuracy_of_answered: accuracyOfAnswered,
  labels: labels.map(({ heldOut: held_out, ...label }) => ({ ...label, held_out })),
  confusions,
});
