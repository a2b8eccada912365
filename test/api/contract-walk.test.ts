// The public v3 API, as a document of its own describes it, is in the document that is served: a client that was written
// for the one works with the other. The public document is not part of the project; where it is not found, only the walk
// itself is tested.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { startServer } from "../support/http-server.ts";
import { type OpenApi, openApiDifferences } from "../support/openapi-differences.ts";

const SIBLING_FOLDER = fileURLToPath(new URL("../../../shared/contract", import.meta.url));
const PUBLIC = join(process.env["CONTRACT_DIR"] ?? SIBLING_FOLDER, "v3.openapi.json");

const STATEMENTS = "statements of banks are not read yet";
const PERIODICITY = "version 5.7 of the Python library has it; older ones get `other`";

/** Every difference, with the reason why it may be. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  "DELETE /v3/bank_statements/{id} is not there": STATEMENTS,
  "GET /v3/bank_statements is not there": STATEMENTS,
  "GET /v3/bank_statements/{id} is not there": STATEMENTS,
  "GET /v3/bank_statements/{id}/results is not there": STATEMENTS,
  "POST /v3/bank_statements is not there": STATEMENTS,
  "POST /v3/bank_statements/{id}/verify is not there": STATEMENTS,
  'RecurrencePeriodicity: "semi-monthly" is here and not there': PERIODICITY,
  "POST /v3/entities/resolve 423 is not there": "what is known of an entity is there at once",
};

let served: OpenApi;
beforeAll(async () => {
  await using server = await startServer();
  const answer = await server.call("GET", "/openapi/v3.json", { key: null });
  served = answer.json as OpenApi;
});

it.skipIf(!existsSync(PUBLIC))(
  "what the public document promises is served, and every difference is known and still there",
  () => {
    const promised = JSON.parse(readFileSync(PUBLIC, "utf8")) as OpenApi;
    expect(openApiDifferences(promised, served)).toEqual(Object.keys(DIFFERENCES).sort());
  },
);

type Json = Record<string, unknown>;

/** The served document with one thing changed. */
function changed(...[path, change]: Change): OpenApi {
  const copy = structuredClone(served) as unknown as Json;
  const at = path.reduce((node, key) => node[key] as Json, copy);
  change(at);
  return copy as unknown as OpenApi;
}

type Change = readonly [path: readonly string[], change: (at: Json) => void];

const without = (key: string) => (at: Json) => {
  if (!Reflect.has(at, key)) throw new Error(`There is no ${key}`);
  Reflect.deleteProperty(at, key);
};
const schema = (name: string, ...more: string[]): string[] => [
  "components",
  "schemas",
  name,
  ...more,
];
const holders = ["paths", "/v3/account_holders"];

describe("the walk", () => {
  it("finds nothing between a document and itself", () => {
    expect(openApiDifferences(served, served)).toEqual([]);
  });

  it.each<[string, ...Change]>([
    ["GET /v3/account_holders is not there", holders, without("get")],
    [
      "POST /v3/account_holders 400 is not there",
      [...holders, "post", "responses"],
      without("400"),
    ],
    [
      "GET /v3/account_holders query created_after is not there",
      [...holders, "get"],
      (at) => (at["parameters"] = (at["parameters"] as Json[]).slice(1)),
    ],
    [
      "GET /v3/account_holders query token is required, and clients do not know it",
      [...holders, "get"],
      (at) => (at["parameters"] as Json[]).push({ in: "query", name: "token", required: true }),
    ],
    ["AccountHolder.name is not there", schema("AccountHolder", "properties"), without("name")],
    [
      "AccountHolder.created_at is required there and optional here",
      schema("AccountHolder"),
      (at) => (at["required"] = ["id", "type"]),
    ],
    [
      "NewAccountHolder.name is optional there and required here",
      schema("NewAccountHolder"),
      (at) => (at["required"] as string[]).push("name"),
    ],
    [
      "NewAccountHolder.age is required, and clients do not know it",
      schema("NewAccountHolder"),
      (at) => (at["required"] as string[]).push("age"),
    ],
    [
      "NewAccountHolder.name: null can be sent there and not here",
      schema("NewAccountHolder", "properties", "name"),
      (at) => (at["type"] = "string"),
    ],
    [
      "AccountHolder.id: null is answered here and not there",
      schema("AccountHolder", "properties", "id"),
      (at) => (at["type"] = ["string", "null"]),
    ],
    [
      'AccountType: "business" is there and not here',
      schema("AccountType"),
      (at) => (at["enum"] = ["consumer"]),
    ],
    [
      'AccountType: "person" is here and not there',
      schema("AccountType"),
      (at) => (at["enum"] as string[]).push("person"),
    ],
    ['AccountType: "any text" is here and not there', schema("AccountType"), without("enum")],
    [
      "NewAccountHolder.name: can be any text there and not here",
      schema("NewAccountHolder", "properties", "name"),
      (at) => (at["enum"] = ["x", null]),
    ],
    [
      "AccountHolder.created_at: string is answered here and not there",
      schema("AccountHolder", "properties", "created_at"),
      without("format"),
    ],
    [
      "EnrichedTransaction: string is answered here and not there",
      schema("BatchResults", "properties", "results"),
      (at) => (at["items"] = { type: "string" }),
    ],
  ])("sees that %s", (difference, path, change) => {
    expect(openApiDifferences(served, changed(path, change))).toContain(difference);
  });

  it("ends on schemas that contain themselves", () => {
    const tree = (leaf: string): OpenApi => ({
      paths: {
        "/tree": {
          get: {
            responses: {
              200: { content: { json: { schema: { $ref: "#/components/schemas/Tree" } } } },
            },
          },
        },
      },
      components: {
        schemas: {
          Tree: {
            oneOf: [
              { type: leaf },
              { type: "array", items: { $ref: "#/components/schemas/Tree" } },
              { type: "object", properties: { not: { $ref: "#/components/schemas/Tree" } } },
            ],
          },
        },
      },
    });
    expect(openApiDifferences(tree("string"), tree("string"))).toEqual([]);
    expect(openApiDifferences(tree("string"), tree("boolean"))).toEqual([
      "Tree: boolean is answered here and not there",
    ]);
  });
});
