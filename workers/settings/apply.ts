// Applies the settings of an organization to recognised facts: corrections, then enabled features, then the holder's
// category set, then a labelling model, unless the category was corrected, then the rules, which therefore see the facts as the
// client would get them.
import type { Facts } from "../../src/model/facts.ts";
import type { Examination } from "../recogniser/recogniser.ts";
import { mapCategory } from "./categories/apply.ts";
import { cleanName } from "./clean-name.ts";
import { forSet, keepParts, withParts } from "./corrections.ts";
import type { CompiledSettings } from "./compiled.ts";
import { showFeatures } from "./features.ts";
import { fromSubject, toSubject } from "./rule-facts.ts";
import type { EnrichItem } from "../../src/model/enrich-item.ts";
import { labelLineBy, type ModelUse, labelledFacts } from "./label.ts";

export interface WithSettings {
  readonly facts: Facts;
  /** Rules that failed at run time and were skipped. */
  readonly ruleFailures: number;
}

/** @param publicUrl where the API is reached, without which there are no addresses of logos */
export function applySettings(
  item: EnrichItem,
  { reading, facts }: Examination,
  settings: CompiledSettings & Partial<ModelUse>,
  publicUrl: string | null,
): WithSettings {
  const setId = setOf(item, settings);
  const override = item.override == null ? null : forSet(item.override, setId);
  const corrected = override === null ? correctedFacts() : withParts(correctedFacts(), override);
  const inWords = inWordsOfSet(item, showFeatures(corrected, settings.features), setId, settings);
  const category = corrected.categories?.general;
  const isCorrected = override?.categories !== undefined || category !== facts.categories?.general;
  const label = isCorrected ? null : labelLineBy(item, setId, settings);
  const { facts: shown, probability } =
    label === null
      ? { facts: inWords, probability: facts.confidence ?? null }
      : labelledFacts(inWords, label(item, reading.line, facts));
  if (settings.runRules === null)
    return { facts: withConfidence(shown, isCorrected), ruleFailures: 0 };
  const before = toSubject(item, shown);
  const after = { ...before };
  const ruleFailures = settings.runRules(after);
  const ruled = fromSubject(shown, before, after, publicUrl);
  const kept = override === null ? ruled : keepParts(ruled, shown, override);
  const isSet = isCorrected || kept.categories?.general !== shown.categories?.general;
  return { facts: withConfidence(kept, isSet), ruleFailures };

  /** What the organization has decided itself is certain. */
  function withConfidence(of: Facts, isDecided: boolean): Facts {
    const isSure = isDecided && of.categories !== null;
    return { ...of, confidence: isSure ? 1 : probability };
  }

  function correctedFacts(): Facts {
    if (settings.correct === null) return facts;
    const { entryType, accountType } = item;
    return settings.correct(
      { cleanName: cleanName(reading), entryType, accountType, setId },
      facts,
    );
  }
}

/** A set that the holder names but that is not there counts as not named; null: the words are ours. */
function setOf(item: EnrichItem, { mappings }: CompiledSettings): string | null {
  // Not by index alone: holders may name a set `constructor`.
  const ids = [item.holder?.categorySetId ?? "", item.accountType ?? ""];
  return ids.find((id) => Object.hasOwn(mappings, id)) ?? null;
}

function inWordsOfSet(
  item: EnrichItem,
  facts: Facts,
  setId: string | null,
  { mappings }: CompiledSettings,
): Facts {
  const { categories } = facts;
  const mapping = setId === null ? undefined : mappings[setId];
  if (mapping === undefined || categories === null) return facts;
  return { ...facts, categories: mapCategory(categories, mapping, item.entryType) };
}
