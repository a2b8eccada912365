// Single words with what is known about them: names of people, ordinary words of commerce, places, words of banks.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { nameKey, nameTokens } from "../../recogniser/text/keys.ts";
import { type LayoutRow, type PatternRow, USAGE_MAX, USAGE_SHIFT, WordFlag } from "../sections.ts";
import type { MerchantDraft } from "./draft.ts";

/** A word in the names of this many brands does not identify the brand. */
const COMMON_IN_BRANDS = 5;

interface Person {
  readonly first_name?: Readonly<Record<string, readonly string[] | undefined>>;
  readonly last_name?: Readonly<Record<string, readonly string[] | undefined>>;
}

/** Locales whose names are written in Latin letters and common where statements in our currencies come from. */
const nameLocales = [
  "en",
  "en_GB",
  "en_US",
  "en_IN",
  "en_NG",
  "es",
  "es_MX",
  "fr",
  "de",
  "it",
  "nl",
  "pt_PT",
  "pt_BR",
  "pl",
  "sv",
  "da",
  "nb_NO",
  "fi",
  "ro",
  "hr",
  "cs_CZ",
  "tr",
  "vi",
] as const;

/** Of persons in examples, whom every first user pays: in no list of names. */
const EXAMPLE_SURNAMES = ["doe", "roe", "bloggs", "mustermann", "musterfrau"];

const allNames = (lists: Person["first_name"]): readonly string[] =>
  Object.values(lists ?? {}).flatMap((names) => names ?? []);

/** human-names is a plain script without types. */
const load = createRequire(import.meta.url);

async function addPeople(add: (word: string, flag: number) => void): Promise<void> {
  const faker = (await import("@faker-js/faker")) as unknown as Record<
    string,
    { person?: Person } | undefined
  >;
  for (const locale of nameLocales) {
    const person = faker[locale]?.person;
    for (const name of allNames(person?.first_name)) add(nameKey(name), WordFlag.firstName);
    for (const name of allNames(person?.last_name)) add(nameKey(name), WordFlag.lastName);
  }
  for (const name of EXAMPLE_SURNAMES) add(name, WordFlag.lastName);
  const people = load("human-names") as Record<string, unknown>;
  for (const list of ["allEn", "allEs", "allIt", "allFr", "allDe", "allNl"]) {
    for (const name of (people[list] ?? []) as readonly string[])
      add(nameKey(name), WordFlag.firstName);
  }
}

interface TermTranslation {
  readonly en: {
    readonly presets: {
      readonly presets: Readonly<
        Record<string, { readonly name?: string; readonly terms?: string }>
      >;
    };
  };
}

/** Words in the English names and search terms of OpenStreetMap's presets: shop, bakery, tyres … */
function presetWords(root: string): string[] {
  const file = join(root, "dist/translations/en.json");
  const { en } = JSON.parse(readFileSync(file, "utf8")) as TermTranslation;
  return Object.values(en.presets.presets).flatMap((preset) => [
    ...nameTokens(preset.name ?? ""),
    ...nameTokens((preset.terms ?? "").replaceAll(",", " ").slice(0, 1000)),
  ]);
}

export interface WordSources {
  readonly presetsRoot: string;
  readonly blocked: ReadonlySet<string>;
  readonly wordPlaces: ReadonlySet<string>;
  readonly brands: readonly MerchantDraft[];
  readonly wordings: readonly PatternRow[];
  readonly words: readonly PatternRow[];
  /** Words of trades in one language: they tell the trade, and make no brand ordinary. */
  readonly localWords: readonly PatternRow[];
  readonly layouts: readonly LayoutRow[];
  /** First words of what intermediaries print. */
  readonly prefixes: readonly string[];
  /** Names of merchants and shops, from which is counted how usual a word is. */
  readonly names: readonly string[];
}

function commonBrandWords(brands: readonly MerchantDraft[]): string[] {
  const frequency = new Map<string, number>();
  for (const brand of brands) {
    for (const token of new Set(nameTokens(brand.name)))
      frequency.set(token, (frequency.get(token) ?? 0) + 1);
  }
  return [...frequency].filter(([, count]) => count >= COMMON_IN_BRANDS).map(([token]) => token);
}

/** Shorter words do not help to complete a truncated name. */
const USUAL_LENGTH_MIN = 4;

/** Word → how usual it is in names: 1 for two of them, one more for twice as many. */
function usages(names: readonly string[]): Map<string, number> {
  const frequency = new Map<string, number>();
  for (const name of names) {
    for (const token of new Set(nameTokens(name)))
      if (/^[a-z]+$/u.test(token) && token.length >= USUAL_LENGTH_MIN)
        frequency.set(token, (frequency.get(token) ?? 0) + 1);
  }
  const levels = [...frequency].map(
    ([token, count]) => [token, Math.min(USAGE_MAX, Math.floor(Math.log2(count)))] as const,
  );
  return new Map(levels.filter(([, level]) => level > 0));
}

const listed = (text: string): readonly string[] => text.trim().split(/\s+/u);

/** Words of which there are only so many. */
const CLOSED_LISTS: readonly (readonly [flag: number, words: readonly string[]])[] = [
  [
    WordFlag.legalForm,
    listed(`llc inc ltd limited plc corp corporation co company incorporated gmbh ag kg ug ohg ev sa sas sarl eurl srl spa
      sl slu sociedad lda ltda eireli bv nv vof cv pty llp lp pllc pc pvt oy ab as aps ehf sro kft zoo gesmbh kgaa gbr ek
      sasu scop selarl selas snc scarl sagl slne scoop unipessoal comanditaire stichting cvba bvba maatschap proprietary`),
  ],
  [
    WordFlag.street,
    listed(`st ave av avenue rd road blvd boulevard street str strasse dr drive hwy highway lane ln pkwy parkway way plaza sq
      square ct court ter rue calle via viale corso avenida rua laan straat weg platz plein allee gasse ufer damm chaussee
      chemin impasse quai carretera carrer paseo passeig ronda piazza piazzale vicolo strada travessa praceta estrada
      rodovia alameda kade gracht dreef steenweg singel cres crescent tce terrace pde parade cct`),
  ],
  [
    WordFlag.domainEnding,
    listed(
      `com co uk net org io de fr ca au gov edu us info biz it es nl eu app tv me at ch ie in nz za br pt pl se dk no be`,
    ),
  ],
  [
    WordFlag.region,
    listed(`al ak az ar ca co ct de fl ga hi id il in ia ks ky la me md ma mi mn ms mo mt ne nv nh nj nm ny nc nd oh ok or pa
      ri sc sd tn tx ut vt va wa wv wi wy dc pr ab bc mb nb nl ns on pe qc sk nsw vic qld tas act wa nt
      us usa gb gbr uk irl ie de deu fr fra es esp it ita nl nld be bel at aut ch che pt prt lu lux br bra mx mex au aus nz
      nzl in ind za zaf se swe no nor dk dnk fi fin pl pol cz cze hk hkg sg sgp jp jpn cn chn ae are`),
  ],
];

/** Folded word → WordFlag bits, and among them how usual it is. */
export async function collectWords(sources: WordSources): Promise<Map<string, number>> {
  const flags = new Map<string, number>();
  const add = (word: string, flag: number): void => {
    if (word.length >= 2 && word.length <= 40) flags.set(word, (flags.get(word) ?? 0) | flag);
  };
  await addPeople(add);
  for (const word of presetWords(sources.presetsRoot)) add(word, WordFlag.plain);
  for (const word of sources.blocked) add(word, WordFlag.plain);
  for (const word of commonBrandWords(sources.brands)) add(word, WordFlag.plain);
  const patterns = [
    [sources.words, WordFlag.plain | WordFlag.trade],
    [sources.localWords, WordFlag.trade],
    [sources.wordings, WordFlag.banking | WordFlag.template],
  ] as const;
  for (const [rows, flag] of patterns)
    for (const word of rows.flatMap(({ parts }) => parts.flat())) add(word, flag);
  for (const row of sources.layouts) for (const word of row.words) add(word, WordFlag.template);
  for (const word of sources.prefixes) add(word, WordFlag.prefix);
  for (const [flag, words] of CLOSED_LISTS) for (const word of words) add(word, flag);
  for (const word of sources.wordPlaces) add(word, WordFlag.place);
  for (const [word, level] of usages(sources.names)) add(word, level << USAGE_SHIFT);
  return flags;
}
