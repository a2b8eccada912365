import type { Store } from "../collection.ts";
import { type SettingRow, settingSpec } from "../specs/specs.ts";

export interface SettingRepository {
  /** The stored value of `name`; the first caller stores `fallback`, and all later ones get that. */
  getOrSet(name: string, fallback: string): Promise<string>;
  get(name: string): Promise<string | null>;
  /** Replaces a value, unless it is another one by now. */
  replace(name: string, seen: string, value: string): Promise<void>;
}

export function createSettingRepository(store: Store): SettingRepository {
  const settings = store.collection<SettingRow>(settingSpec);
  return {
    get: async (name) => (await settings.get({ name }))?.value ?? null,
    replace: async (name, seen, value) => {
      await store.write([settings.update({ name, value: seen }, { value }, "ignore")]);
    },
    getOrSet: async (name, fallback) => {
      await store.write([settings.insert({ name, value: fallback }, "ignore")]);
      return (await settings.get({ name }))?.value ?? fallback;
    },
  };
}
