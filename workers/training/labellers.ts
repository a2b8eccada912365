// The labelling models that a thread has open.
import type { ModelRef } from "../protocol.ts";
import { createLabeller, type Labeller } from "./classifier.ts";
import { createFeatureReader } from "./line-features.ts";

/** Open models of a thread: with their bytes, which are shared, at most 64 MiB. */
const OPEN_MAX = 8;

/** One per thread. Opens a model once, as long as it is among the last that were used. */
export function createLabellers(): (ref: ModelRef) => Labeller {
  const readFeatures = createFeatureReader();
  // In the order in which they were used last.
  const open = new Map<string, Labeller>();
  return ({ key, bytes }) => {
    const labeller = open.get(key) ?? createLabeller(new Uint8Array(bytes), readFeatures);
    open.delete(key);
    open.set(key, labeller);
    const [oldest] = open.keys();
    if (open.size > OPEN_MAX && oldest !== undefined) open.delete(oldest);
    return labeller;
  };
}
