// Names that mean a merchant, or none, in a query with nothing but a name: `Delta` alone is the airline, `Alan` is a
// person. In a descriptor they are ambiguous.
import { nameKey } from "../../recogniser/text/keys.ts";
import { type Lexicon, NO_MERCHANT } from "../sections.ts";
import { field, optional, parseRows, type Problems, type Row, type TableFile } from "./rows.ts";
import { isRegistrable } from "./websites.ts";

export interface AskedName {
  readonly row: Row;
  readonly key: string;
  /** The website of the merchant; null: no merchant is meant. */
  readonly website: string | null;
  /** Of an entity that is added where no merchant of the website has this name. */
  readonly entity: string | null;
  /** Also found with a typo. */
  readonly isBrand: boolean;
}

export const readAskedNames = (
  file: TableFile,
  isBrand: boolean,
  problems: Problems,
): AskedName[] =>
  parseRows(file, 2, 3, problems).map((row) => {
    const website = optional(field(row, 1));
    if (website !== null && !isRegistrable(website))
      problems.add(row, `"${website}" is not a registrable domain.`);
    const key = nameKey(field(row, 0));
    return { row, key, website, entity: optional(field(row, 2)), isBrand };
  });

interface Named {
  readonly name: string;
  readonly website: string | null;
}

const isAskedName = (
  { name, website }: Named,
  asked: { entity: string; website: string },
): boolean => website === asked.website && nameKey(name) === nameKey(asked.entity);

/** Website → the main one of the same company. */
export interface AskedWebsite {
  readonly row: Row;
  readonly website: string;
  readonly main: string;
}

export const readAskedWebsites = (file: TableFile, problems: Problems): AskedWebsite[] =>
  parseRows(file, 2, 2, problems).map((row) => {
    const [website, main] = [field(row, 0), field(row, 1)];
    for (const domain of [website, main])
      if (!isRegistrable(domain)) problems.add(row, `"${domain}" is not a registrable domain.`);
    return { row, website, main };
  });

/** Main websites by a queried one that is not a merchant's own. */
export function mainWebsites(
  websites: readonly AskedWebsite[],
  merchants: readonly Named[],
  problems: Problems,
): Record<string, string> {
  const known = new Set(merchants.map((merchant) => merchant.website));
  const mains: Record<string, string> = {};
  for (const { row, website, main } of websites) {
    if (!known.has(main)) problems.add(row, `No merchant has the website "${main}".`);
    if (known.has(website)) problems.add(row, `"${website}" is a merchant's own.`);
    if (website in mains) problems.add(row, "This website is in the table already.");
    mains[website] = main;
  }
  return mains;
}

/** Entities that only the names add: no payment has their own name, but queries do. */
export const addedEntities = (
  names: readonly AskedName[],
  merchants: readonly Named[],
): { readonly name: string; readonly website: string }[] =>
  names.flatMap(({ entity, website }) => {
    if (entity === null || website === null) return [];
    const isThere = merchants.some((merchant) => isAskedName(merchant, { entity, website }));
    return isThere ? [] : [{ name: entity, website }];
  });

/** Of several merchants under one website that of the name is meant. */
export function askedMerchants(
  names: readonly AskedName[],
  merchants: readonly Named[],
  problems: Problems,
): Pick<Lexicon["asked"], "names" | "brands"> {
  const asked: { names: Record<string, number>; brands: Record<string, number> } = {
    names: {},
    brands: {},
  };
  const namesOf = (indexes: readonly number[]): ReadonlySet<string> =>
    new Set(indexes.map((index) => nameKey(merchants[index]?.name ?? "")));
  for (const { row, key, website, entity, isBrand } of names) {
    if (key in asked.names || key in asked.brands)
      problems.add(row, "This name is in the table already.");
    const all = [...merchants.keys()].filter((index) => merchants[index]?.website === website);
    const wanted = entity === null ? key : nameKey(entity);
    const named = all.find((index) => nameKey(merchants[index]?.name ?? "") === wanted);
    const merchant = website === null ? NO_MERCHANT : (named ?? all[0]);
    const isOpen = website !== null && named === undefined && namesOf(all).size > 1;
    if (isOpen)
      problems.add(row, `Several merchants have the website "${website}": name one of them.`);
    if (merchant === undefined)
      problems.add(row, `No merchant has the website "${website ?? ""}".`);
    else asked[isBrand ? "brands" : "names"][key] = merchant;
  }
  return asked;
}
