// The pictures of simple-icons (CC0) by the id of the entity they belong to, for the file next to the knowledge file. An
// entity with a website is identified by it, so pictures are found by website: the brand's own as the package has it,
// or the one that a person wrote into pictures.txt.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LOGO_SECTIONS } from "../../../src/model/logo.ts";
import { idOf } from "../../recogniser/entities.ts";
import { nameKey } from "../../recogniser/text/keys.ts";
import type { MerchantDraft } from "./draft.ts";
import { type Icon, readIconList } from "./icons.ts";
import { joinSections } from "./pack.ts";
import { field, optional, parseRows, type Problems, type Row, type TableFile } from "./rows.ts";
import { isRegistrable, labelResemblance, websiteOf } from "./websites.ts";

export interface PictureRow {
  readonly row: Row;
  readonly title: string;
  readonly website: string;
}

export function readPictureRows(file: TableFile, problems: Problems): PictureRow[] {
  return parseRows(file, 2, 2, problems).flatMap((row) => {
    const website = optional(field(row, 1)) ?? "";
    const isGood = isRegistrable(website);
    if (!isGood) problems.add(row, `"${website}" is not a registrable domain.`);
    return isGood ? [{ row, title: field(row, 0), website }] : [];
  });
}

/**
 * Website → icon. A person's row wins, then the icon whose name is the website's, then the only one of those that name
 * the website as theirs and a merchant of the website has the name of: Google's site is that of many icons.
 */
export function iconsByWebsite(
  icons: readonly Icon[],
  rows: readonly PictureRow[],
  merchants: readonly Pick<MerchantDraft, "name" | "website">[],
  problems: Problems,
): Map<string, Icon> {
  const byTitle = new Map(icons.map((icon) => [icon.title, icon]));
  const found = new Map<string, Icon>();
  for (const { row, title, website } of rows) {
    const icon = byTitle.get(title);
    if (icon === undefined) problems.add(row, `There is no picture with the title "${title}".`);
    else found.set(website, icon);
  }
  for (const icon of icons) {
    const key = nameKey(icon.title);
    const site = websiteOf(icon.source);
    const isOwn = site !== null && key.length >= 3 && labelResemblance(site.label, key) === 3;
    if (isOwn && !found.has(site.domain)) found.set(site.domain, icon);
  }
  for (const [domain, [icon, ...others]] of claimsOf(icons, merchants))
    if (icon !== undefined && others.length === 0 && !found.has(domain)) found.set(domain, icon);
  return found;
}

/** Website → icons that name it as theirs and have the name of one of its merchants. */
function claimsOf(
  icons: readonly Icon[],
  merchants: readonly Pick<MerchantDraft, "name" | "website">[],
): Map<string, Icon[]> {
  const named = new Set(merchants.map(({ name, website }) => `${website ?? ""} ${nameKey(name)}`));
  const claims = new Map<string, Icon[]>();
  for (const icon of icons) {
    const sites = [icon.source, icon.guidelines ?? ""].map((url) => websiteOf(url)?.domain);
    for (const domain of new Set(sites)) {
      if (domain === undefined || !named.has(`${domain} ${nameKey(icon.title)}`)) continue;
      claims.set(domain, [...(claims.get(domain) ?? []), icon]);
    }
  }
  return claims;
}

/** Id of the entity → icon: a merchant's picture is that of all its websites, but a website's own picture comes first. */
export function iconsById(
  merchants: readonly Pick<MerchantDraft, "name" | "website" | "sites">[],
  byWebsite: ReadonlyMap<string, Icon>,
): Map<string, Icon> {
  const found = new Map<string, Icon>();
  const inherited = new Map<string, Icon>();
  for (const { name, website, sites } of merchants) {
    const domains = [website, ...sites.map((site) => site[1])].filter((domain) => domain !== null);
    const main = domains.map((domain) => byWebsite.get(domain)).find((icon) => icon !== undefined);
    if (main === undefined) continue;
    for (const domain of domains) {
      const own = byWebsite.get(domain);
      if (own === undefined) inherited.set(idOf(name, domain), main);
      else found.set(idOf(name, domain), own);
    }
  }
  for (const [id, icon] of inherited) if (!found.has(id)) found.set(id, icon);
  return found;
}

/** What may stand in the path of a drawing: it is put into documents as it is. */
const PATH = /^[MmZzLlHhVvCcSsQqTtAa0-9 .,e+-]+$/u;

/** Colour and path, as `LOGO_SECTIONS` describes it. */
function pictureOf(root: string, icon: Icon): string {
  const svg = readFileSync(join(root, "icons", `${icon.slug}.svg`), "utf8");
  const paths = [...svg.matchAll(/<path d="([^"]*)"\/>/gu)].map((match) => match[1] ?? "");
  const path = paths[0] ?? "";
  if (paths.length !== 1 || !PATH.test(path) || !/^[0-9A-F]{6}$/u.test(icon.hex))
    throw new Error(`The picture of ${icon.title} is not one path in one colour.`);
  return icon.hex + path;
}

function packPictures(
  byId: ReadonlyMap<string, Icon>,
  root: string,
  contentVersion: string,
): Uint8Array {
  const ids = [...byId.keys()].sort();
  const icons = [...new Set(ids.map((id) => byId.get(id)))].filter((icon) => icon !== undefined);
  const numbers = new Map(icons.map((icon, index) => [icon, index]));
  const pictures = icons.map((icon) => Buffer.from(pictureOf(root, icon), "ascii"));
  const starts = new Uint32Array(pictures.length + 1);
  pictures.forEach((picture, index) => (starts[index + 1] = (starts[index] ?? 0) + picture.length));
  const numberOf = (id: string): number => {
    const icon = byId.get(id);
    return icon === undefined ? 0 : (numbers.get(icon) ?? 0);
  };
  return joinSections(
    [
      [LOGO_SECTIONS.ids, new Uint8Array(Buffer.from(ids.join("").replaceAll("-", ""), "hex"))],
      [LOGO_SECTIONS.numbers, Uint32Array.from(ids, numberOf)],
      [LOGO_SECTIONS.starts, starts],
      [LOGO_SECTIONS.pictures, new Uint8Array(Buffer.concat(pictures))],
    ],
    contentVersion,
  );
}

export interface Pictures {
  /** Entities that have one. */
  readonly ids: number;
  pack(contentVersion: string): Uint8Array;
}

export function collectPictures(
  root: string,
  merchants: readonly MerchantDraft[],
  rows: readonly PictureRow[],
  problems: Problems,
): Pictures {
  const byWebsite = iconsByWebsite(readIconList(root), rows, merchants, problems);
  const byId = iconsById(merchants, byWebsite);
  return {
    ids: byId.size,
    pack: (contentVersion) => packPictures(byId, root, contentVersion),
  };
}
