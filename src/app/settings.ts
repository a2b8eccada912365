// What organizations set for themselves, joined with the store and the threads; part of the composition root.
import { randomUUID } from "node:crypto";
import type { ModelRef, SettingsRef } from "../../workers/protocol.ts";
import { startReapplying } from "../enrich/reapply.ts";
import { createEntityLookup } from "../ledger/entities.ts";
import type { CategorySet } from "../model/categories.ts";
import type { ModelEvent } from "../model/process-events.ts";
import { openModelTrainer } from "../pool/model-trainer.ts";
import { askCorrection, askMapping, requireMapping } from "../pool/ask.ts";
import type { Pool } from "../pool/pool.ts";
import { shareModel, shareSettings, withBoundSets, withModels } from "../pool/shared-settings.ts";
import { boundModels, mappingsOf } from "../settings/category-mappings.ts";
import { createCategorySets } from "../settings/category-sets.ts";
import { type CorrectionQuery, toThreadQuery } from "../settings/corrections.ts";
import { createModelLoader, type ModelLoader } from "../settings/model-loader.ts";
import { startTraining } from "../settings/model-training.ts";
import { createModels } from "../settings/models.ts";
import { createOwnCorrections, type OwnCorrections } from "../settings/own-corrections.ts";
import { createReapplications } from "../settings/reapplications.ts";
import { createReports, type Reports } from "../settings/reports.ts";
import { createRules } from "../settings/rules.ts";
import { createSettingsReader, type SettingsReader } from "../settings/settings.ts";
import type { Clock } from "../shared/clock.ts";
import type { ClaimedJobs } from "../shared/concurrency/claimed-jobs.ts";
import { correctionId } from "../store/repositories/corrections.ts";
import type { Repositories } from "./repositories.ts";

/** What the enrichment uses of an organization's settings. */
export function createSettingsOf(
  { organizations, rulesets, categorySets, corrections }: Repositories,
  ask: Pool["ask"],
): SettingsReader<SettingsRef> {
  const mappingPorts = {
    setsOf: categorySets.ofOrganization,
    mapCategories: (set: CategorySet) => askMapping(ask, set),
    keepMapping: categorySets.keepMapping,
  };
  return createSettingsReader({
    organization: organizations.get,
    rules: rulesets.rulesOf,
    mappings: (org) => mappingsOf(mappingPorts, org),
    corrections: corrections.ofOrganization,
    boundModels: async (org) => boundModels(await categorySets.ofOrganization(org)),
    share: (version, settings, ofSets) => {
      const shared = withBoundSets(shareSettings(version, settings), ofSets);
      return { shared, bytes: shared.bytes.byteLength };
    },
  });
}

/** The labelling models as the threads use them. */
export const createModelLoaderOf = ({ models }: Repositories): ModelLoader<ModelRef> =>
  createModelLoader({ getModel: models.get, bytes: models.bytes, share: shareModel });

interface ReapplyParts {
  readonly repositories: Repositories;
  /** Whether no other process works on the same store. */
  readonly isAlone: boolean;
  readonly nowMs: Clock;
  readonly pool: Pool;
  readonly settingsOf: SettingsReader<SettingsRef>["of"];
  readonly models: ModelLoader<ModelRef>;
  failed(error: unknown): void;
}

/** Starts to apply changed settings to stored transactions, for every organization that requests it. */
export function startReapplyingOf(parts: ReapplyParts): ClaimedJobs {
  const { isAlone, nowMs, pool, settingsOf, models, failed } = parts;
  const { transactions, holders, reapplications, reapplicationWrites } = parts.repositories;
  const holder = randomUUID();
  return startReapplying({
    release: isAlone ? reapplications.release : null,
    claim: (...times) => reapplications.claim(holder, ...times),
    renew: (claimed, untilMs) => reapplications.renew(claimed, holder, untilMs),
    list: (org, page) => transactions.list(org, null, page),
    getHolders: async (org, ids) => (await holders.getMany(org, ids)).map((one) => one.holder),
    settingsOf,
    enrich: async (org, items, settings) => {
      const complete = await withModels(items, settings, (names) => models.of(org, names));
      return pool.enrich(items, "low", complete, org);
    },
    getTransactions: transactions.getMany,
    storeFacts: (org, changes) => reapplicationWrites.storeFacts(org, changes),
    storeProgress: (next, atMs) => reapplicationWrites.storeProgress(next, holder, atMs),
    failed,
    nowMs,
  });
}

interface TrainingParts {
  readonly repositories: Repositories;
  /** Whether no other process works on the same store. */
  readonly isAlone: boolean;
  readonly nowMs: Clock;
  readonly knowledge: SharedArrayBuffer;
  report(event: ModelEvent): void;
}

/** Starts to train labelling models, of every organization. */
export function startTrainingOf(parts: TrainingParts): ClaimedJobs {
  const { isAlone, nowMs, knowledge, report } = parts;
  const { models } = parts.repositories;
  const holder = randomUUID();
  const trainer = openModelTrainer(knowledge);
  const trainings = startTraining({
    release: isAlone ? models.release : null,
    claim: (...times) => models.claim(holder, ...times),
    renew: (claimed, ...held) => models.renew(claimed, holder, ...held),
    giveBack: (claimed) => models.giveBack(claimed, holder),
    items: models.items,
    train: trainer.train,
    progress: trainer.progress,
    finish: (claimed, outcome, atMs) => models.finish(claimed, holder, outcome, atMs),
    report,
    nowMs,
  });
  return {
    wake: trainings.wake,
    close: async () => {
      await trainings.close();
      await trainer.close();
    },
  };
}

export interface SettingsStageParts {
  readonly repositories: Repositories;
  readonly nowMs: Clock;
  readonly ask: Pool["ask"];
  /** Called when an event was recorded. */
  onEvent(): void;
}

export function createReportStage(parts: SettingsStageParts): Reports {
  const { onEvent, nowMs } = parts;
  const { reports, reportWrites, corrections, transactions } = parts.repositories;
  return createReports({
    ...correctingOf(parts),
    insertReport: reports.insert,
    getReport: reports.get,
    findReport: reports.find,
    listReports: reports.list,
    numberedReports: reports.numbered,
    listAllReports: reports.listAll,
    removeReport: reports.remove,
    moveReport: reportWrites.move,
    listCorrections: corrections.list,
    findCorrection: corrections.find,
    removeCorrection: reportWrites.removeCorrection,
    getTransaction: transactions.get,
    getCorrection: corrections.get,
    correctionId,
    onEvent,
    nowMs,
  });
}

/** What corrections of any kind need. */
function correctingOf({ ask, repositories }: Pick<SettingsStageParts, "ask" | "repositories">) {
  const { holders, categorySets, organizations } = repositories;
  return {
    getHolder: holders.get,
    getCategorySet: categorySets.get,
    getFeatures: async (org: string) => (await organizations.get(org))?.features ?? [],
    correctLine: (query: CorrectionQuery) => askCorrection(ask, toThreadQuery(query)),
    newId: randomUUID,
  };
}

function ownCorrectionsOf(parts: Pick<SettingsStageParts, "ask" | "repositories">): OwnCorrections {
  const { transactions, organizations, ledgerWrites } = parts.repositories;
  return createOwnCorrections({
    ...correctingOf(parts),
    getTransactions: transactions.getMany,
    hasSettings: async (org) => (await organizations.get(org)) !== null,
    correctedOf: transactions.correctedOf,
    storeOverrides: async (org, changes) => {
      const isFirst = (await organizations.get(org)) === null;
      return ledgerWrites.replaceSeen(org, changes, isFirst ? randomUUID() : null);
    },
  });
}

/** What the API calls to read and change an organization's settings. */
export function createSettingsStages(
  parts: SettingsStageParts & {
    /** Called when a reapplication has begun. */
    onReapplication(): void;
    /** Called when there is a model to train. */
    onTraining(): void;
  },
) {
  const { ask, nowMs, onReapplication, onTraining } = parts;
  const { organizations, reapplications, rulesets, categorySets, transactions, models } =
    parts.repositories;
  const newId = randomUUID;
  return {
    categories: createCategorySets({
      getSet: categorySets.get,
      putSet: categorySets.put,
      removeSet: categorySets.remove,
      changeOf: categorySets.changeOf,
      mapCategories: (set) => requireMapping(ask, set),
      nowMs,
      newId,
    }),
    entities: createEntityLookup({
      findEntity: (id) => ask({ kind: "entity", id }),
      resolveEntity: (query) => ask({ kind: "resolve", ...query }),
      organization: organizations.get,
    }),
    reports: createReportStage(parts),
    ownCorrections: ownCorrectionsOf(parts),
    rules: createRules({
      getRuleset: rulesets.get,
      replaceRuleset: rulesets.replace,
      changeOf: rulesets.changeOf,
      nowMs,
      newId,
    }),
    models: createModels({
      getModel: models.get,
      listModels: models.list,
      beginTraining: models.begin,
      quality: models.quality,
      removeModel: models.remove,
      begun: onTraining,
      nowMs,
      newId,
    }),
    reapplications: createReapplications({
      countTransactions: transactions.count,
      insertReapplication: reapplications.insert,
      getReapplication: reapplications.get,
      listReapplications: reapplications.list,
      getRunning: reapplications.running,
      begun: onReapplication,
      nowMs,
      newId,
    }),
  };
}
