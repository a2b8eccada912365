// What the README says of reports is what happens.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { API_KEY } from "../support/client.ts";
import { startService } from "../support/service.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const section = /^## Reports\n(.*?)^## /ms.exec(readme)?.[1] ?? "";

/** The blocks of a language, in order. */
const blocks = (text: string, language: string): string[] =>
  [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter((match) => match[1] === language)
    .map((match) => match[2] ?? "");

/** Runs a curl command line as it stands, but for the address, the key and the id. */
async function run(command: string, url: string, id = ""): Promise<Record<string, unknown>> {
  const [, method = "POST", address = ""] = /^curl (?:-X (\w+) )?(\S+)/.exec(command) ?? [];
  const headers = [...command.matchAll(/-H "([\w-]+): ([^"]*)"/g)].map(
    ([, name = "", value = ""]): [string, string] => [name, value.replace("$KEY", API_KEY)],
  );
  const target = address.replace("http://127.0.0.1:8080", url).replace("$ID", id);
  const body = /-d '([^']*)'/.exec(command)?.[1] ?? "";
  const response = await fetch(target, { method, headers, body });
  expect([target, response.status]).toEqual([target, 200]);
  return (await response.json()) as Record<string, unknown>;
}

it("the README's report and its correction get the README's answers", async () => {
  const { url } = await startService();
  const [first = ""] = blocks(readme, "sh").filter((block) => block.startsWith("curl"));
  await run(first, url);
  const commands = blocks(section, "sh").filter((block) => block.startsWith("curl"));
  const shown = blocks(section, "json").map((text) => JSON.parse(text) as Record<string, unknown>);
  expect([commands.length, shown.length]).toEqual([2, 2]);
  let id = "";
  for (const [index, command] of commands.entries()) {
    const answer = await run(command, url, id);
    id = String(answer["id"]);
    const times = { id, created_at: answer["created_at"] };
    const moved = "updated_at" in answer ? { updated_at: answer["updated_at"] } : {};
    expect(answer).toEqual({ ...shown[index], ...times, ...moved });
  }
});
