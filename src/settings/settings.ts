// The settings of organizations as the enrichment uses them: read completely after an organization has changed something, and
// cached until its next change. One small row with a version, which is read for every chunk, shows whether there was a change.
// So a change applies to everything that is accepted after it, in every process.
import type { CategoryMapping } from "../model/category-set.ts";
import { LedgerlineError } from "../shared/errors.ts";
import type { Correction, Feature, TenantSettings } from "../model/tenant-settings.ts";
import type { Rule } from "../model/rules.ts";

/** What the settings need from the store and their users: `share` converts settings to the form in which they are passed on. */
export interface SettingsPorts<Shared> {
  organization(
    org: string,
  ): Promise<{ readonly settingsVersion: string; readonly features: readonly Feature[] } | null>;
  rules(org: string): Promise<readonly Rule[]>;
  mappings(org: string): Promise<Readonly<Record<string, CategoryMapping>>>;
  corrections(org: string): Promise<readonly Correction[]>;
  /** Names of the labelling models to which category sets are bound, by the id of the set. */
  boundModels(org: string): Promise<Readonly<Record<string, string>>>;
  share(
    version: string,
    settings: TenantSettings,
    boundModels: Readonly<Record<string, string>>,
  ): { readonly shared: Shared; readonly bytes: number };
}

export interface SettingsReader<Shared> {
  /**
   * The current settings of an organization; null when it has none.
   * @throws LedgerlineError `unavailable` when they cannot be read, or change faster than they can be read
   */
  of(org: string): Promise<Shared | null>;
}

/** Memory for cached settings; the most recently used ones stay. */
const KEPT_BYTES_MAX = 64 * 1024 * 1024;
/** A change between the reads of two parts means that all are read again. */
const READ_TRIES_MAX = 10;

interface Kept<Shared> {
  readonly version: string;
  readonly shared: Shared;
  readonly bytes: number;
}

export function createSettingsReader<Shared>(ports: SettingsPorts<Shared>): SettingsReader<Shared> {
  // Least recently used first.
  const kept = new Map<string, Kept<Shared>>();
  const reading = new Map<string, Promise<Kept<Shared>>>();
  let keptBytes = 0;

  function drop(org: string): void {
    keptBytes -= kept.get(org)?.bytes ?? 0;
    kept.delete(org);
  }

  function keep(org: string, settings: Kept<Shared>): void {
    drop(org);
    kept.set(org, settings);
    keptBytes += settings.bytes;
    for (const oldest of kept.keys()) {
      if (keptBytes <= KEPT_BYTES_MAX || oldest === org) return;
      drop(oldest);
    }
  }

  async function readAll(org: string, features: readonly Feature[]): Promise<TenantSettings> {
    const [rules, mappings, corrections] = await Promise.all([
      ports.rules(org),
      ports.mappings(org),
      ports.corrections(org),
    ]);
    return { rules, mappings, corrections, features };
  }

  /** Reads until nothing has changed in between, so that the parts match each other and the version. */
  async function readStable(org: string): Promise<Kept<Shared>> {
    for (let tries = 0; tries < READ_TRIES_MAX; tries += 1) {
      const before = await ports.organization(org);
      const settings = await readAll(org, before?.features ?? []);
      const bound = await ports.boundModels(org);
      const version = before?.settingsVersion ?? "";
      const after = await ports.organization(org);
      if ((after?.settingsVersion ?? "") === version) {
        return { version, ...ports.share(version, settings, bound) };
      }
    }
    throw new LedgerlineError(
      "unavailable",
      "The settings of the organization change too often; repeat the request.",
    );
  }

  /** Chunks of one organization arrive together: one of them reads for all. */
  function readOnce(org: string, version: string): Promise<Kept<Shared>> {
    const key = JSON.stringify([org, version]);
    const running = reading.get(key);
    if (running !== undefined) return running;
    const started = readStable(org).finally(() => reading.delete(key));
    reading.set(key, started);
    return started;
  }

  return {
    of: async (org) => {
      const seen = await ports.organization(org);
      if (seen === null) return null;
      const known = kept.get(org);
      if (known?.version === seen.settingsVersion) {
        kept.delete(org);
        kept.set(org, known);
        return known.shared;
      }
      const read = await readOnce(org, seen.settingsVersion);
      keep(org, read);
      return read.shared;
    },
  };
}
