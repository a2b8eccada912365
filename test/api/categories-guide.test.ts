// What the guide to category sets shows is what happens.
import { describe, expect, it } from "vitest";
import {
  CATEGORY_ENTRIES_MAX,
  CATEGORY_LENGTH_MAX,
  CATEGORY_SET_BYTES_MAX,
  CATEGORY_SETS_MAX,
} from "../../src/model/category-set.ts";
import { categoryRoutes } from "../../src/http/v3/categories.ts";
import { answered } from "../support/client.ts";
import { fencedBlocks, readDocument } from "../support/documents.ts";
import { startService } from "../support/service.ts";

const guide = readDocument("docs/guides/categories.md");

/** The call of a curl command line. */
function readCurl(command: string): [method: string, path: string, body: unknown] {
  const [, method = "POST", path = ""] =
    /^curl (?:-X ([A-Z]+) )?http:\/\/127\.0\.0\.1:8080(\S+)/.exec(command) ?? [];
  return [method, path, JSON.parse(/-d '([^']*)'/.exec(command)?.[1] ?? "")];
}

it("the set of the guide is stored as sent, and its changed mapping is the one shown", async () => {
  const { client } = await startService();
  const [set = "", patch = ""] = fencedBlocks(guide, "sh");
  const [method, path, words] = readCurl(set);
  expect(answered(await client.call(method, path, words), 200)).toEqual(words);
  const mapping = answered(await client.call(...readCurl(patch)), 200);
  expect(mapping).toMatchObject(JSON.parse(fencedBlocks(guide, "json")[0] ?? "") as object);
  expect(answered(await client.call("GET", `${path}/mapping`), 200)).toEqual(mapping);
});

describe("the guide to category sets", () => {
  it("names every operation, and no other", () => {
    const named = [...guide.matchAll(/^\| `(\w+ \/\S+)` \|/gm)].map(([, name]) => name);
    const served = categoryRoutes.map((route) => `${route.method} ${route.path}`);
    expect(named.toSorted()).toEqual(served.toSorted());
  });

  it("states the limits", () => {
    for (const [text, limit] of [
      ["may have % sets", CATEGORY_SETS_MAX],
      ["a set % words in each direction", CATEGORY_ENTRIES_MAX],
      ["of % characters", CATEGORY_LENGTH_MAX],
      ["it may have % bytes", CATEGORY_SET_BYTES_MAX],
    ] as const) {
      const number = String(limit).replace(/(?=\d{3}$)(?<=\d)/, " ");
      expect(guide.replaceAll("\n", " ")).toContain(text.replace("%", number));
    }
  });
});
