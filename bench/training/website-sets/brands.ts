// Brands and online services.
import { join } from "node:path";
import { readTables } from "../../../workers/knowledge/builder/inputs.ts";
import type { CategoryOfPath } from "../../../workers/knowledge/builder/name-suggestions.ts";
import { createProblems } from "../../../workers/knowledge/builder/rows.ts";
import { readPathCategories } from "../../../workers/knowledge/builder/small-tables.ts";
import { labelResemblance, websiteOf } from "../../../workers/knowledge/builder/websites.ts";
import { nameKey, nameTokens } from "../../../workers/recogniser/text/keys.ts";
import { readData } from "../data.ts";
import { type CategoryOfSet, UNKNOWN_CATEGORY } from "./areas.ts";
import { cleanName, type SetRow, type WebsiteTable } from "./rows.ts";

const ALLTHEPLACES = "websites/alltheplaces-brands.csv.gz";
const TWO_FACTOR = "websites/twofactorauth.csv.gz";

function readKinds(): ReadonlyMap<string, CategoryOfPath> {
  const folder = join(import.meta.dirname, "../../../workers/knowledge/tables");
  const file = readTables(folder).find(({ name }) => name === "osm-categories.txt");
  return readPathCategories(file ?? { name: "", text: "" }, createProblems());
}

/** Machines and counters that brands of another kind have, too. */
const SIDE_KINDS =
  /^amenity\/(?:atm|vending_machine|parcel_locker|charging_station|bicycle_rental)$/u;
const WORD_OF_KIND = /^(SHOP|OFFICE|LEISURE|TOURISM|CRAFT)_(.+)$/u;
const OTHER_KINDS: Readonly<Record<string, string>> = {
  FUEL_STATION: "amenity/fuel",
  COFFEE_SHOP: "amenity/cafe",
  GYM: "leisure/fitness_centre",
  HOTEL: "tourism/hotel",
  CLINIC_URGENT: "amenity/clinic",
};

const pathOf = (kind: string): string => {
  const match = WORD_OF_KIND.exec(kind);
  if (match !== null) return `${(match[1] ?? "").toLowerCase()}/${(match[2] ?? "").toLowerCase()}`;
  return OTHER_KINDS[kind] ?? `amenity/${kind.toLowerCase()}`;
};

function categoryOfKinds(text: string, kinds: ReadonlyMap<string, CategoryOfPath>): CategoryOfSet {
  const found = text
    .split(";")
    .map(pathOf)
    .flatMap((path) => {
      const kind = kinds.get(path);
      return kind === undefined ? [] : [{ ...kind, side: SIDE_KINDS.test(path) ? 1 : 0 }];
    })
    .sort((a, b) => a.side - b.side || a.rank - b.rank);
  const [best] = found;
  return best === undefined
    ? UNKNOWN_CATEGORY
    : { category: best.category, mcc: String(best.mccs[0] ?? "") };
}

/** `acfp.com` of Anthony's Coal Fired Pizza. */
function hasInitials(name: string, label: string): boolean {
  const initials = nameTokens(name)
    .map((word) => word[0] ?? "")
    .join("");
  return initials.length > 2 && label.startsWith(initials);
}

/** The only host of a brand's pages is often that of the company that runs its shop finder. */
function isTrusted(name: string, website: string, how: string): boolean {
  if (how === "name") return true;
  const label = websiteOf(website)?.label ?? "";
  return how === "only" && (labelResemblance(label, nameKey(name)) > 0 || hasInitials(name, label));
}

function brandRows(): readonly SetRow[] {
  const kinds = readKinds();
  return readData(ALLTHEPLACES).flatMap((row) => {
    const name = cleanName(row["brand"] ?? "");
    const website = row["website"] ?? "";
    if (website === "" || !isTrusted(name, website, row["how"] ?? "")) return [];
    const country = row["country"] ?? "";
    const areas = /^[A-Z]{2}$/u.test(country) && country !== "EU" ? [country] : [];
    return [{ name, website, areas, ...categoryOfKinds(row["atp_category"] ?? "", kinds) }];
  });
}

const SOFTWARE: CategoryOfSet = { category: "saas tools", mcc: "7372" };
const ONLINE_CATEGORIES: Readonly<Record<string, CategoryOfSet | undefined>> = {
  banking: { category: "inter account transfer", mcc: "6012" },
  backup: SOFTWARE,
  betting: { category: "gambling", mcc: "7995" },
  cloud: SOFTWARE,
  creativity: SOFTWARE,
  cryptocurrencies: { category: "trading (crypto)", mcc: "6051" },
  developer: SOFTWARE,
  domains: SOFTWARE,
  education: { category: "education", mcc: "8299" },
  email: SOFTWARE,
  food: { category: "food and drink", mcc: "5812" },
  gaming: { category: "entertainment and recreation", mcc: "5816" },
  government: { category: "government", mcc: "9399" },
  hosting: SOFTWARE,
  identity: SOFTWARE,
  insurance: { category: "insurance", mcc: "6300" },
  legal: { category: "legal services", mcc: "8111" },
  marketing: SOFTWARE,
  remote: SOFTWARE,
  security: SOFTWARE,
  task: SOFTWARE,
  tickets: { category: "entertainment and recreation", mcc: "7922" },
  universities: { category: "education", mcc: "8220" },
  utilities: { category: "utilities", mcc: "4900" },
  vpn: SOFTWARE,
};

/** Where a service is used from: unknown when it is a long list, or only where it is not. */
const COUNTRIES_MAX = 3;

function countriesOf(text: string): readonly string[] {
  const countries = text.split(" ").filter((country) => country !== "");
  if (countries.length > COUNTRIES_MAX || text.includes("-")) return [];
  return countries.map((country) => country.toUpperCase());
}

function twoFactorRows(): readonly SetRow[] {
  return readData(TWO_FACTOR).map((row) => {
    const all = (row["categories"] ?? "").split(" ");
    const known = all.length === 1 ? ONLINE_CATEGORIES[all[0] ?? ""] : undefined;
    return {
      name: cleanName(row["name"] ?? ""),
      website: row["website"] ?? "",
      areas: countriesOf(row["regions"] ?? ""),
      ...(known ?? UNKNOWN_CATEGORY),
    };
  });
}

export const brandTables = (): readonly WebsiteTable[] => [
  {
    name: "brands",
    title: "Brands with branches.",
    sources: [
      { file: ALLTHEPLACES, from: "alltheplaces/alltheplaces @0e866a2", licence: "CC0-1.0, MIT" },
    ],
    rows: brandRows(),
  },
  {
    name: "online",
    title: "Online services with accounts.",
    sources: [{ file: TWO_FACTOR, from: "2factorauth/twofactorauth @f3ac2ab", licence: "MIT" }],
    rows: twoFactorRows(),
  },
];
