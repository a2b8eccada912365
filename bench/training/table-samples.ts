// What the model of categories learns from: the names of all merchants, the words of trades in many languages, the
// wording of banks, each with the category that the tables give it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { nameTokens } from "../../workers/recogniser/text/keys.ts";
import type { PatternRow } from "../../workers/knowledge/sections.ts";
import type { MerchantDraft } from "../../workers/knowledge/builder/draft.ts";
import type { CategoryOfPath } from "../../workers/knowledge/builder/name-suggestions.ts";
import { categoryNumber, type NamedTrade } from "../../workers/knowledge/builder/small-tables.ts";

export interface TrainingSample {
  /** Folded words. */
  readonly words: readonly string[];
  readonly isOutgoing: boolean;
  /** Index of a category. */
  readonly category: number;
  /** Its weight relative to the others. */
  readonly weight: number;
}

/** Languages whose statements come in our currencies and are written in Latin letters. */
const LANGUAGES = [
  "en",
  "en-GB",
  "de",
  "fr",
  "es",
  "it",
  "nl",
  "pt",
  "pl",
  "sv",
  "da",
  "fi",
] as const;
/** A search term of a preset is a hint, its name is what such a place calls itself. */
const TERM_WEIGHT = 0.3;
const NAME_WEIGHT = 1;
const HAND_WEIGHT = 1;
const BRAND_WEIGHT = 0.7;
/** The purpose of the model: names of shops that no table contains. */
const INDEPENDENT_WEIGHT = 3;
/** Hand-written words of a trade are the surest. */
const WORDS_WEIGHT = 4;
const WORDING_WEIGHT = 2;

interface Preset {
  readonly name?: string;
  readonly terms?: string;
}

interface PresetTranslation {
  readonly presets?: { readonly presets?: Readonly<Record<string, Preset | undefined>> };
}

function presetSamples(root: string, paths: ReadonlyMap<string, CategoryOfPath>): TrainingSample[] {
  return LANGUAGES.flatMap((language) => {
    const file = join(root, `dist/translations/${language}.min.json`);
    const translations = JSON.parse(readFileSync(file, "utf8")) as Record<
      string,
      PresetTranslation
    >;
    const presets = translations[language]?.presets?.presets ?? {};
    return Object.entries(presets).flatMap(([path, preset]) => {
      const category = categoryNumber(categoryOfPreset(path, paths));
      if (category < 0 || preset === undefined) return [];
      const terms = (preset.terms ?? "")
        .split(",")
        .map((term) => ({ text: term, weight: TERM_WEIGHT }));
      const names = [{ text: preset.name ?? "", weight: NAME_WEIGHT }, ...terms];
      return names.flatMap(({ text, weight }) => sampleOf(text, category, weight));
    });
  });
}

/** `shop/clothes/underwear` is a kind of `shop/clothes`. */
function categoryOfPreset(path: string, paths: ReadonlyMap<string, CategoryOfPath>): string {
  const [kind = "", value = ""] = path.split("/");
  return (paths.get(path) ?? paths.get(`${kind}/${value}`))?.category ?? "";
}

function sampleOf(text: string, category: number, weight: number): TrainingSample[] {
  const words = nameTokens(text);
  return words.length === 0 ? [] : [{ words, isOutgoing: true, category, weight }];
}

const merchantSamples = (drafts: readonly MerchantDraft[], weight: number): TrainingSample[] =>
  drafts.flatMap(({ name, category }) =>
    category === null ? [] : sampleOf(name, categoryNumber(category), weight),
  );

/** A row without a direction counts in both. */
const patternSamples = (
  rows: readonly PatternRow[],
  weight: number,
  isOfBank: boolean,
): TrainingSample[] =>
  rows.flatMap(({ parts, direction, category }) => {
    const words = parts.flat();
    const directions = isOfBank && direction === 2 ? [true, false] : [direction !== 0];
    return directions.map((isOutgoing) => ({ words, isOutgoing, category, weight }));
  });

export interface SampleSources {
  readonly presetsRoot: string;
  readonly paths: ReadonlyMap<string, CategoryOfPath>;
  readonly merchants: readonly MerchantDraft[];
  readonly brands: readonly MerchantDraft[];
  readonly independents: readonly NamedTrade[];
  readonly wordings: readonly PatternRow[];
  readonly words: readonly PatternRow[];
}

export function collectSamples(sources: SampleSources): TrainingSample[] {
  return [
    ...merchantSamples(sources.merchants, HAND_WEIGHT),
    ...merchantSamples(sources.brands, BRAND_WEIGHT),
    ...presetSamples(sources.presetsRoot, sources.paths),
    ...sources.independents.flatMap(({ name, category }) =>
      sampleOf(name, category, INDEPENDENT_WEIGHT),
    ),
    ...patternSamples(sources.words, WORDS_WEIGHT, false),
    ...patternSamples(sources.wordings, WORDING_WEIGHT, true),
  ];
}
