// Names with their websites from public sets: tables/websites/*.tsv, written by `npm run train -- website-sets`. They add merchants that
// the hand-written tables and the packages do not have. They change no other merchant: ids of entities are made from websites.
import { nameKey, nameTokens } from "../../recogniser/text/keys.ts";
import { AliasFlag, WordFlag } from "../sections.ts";
import { type AliasDraft, aliasesOf, type MerchantDraft, websiteAlias } from "./draft.ts";
import { checkCategory } from "./merchant-tables.ts";
import type { Problems, Row, TableFile } from "./rows.ts";
import { isRegistrable, websiteOf } from "./websites.ts";

export const WEBSITE_SETS_FOLDER = "websites/";

export interface WebsiteSetRow {
  readonly name: string;
  readonly website: string;
  /** Consumer category, outgoing. */
  readonly category: string | null;
  readonly mccs: readonly number[];
  readonly areas: readonly string[];
}

const FIELDS_MAX = 5;

function checkRow(row: Row, problems: Problems): void {
  const [name = "", website = "", category = "", mcc = "", areas = ""] = row.fields;
  if (nameKey(name) === "" || row.fields.length > FIELDS_MAX)
    problems.add(row, "A row has name, website, category, mcc and areas.");
  if (!isRegistrable(website)) problems.add(row, `"${website}" is not a registrable domain.`);
  if (category !== "") checkCategory(row, category, problems);
  if (!/^(?:\d{3,4})?$/u.test(mcc)) problems.add(row, `"${mcc}" is not a merchant category code.`);
  if (!/^(?:[A-Z]{2}(?:-[A-Z]{2})?(?:;|$))*$/u.test(areas))
    problems.add(row, `"${areas}" is not a list of country codes.`);
}

function readRow(row: Row, problems: Problems): WebsiteSetRow {
  checkRow(row, problems);
  const [name = "", website = "", category = "", mcc = "", areas = ""] = row.fields;
  return {
    name,
    website,
    category: category === "" ? null : category,
    mccs: mcc === "" ? [] : [Number(mcc)],
    areas: areas === "" ? [] : areas.split(";"),
  };
}

/** Fields are separated by tabs; empty ones at the end are left out. */
export const readWebsiteSets = (
  files: readonly TableFile[],
  problems: Problems,
): readonly WebsiteSetRow[] =>
  files.flatMap(({ name: file, text }) =>
    text
      .split("\n")
      .map((content, index) => ({ file, line: index + 1, fields: content.split("\t") }))
      .filter(({ fields: [first = ""] }) => first !== "" && !first.startsWith("#"))
      .map((row) => readRow(row, problems)),
  );

/** What words mean in addition to being a part of a name. */
export interface NameWords {
  /** Folded word → WordFlag bits. */
  readonly words: ReadonlyMap<string, number>;
  /** Folded names of cities without spaces. */
  readonly cities: ReadonlySet<string>;
}

const KEY_LENGTH_MIN = 4;
const PEOPLE = WordFlag.firstName | WordFlag.lastName;
const ORDINARY = WordFlag.plain | WordFlag.place | PEOPLE;
/** Words that a line contains for other reasons than a merchant's name. */
const OF_LINES = WordFlag.banking | WordFlag.template | WordFlag.prefix | WordFlag.trade;
const MAIN_ENDINGS: ReadonlySet<string> = new Set(["com", "org", "edu", "gov", "bank"]);

/** `sparkle.town` shows that Sparkle is a word which others are called, too: a company of that name alone has sparkle.com. */
function isOwnWebsite(key: string, { website, areas }: NamedSet): boolean {
  const site = websiteOf(website);
  if (site === null || site.label.replaceAll("-", "") !== key) return false;
  return MAIN_ENDINGS.has(site.suffix) || areas.some((area) => area.slice(0, 2) === site.country);
}

type NamedSet = Pick<WebsiteSetRow, "name" | "website" | "areas">;

/** Whether the name may as well mean something else: a word, a city, a person, an abbreviation, or many companies. */
export function isAmbiguousName(row: NamedSet, { words, cities }: NameWords): boolean {
  const tokens = nameTokens(row.name).filter((token) => token !== "the");
  const key = tokens.join("");
  const flagsOf = (word: string): number =>
    (words.get(word) ?? 0) | (word.endsWith("s") ? (words.get(word.slice(0, -1)) ?? 0) : 0);
  const are = (flags: number): boolean => tokens.every((word) => (flagsOf(word) & flags) !== 0);
  if (key.length < KEY_LENGTH_MIN || /^\d+$/u.test(key) || cities.has(key)) return true;
  if ((flagsOf(key) & (ORDINARY | OF_LINES)) !== 0) return true;
  if (tokens.length === 1) return !isOwnWebsite(key, row);
  const isPerson = (flagsOf(tokens[0] ?? "") & WordFlag.firstName) !== 0 && are(PEOPLE);
  const hasTrade = tokens.some((word) => (flagsOf(word) & WordFlag.trade) !== 0);
  return isPerson || (!hasTrade && are(ORDINARY));
}

/** Endings that lines leave out, cut off or write differently. */
const COMPANY_ENDING = /\s+(?:company|co\.?)$/iu;
const BREWERY_ENDING = /\s+(?:brewing|brewery)$/iu;
const BREWERY_ENDINGS = ["Brewing", "Brewery", "Brewing Co", "Brewing Company"] as const;

/** `Two Rivers Brewing Co` → also Two Rivers Brewing, Two Rivers Brewery … */
function spellingsOf(name: string): readonly string[] {
  const bare = name.replace(COMPANY_ENDING, "");
  const trunk = bare.replace(BREWERY_ENDING, "");
  if (trunk !== bare) return [name, ...BREWERY_ENDINGS.map((ending) => `${trunk} ${ending}`)];
  return bare === name ? [name] : [name, `${bare} Co`, `${bare} Company`, bare];
}

function aliasesOfRow(row: WebsiteSetRow, words: NameWords): readonly AliasDraft[] {
  const aliases = spellingsOf(row.name)
    .filter((name) => name === row.name || !isAmbiguousName({ ...row, name }, words))
    .flatMap((name) => aliasesOf(name, AliasFlag.unchecked));
  const byKey = new Map(aliases.map((alias) => [alias.key, alias]));
  return [...byKey.values(), websiteAlias(row.website, AliasFlag.unchecked)];
}

const isWebsiteAlias = ({ flags }: AliasDraft): boolean => (flags & AliasFlag.website) !== 0;

/** States do not separate companies: a line may lack its state. */
const overlaps = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === 0 ||
  b.length === 0 ||
  a.some((area) => b.some((other) => area.slice(0, 2) === other.slice(0, 2)));

/** Areas of all merchants by their names and other aliases. */
class TakenNames {
  private readonly areas = new Map<string, (readonly string[])[]>();

  add({ name, aliases, areas }: Pick<MerchantDraft, "name" | "aliases" | "areas">): void {
    const own = aliases.filter((alias) => !isWebsiteAlias(alias)).map(({ key }) => key);
    for (const key of new Set([nameKey(name), ...own]))
      this.areas.set(key, [...(this.areas.get(key) ?? []), areas]);
  }

  has({ name, areas }: NamedSet): boolean {
    return aliasesOf(name, 0).some(({ key }) =>
      (this.areas.get(key) ?? []).some((known) => overlaps(known, areas)),
    );
  }
}

/** Keys of names for which the sets have several websites in one country. */
function contradictions(rows: readonly WebsiteSetRow[]): ReadonlySet<WebsiteSetRow> {
  const byName = new Map<string, WebsiteSetRow[]>();
  for (const row of rows) {
    const key = nameKey(row.name);
    byName.set(key, [...(byName.get(key) ?? []), row]);
  }
  const isContradicted = (row: WebsiteSetRow): boolean =>
    (byName.get(nameKey(row.name)) ?? []).some(
      (other) => other.website !== row.website && overlaps(other.areas, row.areas),
    );
  return new Set(rows.filter(isContradicted));
}

/** Why a row is left out, as the build prints it. */
export type LeftOut =
  | "website rows of a known name"
  | "website rows of a known website"
  | "website rows of an ambiguous name"
  | "website rows that contradict";

export interface JoinedWebsiteSets {
  /** The merchants as they were, then the new ones. */
  readonly merchants: readonly MerchantDraft[];
  readonly leftOut: ReadonlyMap<LeftOut, number>;
}

/** Adds a merchant for each row with a new and unambiguous name, and a website that no merchant has. */
export function joinWebsiteSets(
  merchants: readonly MerchantDraft[],
  rows: readonly WebsiteSetRow[],
  words: NameWords,
): JoinedWebsiteSets {
  const names = new TakenNames();
  for (const draft of merchants) names.add(draft);
  const websites = new Set(
    merchants.flatMap(({ website, sites, aliases }) => [
      website,
      ...sites.map(([, site]) => site),
      ...aliases.filter(isWebsiteAlias).map(({ key }) => key),
    ]),
  );
  const contradicted = contradictions(rows);
  const reasonOf = (row: WebsiteSetRow): LeftOut | null => {
    if (names.has(row)) return "website rows of a known name";
    if (websites.has(row.website)) return "website rows of a known website";
    if (contradicted.has(row)) return "website rows that contradict";
    return isAmbiguousName(row, words) ? "website rows of an ambiguous name" : null;
  };
  const leftOut = new Map<LeftOut, number>();
  const added: MerchantDraft[] = [];
  for (const row of rows) {
    const reason = reasonOf(row);
    if (reason !== null) {
      leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
      continue;
    }
    const aliases = aliasesOfRow(row, words);
    added.push({ ...row, aliases, parentWebsite: null, sites: [], hand: false });
    names.add({ ...row, aliases });
    websites.add(row.website);
  }
  return { merchants: [...merchants, ...added], leftOut };
}
