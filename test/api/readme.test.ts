// What the README shows is what happens.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { API_KEY } from "../support/client.ts";
import { runCommand } from "../support/command.ts";
import { until } from "../support/poll.ts";
import { startService } from "../support/service.ts";
import { settingsSource } from "../support/settings-source.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

/** The fenced blocks of a language, in order. */
function blocks(language: string): string[] {
  return [...readme.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter((match) => match[1] === language)
    .map((match) => match[2] ?? "");
}

/** The request of a curl command line, which not every machine could run. */
function readCurl(command: string): { url: string; headers: Record<string, string>; body: string } {
  const headers = [...command.matchAll(/-H "([\w-]+): ([^"]*)"/g)].map((match) => [
    match[1],
    match[2],
  ]);
  return {
    url: /^curl (\S+)/.exec(command)?.[1] ?? "",
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: /-d '([^']*)'/.exec(command)?.[1] ?? "",
  };
}

interface Batch {
  readonly id: string;
  readonly status: string;
  readonly results?: readonly { readonly error: unknown }[];
}

async function ask(url: string, init: RequestInit): Promise<Batch> {
  return (await (await fetch(url, init)).json()) as Batch;
}

it("the README's curl gives the README's answer", async () => {
  // As the README starts it, on its port.
  const service = await startService({ config: { publicUrl: "http://127.0.0.1:8080" } });
  const curl = readCurl(blocks("sh").find((block) => block.startsWith("curl")) ?? "");
  expect(curl.headers["X-Api-Key"]).toBe("$KEY");
  const response = await fetch(curl.url.replace("http://127.0.0.1:8080", service.url), {
    method: "POST",
    headers: { ...curl.headers, "X-Api-Key": API_KEY },
    body: curl.body,
  });
  const shown = JSON.parse(blocks("json")[0] ?? "") as Record<string, unknown>;
  const real = (await response.json()) as Record<string, unknown>;
  expect({ ...real, created_at: "" }).toEqual({ ...shown, created_at: "" });
});

it("the README's batch is taken, and its results are where the README asks for them", async () => {
  const service = await startService({});
  const headers = { "X-Api-Key": API_KEY, "Content-Type": "application/json" };
  const commands = (blocks("sh").find((block) => block.includes("/v3/batches -H")) ?? "")
    .split(/^(?=curl )/m)
    .map(readCurl);
  expect(commands).toHaveLength(3);
  const [submit, status, results] = commands.map(({ url }) =>
    url.replace("http://127.0.0.1:8080", service.url),
  );
  const { id } = await ask(submit ?? "", {
    method: "POST",
    headers,
    body: commands[0]?.body ?? "",
  });
  const completed = await until("the batch of the README", async () => {
    const batch = await ask((status ?? "").replace("$ID", id), { headers });
    return batch.status === "completed" ? batch : null;
  });
  expect(completed).toMatchObject({ progress: 2, total: 2 });
  const told = await ask((results ?? "").replace("$ID", id), { headers });
  expect(told.results?.map(({ error }) => error)).toEqual([null, null]);
});

it("the README's explanation is what its command prints", async () => {
  const command = blocks("sh").find((block) => block.startsWith("npx ledgerline explain")) ?? "";
  const args = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare);
  const { code, stdout } = await runCommand({}, ...args.slice(2).map((arg) => arg ?? ""));
  expect([code, stdout.toString("utf8")]).toEqual([0, blocks("text")[0]]);
});

it("the README begins with the two commands", () => {
  expect(readme.split("\n").slice(0, 20).join("\n")).toMatch(
    /npm ci && npm start.*\n.*npm ci && npm test/,
  );
});

it("the README's table of settings names every setting and no other", () => {
  const inConfig = new Set(
    [...settingsSource.matchAll(/(?:value|optional)\("([A-Z0-9_]+)"/g)].map((match) => match[1]),
  );
  const inReadme = new Set(
    [...readme.matchAll(/^\| `([A-Z0-9_]+)` \|/gm)].map((match) => match[1]),
  );
  expect(inReadme).toEqual(inConfig);
});
