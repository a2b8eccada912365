import { expect, test } from "vitest";
import { sampleKnowledge } from "../../../test/support/knowledge-sample.ts";
import type { FuseFilter } from "../../knowledge/fuse-filter.ts";
import type { Knowledge } from "../../knowledge/knowledge.ts";
import { hashSeed, hashText } from "../text/hash.ts";
import { isListed, isRegistered } from "./domains.ts";
import { WEBSITE_PROBABILITY_MIN, websiteOfName } from "./website-of-name.ts";
import { NAME_KINDS, type NameKind } from "./precision.ts";

const sample = await sampleKnowledge();

/** A filter without chance hits: it holds these domains and no others. */
function filterOf(...domains: readonly string[]): FuseFilter {
  const hashes = new Set(domains.map((domain) => hashText(hashSeed, domain)));
  return { has: (hash) => hashes.has(hash) };
}

const listing = (core: readonly string[], older: readonly string[] = []): Knowledge => ({
  ...sample,
  domains: { core: filterOf(...core), older: filterOf(...older) },
});

const domainOf = (
  name: string,
  core: readonly string[],
  home: string | null = "US",
): string | null => websiteOfName(name.split(" "), home, listing(core))?.domain ?? null;

test("no website is stated when none of the name's domains is listed", () => {
  expect(domainOf("blue kettle", [])).toBeNull();
  expect(domainOf("blue kettle", ["bluekettles.com", "kettle.com", "blue.com"])).toBeNull();
  expect(domainOf("old blue kettle", ["bluekettle.com", "old-blue.com"])).toBeNull();
  expect(websiteOfName([], "US", listing([".com", "com"]))).toBeNull();
});

test("the words without a space between take precedence over those with hyphens", () => {
  const both = ["bluekettle.com", "blue-kettle.com"];
  expect(domainOf("blue kettle", both)).toBe("bluekettle.com");
  const hyphens = websiteOfName(["blue", "kettle"], "US", listing(both.slice(1)));
  expect(hyphens).toMatchObject({ domain: "blue-kettle.com", kind: "with hyphens" });
});

test("an article and `and` may be missing in the domain, after the whole name", () => {
  const all = ["thefoxandhound.com", "foxandhound.com", "thefoxhound.com", "the-fox-and-hound.com"];
  const found = all.map((_, at) => {
    const website = websiteOfName(["the", "fox", "and", "hound"], "US", listing(all.slice(at)));
    return [website?.domain, website?.variant];
  });
  expect(found).toEqual([
    ["thefoxandhound.com", "glued"],
    ["foxandhound.com", "without the"],
    ["thefoxhound.com", "without and"],
    ["the-fox-and-hound.com", "glued"],
  ]);
});

test("an article only counts at the front, and is not left out of a name that is one", () => {
  expect(domainOf("over the moon", ["overmoon.com", "themoon.com", "moon.com"])).toBeNull();
  expect(domainOf("the", ["com.com", ".com"])).toBeNull();
});

test("endings of the country of the account come before com, in its order", () => {
  const all = ["bluekettle.com", "bluekettle.co.uk", "bluekettle.in", "bluekettle.co.in"];
  expect(domainOf("blue kettle", all, "GB")).toBe("bluekettle.co.uk");
  expect(domainOf("blue kettle", all.slice(0, 1), "GB")).toBe("bluekettle.com");
  expect(domainOf("blue kettle", all, "IN")).toBe("bluekettle.in");
  expect(domainOf("blue kettle", [all[0] ?? "", all[3] ?? ""], "IN")).toBe("bluekettle.co.in");
  expect(domainOf("blue kettle", all.slice(3), "IN")).toBe("bluekettle.co.in");
  expect(domainOf("blue kettle", all, "US")).toBe("bluekettle.com");
});

test("without a known country, and in others, only com is looked up", () => {
  const others = ["bluekettle.co.uk", "bluekettle.de", "bluekettle.net"];
  expect(domainOf("blue kettle", others, null)).toBeNull();
  expect(domainOf("blue kettle", others, "JP")).toBeNull();
  expect(domainOf("blue kettle", ["bluekettle.com"], "JP")).toBe("bluekettle.com");
});

test("an ending of the country takes precedence over a variant of the name", () => {
  const both = ["thebluekettle.com", "bluekettle.co.uk"];
  expect(domainOf("the blue kettle", both, "GB")).toBe("bluekettle.co.uk");
  expect(domainOf("the blue kettle", both, "US")).toBe("thebluekettle.com");
});

test("domains of late take precedence over older ones of the same ending", () => {
  const knowledge = listing(["bluekettle.co.uk"], ["bluekettle.co.uk"]);
  const website = websiteOfName(["blue", "kettle"], "GB", knowledge);
  expect(website).toMatchObject({ domain: "bluekettle.co.uk", tier: "core", ending: "national" });
  const older = websiteOfName(["blue", "kettle"], "GB", listing([], ["bluekettle.co.uk"]));
  expect(older).toMatchObject({ domain: "bluekettle.co.uk", tier: "older" });
  expect(older?.probability).toBeLessThan(website?.probability ?? 0);
});

test("of the domains of a name the likeliest is the website, whatever list holds it", () => {
  const knowledge = listing(["bluekettle.com"], ["bluekettle.co.uk"]);
  const precision = withPrecision({}, []).lexicon.websites;
  const { core, older } = precision;
  const likely = { ...older.national, "two words": 0.6 };
  const websites = { core, older: { ...older, national: likely } };
  const lexicon = { ...knowledge.lexicon, websites };
  expect(websiteOfName(["blue", "kettle"], "GB", { ...knowledge, lexicon })).toMatchObject({
    domain: "bluekettle.co.uk",
    tier: "older",
  });
});

/** A knowledge in which a kind of name is right as often as given, the others never. */
function withPrecision(core: Partial<Record<NameKind, number>>, domains: readonly string[]) {
  const knowledge = listing(domains);
  const never = Object.fromEntries(NAME_KINDS.map((kind) => [kind, 0])) as Record<NameKind, number>;
  const own = { ...never, ...core };
  const websites = {
    core: { national: own, com: own, "com elsewhere": own },
    older: { national: never, com: never, "com elsewhere": never },
  };
  return { ...knowledge, lexicon: { ...knowledge.lexicon, websites } };
}

test("a part of the name is the website where its domain is the likelier one", () => {
  const words = ["quimperly", "blue", "kettle"];
  const domains = ["quimperlybluekettle.com", "quimperlyblue.com", "quimperly.com"];
  const foundWith = (core: Partial<Record<NameKind, number>>) =>
    websiteOfName(words, "US", withPrecision(core, domains));
  expect(foundWith({ "three words": 0.5, "first rare word": 0.6 })).toMatchObject({
    domain: "quimperly.com",
    kind: "first rare word",
    probability: 0.6,
  });
  expect(foundWith({ "three words": 0.5, "first two words": 0.6 })).toMatchObject({
    domain: "quimperlyblue.com",
    kind: "first two words",
  });
  expect(foundWith({ "three words": 0.6, "first rare word": 0.5 })).toMatchObject({
    domain: "quimperlybluekettle.com",
  });
});

test("a domain that is likely enough is the website, without looking at parts of the name", () => {
  const core = { "three words": WEBSITE_PROBABILITY_MIN, "first rare word": 0.99 };
  const knowledge = withPrecision(core, ["quimperlybluekettle.com", "quimperly.com"]);
  expect(websiteOfName(["quimperly", "blue", "kettle"], "US", knowledge)).toMatchObject({
    domain: "quimperlybluekettle.com",
  });
});

test("the first word alone is looked up only where it is rare and long", () => {
  expect(domainOf("quimperly blue", ["quimperly.com"])).toBe("quimperly.com");
  expect(domainOf("the quimperly blue", ["quimperly.com"])).toBe("quimperly.com");
  expect(domainOf("kayaking blue", ["kayaking.com"])).toBeNull();
  expect(domainOf("quimpr blue", ["quimpr.com"])).toBeNull();
});

test("labels shorter than three or longer than forty characters are not looked up", () => {
  expect(domainOf("ab", ["ab.com"])).toBeNull();
  expect(domainOf("abc", ["abc.com"])).toBe("abc.com");
  const [forty, longer] = ["a".repeat(40), "a".repeat(41)];
  expect(domainOf(forty, [`${forty}.com`])).toBe(`${forty}.com`);
  expect(domainOf(longer, [`${longer}.com`])).toBeNull();
  // Hyphens count: the words fit without them only.
  const words = `${"a".repeat(20)} ${"b".repeat(20)}`;
  expect(domainOf(words, [`${words.replace(" ", "-")}.com`])).toBeNull();
});

test.each([
  ["quimperly", "one rare word"],
  ["kettl", "one common word"],
  ["kayaking", "one common word"],
  ["blue kettle", "two words"],
  ["old blue kettle", "three words"],
  ["the old blue kettle", "three words"],
])("the name %s is %s", (name, kind) => {
  const words = name.split(" ");
  const website = websiteOfName(words, "US", listing([`${words.join("")}.com`]));
  expect(website).toMatchObject({ kind });
});

test("one common word is too unsure for a website, a rare word is sure enough", () => {
  const probabilityOf = (word: string): number =>
    websiteOfName([word], "US", listing([`${word}.com`]))?.probability ?? NaN;
  expect(probabilityOf("kayaking")).toBeLessThan(WEBSITE_PROBABILITY_MIN);
  expect(probabilityOf("quimperly")).toBeGreaterThanOrEqual(WEBSITE_PROBABILITY_MIN);
});

test("a domain is listed in the list that holds it", () => {
  const knowledge = listing(["new.com"], ["old.com"]);
  expect(isListed(knowledge, "core", "new.com")).toBe(true);
  expect(isListed(knowledge, "older", "new.com")).toBe(false);
  expect(isListed(knowledge, "older", "old.com")).toBe(true);
  expect(isListed(sample, "core", "sundialbakery.com")).toBe(true);
  expect(["new.com", "old.com", "no.com"].map((one) => isRegistered(knowledge, one))).toEqual([
    true,
    true,
    false,
  ]);
});
