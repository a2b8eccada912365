// Every command of the documents exists: commands of ledgerline are parsed by its command line, calls match an operation,
// and a page with other programs notes that they are not run in CI, or is named here with the test that runs them.
import { existsSync, globSync } from "node:fs";
import { PassThrough } from "node:stream";
import { text as readAll } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type CliDeps, runCli } from "../../src/cli/cli.ts";
import { operatorRoutes } from "../../src/http/ops/routes.ts";
import { v2Routes } from "../../src/http/v2/routes.ts";
import { v3Routes } from "../../src/http/v3/routes.ts";
import { fencedBlocks, readDocument } from "../support/documents.ts";
import { SERVICE_NODE_ARGS } from "../support/process.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** Programs that any Node installation has, and words of the shell. */
const ORDINARY = /^(?:npm|npx|cd|eval|export)$|^[A-Z_]+=/;
const RUN_BY: Readonly<Record<string, string>> = {
  "docs/operate/containers.md": "test/deploy/image.test.ts",
  "docs/guides/python.md": "test/conformance/python-library.test.ts",
};

interface Line {
  readonly page: string;
  readonly text: string;
}

/** The commands of a block: continued lines joined, input and comments left out. */
function commandsOf(block: string): string[] {
  const joined = block
    .replaceAll("\\\n", " ")
    .replace(/<<(\w+)\n.*?^\1$/gms, "")
    .replace(/'[^']*'/g, (quoted) => quoted.replaceAll("\n", " "));
  return joined
    .split("\n")
    .map((line) => line.replace(/\s+#.*$/, "").trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

const lines: readonly Line[] = [
  "README.md",
  "CONTRIBUTING.md",
  ...globSync("docs/**/*.md", { cwd: ROOT }),
].flatMap((page) =>
  fencedBlocks(readDocument(page), "sh")
    .flatMap(commandsOf)
    .map((text) => ({ page, text })),
);

/** Accepts every call and does nothing, at any depth. */
const nothing: unknown = new Proxy(() => undefined, {
  get: (_target, name) => (name === "then" || typeof name === "symbol" ? undefined : nothing),
  apply: () => Promise.resolve(0),
});

/** Parses a command line as `ledgerline` does, and does nothing. */
async function parse(args: readonly string[]): Promise<[code: number, errors: string]> {
  const stderr = new PassThrough();
  const keys = () => Promise.resolve({ included: [], missing: [] });
  const streams = { version: "0", stdout: new PassThrough(), stderr };
  const known = new Map<unknown, unknown>(
    Object.entries({ ...streams, backup: keys, restore: keys }),
  );
  const deps = new Proxy({} as CliDeps, { get: (_target, name) => known.get(name) ?? nothing });
  const code = await runCli(args, deps);
  stderr.end();
  return [code, await readAll(stderr)];
}

/** The words of a command line, without their quotes. */
const words = (text: string): string[] =>
  [...text.matchAll(/"[^"]*"|'[^']*'|\S+/g)].map(([word]) => word.replace(/^["'](.*)["']$/s, "$1"));

describe("commands of the documents", () => {
  it("are seen", () => {
    expect(lines.length).toBeGreaterThan(60);
  });

  const own = lines.filter(({ text }) =>
    /^npx ledgerline |^docker.* exec \w+ ledgerline /.test(text),
  );
  it.each(own)("$page: $text", async ({ text }) => {
    const args = words(text.replace(/^.*\bledgerline (?=[a-z])/, ""));
    expect(await parse(args)).toEqual([0, ""]);
  });

  const calls = lines.filter(({ text }) => text.startsWith("curl "));
  const operations = [...v3Routes, ...v2Routes, ...operatorRoutes].map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`),
  }));
  it.each(calls)("$page: $text", ({ text }) => {
    const [, path = ""] = /127\.0\.0\.1:8080(\/[^\s"?]*)/.exec(text) ?? [];
    const method = /-X (\w+)/.exec(text)?.[1] ?? (/ -d /.test(text) ? "POST" : "GET");
    const isServed = operations.some((one) => one.method === method && one.pattern.test(path));
    expect([method, path, isServed || path === "/health/ready"]).toEqual([method, path, true]);
  });

  it("a page with programs of others notes whether CI runs them", () => {
    const foreign = lines.filter(({ text }) => {
      const [program = ""] = words(text);
      return program !== "curl" && !ORDINARY.test(program);
    });
    for (const page of new Set(foreign.map((line) => line.page))) {
      const test = RUN_BY[page];
      if (test !== undefined) expect([page, existsSync(`${ROOT}${test}`)]).toEqual([page, true]);
      else expect([page, /not run in CI/i.test(readDocument(page))]).toEqual([page, true]);
    }
  });
});

it("every way to start the service has the options of Node that the tests and the bench have", () => {
  const options = SERVICE_NODE_ARGS.join(" ");
  const { scripts } = JSON.parse(readDocument("package.json")) as { scripts: { start: string } };
  expect(scripts.start).toBe(`node ${options} src/main.ts serve`);
  expect(readDocument("deploy/ledgerline.service")).toContain(`node ${options} src/main.ts serve`);
  expect(readDocument("deploy/Dockerfile")).toContain(`ENV NODE_OPTIONS=${options}\n`);
});
