// Regression test of the entity lookup on the real knowledge base: well-known names, websites, names with a typo and
// descriptors find their merchant; words and names of people find none.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { createExaminer } from "../../workers/recogniser/recogniser.ts";
import { createLookup } from "../../workers/lookup/lookup.ts";
import { readKnowledge } from "./knowledge.ts";

type Kind = "name" | "website" | "typo" | "descriptor" | "no-merchant" | "nowhere";

interface Case {
  readonly kind: Kind;
  readonly asked: string;
  readonly location: string;
  /** Empty: no merchant is expected. */
  readonly website: string;
}

const knowledge = readKnowledge();
const lookup = createLookup(knowledge, createExaminer(knowledge), null);
const cases: readonly Case[] = parse(readFileSync(join(import.meta.dirname, "entities.csv")), {
  columns: true,
});

/** `""` where every field is null. */
function websiteOf({ kind, asked, location }: Case): string {
  const isWebsite = kind === "website" || kind === "nowhere";
  const found = lookup.resolveEntity({
    name: isWebsite ? null : asked,
    website: isWebsite ? asked : null,
    location: location === "" ? null : location,
  });
  return found === null ? "" : (found.website ?? "none");
}

/** What of a kind is found wrongly, as text. */
function wrongOf(kind: Kind): { readonly count: number; readonly wrong: readonly string[] } {
  const asked = cases.filter((one) => one.kind === kind);
  const wrong = asked.flatMap((one) => {
    const found = websiteOf(one);
    return found === one.website ? [] : [`${one.asked}: ${found}, not ${one.website}`];
  });
  return { count: asked.length, wrong };
}

test.each([
  ["name", 100],
  ["website", 100],
  ["no-merchant", 60],
  ["nowhere", 20],
] as const)("every %s has the right answer", (kind, least) => {
  const { count, wrong } = wrongOf(kind);
  expect(count).toBeGreaterThanOrEqual(least);
  expect(wrong).toEqual([]);
});

test.each([
  ["typo", 60, 0.95],
  ["descriptor", 100, 0.97],
] as const)("of every %s almost all have the right answer", (kind, least, share) => {
  const { count, wrong } = wrongOf(kind);
  expect(count).toBeGreaterThanOrEqual(least);
  expect(1 - wrong.length / count, wrong.join("; ")).toBeGreaterThanOrEqual(share);
});

test("each merchant found is found again by its id and by its website", () => {
  const found = cases
    .filter(({ kind }) => kind === "name")
    .map(({ asked }) => lookup.resolveEntity({ name: asked, website: null, location: null }));
  for (const entity of found) {
    if (entity === null) continue;
    const { id, website } = entity;
    const byId = lookup.findEntity(id ?? "");
    expect(byId).toMatchObject({ id, website });
    expect(lookup.resolveEntity({ name: null, website, location: null })).toEqual(byId);
  }
});
