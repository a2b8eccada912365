// Online and software brands of simple-icons (CC0). Its `source` is where the logo was found, which is the brand's own
// site for about four of five: only those whose domain contains the brand's name are used.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { nameKey } from "../../recogniser/text/keys.ts";
import { aliasesOf, type MerchantDraft, websiteAlias } from "./draft.ts";
import { labelResemblance, websiteOf } from "./websites.ts";

export interface Icon {
  readonly title: string;
  /** Part of the name of its file. */
  readonly slug: string;
  /** Colour, six digits. */
  readonly hex: string;
  readonly source: string;
  readonly guidelines?: string;
  readonly aliases?: { readonly aka?: readonly string[] };
}

export const readIconList = (root: string): readonly Icon[] =>
  JSON.parse(readFileSync(join(root, "data/simple-icons.json"), "utf8")) as Icon[];

export function readIcons(root: string): { drafts: MerchantDraft[]; items: number } {
  const icons = readIconList(root);
  const drafts: MerchantDraft[] = [];
  for (const icon of icons) {
    const site = websiteOf(icon.source);
    const key = nameKey(icon.title);
    if (site === null || key.length < 3 || labelResemblance(site.label, key) < 3) continue;
    const names = [icon.title, ...(icon.aliases?.aka ?? [])];
    drafts.push({
      name: icon.title,
      website: site.domain,
      parentWebsite: null,
      category: null,
      mccs: [],
      areas: [],
      sites: [],
      hand: false,
      aliases: [...names.flatMap((name) => aliasesOf(name, 0)), websiteAlias(site.domain, 0)],
    });
  }
  return { drafts, items: icons.length };
}
