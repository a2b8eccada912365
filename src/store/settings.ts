import type { Store } from "./collection.ts";
import { type SettingRow, settingSpec } from "./specs.ts";

export interface SettingRepository {
  /** The stored value of `name`; the first to ask stores `fallback`, and everybody after gets that one. */
  getOrSet(name: string, fallback: string): Promise<string>;
}

export function createSettingRepository(store: Store): SettingRepository {
  const settings = store.collection<SettingRow>(settingSpec);
  return {
    getOrSet: async (name, fallback) => {
      await store.write([settings.insert({ name, value: fallback }, "ignore")]);
      return (await settings.get({ name }))?.value ?? fallback;
    },
  };
}
