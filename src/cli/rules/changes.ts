import type { Facts } from "../../model/facts.ts";

/** One field of the answer, with and without the rules. */
export interface FieldChange {
  /** As in an answer of the API: `entities.counterparty.name`. */
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Every field that differs, with the part above it where that is not there at all. Lists are compared whole. */
export function changesOf(before: unknown, after: unknown, field = ""): readonly FieldChange[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (!isObject(before) || !isObject(after)) return [{ field, before, after }];
  return Object.keys({ ...before, ...after }).flatMap((key) =>
    changesOf(before[key] ?? null, after[key] ?? null, field === "" ? key : `${field}.${key}`),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What people look at, by the words they know it by. */
const SHOWN: Readonly<Record<string, (facts: Facts) => string | null | undefined>> = {
  name: ({ entities }) => entities?.counterparty?.name,
  type: ({ entities }) => entities?.counterparty?.type,
  website: ({ entities }) => entities?.counterparty?.website,
  mccs: ({ entities }) => entities?.counterparty?.mccs.join(" "),
  category: ({ categories }) => categories?.general,
  location: ({ location }) => location?.raw_address,
};
/** They follow from those above. */
const FOLLOWING: typeof SHOWN = {
  id: ({ entities }) => entities?.counterparty?.id,
  logo: ({ entities }) => entities?.counterparty?.logo,
};

/** Field, before and after, as texts for people: what only follows from another change is left out. `-`: nothing. */
export function shownChanges(before: Facts, after: Facts): readonly (readonly string[])[] {
  const changesIn = (fields: typeof SHOWN): string[][] =>
    Object.entries(fields)
      .map(([name, of]) => [name, wordOf(of(before)), wordOf(of(after))])
      .filter(([, from, to]) => from !== to);
  const shown = changesIn(SHOWN);
  const isOther = shown.some(([name]) => name === "name" || name === "website");
  const all = isOther ? shown : [...shown, ...changesIn(FOLLOWING)];
  if (all.length > 0) return all;
  return changesOf(before, after).map((one) => [one.field, jsonOf(one.before), jsonOf(one.after)]);
}

const jsonOf = (value: unknown): string => (value === null ? "-" : JSON.stringify(value));

const wordOf = (value: string | null | undefined): string =>
  value === undefined || value === null || value === "" ? "-" : value;
