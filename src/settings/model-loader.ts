// The models that label transactions, as the threads use them: the last one that is ready of each name, loaded when it is first
// needed and kept as long as it is among the last that were used. One small row, read for every chunk that needs a model, shows
// which version that is: a new one counts for everything that is enriched after it was ready, in every process.
import { LRUCache } from "lru-cache";
import type { CustomModel } from "../model/custom-model.ts";

/** `share` converts a model to the form in which it is passed on; `key` differs for different contents. */
export interface ModelLoaderPorts<Shared extends object> {
  getModel(org: string, name: string): Promise<CustomModel | null>;
  bytes(org: string, name: string, version: number): Promise<Uint8Array | null>;
  share(model: {
    readonly name: string;
    readonly key: string;
    readonly bytes: Uint8Array;
    readonly threshold: number;
  }): Shared;
}

export interface ModelLoader<Shared> {
  /** The models of these names that are ready; the others are left out. */
  of(org: string, names: readonly string[]): Promise<readonly Shared[]>;
}

/** Memory of a process for models; of the largest, eight. */
const KEPT_BYTES_MAX = 64 * 1024 * 1024;

export function createModelLoader<Shared extends object>({
  getModel,
  bytes: bytesOf,
  share,
}: ModelLoaderPorts<Shared>): ModelLoader<Shared> {
  const kept = new LRUCache<string, Shared>({ maxSize: KEPT_BYTES_MAX });
  const reading = new Map<string, Promise<Shared | null>>();

  async function read(model: CustomModel, version: number, threshold: number, key: string) {
    const { org, name } = model;
    const bytes = await bytesOf(org, name, version);
    if (bytes === null) return null;
    const shared = share({ name, key, bytes, threshold });
    kept.set(key, shared, { size: Math.max(1, bytes.byteLength) });
    return shared;
  }

  async function load(org: string, name: string): Promise<Shared | null> {
    const model = await getModel(org, name);
    const [labelling] = model?.versions ?? [];
    if (model === null || labelling === undefined) return null;
    const { version, threshold, createdAt } = labelling;
    // A model that was deleted and trained again has the same numbers, but not the same time.
    const key = JSON.stringify([org, name, version, createdAt]);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const running = reading.get(key);
    if (running !== undefined) return running;
    // Chunks of one organization arrive together: one of them reads for all.
    const started = read(model, version, threshold, key).finally(() => reading.delete(key));
    reading.set(key, started);
    return started;
  }

  return {
    of: async (org, names) =>
      (await Promise.all(names.map((name) => load(org, name)))).filter((one) => one !== null),
  };
}
