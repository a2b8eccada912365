import type { AuditEntry } from "../../model/audit.ts";
import {
  type ClaimedTraining,
  type CustomModel,
  MODEL_VERSIONS_KEPT,
  type ModelQuality,
  type ModelVersion,
  MODELS_MAX,
  type NewTraining,
  type TrainingOutcome,
} from "../../model/custom-model.ts";
import type { Collection, Store, Write } from "../collection.ts";
import {
  type ModelPartRow,
  modelPartSpec,
  type ModelRow,
  modelSpec,
} from "../specs/model-specs.ts";
import { createAuditRepository } from "./audit.ts";
import { pack, unpackResults } from "./packed-results.ts";

export interface ModelRepository {
  get(org: string, name: string): Promise<CustomModel | null>;
  /** All models of an organization, in the order of their names. */
  list(org: string): Promise<readonly CustomModel[]>;
  /**
   * Stores the items of a training and puts it into the queue, with its entry: all or nothing. `overtaken`: another writer has
   * changed the model, or taken the last place, meanwhile. `full`: the organization has MODELS_MAX others.
   * @param seen the model as it was read; null: there was none
   * @param items parts of the items as JSON, none of which is longer than a few megabytes
   */
  begin(
    seen: CustomModel | null,
    training: NewTraining,
    items: readonly string[],
    entry: AuditEntry,
  ): Promise<"stored" | "overtaken" | "full">;
  /** Claims a waiting training for `holder` until `untilMs`, the one that has waited longest. */
  claim(holder: string, nowMs: number, untilMs: number): Promise<ClaimedTraining | null>;
  /** Extends a claim until then with this progress. False: another process has claimed it, or it is gone. */
  renew(
    claimed: ClaimedTraining,
    holder: string,
    untilMs: number,
    progress: number,
  ): Promise<boolean>;
  /** Ends a claim as if it had never been. */
  giveBack(claimed: ClaimedTraining, holder: string): Promise<void>;
  /** Ends all claims; for the only process on a store, about the processes before it. */
  release(): Promise<void>;
  /** The parts of its items. */
  items(claimed: ClaimedTraining): Promise<readonly string[]>;
  /**
   * Ends a training: stores the version or the error, and removes its items and the versions that are not kept. False: another
   * process has claimed it, or it is gone.
   */
  finish(
    claimed: ClaimedTraining,
    holder: string,
    outcome: TrainingOutcome,
    nowMs: number,
  ): Promise<boolean>;
  /** The bytes of a version; null: it is gone. */
  bytes(org: string, name: string, version: number): Promise<Uint8Array | null>;
  quality(org: string, name: string, version: number): Promise<ModelQuality | null>;
  /** Removes a model with everything of it. False: there is none. */
  remove(org: string, name: string, entry: AuditEntry): Promise<boolean>;
}

interface ModelTables {
  readonly store: Store;
  readonly models: Collection<ModelRow>;
  readonly parts: Collection<ModelPartRow>;
}

/** More than a training has, and than wait at a time. */
const PARTS_MAX = 100;
const RELEASED_MAX = 1_000;
const FREE = { holder: "", heldUntil: 0 } as const;

export function createModelRepository(store: Store): ModelRepository {
  const tables: ModelTables = {
    store,
    models: store.collection(modelSpec),
    parts: store.collection(modelPartSpec),
  };
  const { models, parts } = tables;
  const audit = createAuditRepository(store);
  return {
    ...readsOf(tables),
    ...trainingOf(tables),
    begin: async (seen, training, items, entry) => {
      const { org, name } = training;
      const number = (seen?.training ?? 0) + 1;
      const step =
        seen === null
          ? await insertStep(tables, training)
          : models.update(
              { org, name, training: seen.training, slot: "ended" },
              { ...queuedRow(training), training: number },
              "fail",
            );
      if (step === null) return "full";
      const packed = await Promise.all(items.map(pack));
      const rows = packed.map((bytes, part): ModelPartRow => {
        return { org, name, version: number, kind: "items", part, bytes };
      });
      const stored = rows.map((row) => parts.insert(row, "fail"));
      return (await store.write([step, ...stored, audit.step(entry)])).ok ? "stored" : "overtaken";
    },
    remove: async (org, name, entry) => {
      const steps = [
        models.require({ org, name }, 1),
        models.delete({ org, name }),
        parts.delete({ org, name }),
        audit.step(entry),
      ];
      return (await store.write(steps)).ok;
    },
  };
}

/** What a training that waits has. */
const queuedRow = ({
  createdAt,
  accountHolderType,
  trainingId,
  threshold,
}: NewTraining): Omit<ModelRow, "org" | "name" | "place" | "training" | "versions"> => ({
  ...{ createdAt, accountHolderType, trainingId, threshold, ...FREE },
  ...{ updatedAt: createdAt, slot: "waiting", status: "queued", progress: 0, error: null },
  attempts: 0,
});

/** Null: all places are taken. A concurrent writer of the same one is refused by the unique index. */
async function insertStep({ models }: ModelTables, training: NewTraining): Promise<Write | null> {
  const { org, name } = training;
  const rows = await models.find({ where: { org }, limit: MODELS_MAX });
  const taken = new Set(rows.map(({ place }) => place));
  const place = Array.from({ length: MODELS_MAX }, (_, at) => at).find((at) => !taken.has(at));
  if (place === undefined) return null;
  const row: ModelRow = { org, name, place, training: 1, versions: "[]", ...queuedRow(training) };
  return models.insert(row, "fail");
}

type ModelPart<Names extends keyof ModelRepository> = Pick<ModelRepository, Names>;

const readsOf = ({
  models,
  parts,
}: ModelTables): ModelPart<"get" | "list" | "items" | "bytes" | "quality"> => ({
  get: async (org, name) => {
    const row = await models.get({ org, name });
    return row === null ? null : toModel(row);
  },
  list: async (org) =>
    (await models.find({ where: { org }, limit: MODELS_MAX }))
      .map(toModel)
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  items: async ({ org, name, training }) => {
    const rows = await parts.find({
      where: { org, name, version: training, kind: "items" },
      order: { fields: ["part"], direction: "asc" },
      limit: PARTS_MAX,
    });
    return Promise.all(rows.map(({ bytes }) => unpackResults(bytes)));
  },
  bytes: async (org, name, version) =>
    (await parts.get({ org, name, version, kind: "bytes", part: 0 }))?.bytes ?? null,
  quality: async (org, name, version) => {
    const row = await parts.get({ org, name, version, kind: "quality", part: 0 });
    return row === null ? null : (JSON.parse(await unpackResults(row.bytes)) as ModelQuality);
  },
});

const trainingOf = ({
  store,
  models,
  parts,
}: ModelTables): ModelPart<"claim" | "renew" | "giveBack" | "release" | "finish"> => ({
  claim: async (holder, nowMs, untilMs) => {
    const [row] = await models.claim(
      {
        where: { slot: "waiting", heldUntil: { lte: nowMs } },
        order: { fields: ["heldUntil"], direction: "asc" },
        limit: 1,
      },
      { holder, heldUntil: untilMs, status: "training", progress: 0 },
    );
    if (row === undefined) return null;
    const { org, name, training, attempts } = row;
    const own = { org, name, training, holder };
    await store.write([models.update(own, { attempts: attempts + 1 }, "ignore")]);
    return { ...toModel(row), attempts };
  },
  renew: async ({ org, name, training }, holder, untilMs, progress) => {
    const own = { org, name, training, holder };
    return (await store.write([models.update(own, { heldUntil: untilMs, progress }, "fail")])).ok;
  },
  giveBack: async ({ org, name, training, attempts }, holder) => {
    const own = { org, name, training, holder };
    const queued = { ...FREE, status: "queued", progress: 0, attempts } as const;
    await store.write([models.update(own, queued, "ignore")]);
  },
  release: async () => {
    const held = { slot: "waiting", heldUntil: { gte: 1 } } as const;
    const rows = await models.find({ where: held, limit: RELEASED_MAX });
    await store.apply(
      rows.map(({ org, name }) =>
        models.update({ org, name }, { ...FREE, status: "queued" }, "ignore"),
      ),
    );
  },
  finish: async (claimed, holder, outcome, nowMs) => {
    const { org, name, training } = claimed;
    const own = { org, name, training, holder };
    const ended = { ...FREE, slot: "ended", updatedAt: nowMs } as const;
    const items = parts.delete({ org, name, version: training, kind: "items" });
    if ("error" in outcome) {
      const set = { ...ended, status: "error", error: outcome.error } as const;
      return (await store.write([models.update(own, set, "fail"), items])).ok;
    }
    const { bytes, quality } = outcome;
    const versions = [versionOf(claimed, quality, nowMs), ...claimed.versions];
    const kept = versions.slice(0, MODEL_VERSIONS_KEPT);
    const set = { status: "ready", progress: 100, versions: JSON.stringify(kept) } as const;
    const part = { org, name, version: training, part: 0 };
    const steps = [
      models.update(own, { ...ended, ...set }, "fail"),
      parts.insert({ ...part, kind: "bytes", bytes }, "ignore"),
      parts.insert(
        { ...part, kind: "quality", bytes: await pack(JSON.stringify(quality)) },
        "ignore",
      ),
      items,
      ...versions
        .slice(MODEL_VERSIONS_KEPT)
        .map(({ version }) => parts.delete({ org, name, version })),
    ];
    return (await store.write(steps)).ok;
  },
});

const versionOf = (
  { training, threshold }: ClaimedTraining,
  quality: ModelQuality,
  createdAt: number,
): ModelVersion => ({
  version: training,
  createdAt,
  items: quality.items,
  labels: quality.labels.length,
  accuracy: quality.accuracy,
  threshold,
});

function toModel(row: ModelRow): CustomModel {
  const { org, name, createdAt, updatedAt, accountHolderType, status, progress, error } = row;
  const { training, trainingId, threshold } = row;
  return {
    ...{ org, name, createdAt, updatedAt, accountHolderType, status, progress, error },
    ...{ training, trainingId, threshold },
    versions: JSON.parse(row.versions) as readonly ModelVersion[],
  };
}
