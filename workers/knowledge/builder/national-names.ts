// Rows of one brand in several countries carry the country in their names, to tell them apart in the tables: `Aldi UK`.
// On a statement, and to the people who read it, they are just Aldi.
import { nameKey } from "../../recogniser/text/keys.ts";
import type { MerchantDraft } from "./draft.ts";

const COUNTRY_ENDING =
  / (?:UK|US|USA|NZ|SA|Canada|Australia|New Zealand|Ireland|Austria|Germany|Deutschland|France|Spain|Italy|Italia|Netherlands|Belgium|Switzerland|Portugal|Poland|Polska|Sweden|India|South Africa|Europe)$/u;

/** `aldi.co.uk` → `aldi`. */
const labelOf = (website: string | null): string =>
  (website?.split(".")[0] ?? "").replaceAll("-", "");

/**
 * The drafts with countries taken off their names where the rest is the brand: its website confirms it, or another row of the
 * same trade has that name. `Air Canada` and `Murphy USA` stay as they are.
 */
export function withoutCountries(drafts: readonly MerchantDraft[]): MerchantDraft[] {
  const trades = new Set(drafts.map(({ name, category }) => `${nameKey(name)} ${category ?? ""}`));
  return drafts.map((draft) => {
    const brand = draft.name.replace(COUNTRY_ENDING, "");
    const key = nameKey(brand);
    const isBrand = labelOf(draft.website) === key || trades.has(`${key} ${draft.category ?? ""}`);
    return brand !== draft.name && isBrand ? { ...draft, name: brand } : draft;
  });
}
