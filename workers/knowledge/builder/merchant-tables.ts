// The hand-written merchants, parents and intermediaries, with every check that a machine can make.
import { consumerCategories } from "../../../src/model/categories.ts";
import { nameKey, nameTokens } from "../../recogniser/text/keys.ts";
import { AliasFlag, type IntermediaryRule } from "../sections.ts";
import {
  type AliasDraft,
  aliasesOf,
  KEY_LENGTH_MAX,
  type MerchantDraft,
  websiteAlias,
} from "./draft.ts";
import {
  field,
  list,
  optional,
  parseRows,
  type Problems,
  type Row,
  type TableFile,
} from "./rows.ts";
import { isRegistrable } from "./websites.ts";

const outgoing = new Set(consumerCategories.outgoing);
const incoming = new Set(consumerCategories.incoming);

export interface IntermediaryDraft {
  readonly name: string;
  readonly website: string | null;
  readonly prefixes: readonly { readonly tokens: readonly string[]; readonly star: boolean }[];
  readonly rule: IntermediaryRule;
  /** Of an unknown merchant behind it; null when that can be any trade. */
  readonly category: string | null;
}

export function checkCategory(row: Row, category: string, problems: Problems): boolean {
  const known = outgoing.has(category) || incoming.has(category);
  if (!known) problems.add(row, `Unknown consumer category "${category}".`);
  return known;
}

function checkedWebsite(row: Row, text: string, problems: Problems): string | null {
  const website = optional(text);
  if (website === null || isRegistrable(website)) return website;
  problems.add(row, `"${website}" is not a registrable domain.`);
  return null;
}

function checkedMccs(row: Row, text: string, problems: Problems): number[] {
  const mccs: number[] = [];
  for (const item of list(text)) {
    if (/^\d{3,4}$/u.test(item)) mccs.push(Number(item));
    else problems.add(row, `"${item}" is not a merchant category code.`);
  }
  return mccs;
}

function checkedAreas(row: Row, text: string, problems: Problems): string[] {
  if (text === "*" || text === "") return [];
  const areas = list(text);
  for (const area of areas) {
    if (!/^[A-Z]{2}(-[A-Z]{2,3})?$/u.test(area))
      problems.add(row, `"${area}" is not a country code.`);
  }
  return areas;
}

function checkedAliases(
  row: Row,
  names: readonly string[],
  blocked: ReadonlySet<string>,
  problems: Problems,
): AliasDraft[] {
  const aliases = new Map<string, AliasDraft>();
  for (const name of names) {
    const tokens = nameTokens(name);
    if (tokens.length === 1 && blocked.has(tokens[0] ?? "")) {
      problems.add(row, `The alias "${name}" is a plain word and cannot stand on its own.`);
    }
    if (tokens.length === 0 || nameKey(name).length > KEY_LENGTH_MAX) {
      problems.add(row, `The alias "${name}" is empty or too long.`);
    }
    for (const alias of aliasesOf(name, AliasFlag.hand)) aliases.set(alias.key, alias);
  }
  return [...aliases.values()];
}

/** `Lake County, Ohio`: there are many of that name; what tells the rows apart is not shown. */
const shownName = (name: string): string => /^(.+ (?:County|Parish)), .+$/u.exec(name)?.[1] ?? name;

/** The name itself is an alias unless it is a blocked word, which only the listed aliases may then stand for. */
function merchantOf(row: Row, blocked: ReadonlySet<string>, problems: Problems): MerchantDraft {
  const name = field(row, 0);
  const website = checkedWebsite(row, field(row, 1), problems);
  const category = field(row, 3);
  checkCategory(row, category, problems);
  const listed = checkedAliases(row, list(field(row, 2)), blocked, problems);
  const own = blocked.has(nameKey(name)) ? [] : aliasesOf(name, AliasFlag.hand);
  const aliases = new Map([...own, ...listed].map((alias) => [alias.key, alias]));
  if (website !== null) aliases.set(website, websiteAlias(website, AliasFlag.hand));
  return {
    name: shownName(name),
    website,
    parentWebsite: checkedWebsite(row, field(row, 6), problems),
    category: outgoing.has(category) ? category : null,
    mccs: checkedMccs(row, field(row, 4), problems),
    areas: checkedAreas(row, field(row, 5), problems),
    sites: [],
    aliases: [...aliases.values()],
    hand: true,
  };
}

const overlaps = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === 0 || b.length === 0 ? a.length === b.length : a.some((area) => b.includes(area));

/** Only aliases that a person listed can clash; a name or website shared by sister rows goes to the first of them. */
function checkShared(
  rows: readonly Row[],
  drafts: readonly MerchantDraft[],
  problems: Problems,
): void {
  const owners = new Map<string, number[]>();
  drafts.forEach((draft, index) => {
    const row = rows[index];
    if (row === undefined) return;
    for (const key of new Set(list(field(row, 2)).map(nameKey))) {
      for (const other of owners.get(key) ?? []) {
        const rival = drafts[other];
        const at = rows[other];
        if (rival === undefined || at === undefined || !overlaps(draft.areas, rival.areas))
          continue;
        const where = `${at.file}:${String(at.line)}`;
        problems.add(
          row,
          `Shares the alias "${key}" with ${rival.name} (${where}) and no country decides.`,
        );
      }
      owners.set(key, [...(owners.get(key) ?? []), index]);
    }
  });
}

export function readMerchants(
  files: readonly TableFile[],
  blocked: ReadonlySet<string>,
  problems: Problems,
): MerchantDraft[] {
  const rows = files.flatMap((file) => parseRows(file, 7, 7, problems));
  const drafts = rows.map((row) => merchantOf(row, blocked, problems));
  checkShared(rows, drafts, problems);
  return drafts;
}

/** Website of the parent → its name. */
export function readParents(file: TableFile, problems: Problems): Map<string, string> {
  const parents = new Map<string, string>();
  for (const row of parseRows(file, 2, 2, problems)) {
    const website = checkedWebsite(row, field(row, 1), problems);
    if (website !== null) parents.set(website, field(row, 0));
  }
  return parents;
}

const rules = new Map<string, IntermediaryRule>([
  ["processor", "through"],
  ["wallet", "through"],
  ["payroll", "through"],
  ["bnpl", "record"],
  ["marketplace", "record"],
  ["delivery", "record"],
  ["transfer", "person"],
]);

export function readIntermediaries(file: TableFile, problems: Problems): IntermediaryDraft[] {
  return parseRows(file, 4, 5, problems).map((row) => {
    const category = optional(field(row, 4));
    if (category !== null) checkCategory(row, category, problems);
    const rule = rules.get(field(row, 3).toLowerCase());
    if (rule === undefined) problems.add(row, `Unknown rule "${field(row, 3)}".`);
    const prefixes = list(field(row, 2)).map((text) => ({
      tokens: nameTokens(text),
      star: text.trimEnd().endsWith("*"),
    }));
    if (prefixes.some((prefix) => prefix.tokens.length === 0))
      problems.add(row, "A prefix is empty.");
    return {
      name: field(row, 0),
      website: checkedWebsite(row, field(row, 1), problems),
      prefixes: prefixes.filter((prefix) => prefix.tokens.length > 0),
      rule: rule ?? "through",
      category,
    };
  });
}
