// The website of a company that is in no table: whether the words of its name, glued, are a registered domain.
import { flagsOfWord, type Knowledge } from "../../knowledge/knowledge.ts";
import type { FuseFilter } from "../../knowledge/fuse-filter.ts";
import { WordFlag } from "../../knowledge/sections.ts";
import { hashSeed, hashText, hashUnit } from "../text/hash.ts";
import { endingKindOf, endingsOf } from "./domains.ts";
import { DOMAIN_TIERS, type DomainEnding, type DomainTier, type NameKind } from "./precision.ts";

/** How the words became a domain. */
export type DomainVariant = "glued" | "without the" | "without and";

export interface WebsiteOfName {
  /** Registrable domain. */
  readonly domain: string;
  readonly tier: DomainTier;
  readonly ending: DomainEnding;
  readonly variant: DomainVariant;
  readonly kind: NameKind;
  /** How often such a domain is the website, 0..1. */
  readonly probability: number;
}

/** A website is only answered when it is at least so likely. */
export const WEBSITE_PROBABILITY_MIN = 0.7;

const RARE_LENGTH_MIN = 6;
/** The first word alone must be longer. */
const FIRST_LENGTH_MIN = 7;
const LABEL_LENGTH_MIN = 3;
const LABEL_LENGTH_MAX = 40;

const isRare = (word: string, lengthMin: number, knowledge: Knowledge): boolean => {
  const known =
    WordFlag.plain | WordFlag.place | WordFlag.firstName | WordFlag.lastName | WordFlag.banking;
  return word.length >= lengthMin && (flagsOfWord(knowledge, word) & known) === 0;
};

function kindOf(words: readonly string[], knowledge: Knowledge): NameKind {
  if (words.length > 2) return "three words";
  if (words.length === 2) return "two words";
  return isRare(words[0] ?? "", RARE_LENGTH_MIN, knowledge) ? "one rare word" : "one common word";
}

/** Words that are glued to a label. */
interface LabelVariant {
  readonly variant: DomainVariant;
  readonly words: readonly string[];
  /** `hashText` of the label. */
  readonly hash: number;
}

const DOT = 0x2e;

/** Adds the words as a label, where that is neither too short nor too long to be one. */
function addLabel(
  variants: LabelVariant[],
  variant: DomainVariant,
  words: readonly string[],
): void {
  let hash: number = hashSeed;
  let length = 0;
  for (const word of words) {
    hash = hashText(hash, word);
    length += word.length;
  }
  if (length >= LABEL_LENGTH_MIN && length <= LABEL_LENGTH_MAX)
    variants.push({ variant, words, hash });
}

function variantsOf(words: readonly string[]): readonly LabelVariant[] {
  const variants: LabelVariant[] = [];
  addLabel(variants, "glued", words);
  if (words[0] === "the" && words.length > 1) addLabel(variants, "without the", words.slice(1));
  if (words.includes("and"))
    addLabel(
      variants,
      "without and",
      words.filter((word) => word !== "and"),
    );
  return variants;
}

type DomainOfName = Omit<WebsiteOfName, "probability">;

const noDomains: readonly DomainOfName[] = [];

/** The first of the labels that the list holds with the ending: most are in none, which is seen without writing them out. */
function listedOf(
  variants: readonly LabelVariant[],
  ending: string,
  list: FuseFilter,
): LabelVariant | null {
  for (const one of variants) if (list.has(hashText(hashUnit(one.hash, DOT), ending))) return one;
  return null;
}

/** Every domain of the words that a list holds: lists in their order, and in each the endings of the country. */
export function domainsOfName(
  words: readonly string[],
  kind: NameKind,
  home: string | null,
  knowledge: Knowledge,
): readonly DomainOfName[] {
  const variants = variantsOf(words);
  let domains: DomainOfName[] | null = null;
  for (const tier of DOMAIN_TIERS) {
    const list = knowledge.domains[tier];
    for (const ending of endingsOf(home)) {
      const found = listedOf(variants, ending, list);
      if (found === null) continue;
      const { variant, words: glued } = found;
      const domain = `${glued.join("")}.${ending}`;
      domains ??= [];
      domains.push({ domain, tier, ending: endingKindOf(ending, home), variant, kind });
    }
  }
  return domains ?? noDomains;
}

/** Words that are asked for, and what sort of name they are. */
type PartOfName = readonly [kind: NameKind, words: readonly string[]];

/** Parts of a name that may be asked for, the whole name first. */
const PARTS_MAX = 4;

/** One of these parts; null where the name has none of its sort. */
function partOfName(
  words: readonly string[],
  number: number,
  knowledge: Knowledge,
): PartOfName | null {
  if (number === 0) return [kindOf(words, knowledge), words];
  if (words.length < 2) return null;
  if (number === 1) return ["with hyphens", [words.join("-")]];
  const own = words[0] === "the" ? words.slice(1) : words;
  if (number === 2) return own.length > 2 ? ["first two words", own.slice(0, 2)] : null;
  const isRareFirst = own.length > 1 && isRare(own[0] ?? "", FIRST_LENGTH_MIN, knowledge);
  return isRareFirst ? ["first rare word", own.slice(0, 1)] : null;
}

/** The words that are asked for, one after the other: the whole name first. */
export function* partsOfName(words: readonly string[], knowledge: Knowledge): Iterable<PartOfName> {
  for (let number = 0; number < PARTS_MAX; number++) {
    const part = partOfName(words, number, knowledge);
    if (part !== null) yield part;
  }
}

/**
 * The likeliest website of a name, null when none of its domains is registered.
 * @param words folded words of the name with `and` for `&`, without a legal form
 * @param home ISO 3166-1 alpha-2 of the account, null = unknown
 */
export function websiteOfName(
  words: readonly string[],
  home: string | null,
  knowledge: Knowledge,
): WebsiteOfName | null {
  let best: WebsiteOfName | null = null;
  // Not by `partsOfName`: for every new name, a generator takes as long as what it yields.
  for (let number = 0; number < PARTS_MAX; number++) {
    const part = partOfName(words, number, knowledge);
    if (part === null) continue;
    const [kind, own] = part;
    for (const site of domainsOfName(own, kind, home, knowledge)) {
      const probability = knowledge.lexicon.websites[site.tier][site.ending][kind];
      if (best === null || probability > best.probability) best = { ...site, probability };
    }
    if (best !== null && best.probability >= WEBSITE_PROBABILITY_MIN) return best;
  }
  return best;
}
