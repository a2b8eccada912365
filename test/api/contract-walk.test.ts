// The public API of each version, as a document of its own describes it, is in the document that is served: a client that was
// written for the one works with the other. The public document is not part of the project; where it is not found, only the walk
// itself is tested.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { startServer } from "../support/http-server.ts";
import { type OpenApi, openApiDifferences } from "../support/openapi-differences.ts";

const SIBLING_FOLDER = fileURLToPath(new URL("../../../shared/contract", import.meta.url));
const publicDocument = (version: string): string =>
  join(process.env["CONTRACT_DIR"] ?? SIBLING_FOLDER, `${version}.openapi.json`);

const PERIODICITY = "version 5.7 of the Python library has it; older ones get `other`";

/** Every difference, with the reason why it may be. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  'RecurrencePeriodicity: "semi-monthly" is here and not there': PERIODICITY,
  "POST /v3/entities/resolve 423 is not there": "what is known of an entity is there at once",
};

const OPEN = "the public document leaves it open, `interface.md` names what may be sent";
const NO_NULL = "a query has no null";
const PAGES = "`interface.md` has one object: a page, or the report";

/** The same of the v2 API. */
const V2_DIFFERENCES: Readonly<Record<string, string>> = {
  'AccountHolderType: "freelance" is here and not there': "`interface.md` has it for both variants",
  "EnrichedTransactionCorrection.intermediaries[]: any can be sent there and not here": OPEN,
  "EnrichedTransactionCorrection.location_structured: any can be sent there and not here": OPEN,
  "EnrichedTransactionCorrection.recurrence: any can be sent there and not here": OPEN,
  "EnrichedTransactionCorrection.recurrence: can be any text there and not here": OPEN,
  "EnrichedTransactionCorrection.transaction_type: any can be sent there and not here": OPEN,
  "EnrichedTransactionCorrection.transaction_type: can be any text there and not here": OPEN,
  "FilterModel[]: any can be sent there and not here": OPEN,
  "GET /health is not there": "it is served, and is part of no version of the API",
  "GET /v2/account-holder query named_only: null can be sent there and not here": NO_NULL,
  "GET /v2/account-holder query sort_order: can be any text there and not here":
    "another text is a 422, not an order that is made up",
  "GET /v2/account-holder query with_confidence: null can be sent there and not here": NO_NULL,
  "GET /v2/entities 423 is not there": "what is known of an entity is there at once",
  "GET /v2/report 200: object is answered here and not there": PAGES,
  "GET /v2/report query status: can be any text there and not here":
    "another text is a 422, not an empty page",
  "GET /v2/report/{id} 200: object is answered here and not there": PAGES,
  "MissingAccountHoldersError.missingIds is not there":
    "it is in the answer; the document has one schema for all errors",
  "POST /datasources/bank_statements query iso_currency_code: can be any text there and not here":
    "`interface.md` has the codes of ISO 4217",
  "RecurringPaymentsGroup.average_amount: number is answered here and not there":
    "amounts have parts of a unit",
  'Status: "error" is there and not here': "errors have a status of HTTP",
  "Transaction.iso_currency_code: can be any text there and not here":
    "`interface.md` has the codes of ISO 4217",
};

let served: OpenApi;
let servedV2: OpenApi;
beforeAll(async () => {
  await using server = await startServer();
  const answer = await server.call("GET", "/openapi/v3.json", { key: null });
  served = answer.json as OpenApi;
  servedV2 = (await server.call("GET", "/openapi/v2.json", { key: null })).json as OpenApi;
});

it.skipIf(!existsSync(publicDocument("v3"))).each([
  ["v3", () => served, DIFFERENCES],
  ["v2", () => servedV2, V2_DIFFERENCES],
] as const)(
  "what the public document of %s promises is served, and every difference is known and still there",
  (version, document, differences) => {
    const promised = JSON.parse(readFileSync(publicDocument(version), "utf8")) as OpenApi;
    expect(openApiDifferences(promised, document())).toEqual(Object.keys(differences).sort());
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
