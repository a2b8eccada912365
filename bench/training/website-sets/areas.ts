// Countries and states of the sets, and categories that a set does not tell.
import { createRequire } from "node:module";
import { websiteOf } from "../../../workers/knowledge/builder/websites.ts";

const load = createRequire(import.meta.url);
const countries = load("i18n-iso-countries") as {
  readonly getAlpha2Code: (name: string, language: string) => string | undefined;
};
const { states } = load("zipcodes") as {
  readonly states: { readonly abbr: Readonly<Record<string, string | undefined>> };
};

export interface CategoryOfSet {
  readonly category: string;
  readonly mcc: string;
}

export const UNKNOWN_CATEGORY: CategoryOfSet = { category: "", mcc: "" };

const PARTS: Readonly<Record<string, string | undefined>> = {
  England: "GB",
  Scotland: "GB",
  Wales: "GB",
  "Northern Ireland": "GB",
};

export const countryNamed = (name: string): string | null =>
  PARTS[name] ?? countries.getAlpha2Code(name, "en") ?? null;

const stateCodes = new Map(
  Object.entries(states.abbr).map(([code, name]) => [(name ?? "").toLowerCase(), code]),
);

/** `Iowa` → `US-IA`. */
export function stateNamed(name: string): string | null {
  const code = stateCodes.get(name.trim().toLowerCase());
  return code === undefined ? null : `US-${code}`;
}

/** The country of a website's ending. */
export const countryOfWebsite = (website: string): string | null =>
  website.endsWith(".gov") ? "US" : (websiteOf(website)?.country ?? null);
