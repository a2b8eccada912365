// What an organization has set, applied to what was recognised: corrections, then the fields that are switched on, then
// the words of the holder's category set, then the rules, which therefore see the facts as they would be told.
import type { Facts } from "../../src/domain/facts.ts";
import type { Examination } from "../enrichment/enrichment.ts";
import { mapCategory } from "./categories/apply.ts";
import { cleanName } from "./clean-name.ts";
import type { CompiledProfile } from "./compiled.ts";
import { showFeatures } from "./features.ts";
import type { ProfiledItem } from "./item.ts";
import { fromSubject, toSubject } from "./rule-facts.ts";

export interface Profiled {
  readonly facts: Facts;
  /** Rules that failed at run time and were skipped. */
  readonly ruleFailures: number;
}

/** @param publicUrl where the API is reached, without which there are no addresses of logos */
export function applyProfile(
  item: ProfiledItem,
  { reading, facts }: Examination,
  profile: CompiledProfile,
  publicUrl: string | null,
): Profiled {
  const corrected = profile.correct === null ? facts : correctedFacts();
  const told = inWordsOfSet(item, showFeatures(corrected, profile.features), profile);
  if (profile.runRules === null) return { facts: told, ruleFailures: 0 };
  const before = toSubject(item, told);
  const after = { ...before };
  const ruleFailures = profile.runRules(after);
  return { facts: fromSubject(told, before, after, publicUrl), ruleFailures };

  function correctedFacts(): Facts {
    const entryType = item.outgoing ? "outgoing" : "incoming";
    const accountType = item.accountType === "none" ? null : item.accountType;
    return profile.correct?.(cleanName(reading), entryType, accountType, facts) ?? facts;
  }
}

/** A set that the holder names but that is not there counts as not named. */
function inWordsOfSet(item: ProfiledItem, facts: Facts, { mappings }: CompiledProfile): Facts {
  const { categories } = facts;
  // Not by index alone: holders may name a set `constructor`.
  const ids = [item.categorySetId ?? "", item.accountType];
  const mapping = mappings[ids.find((id) => Object.hasOwn(mappings, id)) ?? ""];
  if (mapping === undefined || categories === null) return facts;
  return { ...facts, categories: mapCategory(categories, mapping, item.outgoing) };
}
