import { expect, test } from "vitest";
import { NO_MERCHANT } from "../sections.ts";
import {
  addedEntities,
  askedMerchants,
  mainWebsites,
  readAskedNames,
  readAskedWebsites,
} from "./asked-names.ts";
import { createProblems } from "./rows.ts";

const merchants = [
  { name: "Acme Music", website: "acme.com" },
  { name: "Acme", website: "acme.com" },
  { name: "Delta Air Lines", website: "delta.com" },
];

function build(text: string, isBrand = false) {
  const problems = createProblems();
  const names = readAskedNames({ name: "asked-names.txt", text }, isBrand, problems);
  const added = addedEntities(names, merchants);
  const all = [...merchants, ...added];
  return { added, asked: askedMerchants(names, all, problems), problems: problems.list() };
}

test("a name means the merchant named like its website, else its only one, or none", () => {
  const { asked, problems } = build("ACME | acme.com\nDelta | delta.com\nAlan | -");
  expect(problems).toEqual([]);
  expect(asked).toEqual({ names: { acme: 1, delta: 2, alan: NO_MERCHANT }, brands: {} });
});

test("an entity is added only where no merchant of the website has its name", () => {
  const { added, asked } = build(
    "ACME | acme.com | Acme\nAcme Photos | acme.com | Acme Photos\nNew | new.com | New",
    true,
  );
  expect(added).toEqual([
    { name: "Acme Photos", website: "acme.com" },
    { name: "New", website: "new.com" },
  ]);
  expect(asked).toEqual({ names: {}, brands: { acme: 1, acmephotos: 3, new: 4 } });
});

test.each([
  ["Acme | acme", '1: "acme" is not a registrable domain.'],
  ["AC | acme.com", '1: Several merchants have the website "acme.com": name one of them.'],
  ["Acme | acme.org", '1: No merchant has the website "acme.org".'],
  ["Acme | acme.com\nacme | -", "2: This name is in the table already."],
  ["Acme", "1: A row has 2 to 3 fields, this one has 1."],
])("a fault in the table names its line: %j", (text, problem) => {
  expect(build(text).problems[0]).toBe(`asked-names.txt:${problem}`);
});

test("another website of a company leads to the one of a merchant", () => {
  const problemsOf = (text: string): readonly string[] => {
    const problems = createProblems();
    const websites = readAskedWebsites({ name: "asked-websites.txt", text }, problems);
    mainWebsites(websites, merchants, problems);
    return problems.list();
  };
  expect(problemsOf("acme.link | acme.com")).toEqual([]);
  expect(problemsOf("acme | acme.com")).toHaveLength(1);
  expect(problemsOf("acme.link | acme.org")).toEqual([
    'asked-websites.txt:1: No merchant has the website "acme.org".',
  ]);
  expect(problemsOf("delta.com | acme.com")).toEqual([
    'asked-websites.txt:1: "delta.com" is a merchant\'s own.',
  ]);
  expect(problemsOf("acme.link | acme.com\nacme.link | delta.com")).toHaveLength(1);
});
