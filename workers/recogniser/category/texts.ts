// What weighs on a category, in the words of `explain`.
import type { PartyTrait, PlaceTrait, CategorySource } from "./categoriser.ts";

const SOURCE_TEXTS: Readonly<Record<CategorySource, string>> = {
  wording: "a transaction-type pattern names it",
  internal: "the bank's own business, by a transaction-type pattern",
  service: "the line names what the office or the shop is paid for",
  merchant: "the curated merchant's category",
  brand: "the brand's category",
  mccs: "the merchant's codes (MCC)",
  words: "words of a trade in the name",
  through: "who is paid through this intermediary",
  person: "a private person is paid",
  platform: "a platform that pays people",
};

const PLACE_TEXTS: Readonly<Record<PlaceTrait | "s", string>> = {
  city: "a city in the line",
  phone: "a telephone number in place of a city",
  web: "a web address in place of a city",
  noplace: "no place in the line",
  s: "a place in the line, and a source that names a category",
};

const PARTY_TEXTS: Readonly<Record<PartyTrait, string>> = {
  known: "a known merchant",
  unknown: "a name that is in no table",
  person: "a person's name",
  none: "no counterparty",
};

const usual = (text: string): string => `how usual it is for lines with ${text}`;

/** The name of a weight of the categoriser, see CategoriserModel, in words. */
export function contributionText(name: string): string {
  const [kind = "", what = ""] = name.split(":");
  switch (kind) {
    case "b":
      if (what === "sourced") return usual("a source that names a category");
      return what === "unsourced" ? usual("no source that names a category") : "how usual it is";
    case "c":
      return usual(PLACE_TEXTS[what as PlaceTrait]);
    case "k":
      return usual(PARTY_TEXTS[what as PartyTrait]);
    case "source":
      return SOURCE_TEXTS[what as CategorySource];
    case "t":
      return `what companies use those for that sell ${what}`;
    case "conf":
      return "how sure the merchant is";
    case "lp":
      return "what the words sound like";
    default:
      return "the amount";
  }
}
