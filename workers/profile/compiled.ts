import type { CategoryMapping } from "../../src/domain/category-set.ts";
import type { Feature, Profile } from "../../src/domain/profile.ts";
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

/** Bytes of the profiles that a thread keeps compiled; compiled they take several times as much of its heap. */
const KEPT_BYTES_MAX = 8 * 1024 * 1024;

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
  const kept = new Map<string, { readonly profile: CompiledProfile; readonly bytes: number }>();
  let keptBytes = 0;

  function keep(key: string, profile: CompiledProfile, bytes: number): void {
    kept.set(key, { profile, bytes });
    keptBytes += bytes;
    for (const [oldest, { bytes: freed }] of kept) {
      if (keptBytes <= KEPT_BYTES_MAX || oldest === key) return;
      kept.delete(oldest);
      keptBytes -= freed;
    }
  }

  return (ref) => {
    if (ref === null) return NOTHING_SET;
    const known = kept.get(ref.key);
    if (known === undefined) {
      const profile = compileProfile(ref.bytes);
      keep(ref.key, profile, ref.bytes.byteLength);
      return profile;
    }
    kept.delete(ref.key);
    kept.set(ref.key, known);
    return known.profile;
  };
}
