// What the guide to reports shows is what happens.
import { expect, it } from "vitest";
import { API_KEY } from "../support/client.ts";
import { fencedBlocks, readDocument } from "../support/documents.ts";
import { startService } from "../support/service.ts";

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

it("the report and its correction get the answers shown", async () => {
  const guide = readDocument("docs/guides/reports.md");
  const { url } = await startService();
  const [first = ""] = fencedBlocks(readDocument("README.md"), "sh").filter((block) =>
    block.startsWith("curl"),
  );
  await run(first, url);
  const commands = fencedBlocks(guide, "sh").filter((block) => block.startsWith("curl"));
  const shown = fencedBlocks(guide, "json").map(
    (text) => JSON.parse(text) as Record<string, unknown>,
  );
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
