// A merchant from any source before it is written into the knowledge file.
import { AliasFlag } from "../sections.ts";
import { nameTokens } from "../../recogniser/text/keys.ts";

export interface AliasDraft {
  readonly key: string;
  /** AliasFlag bits. */
  readonly flags: number;
}

export interface MerchantDraft {
  readonly name: string;
  readonly website: string | null;
  /** Registrable domain of the parent. */
  readonly parentWebsite: string | null;
  /** Name of the consumer set, outgoing. */
  readonly category: string | null;
  readonly mccs: readonly number[];
  /** `GB`, `US-VA`; none = everywhere. */
  readonly areas: readonly string[];
  /** Registrable domain by country, where it differs from `website`. */
  readonly sites: readonly (readonly [country: string, domain: string])[];
  readonly aliases: readonly AliasDraft[];
  readonly hand: boolean;
}

/** Keys longer than this are never looked up as a whole: a descriptor has no room for them. */
export const KEY_LENGTH_MAX = 48;

const unsayable = new Set(["the", "and"]);

/** The spellings of a name that a statement may carry: with and without a leading THE, with AND for & and without. */
export function aliasesOf(name: string, flags: number): AliasDraft[] {
  const tokens = nameTokens(name);
  const variants = [tokens];
  if (tokens[0] === "the" && tokens.length > 1) variants.push(tokens.slice(1));
  const withoutAnd = tokens.filter((token) => token !== "and");
  if (withoutAnd.length < tokens.length) variants.push(withoutAnd);
  if (name.includes("&")) variants.push(nameTokens(name.replaceAll("&", " and ")));
  const aliases = new Map<string, AliasDraft>();
  for (const variant of variants) {
    const key = variant.join("");
    const hasName = variant.some((token) => !unsayable.has(token));
    if (!hasName || key.length < 2 || key.length > KEY_LENGTH_MAX || /^\d+$/u.test(key)) continue;
    const single = variant.length === 1 ? AliasFlag.single : 0;
    aliases.set(key, { key, flags: flags | single });
  }
  return [...aliases.values()];
}

export const websiteAlias = (domain: string, flags: number): AliasDraft => ({
  key: domain,
  flags: flags | AliasFlag.website,
});
