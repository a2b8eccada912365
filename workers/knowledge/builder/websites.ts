// Which of the many addresses of a brand is its website: the one whose name resembles the brand's, by country.
import { parse } from "tldts";

/** Country-code endings in generic use. */
const genericEndings = new Set([
  "io",
  "co",
  "tv",
  "me",
  "ai",
  "fm",
  "ly",
  "to",
  "cc",
  "gg",
  "sh",
  "so",
  "is",
  "eu",
]);

/** Sites that host other people's pages: never the website of the brand that lists them. */
const hostingSites = new Set([
  "facebook.com",
  "instagram.com",
  "twitter.com",
  "x.com",
  "linkedin.com",
  "wikipedia.org",
  "wikimedia.org",
  "wikidata.org",
  "google.com",
  "youtube.com",
  "github.com",
  "tumblr.com",
  "wordpress.com",
  "blogspot.com",
  "archive.org",
  "medium.com",
  "apple.com",
  "microsoft.com",
  "weebly.com",
  "squarespace.com",
  "wixsite.com",
  "homestead.com",
  "myshopify.com",
  "tripadvisor.com",
  "figma.com",
  "brandfetch.com",
  "gitlab.com",
  "dribbble.com",
  "behance.net",
  "worldvectorlogo.com",
  "seeklogo.com",
  "brandfolder.com",
  "uk.com",
  "gb.com",
  "us.com",
  "eu.com",
  "de.com",
  "co.com",
]);

export const isHostingSite = (domain: string): boolean => hostingSites.has(domain);

export interface ListedWebsite {
  readonly domain: string;
  /** Domain without its public suffix: `tesco`. */
  readonly label: string;
  readonly suffix: string;
  /** ISO 3166-1 alpha-2 from a country-code ending, null for the generic ones. */
  readonly country: string | null;
}

export function websiteOf(url: string): ListedWebsite | null {
  const { domain, domainWithoutSuffix, publicSuffix, isIcann } = parse(url, {
    allowPrivateDomains: false,
  });
  if (domain === null || domainWithoutSuffix === null || publicSuffix === null || isIcann !== true)
    return null;
  const ending = publicSuffix.slice(publicSuffix.lastIndexOf(".") + 1);
  const country =
    ending.length === 2 && !genericEndings.has(publicSuffix) ? ending.toUpperCase() : null;
  return {
    domain,
    label: domainWithoutSuffix,
    suffix: publicSuffix,
    country: country === "UK" ? "GB" : country,
  };
}

export const isRegistrable = (domain: string): boolean => websiteOf(domain)?.domain === domain;

/** 3 = the same, 2 = one contains the other, 1 = the same first four letters, 0 = nothing in common. */
export function labelResemblance(label: string, key: string): number {
  const plain = label.replaceAll("-", "");
  if (plain === key) return 3;
  if (plain.length >= 3 && key.length >= 3 && (plain.includes(key) || key.includes(plain)))
    return 2;
  return plain.length >= 4 && plain.slice(0, 4) === key.slice(0, 4) ? 1 : 0;
}

export interface ChosenWebsites {
  readonly website: string | null;
  readonly sites: readonly (readonly [string, string])[];
}

/** The default website and those of single countries; `key` is the brand's alias key, `areas` where it trades. */
export function chooseWebsites(
  key: string,
  urls: readonly string[],
  areas: readonly string[],
): ChosenWebsites {
  const known = urls
    .map(websiteOf)
    .filter((site): site is ListedWebsite => site !== null && !hostingSites.has(site.domain));
  const home = areas.length === 1 ? (areas[0] ?? "").slice(0, 2) : null;
  const score = (site: ListedWebsite): number => {
    const placed = site.country === home ? 5 : site.country === null ? 4 : 0;
    return labelResemblance(site.label, key) * 4 + placed + (site.suffix === "com" ? 1 : 0);
  };
  let best: ListedWebsite | null = null;
  for (const site of known) if (best === null || score(site) > score(best)) best = site;
  const sites = new Map<string, string>();
  for (const site of known) {
    if (site.country === null || sites.has(site.country)) continue;
    if (labelResemblance(site.label, key) >= 2 && site.domain !== best?.domain)
      sites.set(site.country, site.domain);
  }
  return {
    website: best?.domain ?? null,
    sites: [...sites].sort((a, b) => (a[0] < b[0] ? -1 : 1)),
  };
}
