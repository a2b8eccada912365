// How far a domain that reads like a name can be believed to be its website.

/** Lists of registered domains: `core` of late, `older` of before. */
export type DomainTier = "core" | "older";

export const DOMAIN_TIERS: readonly DomainTier[] = ["core", "older"];

/** What the name is like: single words are many a company's name. The first two words and the first word are of longer names. */
export const NAME_KINDS = [
  "three words",
  "two words",
  "one rare word",
  "one common word",
  "first two words",
  "first rare word",
  "with hyphens",
] as const;
export type NameKind = (typeof NAME_KINDS)[number];

/** What the domain ends with: the ending of the country of the account, `com` where that is its usual one, `com` elsewhere. */
export const DOMAIN_ENDINGS = ["national", "com", "com elsewhere"] as const;
export type DomainEnding = (typeof DOMAIN_ENDINGS)[number];

/** How often a registered domain is the website, 0..1, see knowledge/models/websites.json. */
export type WebsitePrecision = Readonly<
  Record<DomainTier, Readonly<Record<DomainEnding, Readonly<Record<NameKind, number>>>>>
>;
