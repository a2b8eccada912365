// What the README shows of rules is what happens.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  EDITABLE_PROPERTIES,
  LIST_OPERATORS,
  RULE_DEPTH_MAX,
  RULESET_BYTES_MAX,
  SINGLE_OPERATORS,
  TRANSACTION_PROPERTIES,
} from "../../src/domain/rules.ts";
import { answered } from "../support/client.ts";
import { runCommand } from "../support/command.ts";
import { startService, temporaryFolder } from "../support/service.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const section = /^## Rules\n(.*?)^## /ms.exec(readme)?.[1] ?? "";
const blocks = (language: string): string[] =>
  [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, name, text = ""]) =>
    name === language ? [text] : [],
  );
const [curl = "", command = ""] = blocks("sh");
const rule = JSON.parse(/-d '([^']*)'/.exec(curl)?.[1] ?? "") as object;

it("the README's rule gets the README's answer", async () => {
  const { client } = await startService();
  const path = /^curl http:\/\/127\.0\.0\.1:8080(\S+)/.exec(curl)?.[1] ?? "";
  const answer = answered(await client.call("POST", path, rule), 200);
  expect(answer).toEqual(JSON.parse(blocks("json")[0] ?? ""));
});

it("the README's test of rules prints what it shows", async () => {
  const folder = temporaryFolder();
  const large = { if: { ">": [{ get: "amount" }, 1000] }, then: [{ add_label: "large" }] };
  writeFileSync(join(folder, "rules.json"), JSON.stringify([rule, large]));
  const lines = ["SQ *BLUE BOTTLE COFFEE OAKLAND CA,-6.50", "NETFLIX.COM,-15.49"];
  const csv = ["Date,Description,Amount", ...lines.map((line) => `2026-05-04,${line}`)];
  writeFileSync(join(folder, "export.csv"), `${csv.join("\n")}\n`);
  const args = command
    .trim()
    .replaceAll(/\S+\.(?:json|csv)/g, (file) => join(folder, file))
    .split(" ");
  const { code, stdout } = await runCommand({}, ...args.slice(2));
  expect([code, stdout.toString("utf8")]).toEqual([0, blocks("text")[0]]);
});

describe("the README's language is the language", () => {
  it.each([...LIST_OPERATORS, ...SINGLE_OPERATORS])("it has the operator %s", (operator) => {
    const written = operator.replaceAll("|", "&#124;");
    expect(section.includes(`{"${written}": `) || section.includes(`\`${written}\``)).toBe(true);
  });

  it("it has every property, and marks those that can be set", () => {
    const marked = [...section.matchAll(/`([a-z_]+)`(\\\*)?(?=[, |])/g)];
    const named = new Set(marked.map(([, name]) => name));
    for (const property of TRANSACTION_PROPERTIES) expect(named).toContain(property);
    const settable = marked.flatMap(([, name = "", star]) => (star === undefined ? [] : [name]));
    expect(settable.toSorted()).toEqual([...EDITABLE_PROPERTIES].toSorted());
  });

  it("its limits are those that hold", () => {
    expect(section).toContain(`${String(RULESET_BYTES_MAX).replace(/(?=\d{3}$)/, " ")} bytes`);
    expect(section).toContain(`${String(RULE_DEPTH_MAX)} levels`);
  });
});
