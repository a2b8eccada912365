/** The settings that the installation stores for itself, as texts by name. */
export interface StoredSettings {
  get(name: string): Promise<string | null>;
  /** Stores `fallback` unless a value is stored; returns the stored value. */
  getOrSet(name: string, fallback: string): Promise<string>;
  /** Replaces a value, unless it is another one by now. */
  replace(name: string, seen: string, value: string): Promise<void>;
}
