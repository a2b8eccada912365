// Whom an alias belongs to. Several may be called the same; place and amount say who is meant.
import type { Knowledge } from "../../knowledge/knowledge.ts";
import { AliasFlag } from "../../knowledge/sections.ts";
import { isUnusual } from "../category/amount.ts";
import { type AreaFit, fitOfAreas, type Hints } from "../hints.ts";

export interface MerchantContext {
  readonly hints: Hints;
  /** Packed state of the line, 0 = unknown. */
  readonly state: number;
  /** Filled in: categories for which it was asked whether the amount is unusual. */
  readonly sizedFor: number[];
}

/** An owner of an alias, with what was looked at. */
export interface AliasOwner {
  readonly merchant: number;
  /** Bits of AliasFlag. */
  readonly flags: number;
  readonly fit: AreaFit;
  /** Such an amount is rarely paid to it. */
  readonly unusual: boolean;
}

/** @param flags bits of AliasFlag */
export function asOwner(
  merchant: number,
  flags: number,
  { hints, state, sizedFor }: MerchantContext,
  knowledge: Knowledge,
): AliasOwner {
  const { merchants } = knowledge;
  const from = merchants.areaFirst[merchant] ?? 0;
  const to = merchants.areaFirst[merchant + 1] ?? 0;
  const category = (merchants.category[merchant] ?? 0) - 1;
  if (!sizedFor.includes(category)) sizedFor.push(category);
  // What a shop pays, wages for example, has other sizes than what is paid there.
  return {
    merchant,
    flags,
    fit: fitOfAreas(merchants.areas, from, to, hints.countries, state),
    unusual: hints.direction === 1 && isUnusual(hints.size, category, knowledge),
  };
}

/** The owner at a place in the list of owners of all aliases. */
const ownerAt = (at: number, context: MerchantContext, knowledge: Knowledge): AliasOwner =>
  asOwner(
    knowledge.aliases.merchants[at] ?? 0,
    knowledge.aliases.flags[at] ?? 0,
    context,
    knowledge,
  );

const MERIT_OF_HAND = 8;
const MERIT_OF_FIT: Readonly<Record<AreaFit, number>> = { exact: 6, open: 4, none: 0, state: 0 };

/** A hand-written owner takes precedence over one of the packages, then the fit of the place decides, then the amount. */
function meritOf({ flags, fit, unusual }: AliasOwner): number {
  const isHere = fit === "open" || fit === "exact";
  const hand = isHere && (flags & AliasFlag.hand) !== 0;
  return MERIT_OF_FIT[fit] + (hand ? MERIT_OF_HAND : 0) + (unusual ? 0 : 1);
}

const WITH_WEBSITE = AliasFlag.unchecked | AliasFlag.website;

/** The name of an unchecked merchant that trades elsewhere: that of another one. Its website is its own everywhere. */
const isElsewhere = ({ flags, fit }: AliasOwner): boolean =>
  (flags & WITH_WEBSITE) === AliasFlag.unchecked && (fit === "none" || fit === "state");

/** The best owner of an alias for this place and amount; of equal ones the first. */
export function ownerOf(
  alias: number,
  context: MerchantContext,
  knowledge: Knowledge,
): AliasOwner | null {
  const { first } = knowledge.aliases;
  const end = first[alias + 1] ?? 0;
  let best: AliasOwner | null = null;
  for (let at = first[alias] ?? 0; at < end; at++) {
    const candidate = ownerAt(at, context, knowledge);
    if (isElsewhere(candidate)) continue;
    if (best === null || meritOf(candidate) > meritOf(best)) best = candidate;
  }
  return best;
}
