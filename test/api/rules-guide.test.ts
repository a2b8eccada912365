// What the guide to rules and the reference of their language show is what happens.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  EDITABLE_PROPERTIES,
  LIST_OPERATORS,
  RULE_DEPTH_MAX,
  RULESET_BYTES_MAX,
  SINGLE_OPERATORS,
  TRANSACTION_PROPERTIES,
} from "../../src/model/rules.ts";
import { answered } from "../support/client.ts";
import { runCommand } from "../support/command.ts";
import { fencedBlocks, readDocument } from "../support/documents.ts";
import { startService, temporaryFolder } from "../support/service.ts";

const guide = readDocument("docs/guides/rules.md");
const reference = readDocument("docs/reference/rule-language.md");
const [curl = "", command = ""] = fencedBlocks(guide, "sh");
const rule = JSON.parse(/-d '([^']*)'/.exec(curl)?.[1] ?? "") as object;

it("the rule of the guide gets the answer shown", async () => {
  const { client } = await startService();
  const path = /^curl http:\/\/127\.0\.0\.1:8080(\S+)/.exec(curl)?.[1] ?? "";
  const answer = answered(await client.call("POST", path, rule), 200);
  expect(answer).toEqual(JSON.parse(fencedBlocks(guide, "json")[0] ?? ""));
});

it("the test of rules in the guide prints what is shown", async () => {
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
  expect([code, stdout.toString("utf8")]).toEqual([0, fencedBlocks(guide, "text")[0]]);
});

describe("the reference of the rule language", () => {
  it.each([...LIST_OPERATORS, ...SINGLE_OPERATORS])("has the operator %s", (operator) => {
    const written = operator.replaceAll("|", "&#124;");
    expect(reference.includes(`{"${written}": `) || reference.includes(`\`${written}\``)).toBe(
      true,
    );
  });

  it("has every property, and marks those that can be set", () => {
    const marked = [...reference.matchAll(/`([a-z_]+)`(\\\*)?(?=[, |])/g)];
    const named = new Set(marked.map(([, name]) => name));
    for (const property of TRANSACTION_PROPERTIES) expect(named).toContain(property);
    const settable = marked.flatMap(([, name = "", star]) => (star === undefined ? [] : [name]));
    expect(settable.toSorted()).toEqual([...EDITABLE_PROPERTIES].toSorted());
  });

  it("states the limits", () => {
    expect(guide).toContain(`${String(RULESET_BYTES_MAX).replace(/(?=\d{3}$)/, " ")} bytes`);
    expect(guide).toContain(`${String(RULE_DEPTH_MAX)} levels`);
  });
});
