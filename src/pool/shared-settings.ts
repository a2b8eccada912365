import type { ModelRef, SettingsRef } from "../../workers/protocol.ts";
import type { EnrichItem } from "../model/enrich-item.ts";
import type { TenantSettings } from "../model/tenant-settings.ts";

function toShared(bytes: Uint8Array): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return shared;
}

/** Stores settings in memory that every thread can read. `key` must differ for different contents. */
export const shareSettings = (key: string, settings: TenantSettings): SettingsRef => ({
  key,
  bytes: toShared(Buffer.from(JSON.stringify(settings), "utf8")),
});

/** Stores a labelling model in memory that every thread can read. */
export const shareModel = ({
  bytes,
  ...model
}: Omit<ModelRef, "bytes"> & { readonly bytes: Uint8Array }): ModelRef => ({
  ...model,
  bytes: toShared(bytes),
});

/** The settings with the category sets that are bound to labelling models, by the id of the set. */
export const withBoundSets = (
  settings: SettingsRef,
  ofSets: Readonly<Record<string, string>>,
): SettingsRef =>
  Object.keys(ofSets).length === 0 ? settings : { ...settings, models: { models: [], ofSets } };

const NO_SETS: Readonly<Record<string, string>> = {};

/** Of an organization that has set nothing. */
const NOTHING_SET = shareSettings("nothing set", {
  rules: [],
  mappings: {},
  corrections: [],
  features: [],
});

function modelsOfItem(
  { model = null, holder = null, accountType }: EnrichItem,
  ofSets: Readonly<Record<string, string>>,
): readonly string[] {
  if (model !== null) return [model];
  // Not by index alone: holders may name a set `constructor`.
  return [holder?.categorySetId ?? "", accountType ?? ""].flatMap((set) =>
    Object.hasOwn(ofSets, set) ? (ofSets[set] ?? []) : [],
  );
}

/**
 * The settings with the labelling models that the items need: those that were asked for, and those of their category sets.
 * @param load finds models by their names, without those that are not ready
 */
export async function withModels(
  items: readonly EnrichItem[],
  settings: SettingsRef | null,
  load: (names: readonly string[]) => Promise<readonly ModelRef[]>,
): Promise<SettingsRef | null> {
  const ofSets = settings?.models?.ofSets ?? NO_SETS;
  // Almost always: no list for each item then.
  if (ofSets === NO_SETS && items.every(({ model = null }) => model === null)) return settings;
  const names = new Set(items.flatMap((item) => modelsOfItem(item, ofSets)));
  if (names.size === 0) return settings;
  const models = await load([...names].sort());
  if (models.length === 0) return settings;
  const { key, bytes } = settings ?? NOTHING_SET;
  const modelKeys = models.map((model) => model.key).join(" ");
  return { key: `${key} ${modelKeys}`, bytes, models: { models, ofSets } };
}
