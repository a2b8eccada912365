// What the README shows of category sets is what happens.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  CATEGORY_ENTRIES_MAX,
  CATEGORY_LENGTH_MAX,
  CATEGORY_SET_BYTES_MAX,
  CATEGORY_SETS_MAX,
} from "../../src/domain/category-set.ts";
import { categoryRoutes } from "../../src/http/v3/categories.ts";
import { answered } from "../support/client.ts";
import { startService } from "../support/service.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const section = /^## Category sets\n(.*?)^## /ms.exec(readme)?.[1] ?? "";
const blocks = (language: string): string[] =>
  [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, name, text = ""]) =>
    name === language ? [text] : [],
  );

/** The call of a curl command line. */
function readCurl(command: string): [method: string, path: string, body: unknown] {
  const [, method = "POST", path = ""] =
    /^curl (?:-X ([A-Z]+) )?http:\/\/127\.0\.0\.1:8080(\S+)/.exec(command) ?? [];
  return [method, path, JSON.parse(/-d '([^']*)'/.exec(command)?.[1] ?? "")];
}

it("the README's set is stored as it is, and its mapping, changed as shown, says what is shown", async () => {
  const { client } = await startService();
  const [set = "", patch = ""] = blocks("sh");
  const [method, path, words] = readCurl(set);
  expect(answered(await client.call(method, path, words), 200)).toEqual(words);
  const mapping = answered(await client.call(...readCurl(patch)), 200);
  expect(mapping).toMatchObject(JSON.parse(blocks("json")[0] ?? "") as object);
  expect(answered(await client.call("GET", `${path}/mapping`), 200)).toEqual(mapping);
});

describe("the README's words about category sets", () => {
  it("name every operation, and no other", () => {
    const named = [...section.matchAll(/^\| `(\w+ \/\S+)` \|/gm)].map(([, name]) => name);
    const served = categoryRoutes.map((route) => `${route.method} ${route.path}`);
    expect(named.toSorted()).toEqual(served.toSorted());
  });

  it("say the limits", () => {
    for (const [text, limit] of [
      ["may have % sets", CATEGORY_SETS_MAX],
      ["a set % words in each direction", CATEGORY_ENTRIES_MAX],
      ["of % characters", CATEGORY_LENGTH_MAX],
      ["it may have % bytes", CATEGORY_SET_BYTES_MAX],
    ] as const) {
      const number = String(limit).replace(/(?=\d{3}$)(?<=\d)/, " ");
      expect(section.replaceAll("\n", " ")).toContain(text.replace("%", number));
    }
  });
});
