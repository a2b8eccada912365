import { expect, test } from "vitest";
import { operatorRoutes } from "../ops/routes.ts";
import { startServer } from "../../../test/support/http-server.ts";
import { FIELD_DOCS, SCHEMA_DOCS } from "../v3/field-docs.ts";
import { buildOpenApi } from "../v3/openapi.ts";
import { OPERATION_DOCS } from "../v3/operation-docs.ts";
import { v3Routes } from "../v3/routes.ts";

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly required: boolean }[];
  readonly requestBody?: unknown;
  readonly responses: Readonly<Record<string, unknown>>;
}
// Through JSON, as a reader gets it.
const document = JSON.parse(JSON.stringify(buildOpenApi())) as {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly security: unknown;
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>;
    readonly securitySchemes: unknown;
  };
};
const { schemas } = document.components;

test("the document describes exactly the table that is served", async () => {
  const described = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const routes = [...v3Routes, ...operatorRoutes];
  const served = routes.map((route) => `${route.method} ${route.path}`);
  expect(described.toSorted()).toEqual(served.toSorted());
  await using server = await startServer();
  for (const { method, path } of routes) {
    const answer = await server.call(method, path.replace(/\{\w+\}/g, "x"), { key: null });
    expect([method, path, answer.status]).toEqual([method, path, 401]);
  }
});

test("the document is served without a key, and is the one that is built", async () => {
  await using server = await startServer();
  const answer = await server.call("GET", "/openapi/v3.json", { key: null });
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual(document);
  expect(document.openapi).toBe("3.1.0");
});

test("every reference leads somewhere, and none claims to be null and not null at once", () => {
  const text = JSON.stringify(document);
  const names = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1]);
  expect(names.length).toBeGreaterThan(20);
  for (const name of names) expect(schemas).toHaveProperty(name ?? "");
  expect(text).not.toContain("allOf");
});

test("every operation needs the key, has its own name, and documents 401, 403, 422, 429 and 503", () => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  for (const operation of operations) {
    if (operation.requestBody !== undefined)
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(["413", "415"]));
    if (operation.parameters?.some(({ name }) => name === "Idempotency-Key"))
      expect(Object.keys(operation.responses)).toContain("409");
    expect(Object.keys(operation.responses)).toEqual(
      expect.arrayContaining(["401", "403", "422", "429", "503"]),
    );
  }
  expect(document.security).toEqual([{ ApiKey: [] }, { Bearer: [] }]);
  expect(document.components.securitySchemes).toMatchObject({
    ApiKey: { type: "apiKey", in: "header", name: "X-Api-Key" },
    Bearer: { type: "http", scheme: "bearer" },
  });
  const names = operations.map((operation) => operation.operationId);
  expect(new Set(names).size).toBe(names.length);
});

test("limits, defaults and known words of requests are in the document", () => {
  expect(schemas["TransactionInput"]).toMatchObject({
    required: ["id", "description", "date", "amount", "entry_type", "currency"],
    properties: {
      id: { type: "string", minLength: 1, maxLength: 256 },
      description: { type: "string", minLength: 0, maxLength: 1024 },
      date: { type: "string", format: "date" },
      amount: { type: "number", format: "double", minimum: 0 },
      account_holder_id: { type: ["string", "null"] },
      location: { oneOf: [{ $ref: "#/components/schemas/LocationInput" }, { type: "null" }] },
    },
  });
  expect(schemas["BatchInput"]).toMatchObject({
    required: ["operation", "data"],
    properties: {
      data: {
        type: "array",
        minItems: 1,
        maxItems: 24_960,
        items: { $ref: "#/components/schemas/TransactionInput" },
      },
    },
  });
  expect(schemas["EntryType"]).toMatchObject({ type: "string", enum: ["incoming", "outgoing"] });
  const limitOf = (path: string): unknown =>
    document.paths[path]?.["get"]?.parameters?.find((parameter) => parameter.name === "limit");
  const limit = { type: "integer", minimum: 1, maximum: 1000 };
  expect(limitOf("/v3/transactions")).toMatchObject({
    required: false,
    schema: { ...limit, default: 25 },
  });
  expect(limitOf("/v3/batches")).toMatchObject({ schema: { ...limit, default: 10 } });
});

test("webhooks are described as in the contract, and what is ours is called an extension", () => {
  const webhooks = Object.entries(document.paths).filter(([path]) => path.includes("/webhooks"));
  const names = webhooks.flatMap(([, operations]) =>
    Object.values(operations).map((operation) => operation.operationId),
  );
  expect(names.toSorted()).toEqual([
    "create_webhook",
    "delete_webhook",
    "get_delivery",
    "get_recovery",
    "get_webhook",
    "list_deliveries",
    "list_webhooks",
    "patch_webhook",
    "recover_webhook",
    "resend_delivery",
    "test_webhook",
  ]);
  expect(schemas["WebhookBase"]).toMatchObject({
    required: ["url", "events"],
    properties: {
      url: { type: "string", format: "uri" },
      events: { type: "array" },
      token: { type: ["string", "null"] },
      hmac_secret: { type: ["string", "null"] },
    },
  });
  expect(schemas["WebhookPatch"]).not.toHaveProperty("required");
  const { required, properties } = schemas["Webhook"] as {
    required: string[];
    properties: Record<string, unknown>;
  };
  expect(required.toSorted()).toEqual(["created_at", "enabled", "events", "id", "url"]);
  expect(properties).not.toHaveProperty("hmac_secret");
  const contract = new Set([...required, "token"]);
  for (const [name, schema] of Object.entries(properties)) {
    expect([name, JSON.stringify(schema).includes("Extension: ")]).toEqual([
      name,
      !contract.has(name),
    ]);
  }
});

test("every operation, parameter, schema and field has a description", () => {
  const lacking: string[] = [];
  const look = (place: string, node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { properties = {}, ...rest } = node as { properties?: Readonly<Record<string, object>> };
    for (const [name, field] of Object.entries(properties)) {
      if (!("description" in field)) lacking.push(`${place}.${name}`);
      look(`${place}.${name}`, field);
    }
    for (const inner of Object.values(rest)) look(place, inner);
  };
  for (const [name, schema] of Object.entries(schemas)) {
    if (!("description" in (schema as object))) lacking.push(name);
    look(name, schema);
  }
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    const { operationId, parameters = [] } = operation;
    if (!("description" in operation)) lacking.push(operationId);
    for (const parameter of parameters)
      if (!("description" in parameter)) lacking.push(`${operationId} ${parameter.name}`);
  }
  // Say it in the schema, or in `v3/field-docs.ts` and `v3/operation-docs.ts`.
  expect(lacking).toEqual([]);
});

test("the tables of descriptions name nothing that is not in the document", () => {
  const text = JSON.stringify(document);
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const ids = new Set(operations.map(({ operationId }) => operationId));
  expect(Object.keys(OPERATION_DOCS).filter((id) => !ids.has(id))).toEqual([]);
  expect(Object.keys(SCHEMA_DOCS).filter((name) => !(name in schemas))).toEqual([]);
  const fields = Object.keys(FIELD_DOCS).map((name) => name.split(".").at(-1) ?? "");
  expect(fields.filter((name) => !text.includes(`${JSON.stringify(name)}:{`))).toEqual([]);
});
