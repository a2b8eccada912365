import { describe, expect, it } from "vitest";
import type { Counterparty, Facts } from "../../src/model/facts.ts";
import { fromSubject, toSubject } from "./rule-facts.ts";
import type { RuleSubject } from "./rules/subject.ts";
import type { EnrichItem } from "../../src/model/enrich-item.ts";

const item: EnrichItem = {
  description: "NETFLIX.COM",
  amount: 15.49,
  entryType: "outgoing",
  currency: "USD",
  accountType: "consumer",
  rawAddress: null,
  country: null,
  holder: { id: "h", name: null, categorySetId: "consumer" },
  override: null,
};

const netflix: Counterparty = {
  type: "organization",
  id: "0d8b6e3a-5f5c-3a0f-9d0c-2a8a5f5f5f5f",
  name: "Netflix",
  website: "netflix.com",
  phone_number: null,
  tax_number: null,
  naics2017: null,
  logo: "https://here/logos/netflix.svg",
  mccs: [4899],
  parent: null,
};

const facts: Facts = {
  entities: { counterparty: netflix, intermediaries: [] },
  categories: { general: "streaming services", accounting: null },
  location: {
    raw_address: "Los Gatos, CA",
    structured: {
      street: null,
      city: "Los Gatos",
      state: "CA",
      postcode: null,
      country_code: "US",
      country: "United States",
      house_number: null,
      latitude: null,
      longitude: null,
      google_maps_url: null,
      apple_maps_url: null,
      store_number: null,
    },
  },
};

/** The facts after rules set these properties. */
function changed(set: Partial<RuleSubject>, of: Facts = facts, about = item): Facts {
  const before = toSubject(about, of);
  return fromSubject(of, before, { ...before, ...set }, "https://here");
}

describe("rules and facts", () => {
  it("rules see a transaction under the names of their language, and nothing as an empty text", () => {
    expect(toSubject(item, facts)).toEqual({
      description: "NETFLIX.COM",
      amount: 15.49,
      entryType: "outgoing",
      accountHolderType: "consumer",
      accountHolderId: "h",
      accountHolderName: "",
      country: "US",
      logo: "https://here/logos/netflix.svg",
      website: "netflix.com",
      merchant: "Netflix",
      merchantId: netflix.id,
      location: "Los Gatos, CA",
      person: "",
      transactionType: "consumer",
      labels: ["streaming services"],
      mccs: [4899],
    });
    const nothing: Facts = { entities: null, categories: null, location: null };
    const person = { ...netflix, type: "person", name: "Ann Lee" } as const;
    expect(toSubject({ ...item, accountType: null, entryType: "incoming" }, nothing)).toMatchObject(
      {
        entryType: "incoming",
        accountHolderType: "unknown",
        merchant: "",
        labels: [],
        mccs: [],
      },
    );
    const ofPerson = { ...facts, entities: { counterparty: person, intermediaries: [] } };
    expect(toSubject(item, ofPerson)).toMatchObject({ merchant: "", person: "Ann Lee" });
  });

  it("what no rule has changed stays the same, to the object", () => {
    expect(changed({})).toEqual(facts);
    expect(changed({}).entities).toBe(facts.entities);
  });

  it("the label added last is the category, none is null, and without a holder there is none to change", () => {
    expect(changed({ labels: ["streaming services", "fun"] }).categories).toEqual({
      general: "fun",
      accounting: null,
    });
    expect(changed({ labels: [] }).categories?.general).toBeNull();
    const several = { ...facts, categories: { general: "fun || films", accounting: null } };
    expect(toSubject(item, several).labels).toEqual(["fun", "films"]);
    expect(changed({}, several).categories?.general).toBe("fun || films");
    const without = { ...facts, categories: null };
    expect(changed({ labels: ["fun"] }, without).categories).toBeNull();
  });

  it("another merchant is another entity, with the id that it has everywhere", () => {
    const party = changed({ merchant: "My Landlord", website: "" }).entities?.counterparty;
    expect(party).toMatchObject({ type: "organization", name: "My Landlord", website: null });
    const again = changed({ merchant: "MY LANDLORD", website: "" }).entities?.counterparty;
    expect(party?.id).toBe(again?.id);
    expect(party?.id).not.toBe(netflix.id);
    expect(party?.logo).toContain(party?.id);
    expect(party?.parent).toBeNull();
  });

  it("another name for the same website is the same entity", () => {
    expect(changed({ merchant: "My films" }).entities?.counterparty).toEqual({
      ...netflix,
      name: "My films",
    });
  });

  it("a person that a rule names is the counterparty, without a logo; a merchant named after it is one again", () => {
    expect(changed({ person: "Ann Lee", website: "" }).entities?.counterparty).toMatchObject({
      type: "person",
      name: "Ann Lee",
      logo: null,
    });
    const person = { ...netflix, type: "person", name: "Ann Lee", website: null } as const;
    const ofPerson = { ...facts, entities: { counterparty: person, intermediaries: [] } };
    expect(changed({ merchant: "Shop" }, ofPerson).entities?.counterparty).toMatchObject({
      type: "organization",
      name: "Shop",
    });
  });

  it("a person that a rule names in the place of an organization has nothing of it", () => {
    const party = changed({ person: "Ann Lee" }).entities?.counterparty;
    expect(party).toEqual({
      ...netflix,
      ...{ type: "person", name: "Ann Lee", website: null, logo: null, mccs: [] },
      id: changed({ person: "Ann Lee", website: "", mccs: [] }).entities?.counterparty?.id,
    });
    expect(party?.id).not.toBe(netflix.id);
    // What the rules say of the person counts.
    const properties = {
      person: "Ann Lee",
      website: "ann.example",
      mccs: [7299],
      logo: "https://x/a.png",
    };
    expect(changed(properties).entities?.counterparty).toMatchObject({
      ...{ type: "person", name: "Ann Lee", website: "ann.example", mccs: [7299] },
      logo: "https://x/a.png",
    });
  });

  it("an id, a logo and codes are set as they are, and the merchant stays who it is", () => {
    const party = changed({ merchantId: "m-1", logo: "https://x/l.png", mccs: [5812] }).entities
      ?.counterparty;
    expect(party).toEqual({ ...netflix, id: "m-1", logo: "https://x/l.png", mccs: [5812] });
  });

  it("a rule can name a merchant when none was recognised, and remove all entities", () => {
    const withoutEntities: Facts = {
      ...facts,
      entities: { counterparty: null, intermediaries: [] },
    };
    expect(
      changed({ website: "acme.example" }, withoutEntities).entities?.counterparty,
    ).toMatchObject({
      type: "organization",
      name: null,
      website: "acme.example",
    });
    expect(changed({ merchant: "", website: "" }).entities?.counterparty).toBeNull();
  });

  it("a place that a rule sets is its text alone; none is null", () => {
    expect(changed({ location: "Berlin" }).location).toEqual({
      raw_address: "Berlin",
      structured: null,
    });
    expect(changed({ location: "" }).location).toBeNull();
  });
});
