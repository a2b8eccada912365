// Reads all sources and joins them: tables first, then the packages around them.
import { join } from "node:path";
import type { IntermediaryRow, Lexicon } from "../sections.ts";
import { readAmounts, readCurrencyUnits } from "./amount-tables.ts";
import { readIcons } from "./icons.ts";
import { mergeMerchants, markWeak, type Merged, nameOnly } from "./merge.ts";
import {
  type IntermediaryDraft,
  readIntermediaries,
  readMerchants,
  readParents,
} from "./merchant-tables.ts";
import {
  addedEntities,
  askedMerchants,
  mainWebsites,
  readAskedNames,
  readAskedWebsites,
} from "./asked-names.ts";
import { readCategoryCodes, readMccNaics } from "./code-tables.ts";
import { readNameSuggestions } from "./name-suggestions.ts";
import type { KnowledgeDraft } from "./pack.ts";
import { collectPictures, type Pictures, readPictureRows } from "./pictures.ts";
import { cityNames, readPlaces } from "./places.ts";
import { readRegions, suffixesOf } from "./regions.ts";
import { createProblems, type Problems, type TableFile } from "./rows.ts";
import {
  businessNames,
  categoryNames,
  categoryNumber,
  readAbbreviations,
  readBlockedWords,
  readConsumerToBusiness,
  readIndependents,
  readLayouts,
  readMccCategories,
  readPathCategories,
  readWordings,
  readWords,
} from "./small-tables.ts";
import { readWordModel } from "./words-file.ts";
import { readDomains } from "./domain-file.ts";
import { readTagger } from "./tagger-file.ts";
import { readCategoriser, readRanker, readWebsitePrecision } from "./ranker-file.ts";
import { collectWords } from "./words.ts";
import { joinWebsiteSets, readWebsiteSets, WEBSITE_SETS_FOLDER } from "./website-sets.ts";

export type CollectedKnowledge =
  | {
      readonly ok: true;
      readonly draft: KnowledgeDraft;
      readonly pictures: Pictures;
      readonly statistics: readonly (readonly [string, number])[];
    }
  | { readonly ok: false; readonly problems: readonly string[] };

/** All hand-written tables; files that do not exist count as empty. */
export function readAllTables(tables: readonly TableFile[], problems: Problems) {
  const one = (name: string): TableFile =>
    tables.find((table) => table.name === name) ?? { name, text: "" };
  const many = (prefix: string): TableFile[] =>
    tables.filter((table) => table.name.startsWith(prefix));
  const blocked = readBlockedWords(one("blocked-words.txt"), problems);
  return {
    blocked,
    merchants: readMerchants(many("merchants-"), blocked, problems),
    parents: readParents(one("parents.txt"), problems),
    intermediaries: readIntermediaries(one("intermediaries.txt"), problems),
    paths: readPathCategories(one("osm-categories.txt"), problems),
    mccCategories: readMccCategories(one("mcc-categories.txt"), problems),
    mccNaics: readMccNaics(one("mcc-naics.txt"), problems),
    categoryCodes: readCategoryCodes(one("category-codes.txt"), problems),
    amounts: readAmounts(one("amounts.txt"), problems),
    currencyUnits: readCurrencyUnits(one("currency-units.txt"), problems),
    pictures: readPictureRows(one("pictures.txt"), problems),
    toBusiness: readConsumerToBusiness(one("consumer-to-business.txt"), problems),
    abbreviations: readAbbreviations(one("abbreviations.txt"), problems),
    askedNames: readAskedNames(one("asked-names.txt"), false, problems),
    askedWebsites: readAskedWebsites(one("asked-websites.txt"), problems),
    askedBrands: readAskedNames(one("asked-brands.txt"), true, problems),
    independents: readIndependents(one("independents.txt"), problems),
    layouts: readLayouts(one("layouts.txt"), problems),
    wordings: readWordings(many("wording-"), problems),
    words: readWords(one("words.txt"), problems),
    localWords: many("words-").flatMap((file) => readWords(file, problems)),
    websites: readWebsiteSets(many(WEBSITE_SETS_FOLDER), problems),
  };
}

export type SourceTables = ReturnType<typeof readAllTables>;

const intermediaryRows = (
  drafts: readonly IntermediaryDraft[],
  merged: Merged,
): IntermediaryRow[] =>
  drafts.flatMap((draft, index) =>
    draft.prefixes.map(({ tokens, star }) => ({
      merchant: merged.intermediaryIndexes[index] ?? 0,
      prefix: tokens,
      star,
      rule: draft.rule,
      category: draft.category === null ? -1 : categoryNumber(draft.category),
    })),
  );

export async function lexiconOf(
  tables: SourceTables,
  merged: Merged,
  asked: Lexicon["asked"],
): Promise<Lexicon> {
  const regions = await readRegions();
  return {
    categories: categoryNames,
    businessCategories: businessNames,
    toBusiness: tables.toBusiness,
    intermediaries: intermediaryRows(tables.intermediaries, merged),
    wordings: tables.wordings,
    words: [...tables.words, ...tables.localWords],
    mccCategories: tables.mccCategories,
    mccNaics: tables.mccNaics,
    categoryCodes: tables.categoryCodes,
    ...tables.amounts,
    currencyUnits: tables.currencyUnits,
    suffixes: suffixesOf(merged.merchants),
    abbreviations: tables.abbreviations,
    asked,
    ranker: readRanker(),
    websites: readWebsitePrecision(),
    categoriser: readCategoriser(),
    ...regions,
  };
}

/** The merchants with those who are only asked for, and who is meant by which name. */
export function joinAsked(
  joined: Merged,
  tables: SourceTables,
  problems: Problems,
): { readonly merged: Merged; readonly asked: Lexicon["asked"] } {
  const names = [...tables.askedNames, ...tables.askedBrands];
  const added = addedEntities(names, joined.merchants);
  const merchants = [
    ...joined.merchants,
    ...added.map(({ name, website }) => nameOnly(name, website)),
  ];
  const asked = {
    ...askedMerchants(names, merchants, problems),
    websites: mainWebsites(tables.askedWebsites, merchants, problems),
  };
  return { merged: { ...joined, merchants }, asked };
}

/** The merchants of the tables and the packages, and their pictures. */
function joinBrands(modules: string, tables: SourceTables, problems: Problems) {
  const iconsRoot = join(modules, "simple-icons");
  const brands = readNameSuggestions(join(modules, "name-suggestion-index"), tables.paths);
  const icons = readIcons(iconsRoot);
  const joined = mergeMerchants(
    tables.merchants,
    brands.drafts,
    icons.drafts,
    tables.parents,
    tables.intermediaries,
  );
  const { merged, asked } = joinAsked(joined, tables, problems);
  const pictures = collectPictures(iconsRoot, merged.merchants, tables.pictures, problems);
  return { brands, icons, merged, pictures, asked };
}

/** With `lenient`, faults are counted and what is usable of a row is taken, instead of stopping the build. */
export async function collectKnowledge(
  root: string,
  files: readonly TableFile[],
  lenient: boolean,
): Promise<CollectedKnowledge> {
  const problems = createProblems();
  const tables = readAllTables(files, problems);
  if (problems.list().length > 0 && !lenient) return { ok: false, problems: problems.list() };
  const modules = join(root, "node_modules");
  const joined = joinBrands(modules, tables, problems);
  const { brands, icons, pictures } = joined;
  if (problems.list().length > 0 && !lenient) return { ok: false, problems: problems.list() };
  const { places, postcodes, wordPlaces } = readPlaces();
  const words = await collectWords({
    presetsRoot: join(modules, "@openstreetmap/id-tagging-schema"),
    blocked: tables.blocked,
    wordPlaces,
    brands: brands.drafts,
    wordings: tables.wordings,
    words: tables.words,
    localWords: tables.localWords,
    layouts: tables.layouts,
    prefixes: tables.intermediaries.flatMap(({ prefixes }) =>
      prefixes.map(({ tokens }) => tokens[0] ?? ""),
    ),
    names: [...tables.merchants, ...brands.drafts, ...tables.independents].map(({ name }) => name),
  });
  const cities = cityNames(places);
  const sets = joinWebsiteSets(joined.merged.merchants, tables.websites, { words, cities });
  const merchants = sets.merchants.map((draft) => markWeak(draft, words));
  const model = readWordModel();
  const statistics: (readonly [string, number])[] = [
    ["table merchants", tables.merchants.length],
    ["table parents", tables.parents.size],
    ["table intermediaries", tables.intermediaries.length],
    ["table layouts", tables.layouts.length],
    ["table wordings", tables.wordings.length],
    ["table words", tables.words.length + tables.localWords.length],
    ["table asked names", tables.askedNames.length + tables.askedBrands.length],
    ["name-suggestion-index items", brands.items],
    ["name-suggestion-index merchants", brands.drafts.length],
    ["simple-icons items", icons.items],
    ["simple-icons merchants", icons.drafts.length],
    ["website rows", tables.websites.length],
    ...sets.leftOut,
    ["merchants after merging", merchants.length],
    ["entities with a picture", pictures.ids],
    ["aliases", merchants.reduce((sum, draft) => sum + draft.aliases.length, 0)],
    ["places", places.length],
    ["postcodes", postcodes.length],
    ["words", words.size],
    ["faults in the tables", problems.list().length],
  ];
  return {
    ok: true,
    draft: {
      merchants,
      places,
      postcodes,
      words,
      cities,
      domains: { core: readDomains("core"), older: readDomains("older") },
      tagger: readTagger(join(root, "workers/knowledge/models/tagger.bin")),
      model,
      lexicon: await lexiconOf(tables, { ...joined.merged, merchants }, joined.asked),
    },
    pictures,
    statistics,
  };
}
