import { describe, expect, it, test } from "vitest";
import { checkRules } from "../../rule-language/rule-check.ts";
import type { Rule } from "../../model/rules.ts";
import { fakeDeps, startServer, type TestServer } from "../../../test/support/http-server.ts";
import * as schemas from "./rule-schemas.ts";
import type { RulesPort } from "./rules.ts";

const fake = fakeDeps([], []).rules;
const RULE: Rule = {
  if: { "&&": [{ "==": [{ get: "merchant" }, "Acme"] }, { ">": [{ get: "amount" }, 1.5] }] },
  then: [{ set: "website", to: "acme.example" }, { set_labels: ["rent", { get: "country" }] }],
  else: [{ if: { "!": { has_mcc: 5814 } }, then: [{ add_mcc: 5814 }] }],
};

/** A server that keeps what its rules were asked for. */
async function startRecorder(
  overrides: Partial<RulesPort> = {},
): Promise<TestServer & { asked: unknown[] }> {
  const asked: unknown[] = [];
  const recorded = <Args extends unknown[], Result>(work: (...args: Args) => Result) => {
    return (...args: Args): Result => {
      asked.push(args);
      return work(...args);
    };
  };
  const rules: RulesPort = {
    list: fake.list,
    append: recorded(overrides.append ?? fake.append),
    replace: recorded(overrides.replace ?? fake.replace),
    change: recorded(overrides.change ?? fake.change),
    remove: recorded(overrides.remove ?? fake.remove),
  };
  return Object.assign(await startServer({ rules }), { asked });
}

const by = { keyId: "key-acme:write", requestId: "r1" };
const headers = { "X-Request-ID": "r1" };

test("a rule is appended without unknown fields, and answered with its id", async () => {
  await using server = await startRecorder();
  const body = { id: 7, ...RULE, comment: "ours" };
  const answer = await server.call("POST", "/v3/rules", { body, headers });
  expect([answer.status, answer.json]).toEqual([200, { id: 1, ...RULE }]);
  expect(server.asked).toEqual([["acme", RULE, by, "new-1"]]);
});

test("under an idempotency key a change is named by what was kept with the key", async () => {
  await using server = await startRecorder();
  const keyed = { ...headers, "Idempotency-Key": "k" };
  await server.call("POST", "/v3/rules", { body: RULE, headers: keyed });
  await server.call("POST", "/v3/rules/replace", { body: [], headers: keyed });
  expect(server.asked).toEqual([
    ["acme", RULE, by, "resource-1"],
    ["acme", [], by, "resource-1"],
  ]);
});

test("the list has every rule with its id and its own fields", async () => {
  await using server = await startServer({
    rules: { ...fake, list: () => Promise.resolve([RULE, { add_label: "rent" }]) },
  });
  const answer = await server.call("GET", "/v3/rules");
  expect(answer.json).toEqual([
    { id: 0, ...RULE },
    { id: 1, add_label: "rent" },
  ]);
  expect(schemas.rules.safeParse(answer.json).success).toBe(true);
});

test("what was listed can be sent back to replace all, and is answered as it would be listed", async () => {
  await using server = await startRecorder();
  const listed = [
    { id: 0, ...RULE },
    { id: 1, add_label: "rent" },
  ];
  const answer = await server.call("POST", "/v3/rules/replace", { body: listed, headers });
  expect([answer.status, answer.json]).toEqual([200, listed]);
  expect(server.asked).toEqual([["acme", [RULE, { add_label: "rent" }], by, "new-1"]]);
});

test("a rule is changed and deleted by its place; deleting answers null", async () => {
  await using server = await startRecorder();
  const changed = await server.call("PATCH", "/v3/rules/3", { body: RULE, headers });
  expect([changed.status, changed.json]).toEqual([200, { id: 3, ...RULE }]);
  const deleted = await server.call("DELETE", "/v3/rules/0", { headers });
  expect([deleted.status, deleted.text]).toEqual([200, "null"]);
  expect(server.asked).toEqual([
    ["acme", 3, RULE, by],
    ["acme", 0, by],
  ]);
});

it.each(["-1", "1.0", "01", "1e0", "+1", "x", "9".repeat(12), "9".repeat(400), "null"])(
  "%s is not the id of a rule: 400 without a read",
  async (id) => {
    await using server = await startRecorder();
    for (const answer of [
      await server.call("PATCH", `/v3/rules/${id}`, { body: RULE }),
      await server.call("DELETE", `/v3/rules/${id}`),
    ]) {
      expect([answer.status, answer.json]).toMatchObject([
        400,
        { detail: "There is no rule with this id" },
      ]);
    }
    expect(server.asked).toEqual([]);
  },
);

describe("a refusal is one sentence", () => {
  it.each([
    ["too_large", 413, null],
    ["unknown_id", 400, null],
    ["busy", 409, "1"],
  ] as const)("%s is %d", async (reason, status, wait) => {
    const refuse = () => Promise.resolve({ ok: false, reason } as const);
    await using server = await startRecorder({
      append: refuse,
      replace: refuse,
      change: refuse,
      remove: refuse,
    });
    for (const answer of [
      await server.call("POST", "/v3/rules", { body: RULE }),
      await server.call("POST", "/v3/rules/replace", { body: [RULE] }),
      await server.call("PATCH", "/v3/rules/0", { body: RULE }),
      await server.call("DELETE", "/v3/rules/0"),
    ]) {
      expect([answer.status, answer.headers.get("Retry-After")]).toEqual([status, wait]);
      expect(answer.json).toMatchObject({ detail: expect.stringMatching(/^[A-Z]/) as string });
    }
  });
});

describe("an invalid rule", () => {
  it.each<[string, string, string, unknown, object]>([
    ["no body", "POST", "/v3/rules", undefined, { loc: ["body"], type: "missing" }],
    ["no body", "PATCH", "/v3/rules/0", undefined, { loc: ["body"], type: "missing" }],
    ["no list", "POST", "/v3/rules/replace", RULE, { loc: ["body"], type: "list_type" }],
    ["a list", "POST", "/v3/rules", [RULE], { loc: ["body"], type: "model_attributes_type" }],
    [
      "nothing to set to",
      "POST",
      "/v3/rules/replace",
      [RULE, { if: true, then: [{ set: "merchant" }] }],
      { loc: ["body", 1, "then", 0, "to"], type: "missing" },
    ],
  ])("%s to %s %s: 422 with the place", async (_what, method, path, body, error) => {
    await using server = await startRecorder();
    const answer = await server.call(method, path, body === undefined ? {} : { body });
    expect(answer.status).toBe(422);
    expect(answer.json).toMatchObject({ detail: [error] });
    expect(server.asked).toEqual([]);
  });

  it("a rule that makes no sense is a 400 whose sentence begins with the place", async () => {
    await using server = await startRecorder();
    const body = [RULE, { set: "merchant", to: 1 }];
    const answer = await server.call("POST", "/v3/rules/replace", { body });
    expect([answer.status, answer.json]).toMatchObject([
      400,
      { detail: expect.stringMatching(/^rules\[1\]\.to: /) as string },
    ]);
    expect(server.asked).toEqual([]);
  });

  it("a body nested deeper than any stack is refused like any other", async () => {
    await using server = await startRecorder();
    const body = `${'{"if":{"!":'.repeat(20_000)}true${"}}".repeat(20_000)}`;
    const answer = await server.call("POST", "/v3/rules", { body });
    expect([answer.status, server.asked]).toEqual([422, []]);
  });
});

describe("the schemas of the document", () => {
  const filterModel = schemas.ruleComponents.at(-2);

  it("take what the check takes", () => {
    const rules = [RULE, { remove_label: { to_lower: "X" } }, { set_mcc: [1, { "+": [1, 2] }] }];
    expect(checkRules(rules)).toMatchObject({ ok: true });
    expect(filterModel?.safeParse(rules)).toMatchObject({ success: true });
  });

  it.each([
    [{ add: "label" }],
    [{ set: "amount", to: "x" }],
    [{ add_label: { get: "colour" } }],
    [{ if: { "^": [true] } }],
  ])("refuse %j, as the check does", (rule) => {
    expect(checkRules([rule])).toMatchObject({ ok: false });
    expect(filterModel?.safeParse([rule])).toMatchObject({ success: false });
  });
});
