import type { CategoryMapping } from "../../src/model/category-set.ts";
import type { Feature, TenantSettings } from "../../src/model/tenant-settings.ts";
import { RULESET_BYTES_MAX } from "../../src/model/rules.ts";
import type { SettingsRef } from "../protocol.ts";
import { type Correct, createCorrections } from "./corrections.ts";
import { compileRules } from "./rules/compile.ts";
import type { CompiledRules } from "./rules/subject.ts";

/** Settings in the form in which a thread uses it. */
export interface CompiledSettings {
  /** Null where there are none, so that nothing is prepared for them. */
  readonly correct: Correct | null;
  readonly runRules: CompiledRules | null;
  readonly mappings: Readonly<Record<string, CategoryMapping>>;
  readonly features: ReadonlySet<Feature>;
}

/** Heap for the settings that a thread keeps compiled, half of what it has. */
const KEPT_HEAP_BYTES_MAX = 128 * 1024 * 1024;

/**
 * Heap that settings of so many bytes take at most, as measured: 16 KiB for a single rule, 60 times the length of rules
 * (long lists of short constants; usual rules 10 times), and less than 3 times that of corrections and mappings. Only those
 * can be longer than a ruleset may be.
 */
const heapBytesOf = (bytes: number): number =>
  16 * 1024 + 60 * Math.min(bytes, RULESET_BYTES_MAX) + 3 * bytes;

const NOTHING_SET: CompiledSettings = {
  correct: null,
  runRules: null,
  mappings: {},
  features: new Set(),
};

function compileSettings(bytes: SharedArrayBuffer): CompiledSettings {
  // The decoder does not accept shared memory.
  const text = new TextDecoder().decode(new Uint8Array(bytes).slice());
  const { rules, mappings, corrections, features } = JSON.parse(text) as TenantSettings;
  return {
    correct: corrections.length === 0 ? null : createCorrections(corrections),
    runRules: rules.length === 0 ? null : compileRules(rules),
    mappings,
    features: new Set(features),
  };
}

/** One per thread. Compiles all settings once, as long as they are among the last that were used. */
export function createCompiledSettingsReader(): (ref: SettingsRef | null) => CompiledSettings {
  // In the order in which they were used last.
  const kept = new Map<
    string,
    { readonly settings: CompiledSettings; readonly heapBytes: number }
  >();
  let keptHeapBytes = 0;

  function keep(key: string, settings: CompiledSettings, heapBytes: number): void {
    kept.set(key, { settings, heapBytes });
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
      const settings = compileSettings(ref.bytes);
      keep(ref.key, settings, heapBytesOf(ref.bytes.byteLength));
      return settings;
    }
    kept.delete(ref.key);
    kept.set(ref.key, known);
    return known.settings;
  };
}
