// What organizations set for themselves, joined with the store and the threads; part of the composition root.
import { randomUUID } from "node:crypto";
import type { SettingsRef } from "../../workers/protocol.ts";
import { type Reapplier, startReapplying } from "../enrich/reapply.ts";
import { createEntityLookup } from "../ledger/entities.ts";
import type { CategorySet } from "../model/categories.ts";
import { askCorrection, askMapping, requireMapping } from "../pool/ask.ts";
import type { Pool } from "../pool/pool.ts";
import { shareSettings } from "../pool/shared-settings.ts";
import { mappingsOf } from "../settings/category-mappings.ts";
import { createCategorySets } from "../settings/category-sets.ts";
import { type CorrectionQuery, toThreadQuery } from "../settings/corrections.ts";
import { createOwnCorrections, type OwnCorrections } from "../settings/own-corrections.ts";
import { createReapplications } from "../settings/reapplications.ts";
import { createReports, type Reports } from "../settings/reports.ts";
import { createRules } from "../settings/rules.ts";
import { createSettingsReader, type SettingsReader } from "../settings/settings.ts";
import type { Clock } from "../shared/clock.ts";
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
    share: (version, settings) => {
      const shared = shareSettings(version, settings);
      return { shared, bytes: shared.bytes.byteLength };
    },
  });
}

interface ReapplyParts {
  readonly repositories: Repositories;
  /** Whether no other process works on the same store. */
  readonly isAlone: boolean;
  readonly nowMs: Clock;
  readonly pool: Pool;
  readonly settingsOf: SettingsReader<SettingsRef>["of"];
  failed(error: unknown): void;
}

/** Starts to apply changed settings to stored transactions, for every organization that requests it. */
export function startReapplyingOf(parts: ReapplyParts): Reapplier {
  const { isAlone, nowMs, pool, settingsOf, failed } = parts;
  const { transactions, holders, reapplications, reapplicationWrites } = parts.repositories;
  const holder = randomUUID();
  return startReapplying({
    release: isAlone ? reapplications.release : null,
    claim: (...times) => reapplications.claim(holder, ...times),
    renew: (claimed, untilMs) => reapplications.renew(claimed, holder, untilMs),
    list: (org, page) => transactions.list(org, null, page),
    getHolders: async (org, ids) => (await holders.getMany(org, ids)).map((one) => one.holder),
    settingsOf,
    enrich: (org, items, settings) => pool.enrich(items, "low", settings, org),
    store: (next, changes, atMs) => reapplicationWrites.storePage(next, changes, holder, atMs),
    failed,
    nowMs,
  });
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
  },
) {
  const { ask, nowMs, onReapplication } = parts;
  const { organizations, reapplications, rulesets, categorySets, transactions } =
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
