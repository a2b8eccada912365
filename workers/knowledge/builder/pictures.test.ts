import { expect, test } from "vitest";
import { idOf } from "../../recogniser/entities.ts";
import type { Icon } from "./icons.ts";
import { iconsById, iconsByWebsite, readPictureRows } from "./pictures.ts";
import { createProblems } from "./rows.ts";

const icon = (title: string, source: string): Icon => ({
  title,
  slug: title.toLowerCase(),
  hex: "FF0000",
  source: `https://${source}/`,
});
const titles = (found: ReadonlyMap<string, Icon>): Record<string, string> =>
  Object.fromEntries([...found].map(([key, { title }]) => [key, title]));

const merchant = (name: string, website: string | null, ...sites: [string, string][]) => ({
  name,
  website,
  sites,
});

test("a picture belongs to the website that the package and its name agree on", () => {
  const icons = [icon("Acme", "acme.com"), icon("Foo", "logos.example")];
  const merchants = [merchant("Acme", "acme.com"), merchant("Foo", "foo.com")];
  const found = iconsByWebsite(icons, [], merchants, createProblems());
  expect(titles(found)).toEqual({ "acme.com": "Acme" });
});

test("of several pictures of one website none is taken, unless one has its name or a person chose it", () => {
  const icons = [icon("Acme Pay", "acme.com"), icon("Acme Maps", "acme.com")];
  const merchants = [merchant("Acme Pay", "acme.com"), merchant("Acme Maps", "acme.com")];
  const problems = createProblems();
  expect(titles(iconsByWebsite(icons, [], merchants, problems))).toEqual({});
  expect(titles(iconsByWebsite(icons.slice(1), [], merchants, problems))).toEqual({
    "acme.com": "Acme Maps",
  });
  const rows = readPictureRows({ name: "p.txt", text: "Acme Pay | acme.com" }, problems);
  expect(titles(iconsByWebsite(icons, rows, merchants, problems))["acme.com"]).toBe("Acme Pay");
  expect(problems.list()).toEqual([]);
});

test("a shop in another trade is not given the picture of its namesake", () => {
  const found = iconsByWebsite(
    [icon("Express", "github.com")],
    [],
    [merchant("Express", "express.com")],
    createProblems(),
  );
  expect(found.size).toBe(0);
});

test("a merchant has one picture under each of its websites, except those with a picture of their own", () => {
  const byWebsite = new Map([
    ["acme.com", icon("Acme", "acme.com")],
    ["acme.fr", icon("Acme France", "acme.fr")],
  ]);
  const sites: [string, string][] = [
    ["DE", "acme.de"],
    ["FR", "acme.fr"],
  ];
  expect(titles(iconsById([merchant("Acme", "acme.com", ...sites)], byWebsite))).toEqual({
    [idOf("", "acme.com")]: "Acme",
    [idOf("", "acme.de")]: "Acme",
    [idOf("", "acme.fr")]: "Acme France",
  });
});

test("a row without a website, or with a picture that is not there, is a fault", () => {
  const problems = createProblems();
  const rows = readPictureRows({ name: "p.txt", text: "Acme | acme\nAcme | acme.com" }, problems);
  iconsByWebsite([], rows, [], problems);
  expect(problems.list().map((problem) => problem.slice(0, 7))).toEqual(["p.txt:1", "p.txt:2"]);
});
