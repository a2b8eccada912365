import { describe, expect, it } from "vitest";
import type { Counterparty, Facts, Location } from "../../src/model/facts.ts";
import type { Correction } from "../../src/model/tenant-settings.ts";
import { createCorrections, type NamedLine } from "./corrections.ts";

const party = (name: string): Counterparty => ({
  type: "organization",
  id: name,
  name,
  website: null,
  phone_number: null,
  tax_number: null,
  naics2017: null,
  logo: null,
  mccs: [],
  parent: null,
});

const place = (raw_address: string): Location => ({ raw_address, structured: null });

const square = { ...party("Square"), type: undefined };

const FOUND: Facts = {
  entities: { counterparty: party("Blue Cross"), intermediaries: [square] },
  categories: { general: "medical bill", accounting: null },
  location: null,
};

const line = (
  cleanName: string,
  entryType: NamedLine["entryType"],
  accountType: NamedLine["accountType"],
  setId: string | null = null,
): NamedLine => ({ cleanName, entryType, accountType, setId });

const correction = (over: Partial<Correction>): Correction => ({
  cleanName: "BLUE",
  entryType: "outgoing",
  accountType: "consumer",
  parts: { counterparty: party("Blue Café") },
  ...over,
});

describe("corrections", () => {
  it("replace the parts they name and leave the others, intermediaries too", () => {
    const correct = createCorrections([correction({})]);
    expect(correct(line("BLUE", "outgoing", "consumer"), FOUND)).toEqual({
      ...FOUND,
      entities: { counterparty: party("Blue Café"), intermediaries: [square] },
    });
  });

  it("lead maps to whom they name", () => {
    const structured = {
      ...{ street: null, city: "Portland", state: "OR", postcode: null, country_code: "US" },
      ...{ country: null, house_number: null, latitude: null, longitude: null },
      ...{ google_maps_url: "Blue Cross", apple_maps_url: "Blue Cross", store_number: null },
    };
    const located = { ...FOUND, location: { raw_address: "Portland, OR", structured } };
    const { location } = createCorrections([correction({})])(
      line("BLUE", "outgoing", null),
      located,
    );
    const query = "Blue%20Caf%C3%A9%2C%20Portland%2C%20OR%2C%20US";
    expect(location?.structured?.google_maps_url).toMatch(new RegExp(`query=${query}$`));
    expect(location?.structured?.apple_maps_url).toMatch(new RegExp(`q=${query}$`));
  });

  it("leave lines of another name or direction, and lines without a name, as they are", () => {
    const correct = createCorrections([correction({}), correction({ cleanName: "" })]);
    expect(correct(line("BLUE CROSS", "outgoing", "consumer"), FOUND)).toBe(FOUND);
    expect(correct(line("BLUE", "incoming", "consumer"), FOUND)).toBe(FOUND);
    expect(correct(line("", "outgoing", "consumer"), FOUND)).toBe(FOUND);
    expect(correct(line("constructor", "outgoing", "consumer"), FOUND)).toBe(FOUND);
  });

  it("can remove the merchant, also when none was found", () => {
    const correct = createCorrections([correction({ parts: { counterparty: null } })]);
    const empty = { entities: null, categories: null, location: null };
    for (const facts of [FOUND, empty])
      expect(
        correct(line("BLUE", "outgoing", "consumer"), facts).entities?.counterparty,
      ).toBeNull();
  });

  it("of categories count for accounts of their type alone, and never without one", () => {
    const categories = { general: "cafes and coffee shops", accounting: null };
    const correct = createCorrections([correction({ parts: { categories } })]);
    const general = (type: "consumer" | "business" | null, facts = FOUND) =>
      correct(line("BLUE", "outgoing", type), facts).categories?.general;
    expect(general("consumer")).toBe("cafes and coffee shops");
    expect(general("business")).toBe("medical bill");
    expect(general(null, { ...FOUND, categories: null })).toBeUndefined();
  });

  it("with an entry of a set apply to holders with that set", () => {
    const categories = { general: "Animals", accounting: null, set: "mine" };
    const correct = createCorrections([correction({ parts: { categories } })]);
    const shown = (setId: string | null) =>
      correct(line("BLUE", "outgoing", "consumer", setId), FOUND).categories;
    expect(shown("mine")).toEqual({ general: "Animals", accounting: null });
    expect(shown("other")).toEqual(FOUND.categories);
    expect(shown(null)).toEqual(FOUND.categories);
  });

  it("of whom it was count for all accounts; the one for their type first, then the latest", () => {
    const named = (name: string, accountType: Correction["accountType"]): Correction =>
      correction({ accountType, parts: { counterparty: party(name) } });
    const shown = (list: readonly Correction[], type: Correction["accountType"]) =>
      createCorrections(list)(line("BLUE", "outgoing", type), FOUND).entities?.counterparty?.name;
    const both = [named("first", "consumer"), named("second", "business")];
    expect(shown(both, "consumer")).toBe("first");
    expect(shown(both, "business")).toBe("second");
    expect(shown(both, null)).toBe("second");
    expect(shown(both.toReversed(), null)).toBe("first");
    expect(shown([named("only", null)], "business")).toBe("only");
  });

  it("of the place count where the line tells none; that there is none counts always", () => {
    const correct = (location: Location | null) =>
      createCorrections([correction({ parts: { location } })]);
    const located = { ...FOUND, location: place("Portland, OR") };
    const read = (location: Location | null, facts: Facts) =>
      correct(location)(line("BLUE", "outgoing", "consumer"), facts).location;
    expect(read(place("Main St 1, Oakland"), FOUND)).toEqual(place("Main St 1, Oakland"));
    expect(read(place("Main St 1, Oakland"), located)).toEqual(place("Portland, OR"));
    expect(read(null, located)).toBeNull();
  });
});
