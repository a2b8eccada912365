import type { CategoryMapping } from "../../src/model/category-set.ts";
import type { Feature, Profile } from "../../src/model/tenant-settings.ts";
import { RULESET_BYTES_MAX } from "../../src/model/rules.ts";
import type { ProfileRef } from "../protocol.ts";
import { type Correct, createCorrections } from "./corrections.ts";
import { compileRules } from "./rules/compile.ts";
import type { RunRules } from "./rules/subject.ts";

/** A profile in the form in which a thread uses it. */
export interface CompiledProfile {
  /** Null where there are none, so that nothing is prepared for them. */
  readonly correct: Correct | null;
  readonly runRules: RunRules | null;
  readonly mappings: Readonly<Record<string, CategoryMapping>>;
  readonly features: ReadonlySet<Feature>;
}

/** Heap for the profiles that a thread keeps compiled, half of what it has. */
const KEPT_HEAP_BYTES_MAX = 128 * 1024 * 1024;

/**
 * Heap that a profile of so many bytes takes at most, as measured: 16 KiB for a single rule, 20 times the length of rules
 * of many parts, and less than 3 times that of corrections and mappings. Only those can be longer than a ruleset may be.
 */
const heapBytesOf = (bytes: number): number =>
  16 * 1024 + 20 * Math.min(bytes, RULESET_BYTES_MAX) + 3 * bytes;

const NOTHING_SET: CompiledProfile = {
  correct: null,
  runRules: null,
  mappings: {},
  features: new Set(),
};

function compileProfile(bytes: SharedArrayBuffer): CompiledProfile {
  // Decoding wants memory that nobody else can write to.
  const text = new TextDecoder().decode(new Uint8Array(bytes).slice());
  const { rules, mappings, corrections, features } = JSON.parse(text) as Profile;
  return {
    correct: corrections.length === 0 ? null : createCorrections(corrections),
    runRules: rules.length === 0 ? null : compileRules(rules),
    mappings,
    features: new Set(features),
  };
}

/** One per thread. Compiles every profile once, as long as it is among the last that were used. */
export function createProfileReader(): (ref: ProfileRef | null) => CompiledProfile {
  // In the order in which they were used last.
  const kept = new Map<string, { readonly profile: CompiledProfile; readonly heapBytes: number }>();
  let keptHeapBytes = 0;

  function keep(key: string, profile: CompiledProfile, heapBytes: number): void {
    kept.set(key, { profile, heapBytes });
    keptHeapBytes += heapBytes;
    for (const [oldest, { heapBytes: freed }] of kept) {
      if (keptHeapBytes <= KEPT_HEAP_BYTES_MAX || oldest === key) return;
      kept.delete(oldest);
      keptHeapBytes -= freed;
    }
  }

  return (ref) => {
    if (ref === null) return NOTHING_SET;
    const known = kept.get(ref.key);
    if (known === undefined) {
      const profile = compileProfile(ref.bytes);
      keep(ref.key, profile, heapBytesOf(ref.bytes.byteLength));
      return profile;
    }
    kept.delete(ref.key);
    kept.set(ref.key, known);
    return known.profile;
  };
}
