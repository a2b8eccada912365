// A row of a table of websites, and what makes many rows of a set into few good ones.

import { readDomains } from "../../../workers/knowledge/builder/domain-file.ts";
import {
  isHostingSite,
  labelResemblance,
  websiteOf,
} from "../../../workers/knowledge/builder/websites.ts";
import { openFuseFilter } from "../../../workers/knowledge/fuse-filter.ts";
import { hashSeed, hashText } from "../../../workers/recogniser/text/hash.ts";
import { nameKey } from "../../../workers/recogniser/text/keys.ts";

export interface SetRow {
  readonly name: string;
  /** Registrable domain. */
  readonly website: string;
  /** Consumer category, outgoing; empty = unknown. */
  readonly category: string;
  /** Merchant category code; empty = unknown. */
  readonly mcc: string;
  /** `GB`, `US-VA`; none = everywhere or unknown. */
  readonly areas: readonly string[];
}

interface SetSource {
  /** Path in the data folder. */
  readonly file: string;
  readonly from: string;
  readonly licence: string;
}

export interface WebsiteTable {
  /** Name of the file without its ending. */
  readonly name: string;
  readonly title: string;
  readonly sources: readonly SetSource[];
  /** Of an old set only the websites are taken that are in one of the lists of visited domains. */
  readonly isOld?: boolean;
  readonly rows: readonly SetRow[];
}

const NAME_LENGTH_MAX = 48;
const AREAS_MAX = 3;

const LEGAL_FORM =
  /[\s,]+(?:inc|incorporated|llc|l\.l\.c|ltd|limited|corp|corporation|plc|gmbh|ag|se|nv|bv|oy|oyj|ab|asa|s\.?r\.?o|s\.?r\.?l|s\.?p\.?a|s\.a|s\.?l|n\.?a|pty|pte|national association|fsb|f\.s\.b|ssb)\.?$/iu;

/** Without notes in brackets, legal forms at the end and runs of spaces. */
export function cleanName(text: string): string {
  let name = text
    .replace(/\s*[([][^)\]]*[)\]]\s*$/u, "")
    .replace(/["“”\t|]/gu, "")
    .replace(/\s+/gu, " ")
    .trim();
  for (let before = ""; before !== name; ) {
    before = name;
    name = name.replace(LEGAL_FORM, "").replace(/[\s,;-]+$/u, "");
  }
  return name;
}

const SMALL_WORDS = new Set("of the and for at in on de la del du des et by to und von".split(" "));
const CAPITALS = new Set(
  "usa uk uc ucla ucsf va upmc unc hca amg ymca lsu osu uab uf uw nyc ny llc ii iii iv".split(" "),
);

/** `SAINT FRANCIS HOSPITAL` → `Saint Francis Hospital`; a name in mixed case stays as it is. */
export function readableCase(name: string): string {
  if (/\p{Ll}/u.test(name)) return name;
  return name
    .split(" ")
    .map((word, at) => {
      const lower = word.toLowerCase();
      if (CAPITALS.has(lower)) return word;
      if (at > 0 && SMALL_WORDS.has(lower)) return lower;
      return lower
        .replace(/(?:^|[-/.&(])\p{L}/gu, (start) => start.toUpperCase())
        .replace(/^Mc\p{L}/u, (start) => start.slice(0, 2) + start.slice(2).toUpperCase());
    })
    .join(" ");
}

/** What is left out of a set, by reason. */
export type LeftOut = Record<
  "unusable" | "not visited" | "several websites" | "website of another row",
  number
>;

/** Example addresses, and hosts of other people's pages that the builder does not list. */
const NOBODYS = new Set(
  "example.com example.org example.net wixsite.com business.site square.site untappd.com linktr.ee toasttab.com webnode.com".split(
    " ",
  ),
);

const isUsable = ({ name, website }: SetRow): boolean =>
  name.length <= NAME_LENGTH_MAX &&
  /\p{Script=Latin}/u.test(name) &&
  /^[\p{Script=Latin}\p{N}\p{P}\p{S}\s]+$/u.test(name) &&
  nameKey(name) !== "" &&
  !NOBODYS.has(website) &&
  !isHostingSite(website) &&
  websiteOf(website)?.domain === website;

const overlaps = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === 0 ||
  b.length === 0 ||
  a.some((area) => b.some((other) => area.slice(0, 2) === other.slice(0, 2)));

function grouped<T>(rows: readonly T[], keyOf: (row: T) => string): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}

/** One row of several with the same name and website: the areas of all, everywhere when there are many. */
function joinRows(rows: readonly SetRow[]): SetRow {
  const [first] = rows;
  if (first === undefined) throw new Error("A group is never empty.");
  const areas = [...new Set(rows.flatMap((row) => row.areas))].sort();
  const countries = [...new Set(areas.map((area) => area.slice(0, 2)))];
  const isWide = rows.some((row) => row.areas.length === 0) || countries.length > AREAS_MAX;
  const category = rows.find((row) => row.category !== "");
  return {
    ...first,
    category: category?.category ?? "",
    mcc: category?.mcc ?? "",
    areas: isWide ? [] : areas.length > AREAS_MAX ? countries : areas,
  };
}

const resemblanceOf = ({ name, website }: SetRow): number =>
  labelResemblance(websiteOf(website)?.label ?? "", nameKey(name));

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const byResemblance = (a: SetRow, b: SetRow): number =>
  resemblanceOf(b) - resemblanceOf(a) || a.name.length - b.name.length || compare(a.name, b.name);

/** What stands at the end of the words that several names begin with, and is not part of a name. */
const LOOSE_END = /[\s,:–-]+(?:of|at|in|the|and|&)?$/iu;

/** `Houston Methodist` of Houston Methodist Baytown Hospital and its sisters. */
function commonStart(rows: readonly SetRow[]): string {
  const names = rows.map(({ name }) => name.split(" "));
  const [first = []] = names;
  const isCommon = (word: string, at: number): boolean =>
    names.every((words) => words[at]?.toLowerCase() === word.toLowerCase());
  const end = first.findIndex((word, at) => !isCommon(word, at));
  let name = first.slice(0, end < 0 ? first.length : end).join(" ");
  for (let before = ""; before !== name; ) {
    before = name;
    name = `${name} `.replace(LOOSE_END, "");
  }
  return name;
}

/** At least part of the website's label, or the whole. */
const RESEMBLING = 2;
const EQUAL = 3;

/** The one row that a website stands for: the name of the website, or what all names begin with; null when that is unclear. */
function mainRow(sharing: readonly SetRow[]): SetRow | null {
  const [best] = [...sharing].sort(byResemblance);
  if (best === undefined || sharing.length === 1) return best ?? null;
  if (resemblanceOf(best) === EQUAL) return best;
  const main = { ...joinRows([best, ...sharing]), name: commonStart(sharing) };
  const isLong = main.name.includes(" ");
  if (resemblanceOf(main) >= (isLong ? RESEMBLING : EQUAL)) return main;
  return resemblanceOf(best) >= RESEMBLING ? best : null;
}

/** Rows whose name has no other website in the same country. A row without a website counts: it may have any. */
const withoutNamesakes = (rows: readonly SetRow[]): SetRow[] =>
  [...grouped(rows, (row) => nameKey(row.name)).values()].flatMap((namesakes) =>
    namesakes.filter((row) =>
      namesakes.every(
        (other) => other.website === row.website || !overlaps(row.areas, other.areas),
      ),
    ),
  );

/**
 * One website a name and one name a website. Unrelated companies of one name, and of the names under one website all but that
 * of the website itself, are left out: nothing in a line decides between them.
 */
export function compactRows({ rows: all, isOld = false }: Pick<WebsiteTable, "rows" | "isOld">): {
  readonly rows: readonly SetRow[];
  readonly leftOut: LeftOut;
} {
  const tiers = [openFuseFilter(readDomains("core")), openFuseFilter(readDomains("older"))];
  const isVisited = (website: string): boolean =>
    tiers.some((domains) => domains.has(hashText(hashSeed, website)));
  const single = withoutNamesakes(all);
  const usable = single.filter(isUsable);
  const current = usable.filter(({ website }) => !isOld || isVisited(website));
  const joined = [...grouped(current, (row) => `${nameKey(row.name)} ${row.website}`).values()].map(
    joinRows,
  );
  const mains = [...grouped(joined, (row) => row.website).values()]
    .map(mainRow)
    .filter((row) => row !== null);
  const rows = withoutNamesakes(mains);
  return {
    rows: rows.sort(
      (a, b) => compare(nameKey(a.name), nameKey(b.name)) || compare(a.website, b.website),
    ),
    leftOut: {
      "several websites": all.length - single.length + mains.length - rows.length,
      unusable: single.length - usable.length,
      "not visited": usable.length - current.length,
      "website of another row": joined.length - mains.length,
    },
  };
}
