// Whose website it is: the registrable domain of the host, or the address of a known brand in another country.
import { idOf } from "../recogniser/entities.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import { AliasFlag } from "../knowledge/sections.ts";
import { nameKey } from "../recogniser/text/keys.ts";
import type { AskedPlace } from "./area.ts";
import { hostLabels } from "./host.ts";
import type { FindById, MerchantSite } from "./id-index.ts";
import { labelKey, likeliestOwner, mainOf, siteAt } from "./owners.ts";

/** Hosts of customers' pages: `shop.example.com` is the shop of example.com, `shop.wordpress.com` is not. */
const hostingSites: ReadonlySet<string> = new Set(
  `amazonaws.com amplifyapp.com appspot.com azurewebsites.net bigcartel.com bitbucket.io blogspot.com business.site
  carrd.co cloudfront.net companysite.com etsy.com eventbrite.com firebaseapp.com gitbook.io github.io gitlab.io
  godaddysites.com gumroad.com herokuapp.com jimdofree.com jimdosite.com ko-fi.com medium.com myshopify.com neocities.org
  netlify.app notion.site onrender.com pages.dev patreon.com replit.app shopify.com square.site squarespace.com
  substack.com tripod.com tumblr.com typeform.com vercel.app web.app webflow.io weebly.com wixsite.com wordpress.com
  workers.dev zendesk.com`.split(/\s+/u),
);
/** Hosts of the companies above themselves. */
const ownHosts: ReadonlySet<string> = new Set([
  "www",
  "m",
  "mobile",
  "help",
  "support",
  "login",
  "app",
]);

/** Country-code endings in generic use: they do not imply a country. */
const genericEndings: ReadonlySet<string> = new Set(
  "ai cc co eu fm gg io is ly me sh so to tv us".split(" "),
);
/** What stands in front of a country code in addresses of companies: `.co.uk`, `.com.au`. */
const secondLevels: ReadonlySet<string> = new Set(["co", "com"]);

/** `netflix.co.uk` → netflix, GB; null when the ending does not belong to a country. */
function nationalName(
  labels: readonly string[],
): { readonly key: string; readonly country: string } | null {
  const ending = labels.at(-1) ?? "";
  if (!/^[a-z]{2}$/u.test(ending)) return null;
  const isSecond = labels.length > 2 && secondLevels.has(labels.at(-2) ?? "");
  if (!isSecond && genericEndings.has(ending)) return null;
  const label = labels.at(isSecond ? -3 : -2) ?? "";
  const country = ending === "uk" ? "GB" : ending.toUpperCase();
  return { key: label.replaceAll("-", ""), country };
}

/** Shorter names are addresses of others as often. */
const RARE_LENGTH_MIN = 4;

/** The brand whose name the address begins with, if it is likely to be the brand's in that country. */
function ofBrandAbroad(labels: readonly string[], knowledge: Knowledge): MerchantSite | null {
  const name = nationalName(labels);
  if (name === null) return null;
  const { aliases, merchants, text, lexicon } = knowledge;
  const alias = name.country in lexicon.countryNames ? aliases.keys.find(name.key) : -1;
  const place = { index: -1, area: name.country, cityText: null, postcode: null };
  const owner = alias < 0 ? null : likeliestOwner(alias, place, knowledge);
  if (owner === null || (owner.flags & AliasFlag.hand) === 0) return null;
  const website = text(merchants.website[owner.merchant] ?? 0);
  const isOwnLabel = labelKey(website) === name.key;
  // A word that others may be called too is the brand's only where it trades.
  const isHere = owner.fit === "exact" || (owner.fit === "open" && website === `${name.key}.com`);
  const isRare = (owner.flags & AliasFlag.weak) === 0 && name.key.length >= RARE_LENGTH_MIN;
  const isBrands = isOwnLabel ? isHere || isRare : owner.isNamed && isRare;
  return isBrands ? siteAt(owner.merchant, place, knowledge) : null;
}

/** The same brand where it was asked about: `amazon.com` in Germany. Who writes the address of a country means that. */
function whereAsked(
  found: MerchantSite,
  place: AskedPlace | null,
  knowledge: Knowledge,
): MerchantSite {
  const { merchants, text, aliases } = knowledge;
  const isGeneral = nationalName(text(found.site).split(".")) === null;
  if (place === null || !isGeneral || merchants.website[found.merchant] !== found.site)
    return found;
  const alias = aliases.keys.find(nameKey(text(merchants.name[found.merchant] ?? 0)));
  const owner = alias < 0 ? null : likeliestOwner(alias, place, knowledge);
  const isNamesake =
    owner?.fit === "exact" && merchants.name[owner.merchant] === merchants.name[found.merchant];
  return siteAt(isNamesake ? owner.merchant : found.merchant, place, knowledge);
}

/** Null for the address of an unknown merchant, and for an invalid address. */
export function findByWebsite(
  pasted: string,
  place: AskedPlace | null,
  findById: FindById,
  knowledge: Knowledge,
): MerchantSite | null {
  const labels = hostLabels(pasted);
  if (labels === null) return null;
  for (let from = 0; from + 1 < labels.length; from++) {
    const domain = labels.slice(from).join(".");
    const main = knowledge.askedWebsites.get(domain) ?? domain;
    const found = mainOf(findById(idOf("", main)), knowledge);
    if (found === null) continue;
    const isOwn = from === 0 || !hostingSites.has(domain) || ownHosts.has(labels[from - 1] ?? "");
    return isOwn ? whereAsked(found, place, knowledge) : null;
  }
  return ofBrandAbroad(labels, knowledge);
}
