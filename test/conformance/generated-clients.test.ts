// Clients that programs generate from the served document can call every operation of it, and read every answer.
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ROLES } from "../../src/model/api-key.ts";
import { runCommand } from "../services/native/command.ts";
import type { OpenApi, Schema } from "../support/openapi-differences.ts";
import { type Operation, sampleOf, v2Operations, v3Operations } from "../support/operations.ts";
import { startReceiver } from "../support/receiver.ts";
import { shared, startService, temporaryFolder } from "../support/service.ts";
import type { SampleFile } from "../support/statement-files.ts";
import { createKeysOf, createThings, type Things } from "../support/things.ts";
import { callableWebhooks } from "../support/webhooks.ts";
import { findTools, runPython } from "./tools.ts";

const ROOT = new URL("../../", import.meta.url);
const MODULES = fileURLToPath(new URL("node_modules", ROOT));
const DRIVER = fileURLToPath(new URL("drive.py", import.meta.url));
const PROGRAM_MS_MAX = 60_000;

/** What removes things comes last, so that they are there for all others. */
const isRemoval = ({ method, path }: Operation): boolean =>
  method === "DELETE" || path.endsWith("/reset");
/** What was learned from the transactions of an account holder goes with it: it is deleted last of all. */
const erases = ({ method, path }: Operation): boolean =>
  method === "DELETE" && /^\/v\d\/account[_-]holders?\/\{\w+\}$/.test(path);
const placeOf = (operation: Operation): number =>
  Number(isRemoval(operation)) + Number(erases(operation));

/** What an operation is not answered without. */
const QUERIES: Readonly<Record<string, object>> = { find_entity: { name: "Netflix" } };

const setUp = shared(async (atEnd) => {
  const receiver = await startReceiver(undefined, atEnd);
  const service = await startService({ config: { webhooks: callableWebhooks } }, atEnd);
  const documentOf = async (version: string): Promise<OpenApi> =>
    (await (await fetch(`${service.url}/openapi/${version}.json`)).json()) as OpenApi;
  return {
    receiver,
    service,
    documents: { v2: await documentOf("v2"), v3: await documentOf("v3") },
  };
});

/** An organization with one of everything, and a key that may do all. */
async function createOrganization(name: string): Promise<{ key: string; things: Things }> {
  const { service, receiver } = setUp();
  const [key = ""] = await createKeysOf(service, name, ROLES);
  return { key, things: await createThings(service, name, name, receiver.url) };
}

describe.each([
  ["v2", v2Operations],
  ["v3", v3Operations],
] as const)("clients of %s", (version, all: readonly Operation[]) => {
  const ordered = all.toSorted((one, other) => placeOf(one) - placeOf(other));
  /** The success status of each operation, by its name. */
  const DONE = Object.fromEntries(
    all.map(({ operationId, success, successStatus }) => [
      operationId,
      successStatus ?? (success === null ? 204 : 200),
    ]),
  );

  it("every operation of the document is one that is called", () => {
    const described = Object.values(setUp().documents[version].paths).flatMap((path) =>
      Object.values(path),
    );
    const names = described.map(({ operationId }) => operationId);
    expect(names.toSorted()).toEqual(Object.keys(DONE).toSorted());
  });

  it("a TypeScript client, by openapi-typescript and openapi-fetch, compiles and calls every operation", async () => {
    const { service, documents } = setUp();
    const document = documents[version];
    const { key, things } = await createOrganization(`typescript-${version}`);
    const folder = temporaryFolder();
    symlinkSync(MODULES, join(folder, "node_modules"));
    const run = (program: string, ...args: string[]): Promise<string> =>
      runCommand(process.execPath, [join(folder, program), ...args], PROGRAM_MS_MAX);

    writeFileSync(join(folder, "document.json"), JSON.stringify(document));
    const schema = join(folder, "schema.ts");
    await run(
      "node_modules/openapi-typescript/bin/cli.js",
      join(folder, "document.json"),
      "-o",
      schema,
    );
    writeFileSync(join(folder, "program.ts"), typescriptProgram(ordered, service.url, key, things));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    const extended = fileURLToPath(new URL("tsconfig.json", ROOT));
    const settings = { extends: extended, include: [join(folder, "*.ts")] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
    await run("node_modules/typescript/bin/tsc", "-p", folder);
    expect(JSON.parse(await run("program.ts"))).toEqual(DONE);
  });

  it("a Python client, by openapi-python-client, calls every operation and reads every answer", async () => {
    const { service, documents } = setUp();
    const document = documents[version];
    const [tools, { key, things }] = await Promise.all([
      findTools(),
      createOrganization(`python-${version}`),
    ]);
    const folder = temporaryFolder();
    const settings = { post_hooks: [], package_name_override: "generated" };
    writeFileSync(join(folder, "settings.json"), JSON.stringify(settings));
    writeFileSync(join(folder, "document.json"), JSON.stringify(withoutRecursion(document)));
    const generated = await runPython(tools, folder, [
      ...["-m", "openapi_python_client", "generate", "--path", "document.json", "--meta", "none"],
      ...["--config", "settings.json", "--output-path", "generated", "--fail-on-warning"],
    ]);
    expect(generated.code, generated.output).toBe(0);
    const calls = ordered.map((operation) => callOf(operation, things));
    const input = JSON.stringify({ url: service.url, key, calls });
    const { code, output } = await runPython(tools, folder, [DRIVER], {}, input);
    expect(code, output).toBe(0);
    expect(JSON.parse(output)).toEqual(DONE);
  }, 600_000);
});

/** Places in a list are numbers in the document. */
const numbered = (values: Readonly<Record<string, string>>): object =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, name === "index" ? Number(value) : value]),
  );

/** Calls with literal values, as a client would write them: the compiler checks them. */
function typescriptProgram(
  ordered: readonly Operation[],
  url: string,
  key: string,
  things: Things,
): string {
  const calls = ordered.map((operation) => {
    const { method, path, operationId, request } = operation;
    const sample = sampleOf(operation, things);
    const query =
      QUERIES[operationId] ?? ("limit" in request.query.shape ? { limit: 2 } : undefined);
    // A path without parameters takes none, not even an empty list of them.
    const values = path.includes("{") ? numbered(sample.path) : undefined;
    const params = { path: values, query };
    const init =
      sample.file === null
        ? JSON.stringify({ params, body: sample.body })
        : `{ params: ${JSON.stringify(params)}, body: { file: "" }, bodySerializer: () => form(${JSON.stringify(encodedFile(sample.file))}) }`;
    return `{
  const { response } = await client.${method}(${JSON.stringify(path)}, ${init});
  answers[${JSON.stringify(operationId)}] = response.status;
}`;
  });
  return [
    'import createClient from "openapi-fetch";',
    'import type { paths } from "./schema.ts";',
    `const headers = { "X-Api-Key": ${JSON.stringify(key)} };`,
    `const client = createClient<paths>({ baseUrl: ${JSON.stringify(url)}, headers });`,
    FORM_OF_TYPESCRIPT,
    "const answers: Record<string, number> = {};",
    ...calls,
    "console.log(JSON.stringify(answers));",
    "",
  ].join("\n");
}

const encodedFile = ({ name, bytes }: SampleFile) => ({
  name,
  content: Buffer.from(bytes).toString("base64"),
});

/** A file has no form as a literal. */
const FORM_OF_TYPESCRIPT = `function form({ name, content }: { name: string; content: string }): FormData {
  const form = new FormData();
  form.append("file", new Blob([Buffer.from(content, "base64")]), name);
  return form;
}`;

function callOf(operation: Operation, things: Things): object {
  const { path, body, file } = sampleOf(operation, things);
  const query = QUERIES[operation.operationId] ?? {};
  return {
    operation: operation.operationId,
    path: { ...path, ...query },
    ...(body === undefined ? {} : { body }),
    ...(file === null ? {} : { file: encodedFile(file) }),
  };
}

/**
 * The document with "anything" for every reference that leads back to where it is: this generator leaves out operations
 * whose schemas are alternatives that contain themselves, as rules do.
 */
function withoutRecursion(document: OpenApi): OpenApi {
  const copy = structuredClone(document);
  const { schemas } = copy.components;
  const done = new Set<string>();
  const cut = (node: unknown, within: readonly string[]): unknown => {
    if (Array.isArray(node)) return node.map((one) => cut(one, within));
    if (typeof node !== "object" || node === null) return node;
    const name = /^#\/components\/schemas\/(\w+)$/.exec((node as Schema).$ref ?? "")?.[1];
    if (name !== undefined) {
      if (within.includes(name)) return {};
      visit(name, within);
      return node;
    }
    return Object.fromEntries(
      Object.entries(node).map(([field, one]) => [field, cut(one, within)]),
    );
  };
  const visit = (name: string, within: readonly string[]): void => {
    if (done.has(name)) return;
    done.add(name);
    (schemas as Record<string, Schema>)[name] = cut(schemas[name], [...within, name]) as Schema;
  };
  for (const name of Object.keys(schemas)) visit(name, []);
  return copy;
}
