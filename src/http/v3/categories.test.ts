import { describe, expect, it, test } from "vitest";
import { fakeDeps, startServer, type TestServer } from "../../../test/support/http-server.ts";
import * as schemas from "./category-schemas.ts";
import type { CategoriesPort } from "./categories.ts";

const fake = fakeDeps([], []).categories;
const SET = { incoming: ["Pay"], outgoing: ["Food", "Home"] };
const by = { keyId: "key-acme:write", requestId: "r1" };
const headers = { "X-Request-ID": "r1" };

/** A server that keeps what its category sets were asked to change. */
async function startRecorder(
  overrides: Partial<CategoriesPort> = {},
): Promise<TestServer & { asked: unknown[] }> {
  const asked: unknown[] = [];
  const recorded = <Args extends unknown[], Result>(work: (...args: Args) => Result) => {
    return (...args: Args): Result => {
      asked.push(args);
      return work(...args);
    };
  };
  const categories: CategoriesPort = {
    get: overrides.get ?? fake.get,
    mapping: overrides.mapping ?? fake.mapping,
    replace: recorded(overrides.replace ?? fake.replace),
    reset: recorded(overrides.reset ?? fake.reset),
    patchMapping: recorded(overrides.patchMapping ?? fake.patchMapping),
  };
  return Object.assign(await startServer({ categories }), { asked });
}

test("a set and its mapping are answered as they are, and what is not there is a 404", async () => {
  await using server = await startServer();
  const set = await server.call("GET", "/v3/categories/mine");
  expect([set.status, set.json]).toEqual([200, { incoming: ["Pay"], outgoing: ["Food"] }]);
  expect(schemas.categorySet.safeParse(set.json).success).toBe(true);
  const mapping = await server.call("GET", "/v3/categories/mine/mapping");
  const mapped = { incoming: { paycheck: "Pay" }, outgoing: { groceries: "Food", pets: null } };
  expect([mapping.status, mapping.json]).toEqual([200, mapped]);
  expect(schemas.categoryMapping.safeParse(mapping.json).success).toBe(true);

  const nothing = () => Promise.resolve(null);
  await using empty = await startRecorder({
    get: nothing,
    mapping: nothing,
    patchMapping: nothing,
  });
  for (const [method, path, body] of [
    ["GET", "/v3/categories/mine", undefined],
    ["GET", "/v3/categories/mine/mapping", undefined],
    ["PATCH", "/v3/categories/mine/mapping", {}],
  ] as const) {
    const answer = await empty.call(method, path, body === undefined ? {} : { body });
    expect([path, answer.status, answer.json]).toMatchObject([
      path,
      404,
      { detail: "Category set not found" },
    ]);
  }
});

test("a set is stored and answered without the spaces around its words, under any id", async () => {
  await using server = await startRecorder();
  const body = { incoming: [" Pay\n"], outgoing: ["Food", "\tHome "], name: "ours" };
  const answer = await server.call("POST", "/v3/categories/a%2Fb%20%C3%A9", { body, headers });
  expect([answer.status, answer.json]).toEqual([200, SET]);
  expect(server.asked).toEqual([["acme", "a/b é", SET, by, "new-1"]]);
});

test("a reset answers the default set that is back, and null for any other, without a body or with one", async () => {
  await using server = await startRecorder({
    reset: (_org, id) => Promise.resolve({ ok: true, set: id === "consumer" ? SET : null }),
  });
  const consumer = await server.call("POST", "/v3/categories/consumer/reset", { headers });
  expect([consumer.status, consumer.json]).toEqual([200, SET]);
  const named = await server.call("POST", "/v3/categories/mine/reset", { headers });
  expect([named.status, named.text, named.headers.get("Content-Type")]).toEqual([
    200,
    "null",
    "application/json",
  ]);
  expect(server.asked).toEqual([
    ["acme", "consumer", by, "new-1"],
    ["acme", "mine", by, "new-2"],
  ]);
});

test("under an idempotency key a change is named by what was kept with the key", async () => {
  await using server = await startRecorder();
  const keyed = { ...headers, "Idempotency-Key": "k" };
  await server.call("POST", "/v3/categories/mine", { body: SET, headers: keyed });
  await server.call("POST", "/v3/categories/mine/reset", { headers: keyed });
  expect(server.asked).toEqual([
    ["acme", "mine", SET, by, "resource-1"],
    ["acme", "mine", by, "resource-1"],
  ]);
});

const LONG = "é".repeat(257);
const many = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `w${String(at)}`);
const inList = (direction: string, at: number, msg: string, type: string): unknown => ({
  loc: ["body", direction, at],
  msg,
  type,
});

describe("an invalid set is a 422 with the place, and changes nothing", () => {
  it.each<[string, unknown, readonly unknown[]]>([
    [
      "no lists",
      {},
      [
        { loc: ["body", "incoming"], msg: "Field required", type: "missing" },
        { loc: ["body", "outgoing"], msg: "Field required", type: "missing" },
      ],
    ],
    [
      "an empty word",
      { incoming: [], outgoing: ["a", " "] },
      [
        {
          ...(inList(
            "outgoing",
            1,
            "String should have at least 1 character",
            "string_too_short",
          ) as object),
          ctx: { min_length: 1 },
        },
      ],
    ],
    [
      "a long word",
      { incoming: [LONG], outgoing: [] },
      [
        {
          ...(inList(
            "incoming",
            0,
            "String should have at most 256 characters",
            "string_too_long",
          ) as object),
          ctx: { max_length: 256 },
        },
      ],
    ],
    [
      "a word twice",
      { incoming: [], outgoing: ["Food", "Home", " Food"] },
      [inList("outgoing", 2, "Value error, this is in the list already", "value_error")],
    ],
    [
      "a number",
      { incoming: [1], outgoing: [] },
      [inList("incoming", 0, "Input should be a valid string", "string_type")],
    ],
    [
      "too many words",
      { incoming: [], outgoing: many(1001) },
      [expect.objectContaining({ loc: ["body", "outgoing"], type: "too_long" })],
    ],
    [
      "a text for a list",
      { incoming: "Pay", outgoing: [] },
      [expect.objectContaining({ loc: ["body", "incoming"], type: "list_type" })],
    ],
  ])("%s", async (_, body, detail) => {
    await using server = await startRecorder();
    const answer = await server.call("POST", "/v3/categories/mine", { body });
    expect([answer.status, answer.json]).toMatchObject([422, { detail }]);
    expect(server.asked).toEqual([]);
  });

  it("values at the limits and a direction without names are valid", async () => {
    await using server = await startRecorder();
    const body = { incoming: [], outgoing: many(1000).with(7, LONG.slice(1)) };
    const answer = await server.call("POST", "/v3/categories/mine", { body });
    expect([answer.status, answer.json]).toEqual([200, body]);
    const id = "x".repeat(257);
    expect((await server.call("POST", `/v3/categories/${id}`, { body })).status).toBe(422);
  });
});

test.each([
  ["full", 400, "An organization may have at most 100 category sets"],
  [
    "too_large",
    413,
    "A category set may have at most 65536 bytes as compact JSON, its mapping included",
  ],
  ["busy", 409, "The category sets are being changed by too many at once"],
] as const)("a change refused as %s is a %i", async (reason, status, detail) => {
  const refuse = () => Promise.resolve({ ok: false, reason } as const);
  await using server = await startRecorder({
    replace: refuse,
    reset: refuse,
    patchMapping: refuse,
  });
  for (const [method, path, body] of [
    ["POST", "/v3/categories/mine", SET],
    ["POST", "/v3/categories/mine/reset", undefined],
    ["PATCH", "/v3/categories/mine/mapping", {}],
  ] as const) {
    const answer = await server.call(method, path, body === undefined ? {} : { body });
    expect([path, answer.status, answer.json]).toMatchObject([path, status, { detail }]);
    expect(answer.headers.get("Retry-After")).toBe(status === 409 ? "1" : null);
  }
});

test("a mapping changes in the named categories only; null leaves one unchanged", async () => {
  await using server = await startRecorder();
  const path = "/v3/categories/mine/mapping";
  const body = { outgoing: { groceries: " Food ", pets: null } };
  expect((await server.call("PATCH", path, { body, headers })).status).toBe(200);
  expect((await server.call("PATCH", path, { body: { incoming: null }, headers })).status).toBe(
    200,
  );
  expect(server.asked).toEqual([
    ["acme", "mine", { outgoing: { groceries: "Food", pets: null } }, by],
    ["acme", "mine", {}, by],
  ]);
});

test("an invalid mapping is a 422 with the place, without the refused word", async () => {
  const long = "x".repeat(1_000);
  await using server = await startRecorder({
    patchMapping: () =>
      Promise.resolve({
        ok: false,
        reason: "invalid",
        problems: [
          { direction: "incoming", category: long, problem: "unknown_category" },
          { direction: "outgoing", category: "pets", problem: "not_in_set" },
        ],
      }),
  });
  const path = "/v3/categories/mine/mapping";
  const refused = await server.call("PATCH", path, { body: { outgoing: { pets: "Secret" } } });
  const entry = (loc: unknown[], msg: string): unknown => ({ loc, msg, type: "value_error" });
  expect([refused.status, refused.json]).toMatchObject([
    422,
    {
      detail: [
        entry(
          ["body", "incoming", "x".repeat(256)],
          "Value error, this is not one of our own categories",
        ),
        entry(
          ["body", "outgoing", "pets"],
          "Value error, this is not an entry of the category set",
        ),
      ],
    },
  ]);
  const crowd = Object.fromEntries(many(201).map((name) => [name, null]));
  for (const [words, loc, type] of [
    [["pets"], ["body", "outgoing"], "dict_type"],
    ["pets", ["body", "outgoing"], "dict_type"],
    [{ pets: 1 }, ["body", "outgoing", "pets"], "string_type"],
    [crowd, ["body", "outgoing"], "too_long"],
  ] as const) {
    const answer = await server.call("PATCH", path, { body: { outgoing: words } });
    expect([answer.status, answer.json]).toMatchObject([422, { detail: [{ loc, type }] }]);
  }
  expect(server.asked).toHaveLength(1);
});
