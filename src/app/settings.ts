// What organizations set for themselves, joined with the store and the threads; part of the composition root.
import { randomUUID } from "node:crypto";
import type { SettingsRef } from "../../workers/protocol.ts";
import { type Reapplier, startReapplying } from "../enrich/reapply.ts";
import type { CategoryMapping } from "../model/category-set.ts";
import { mappingsOf } from "../settings/category-mappings.ts";
import { REAPPLICATION_KEPT_MS } from "../model/reapplication.ts";
import { createCategorySets } from "../settings/category-sets.ts";
import { createEntityLookup } from "../ledger/entities.ts";
import { createSettingsReader, type SettingsReader } from "../settings/settings.ts";
import { createReapplications } from "../settings/reapplications.ts";
import { createRules } from "../settings/rules.ts";
import type { Clock } from "../shared/clock.ts";
import type { Pool } from "../pool/pool.ts";
import { shareSettings } from "../pool/shared-settings.ts";
import { createReportStage } from "./reports.ts";
import type { Store } from "../store/collection.ts";
import { createCategorySetRepository } from "../store/repositories/category-sets.ts";
import { createCorrectionRepository } from "../store/repositories/corrections.ts";
import { createHolderRepository } from "../store/repositories/holders.ts";
import {
  createOrganizationRepository,
  type OrganizationRepository,
} from "../store/repositories/organizations.ts";
import { createReapplicationRepository } from "../store/repositories/reapplications.ts";
import { createRulesetRepository } from "../store/repositories/rulesets.ts";
import { createTransactionRepository } from "../store/repositories/transactions.ts";
import type { CategorySet } from "../model/categories.ts";

/** What the enrichment uses of an organization's settings. */
export function createSettingsStage(
  store: Store,
  ask: Pool["ask"],
  organizations: OrganizationRepository,
): SettingsReader<SettingsRef> {
  const sets = createCategorySetRepository(store);
  const mappingPorts = {
    setsOf: sets.ofOrganization,
    mapCategories: (set: CategorySet) => mapped(ask, set),
    keepMapping: sets.keepMapping,
  };
  return createSettingsReader({
    organization: organizations.get,
    rules: createRulesetRepository(store).rulesOf,
    mappings: (org) => mappingsOf(mappingPorts, org),
    corrections: createCorrectionRepository(store).ofOrganization,
    share: (version, settings) => {
      const shared = shareSettings(version, settings);
      return { shared, bytes: shared.bytes.byteLength };
    },
  });
}

/** Null when the thread fails on the words. */
async function mapped(
  ask: Pool["ask"],
  { incoming, outgoing }: CategorySet,
): Promise<CategoryMapping | null> {
  const text = await ask({ kind: "map_categories", incoming, outgoing });
  return text === null ? null : (JSON.parse(text) as CategoryMapping);
}

/** Starts to apply what organizations have set to their stored transactions, wherever one asks for it. */
export function startReapplyingOf(
  store: Store,
  { isAlone, nowMs, pool, settingsOf, failed }: ReapplyParts,
): Reapplier {
  const transactions = createTransactionRepository(store);
  const holders = createHolderRepository(store);
  const reapplications = createReapplicationRepository(store);
  const holder = randomUUID();
  let isReleased = !isAlone;
  return startReapplying({
    claim: async (...times) => {
      // What a process before this one had taken is nobody's any more.
      if (!isReleased) await reapplications.release();
      isReleased = true;
      return reapplications.claim(holder, ...times);
    },
    renew: (claimed, untilMs) => reapplications.renew(claimed, holder, untilMs),
    list: (org, page) => transactions.list(org, null, page),
    getHolders: async (org, ids) => (await holders.getMany(org, ids)).map((one) => one.holder),
    settingsOf,
    enrich: (org, items, settings) => pool.enrich(items, "low", settings, org),
    store: async (next, changes, atMs) => {
      // Facts first, each of which is harmless to write again: who dies in between does the page once more.
      await store.apply(transactions.factsSteps(next.org, changes));
      const progress = reapplications.progressStep(next, holder, atMs);
      return (await store.write([progress])).ok;
    },
    failed,
    nowMs,
  });
}

/** Removes up to as many reapplications as one is told whose time is over, and says how many. */
export function sweepReapplications(
  store: Store,
  retentionNow: () => Promise<number>,
): (limit: number) => Promise<number> {
  const { removeEnded } = createReapplicationRepository(store);
  return async (limit) => removeEnded((await retentionNow()) - REAPPLICATION_KEPT_MS, limit);
}

interface ReapplyParts {
  /** Whether no other process works on the same store. */
  readonly isAlone: boolean;
  readonly nowMs: Clock;
  readonly pool: Pool;
  readonly settingsOf: SettingsReader<SettingsRef>["of"];
  failed(error: unknown): void;
}

/** What the API of a process needs beside the ledger. */
export interface SettingsStageParts {
  readonly store: Store;
  readonly nowMs: Clock;
  readonly ask: Pool["ask"];
  /** Called when an event was recorded. */
  onEvent(): void;
  /** Called when a reapplication has begun. */
  onReapplication(): void;
}

/** What the API and the commands call to look at an organization's settings and change them. */
export function createSettingsStages({
  store,
  nowMs,
  ask,
  onEvent,
  onReapplication,
}: SettingsStageParts) {
  const organizations = createOrganizationRepository(store);
  const reapplications = createReapplicationRepository(store);
  const rulesets = createRulesetRepository(store);
  const sets = createCategorySetRepository(store);
  return {
    categories: createCategorySets({
      getSet: sets.get,
      putSet: sets.put,
      removeSet: sets.remove,
      changeOf: sets.changeOf,
      mapCategories: async (set) => {
        const mapping = await mapped(ask, set);
        if (mapping !== null) return mapping;
        throw new Error("The thread failed on the words of a category set");
      },
      nowMs,
      newId: randomUUID,
    }),
    entities: createEntityLookup({
      findEntity: (id) => ask({ kind: "entity", id }),
      resolveEntity: (query) => ask({ kind: "resolve", ...query }),
      organization: organizations.get,
    }),
    reports: createReportStage({ store, nowMs, ask, onEvent }),
    rules: createRules({
      getRuleset: rulesets.get,
      replaceRuleset: rulesets.replace,
      changeOf: rulesets.changeOf,
      nowMs,
      newId: randomUUID,
    }),
    reapplications: createReapplications({
      countTransactions: createTransactionRepository(store).count,
      insertReapplication: reapplications.insert,
      getReapplication: reapplications.get,
      listReapplications: reapplications.list,
      getRunning: reapplications.running,
      begun: onReapplication,
      nowMs,
      newId: randomUUID,
    }),
  };
}
