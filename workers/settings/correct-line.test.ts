import { describe, expect, it } from "vitest";
import type { EntityDetails, EntityQuery } from "../../src/model/entity.ts";
import type { Facts, Intermediary } from "../../src/model/facts.ts";
import type { CorrectedFields, CorrectedLine } from "../../src/model/report.ts";
import { createExaminer } from "../recogniser/recogniser.ts";
import { createEntityFactory, idOf } from "../recogniser/entities.ts";
import { sampleKnowledge } from "../../test/support/knowledge-sample.ts";
import type { Query } from "../protocol.ts";
import { correctLine } from "./correct-line.ts";
import type { RecogniserInput } from "../../src/model/transaction.ts";

const knowledge = await sampleKnowledge();
const examine = createExaminer(knowledge);
const { unknown } = createEntityFactory(knowledge, null);

const entity: Intermediary = {
  id: "cafe",
  name: "Blue Café",
  website: "bluecafe.example",
  phone_number: null,
  tax_number: null,
  naics2017: "722515",
  logo: null,
  mccs: [5814],
  parent: null,
};
const CAFE: EntityDetails = { ...entity, location: { raw_address: "US", structured: null } };

type Asked = Extract<Query, { readonly kind: "correct" }>;

const LINE: RecogniserInput = {
  description: "BIRCHWOOD DENTAL 4412 AUSTIN TX",
  amount: 5,
  entryType: "outgoing",
  currency: "USD",
  accountType: "consumer",
  rawAddress: null,
  country: null,
};
const shown = (over: Partial<RecogniserInput> = {}): Facts => examine({ ...LINE, ...over }).facts;

function correct(corrected: CorrectedFields, over: Partial<Asked> = {}) {
  const queries: EntityQuery[] = [];
  const resolveEntity = (query: EntityQuery): EntityDetails | null => {
    queries.push(query);
    return query.website === "bluecafe.example" || query.name === "blue cafe" ? CAFE : null;
  };
  const asked: Asked = {
    kind: "correct",
    line: LINE,
    corrected,
    facts: shown(),
    features: [],
    mapping: null,
    wordOf: null,
    ...over,
  };
  const line = correctLine(asked, { examine, resolveEntity, unknown });
  return { line, queries };
}

function done(line: CorrectedLine): CorrectedLine & { readonly ok: true } {
  if (!line.ok) throw new Error(line.problem);
  return line;
}

const partyOf = (line: CorrectedLine) => done(line).facts.entities?.counterparty;

describe("a corrected merchant", () => {
  it("a known one has its whole entity; the result has enabled features only", () => {
    const { line, queries } = correct({ merchant: "blue cafe" });
    expect(queries).toEqual([{ name: "blue cafe", website: null, location: null }]);
    expect(done(line).parts).toEqual({ counterparty: { type: "organization", ...entity } });
    expect(partyOf(line)).toEqual({ type: "organization", ...entity, naics2017: null });
    expect(partyOf(correct({ merchant: "blue cafe" }, { features: ["naics2017"] }).line)).toEqual({
      type: "organization",
      ...entity,
    });
    expect(done(line).cleanName).toBe("BIRCHWOOD DENTAL");
  });

  it("is found by its website first, and keeps the given name", () => {
    const { line, queries } = correct({ merchant: "The Blue", website: "bluecafe.example" });
    expect(queries).toEqual([{ name: null, website: "bluecafe.example", location: null }]);
    expect(partyOf(line)).toMatchObject({ id: "cafe", name: "The Blue", mccs: [5814] });
    expect(partyOf(correct({ website: "bluecafe.example" }).line)?.name).toBe("Blue Café");
  });

  it("an unknown one has the id of its website, else of its name", () => {
    const site = correct({ merchant: "Heron", website: "heron.example" });
    expect(partyOf(site.line)).toMatchObject({
      type: "organization",
      name: "Heron",
      website: "heron.example",
      id: idOf("", "heron.example"),
    });
    const named = { name: "Heron", website: null, id: idOf("Heron", null) };
    expect(partyOf(correct({ merchant: "Heron" }).line)).toMatchObject(named);
  });

  it("without a website is not looked up", () => {
    const { line, queries } = correct({ merchant: "blue cafe", website: null });
    expect(queries).toEqual([]);
    expect(partyOf(line)).toMatchObject({ name: "blue cafe", id: idOf("blue cafe", null) });
  });

  it("may be a person, who has neither logo nor codes", () => {
    const { line, queries } = correct({ merchant: "Ann Heron", type: "person" });
    expect(queries).toEqual([]);
    expect(partyOf(line)).toMatchObject({ type: "person", name: "Ann Heron", mccs: [] });
  });

  it("can be removed", () => {
    expect(partyOf(correct({ merchant: null }).line)).toBeNull();
  });

  it("keeps intermediaries, and the maps lead to it", () => {
    const line = { ...LINE, description: "SQ *BIRCHWOOD DENTAL 4412 AUSTIN TX" };
    const facts = shown(line);
    const corrected = done(correct({ merchant: "blue cafe" }, { line, facts }).line).facts;
    expect(facts.entities?.intermediaries).toHaveLength(1);
    expect(corrected.entities?.intermediaries).toEqual(facts.entities?.intermediaries);
    expect(facts.location?.structured?.google_maps_url).toContain("Birchwood");
    const maps = corrected.location?.structured;
    expect(maps?.google_maps_url).toContain("query=Blue%20Caf%C3%A9%2C%20Austin%2C%20TX%2C%20US");
    expect(maps?.apple_maps_url).not.toContain("Birchwood");
  });
});

describe("what is corrected of a counterparty alone", () => {
  it("the type: the name stays", () => {
    expect(partyOf(correct({ type: "person" }).line)).toMatchObject({
      type: "person",
      name: "Birchwood Dental",
      logo: null,
    });
    const same = done(correct({ type: "organization" }).line);
    expect([same.parts, same.facts]).toEqual([{}, shown()]);
  });

  it("an unknown website requires the name of the merchant", () => {
    expect(correct({ website: "heron.example" }).line).toEqual({
      ok: false,
      problem: "unknown_website",
    });
    expect(partyOf(correct({ website: null }).line)).toMatchObject({
      name: "Birchwood Dental",
      website: null,
    });
  });

  it("a website without a merchant cannot be corrected", () => {
    const facts = { ...shown(), entities: null };
    for (const corrected of [{ type: "person" }, { website: null }] as const)
      expect(correct(corrected, { facts }).line).toEqual({ ok: false, problem: "no_counterparty" });
  });
});

describe("a corrected category", () => {
  const mapping = { outgoing: { pets: "Animals", "medical bill": "Health" }, incoming: {} };
  const facts = { ...shown(), categories: { general: "Health", accounting: null } };

  it("is stored as our category and returned as the entry of the holder's set", () => {
    const { parts, facts: now } = done(correct({ category: "pets" }, { mapping, facts }).line);
    expect(parts).toEqual({ categories: { general: "pets", accounting: null } });
    expect(now.categories).toEqual({ general: "Animals", accounting: null });
  });

  it("may be a word of the set", () => {
    const asked = { mapping, facts, wordOf: "mine" };
    const { parts, facts: now } = done(correct({ category: "Animals" }, asked).line);
    expect(parts.categories).toEqual({ general: "Animals", accounting: null, set: "mine" });
    expect(now.categories?.general).toBe("Animals");
  });

  it("of a business brings its accounting category, unless that is corrected too", () => {
    const line: RecogniserInput = { ...LINE, accountType: "business" };
    const read = (corrected: CorrectedFields) =>
      done(correct(corrected, { line, facts: shown(line) }).line).facts.categories;
    expect(read({ category: "fuel" })).toEqual({
      general: "fuel",
      accounting: "operational expenses",
    });
    expect(read({ category: "fuel", accounting: null })).toEqual({
      general: "fuel",
      accounting: null,
    });
    expect(read({ category: "not enough information" })?.accounting).toBeNull();
    expect(read({ accounting: "financing" })).toEqual({
      general: shown(line).categories?.general,
      accounting: "financing",
    });
  });

  it("can be that there is none", () => {
    const line = done(correct({ category: null }, { mapping, facts }).line);
    expect(line.facts.categories).toEqual({ general: null, accounting: null });
  });
});

describe("a corrected address", () => {
  it("is taken apart, with the store of the line", () => {
    const line = { ...LINE, description: "WAL-MART #1234 AUSTIN TX" };
    const corrected = { location: "12 Main St, Portland, OR" };
    const { parts, facts } = done(correct(corrected, { line, facts: shown(line) }).line);
    expect(facts.location).toMatchObject({
      raw_address: "12 Main St, Portland, OR",
      structured: { city: "Portland", state: "OR", store_number: "1234" },
    });
    expect(parts.location).toEqual(facts.location);
    expect(parts).not.toHaveProperty("counterparty");
    expect(facts.entities).toEqual(shown(line).entities);
  });

  it("may be that there is none", () => {
    const { parts, facts } = done(correct({ location: null }).line);
    expect([parts, facts.location]).toEqual([{ location: null }, null]);
  });
});

it("a transaction without facts gets recognised facts with the correction", () => {
  const mapping = { outgoing: { "medical bill": "Health" }, incoming: {} };
  const { facts } = done(correct({ merchant: null }, { facts: null, mapping }).line);
  expect(facts.entities?.counterparty).toBeNull();
  expect(facts.location?.structured?.city).toBe("Austin");
  expect(shown().categories?.general).toBe("medical bill");
  expect(facts.categories?.general).toBe("Health");
});

it("uncorrected fields keep their values, even if others were recognised now", () => {
  const facts: Facts = {
    entities: { counterparty: null, intermediaries: [] },
    categories: { general: "by a rule", accounting: null },
    location: null,
    confidence: 0.7,
  };
  expect(done(correct({ location: null }, { facts }).line).facts).toEqual(facts);
  const accounting = correct({ category: "pets" }, { facts }).line;
  expect(done(accounting).facts).toEqual({
    ...facts,
    categories: { general: "pets", accounting: null },
    confidence: 1,
  });
});
