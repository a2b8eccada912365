// Custom labelling models: what may be trained, and what is known about the models of an organization. `model-training.ts` trains
// them.
import type { Actor, AuditEntry } from "../model/audit.ts";
import {
  type CustomModel,
  MODEL_LABELS_MAX,
  type ModelQuality,
  type NewTraining,
  type TrainingItem,
  type TrainingRefusal,
} from "../model/custom-model.ts";
import { labelsIn } from "../model/labels.ts";

export interface ModelPorts {
  getModel(org: string, name: string): Promise<CustomModel | null>;
  listModels(org: string): Promise<readonly CustomModel[]>;
  beginTraining(
    seen: CustomModel | null,
    training: NewTraining,
    items: readonly string[],
    entry: AuditEntry,
  ): Promise<"stored" | "overtaken" | "full">;
  quality(org: string, name: string, version: number): Promise<ModelQuality | null>;
  removeModel(org: string, name: string, entry: AuditEntry): Promise<boolean>;
  /** Called when there is something to train. */
  begun(): void;
  nowMs(): number;
  newId(): string;
}

/** A request to train a model. Repeating it with the same `id` begins nothing. */
export interface TrainingRequest {
  readonly org: string;
  readonly name: string;
  readonly id: string;
  readonly threshold: number;
  readonly items: readonly TrainingItem[];
}

/** A sentence about what is wrong with all items together, or why nothing can be trained now. */
export type TrainingRefused =
  | { readonly reason: "invalid"; readonly detail: string }
  | { readonly reason: TrainingRefusal };

export interface Models {
  train(request: TrainingRequest, by: Actor): Promise<CustomModel | TrainingRefused>;
  list(org: string): Promise<readonly CustomModel[]>;
  /** With the quality of the version that labels; null: there is no such model. */
  get(
    org: string,
    name: string,
  ): Promise<{ readonly model: CustomModel; readonly quality: ModelQuality | null } | null>;
  /** Whether a version of the model is ready to label. */
  isReady(org: string, name: string): Promise<boolean>;
  /** False: there is no such model. */
  remove(org: string, name: string, by: Actor): Promise<boolean>;
}

/** Other processes may change the same model, or take the same place; in each failed try, one of them succeeded. */
const TRIES_MAX = 20;
/** Items of a stored part: with every text at its limit, less than MongoDB takes as one document. */
const PART_ITEMS = 2_500;
/** Of all items, so many may have a twin with another label before nothing can be learned from them. */
const CONTRADICTED_MAX = 1 / 3;

export function createModels(ports: ModelPorts): Models {
  const entryOf = (
    { org, name, by }: { readonly org: string; readonly name: string; readonly by: Actor },
    action: "model.trained" | "model.deleted",
    details: AuditEntry["details"],
  ): AuditEntry => {
    const [id, createdAt] = [ports.newId(), ports.nowMs()];
    return { ...by, org, id, createdAt, action, subject: name, details };
  };
  return {
    train: async ({ org, name, id, threshold, items }, by) => {
      const detail = problemOf(items);
      if (detail !== null) return { reason: "invalid", detail };
      const parts = partsOf(items);
      const accountHolderType = items[0]?.accountHolderType ?? "unknown";
      const entry = entryOf({ org, name, by }, "model.trained", { items: items.length });
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        const seen = await ports.getModel(org, name);
        if (seen?.trainingId === id) return seen;
        if (isWaiting(seen)) return { reason: "training" };
        const createdAt = ports.nowMs();
        const training = { org, name, createdAt, accountHolderType, trainingId: id, threshold };
        const outcome = await ports.beginTraining(seen, training, parts, entry);
        if (outcome === "full") return { reason: "full" };
        if (outcome === "overtaken") continue;
        ports.begun();
        const stored = await ports.getModel(org, name);
        if (stored !== null) return stored;
      }
      return { reason: "busy" };
    },
    list: ports.listModels,
    get: async (org, name) => {
      const model = await ports.getModel(org, name);
      if (model === null) return null;
      const [labels] = model.versions;
      const quality = labels === undefined ? null : await ports.quality(org, name, labels.version);
      return { model, quality };
    },
    isReady: async (org, name) => ((await ports.getModel(org, name))?.versions.length ?? 0) > 0,
    remove: (org, name, by) =>
      ports.removeModel(org, name, entryOf({ org, name, by }, "model.deleted", {})),
  };
}

const isWaiting = (model: CustomModel | null): boolean =>
  model?.status === "queued" || model?.status === "training";

function partsOf(items: readonly TrainingItem[]): readonly string[] {
  const count = Math.ceil(items.length / PART_ITEMS);
  return Array.from({ length: count }, (_, part) =>
    JSON.stringify(items.slice(part * PART_ITEMS, (part + 1) * PART_ITEMS)),
  );
}

/** What is wrong with the items together; null: nothing. */
function problemOf(items: readonly TrainingItem[]): string | null {
  const texts = new Set(items.map(({ label }) => label));
  const labels = new Set([...texts].flatMap(labelsIn));
  if (texts.size < 2)
    return "All items have the same labels: a model needs at least two to choose from";
  if (labels.size > MODEL_LABELS_MAX)
    return `The items have ${String(labels.size)} labels: a model may have at most ${String(MODEL_LABELS_MAX)}`;
  const types = new Set(items.map(({ accountHolderType }) => accountHolderType));
  if (types.size > 1) return "The items have several account holder types: train a model for each";
  const contradicted = countContradicted(items);
  return contradicted > CONTRADICTED_MAX * items.length
    ? `${String(contradicted)} of ${String(items.length)} items are the same as others with another label`
    : null;
}

/** Items that are the same as others but for their label, without those of the most frequent label among them. */
function countContradicted(items: readonly TrainingItem[]): number {
  const groups = new Map<string, Map<string, number>>();
  for (const { label, ...rest } of items) {
    const key = JSON.stringify(Object.values(rest));
    const labels = groups.get(key) ?? new Map<string, number>();
    groups.set(key, labels.set(label, (labels.get(label) ?? 0) + 1));
  }
  let count = 0;
  for (const labels of groups.values()) {
    const counts = [...labels.values()];
    count += counts.reduce((sum, one) => sum + one, 0) - Math.max(...counts);
  }
  return count;
}
