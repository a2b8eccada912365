// What the guide to labelling models shows is what happens.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { modelRoutes } from "../../src/http/v2/models.ts";
import { answered, API_KEY } from "../support/client.ts";
import { runCommand } from "../support/command.ts";
import { fencedBlocks, readDocument } from "../support/documents.ts";
import { startService, temporaryFolder } from "../support/service.ts";

const guide = readDocument("docs/guides/models.md");
const [commands = "", curl = ""] = fencedBlocks(guide, "sh");

it("the commands of the guide train, list, show and test a model", async () => {
  const { client, url } = await startService();
  const file = join(temporaryFolder(), "labelled.csv");
  writeFileSync(file, fencedBlocks(guide, "csv")[0] ?? "");
  const printed: string[] = [];
  for (const command of commands.trim().split("\n")) {
    const words = command.split(" ").slice(2);
    const args = words.map((word) => (word === "labelled.csv" ? file : word));
    const ran = await runCommand({ LEDGERLINE_API_KEY: API_KEY }, ...args, "--url", url);
    expect([command, ran.code, ran.stderr]).toEqual([command, 0, ""]);
    printed.push(String(ran.stdout));
  }
  const [trained = "", listed = "", shown = "", tested = ""] = printed;
  expect(trained).toContain("expenses: ready");
  expect(listed).toMatch(/^expenses +ready +1 +6 /m);
  expect(shown).toBe(trained);
  expect(shown).toMatch(/^Vehicle Fuel +3 /m);
  expect(tested).toContain("6 lines: 100.0 % right");
  expect(await client.listAll("/v3/transactions")).toEqual([]);
});

it("a model or a file that cannot be used has an exit code of its own", async () => {
  const { url } = await startService();
  const run = async (...args: string[]) =>
    (await runCommand({ LEDGERLINE_API_KEY: API_KEY }, "models", ...args, "--url", url)).code;
  const file = join(temporaryFolder(), "other.csv");
  writeFileSync(file, "name,sum\nA,1\n");
  expect(await run("show", "other")).toBe(1);
  expect(await run("train", file, "--name", "m")).toBe(2);
  writeFileSync(file, "description,amount,label\nA,1,x\n");
  expect(await run("train", file, "--name", "m")).toBe(1);
});

it("the call of the guide is accepted, and its table has every operation", async () => {
  const { client } = await startService();
  const body: unknown = JSON.parse(/-d '([^']*)'/.exec(curl)?.[1] ?? "");
  answered(await client.call("POST", "/v2/models/expenses", body), 200);
  const named = [...guide.matchAll(/^\| `(\w+ \/\S+)` \|/gm)].map(([, name]) => name);
  const served = modelRoutes.map((route) => `${route.method} ${route.path}`);
  expect(named.toSorted()).toEqual(served.toSorted());
});
