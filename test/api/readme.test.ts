// What the README and the first guides show is what happens.
import { expect, it } from "vitest";
import { API_KEY } from "../support/client.ts";
import { runCommand } from "../support/command.ts";
import { fencedBlocks, readDocument } from "../support/documents.ts";
import { until } from "../support/poll.ts";
import { startService } from "../support/service.ts";

const readme = readDocument("README.md");

/** The request of a curl command line, which not every machine could run. */
function readCurl(command: string): { url: string; headers: Record<string, string>; body: string } {
  const headers = [...command.matchAll(/-H "([\w-]+): ([^"]*)"/g)].map((match) => [
    match[1],
    match[2],
  ]);
  return {
    url: /^curl "?([^\s"]+)/.exec(command)?.[1] ?? "",
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
  // With the default address of a service.
  const service = await startService({ config: { publicUrl: "http://127.0.0.1:8080" } });
  const curl = readCurl(fencedBlocks(readme, "sh").find((block) => block.startsWith("curl")) ?? "");
  expect(curl.headers["X-Api-Key"]).toBe("$KEY");
  const response = await fetch(curl.url.replace("http://127.0.0.1:8080", service.url), {
    method: "POST",
    headers: { ...curl.headers, "X-Api-Key": API_KEY },
    body: curl.body,
  });
  const shown = JSON.parse(fencedBlocks(readme, "json")[0] ?? "") as Record<string, unknown>;
  const real = (await response.json()) as Record<string, unknown>;
  expect({ ...real, created_at: "" }).toEqual({ ...shown, created_at: "" });
});

it("the calls of the quick start succeed in their order", async () => {
  const service = await startService();
  const [block = ""] = fencedBlocks(readDocument("docs/guides/quick-start.md"), "sh");
  const commands = block.split(/^(?=curl )/m).map(readCurl);
  expect(commands).toHaveLength(3);
  for (const { url, headers, body } of commands) {
    const init = body === "" ? {} : { method: "POST", body };
    const response = await fetch(url.replace("http://127.0.0.1:8080", service.url), {
      ...init,
      headers: { ...headers, "X-Api-Key": API_KEY },
    });
    expect([url, response.status]).toEqual([url, 200]);
  }
});

it("the batch of the guide is accepted, and its results are where the guide reads them", async () => {
  const service = await startService({});
  const headers = { "X-Api-Key": API_KEY, "Content-Type": "application/json" };
  const commands = (fencedBlocks(readDocument("docs/guides/batches.md"), "sh")[0] ?? "")
    .split(/^(?=curl )/m)
    .filter((command) => command.startsWith("curl"))
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
  const completed = await until("the batch of the guide", async () => {
    const batch = await ask((status ?? "").replace("$ID", id), { headers });
    return batch.status === "completed" ? batch : null;
  });
  expect(completed).toMatchObject({ progress: 2, total: 2 });
  const done = await ask((results ?? "").replace("$ID", id), { headers });
  expect(done.results?.map(({ error }) => error)).toEqual([null, null]);
});

it("the explanation of the guide is what its command prints", async () => {
  const guide = readDocument("docs/guides/explain.md");
  const [command = ""] = fencedBlocks(guide, "sh");
  const args = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare);
  const { code, stdout } = await runCommand({}, ...args.slice(2).map((arg) => arg ?? ""));
  expect([code, stdout.toString("utf8")]).toEqual([0, fencedBlocks(guide, "text")[0]]);
});

it("the README begins with the two commands", () => {
  expect(readme.split("\n").slice(0, 20).join("\n")).toMatch(
    /npm ci && npm start.*\n.*npm ci && npm test/,
  );
});
