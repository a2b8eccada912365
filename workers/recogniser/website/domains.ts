// Which domains are registered, by two filters: of domains that were much visited or asked for of late, and of others that
// once were.
import type { Knowledge } from "../../knowledge/knowledge.ts";
import { hashSeed, hashText } from "../text/hash.ts";
import { DOMAIN_TIERS, type DomainEnding, type DomainTier } from "./precision.ts";

/** Whether a list holds the domain; wrongly once in 256 times. */
export const isListed = ({ domains }: Knowledge, tier: DomainTier, domain: string): boolean =>
  domains[tier].has(hashText(hashSeed, domain));

export const isRegistered = (knowledge: Knowledge, domain: string): boolean =>
  DOMAIN_TIERS.some((tier) => isListed(knowledge, tier, domain));

/** Where websites of the country end, best first; elsewhere `com`. */
const ENDINGS: ReadonlyMap<string, readonly string[]> = new Map([
  ["GB", ["co.uk", "com"]],
  ["IE", ["ie", "com"]],
  ["DE", ["de", "com"]],
  ["AT", ["at", "com"]],
  ["FR", ["fr", "com"]],
  ["ES", ["es", "com"]],
  ["IT", ["it", "com"]],
  ["NL", ["nl", "com"]],
  ["PT", ["pt", "com"]],
  ["BR", ["com.br", "com"]],
  ["CA", ["ca", "com"]],
  ["AU", ["com.au", "com"]],
  ["NZ", ["co.nz", "com"]],
  ["IN", ["in", "com", "co.in"]],
  ["ZA", ["co.za", "com"]],
]);
const ENDINGS_ELSEWHERE: readonly string[] = ["com"];

/** @param home ISO 3166-1 alpha-2, null = unknown */
export const endingsOf = (home: string | null): readonly string[] =>
  ENDINGS.get(home ?? "") ?? ENDINGS_ELSEWHERE;

/** What kind of ending one of `endingsOf` is. */
export function endingKindOf(ending: string, home: string | null): DomainEnding {
  if (ending !== "com") return "national";
  return endingsOf(home)[0] === "com" ? "com" : "com elsewhere";
}
