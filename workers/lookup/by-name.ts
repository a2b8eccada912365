// The merchant of a name alone: a brand, a company with its legal form, the name on a statement, or a name with a typo.
// A wrong answer is worse than none: words and names of people match no merchant.
import type { Examination } from "../recogniser/recogniser.ts";
import { flagsOfWord, type Knowledge } from "../knowledge/knowledge.ts";
import { AliasFlag, WordFlag } from "../knowledge/sections.ts";
import { legalForms } from "../recogniser/name/name-words.ts";
import { nameTokens } from "../recogniser/text/keys.ts";
import type { AskedPlace, PlaceReader } from "./area.ts";
import { readAsLine } from "./by-line.ts";
import type { MerchantSite } from "./id-index.ts";
import type { MerchantNames } from "./names.ts";
import { labelKey, likeliestOwner, type Owner, siteAt } from "./owners.ts";
import { findTypo } from "./typos.ts";
import type { RecogniserInput } from "../../src/model/transaction.ts";

export interface NameLookup {
  readonly knowledge: Knowledge;
  readonly examine: (item: RecogniserInput) => Examination;
  readonly names: MerchantNames;
  readonly places: PlaceReader;
}

/** Legal forms that do not end a descriptor, in addition to those that do. */
const companyForms: ReadonlySet<string> = new Set(
  `ab asa as bhd company companies group holding holdings inc kk kgaa mbh nv oyj pte sa sab sapi sca sdn se spa spol
  sro tbk the`.split(/\s+/u),
);
const isForm = (word: string): boolean => legalForms.has(word) || companyForms.has(word);

/** `ferrari s p a` of S.p.A. → `ferrari spa`. */
function withJoinedForm(words: readonly string[]): readonly string[] {
  let from = words.length;
  while (from > 1 && words[from - 1]?.length === 1) from--;
  const form = words.slice(from).join("");
  return form.length > 1 && from < words.length && isForm(form)
    ? [...words.slice(0, from), form]
    : words;
}

/** `netflix inc` → `netflix`; at least one word stays. */
function withoutForms(words: readonly string[]): readonly string[] {
  let to = words.length;
  while (to > 1 && isForm(words[to - 1] ?? "")) to--;
  return words.slice(0, to);
}

/** Signs that are read aloud: `Disney+`, `C&A`, which is not what `CA` is. */
const spokenSigns = [
  ["+", " plus "],
  ["&", " and "],
] as const;

/**
 * The spellings of a name that are looked up as a whole, the likeliest first: `Disney+` as Disney Plus and as Disney, a
 * company with its form, unless that is dotted, and without.
 */
function spellingsOf(name: string): readonly (readonly string[])[] {
  const words = nameTokens(name);
  const joined = withJoinedForm(words);
  const bare = withoutForms(joined);
  const spoken = spokenSigns
    .filter(([sign]) => name.includes(sign))
    .map(([sign, spelled]) => nameTokens(name.replaceAll(sign, spelled)));
  return [...spoken, ...(joined === words ? [words, bare] : [bare, words])];
}

/** A brand of the packages whose name is shorter is one of many that are abbreviated so. */
const BRAND_LENGTH_MIN = 5;
/** Two letters stand for too many. */
const NAME_LENGTH_MIN = 3;

/** Whether these words alone mean the owner: what a person wrote down does, unless it is a word first of all. */
function isEnough(
  words: readonly string[],
  owner: Owner,
  { knowledge, names }: NameLookup,
): boolean {
  const isAtHome = owner.fit === "exact" && owner.isNamed;
  const key = words.join("");
  if ((owner.flags & AliasFlag.hand) !== 0)
    return isAtHome || (!names.isWord(key) && key.length >= NAME_LENGTH_MIN);
  if (words.every((word) => (flagsOfWord(knowledge, word) & WordFlag.plain) !== 0)) return false;
  if (isAtHome) return true;
  const isWeak = (owner.flags & AliasFlag.weak) !== 0;
  if (isWeak || key.length < BRAND_LENGTH_MIN || names.isWord(key)) return false;
  return words.length > 1 || (owner.fit === "open" && isOwnWebsite(key, owner, knowledge));
}

/** `Sennheiser` of sennheiser.com: the owner of the website has exactly this name. */
function isOwnWebsite(
  key: string,
  { merchant, isNamed }: Owner,
  { merchants, text }: Knowledge,
): boolean {
  return isNamed && labelKey(text(merchants.website[merchant] ?? 0)) === key;
}

/** -1 when no merchant has the name. */
function merchantOfWords(
  words: readonly string[],
  place: AskedPlace | null,
  lookup: NameLookup,
): number {
  const { knowledge, names } = lookup;
  const key = words.join("");
  const alias = knowledge.aliases.keys.find(key);
  const owner = alias < 0 ? null : likeliestOwner(alias, place, knowledge);
  const asked = owner?.fit === "exact" ? null : names.asked(key);
  if (asked !== null) return asked;
  if (owner !== null && isEnough(words, owner, lookup)) return owner.merchant;
  return names.isWord(key) ? -1 : (names.unlisted(key) ?? -1);
}

/** `UNITED ARAB EMIRATES` has most. */
const COUNTRY_TOKENS_MAX = 3;

/** A name without the country at its end: `Amazon UK`, `IKEA Deutschland`. */
function countryAtEnd(
  words: readonly string[],
  places: PlaceReader,
): { readonly rest: readonly string[]; readonly place: AskedPlace } | null {
  for (let count = Math.min(COUNTRY_TOKENS_MAX, words.length - 1); count > 0; count--) {
    const place = places.countryNamed(words.slice(-count).join(""));
    if (place !== null) return { rest: words.slice(0, -count), place };
  }
  return null;
}

/** The whole name is a brand's, with or without the form of the company. */
function wholeAskedName(
  name: string,
  place: AskedPlace | null,
  lookup: NameLookup,
): MerchantSite | null {
  const { knowledge } = lookup;
  const spellings = spellingsOf(name);
  for (const words of spellings) {
    const merchant = merchantOfWords(words, place, lookup);
    if (merchant >= 0) return siteAt(merchant, place, knowledge);
  }
  const bare = withoutForms(spellings.at(-1) ?? []);
  const national = place === null ? countryAtEnd(bare, lookup.places) : null;
  if (national === null) return null;
  const merchant = merchantOfWords(withoutForms(national.rest), national.place, lookup);
  return merchant < 0 ? null : siteAt(merchant, national.place, knowledge);
}

/** Only for an unknown word: a typo seldom results in another word. */
function findByTypo(words: readonly string[], { knowledge, names }: NameLookup): number | null {
  const key = words.join("");
  const isKnown = words.every((word) => flagsOfWord(knowledge, word) !== 0);
  return isKnown || names.isWord(key) ? null : findTypo(key, names.brand);
}

/** The merchant with exactly this name; null for a typo and for the name on a statement. */
export function findByWholeName(
  name: string,
  place: AskedPlace | null,
  lookup: NameLookup,
): MerchantSite | null {
  return nameTokens(name).length === 0 ? null : wholeAskedName(name, place, lookup);
}

/** Null when no merchant of the knowledge base has the name. */
export function findByName(
  name: string,
  place: AskedPlace | null,
  lookup: NameLookup,
): MerchantSite | null {
  const words = withJoinedForm(nameTokens(name));
  if (words.length === 0) return null;
  const whole = wholeAskedName(name, place, lookup);
  if (whole !== null || lookup.names.isWord(words.join(""))) return whole;
  const found = readAsLine(name, place, lookup);
  if (found !== null) return found;
  const merchant = findByTypo(withoutForms(words), lookup);
  return merchant === null ? null : siteAt(merchant, place, lookup.knowledge);
}
