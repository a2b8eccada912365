import { expect, test } from "vitest";
import { startServer } from "../../../test/support/http-server.ts";
import { FIELD_DOCS, PARAMETER_DOCS, SCHEMA_DOCS } from "./field-docs.ts";
import { buildV2OpenApi } from "./openapi.ts";
import { OPERATION_DOCS } from "./operation-docs.ts";
import { v2Routes } from "./routes.ts";

interface Described {
  readonly operationId: string;
  readonly description?: string;
  readonly parameters?: readonly { readonly name: string; readonly description?: string }[];
  readonly responses: Readonly<Record<string, unknown>>;
}
interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
  readonly type?: unknown;
  readonly enum?: unknown;
}
// Through JSON, as a reader gets it.
const document = JSON.parse(JSON.stringify(buildV2OpenApi())) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};
const { schemas } = document.components;
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

test("the document describes exactly the v2 operations that are served, and all but public ones need a key", async () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const served = v2Routes.map((route) => `${route.method} ${route.path}`);
  expect(described.toSorted()).toEqual(served.toSorted());
  await using server = await startServer();
  for (const { method, path, isPublic = false } of v2Routes) {
    const answer = await server.call(method, path.replace(/\{\w+\}/g, "x"), { key: null });
    expect([method, path, answer.status === 401]).toEqual([method, path, !isPublic]);
  }
});

test("the document is served without a key, and is the one that is built", async () => {
  await using server = await startServer();
  const answer = await server.call("GET", "/openapi/v2.json", { key: null });
  expect([answer.status, answer.json]).toEqual([200, document]);
});

test("every operation has its own name and documents 401, 422, 429 and 503", () => {
  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
  for (const { operationId, responses } of operations)
    expect([operationId, ...Object.keys(responses)]).toEqual(
      expect.arrayContaining(["401", "422", "429", "503"]),
    );
});

test("every operation, parameter, schema and field is described, and nothing else is", () => {
  for (const { operationId, description, parameters = [] } of operations) {
    expect([operationId, typeof description]).toEqual([operationId, "string"]);
    for (const { name, description: words } of parameters)
      expect([operationId, name, typeof words]).toEqual([operationId, name, "string"]);
  }
  expect(Object.keys(OPERATION_DOCS).toSorted()).toEqual(
    operations.map(({ operationId }) => operationId).toSorted(),
  );
  const used = new Set<string>();
  for (const [name, schema] of Object.entries(schemas)) {
    for (const [field, { description }] of Object.entries(schema.properties ?? {})) {
      if (name === "Problem" || name === "HTTPValidationError" || name === "ValidationError")
        continue;
      expect([name, field, typeof description]).toEqual([name, field, "string"]);
      used.add(FIELD_DOCS[`${name}.${field}`] === undefined ? field : `${name}.${field}`);
    }
  }
  expect(Object.keys(FIELD_DOCS).filter((field) => !used.has(field))).toEqual([]);
  expect(Object.keys(SCHEMA_DOCS).filter((name) => !(name in schemas))).toEqual([]);
  const parameters = new Set(
    operations.flatMap((one) => (one.parameters ?? []).map(({ name }) => name)),
  );
  expect(Object.keys(PARAMETER_DOCS).filter((name) => !parameters.has(name))).toEqual([]);
});

test("every reference leads somewhere", () => {
  for (const match of JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g))
    expect(schemas).toHaveProperty(match[1] ?? "");
});
