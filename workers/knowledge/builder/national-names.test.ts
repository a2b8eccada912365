import { expect, test } from "vitest";
import type { MerchantDraft } from "./draft.ts";
import { withoutCountries } from "./national-names.ts";

const draft = (name: string, website: string, category = "groceries"): MerchantDraft => ({
  name,
  website,
  parentWebsite: null,
  category,
  mccs: [],
  areas: [],
  sites: [],
  aliases: [],
  hand: true,
});

test("a brand is called the same in every country, a company with a country in its name keeps it", () => {
  const rows = [
    draft("Aldi", "aldi.us"),
    draft("Aldi UK", "aldi.co.uk"),
    draft("O2", "o2.co.uk", "utilities"),
    draft("O2 Germany", "o2online.de", "utilities"),
    draft("Virgin Media", "virginmedia.com", "utilities"),
    draft("Virgin Australia", "virginaustralia.com", "other transport"),
    draft("Murphy USA", "murphyusa.com", "fuel"),
  ];
  expect(withoutCountries(rows).map(({ name }) => name)).toEqual([
    "Aldi",
    "Aldi",
    "O2",
    "O2",
    "Virgin Media",
    "Virgin Australia",
    "Murphy USA",
  ]);
});
