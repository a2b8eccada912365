import { expect, test } from "vitest";
import { exceptionsFor, periodicityFor } from "./client-exceptions.ts";
import { startServer } from "../../../test/support/http-server.ts";

const rule = { add_label: "rent" };

test.each([
  ["ntropy-sdk/5.7.0", "string"],
  ["ntropy-sdk/5.2.1", "string"],
  ["python-requests/2.34 ntropy-sdk/5", "number"],
  ["ntropy-sdk", "number"],
  ["", "number"],
])("to %s the id of a rule is a %s, in every answer", async (userAgent, type) => {
  await using server = await startServer();
  const headers = { "User-Agent": userAgent };
  const ids: unknown[] = [];
  for (const [method, path, body] of [
    ["POST", "/v3/rules", rule],
    ["POST", "/v3/rules/replace", [rule]],
    ["PATCH", "/v3/rules/0", rule],
  ] as const) {
    const { json, status } = await server.call(method, path, { headers, body });
    expect(status).toBe(200);
    ids.push(Array.isArray(json) ? (json as object[])[0] : json);
  }
  expect(ids.map((one) => typeof (one as { id: unknown }).id)).toEqual([type, type, type]);
});

test("a client that names itself not at all has no exceptions", () => {
  expect(exceptionsFor(undefined)).toEqual({
    ruleIdsAsText: false,
    periodicities: "all",
  });
});

test.each([
  ["ntropy-sdk/5.7.0", ["bi-weekly", "semi-monthly", "monthly"]],
  ["ntropy-sdk/6.1.0", ["bi-weekly", "semi-monthly", "monthly"]],
  ["ntropy-sdk/5.5.0", ["bi_weekly", "other", "monthly"]],
  ["ntropy-sdk/5.3.0", ["bi_weekly", "other", "monthly"]],
  ["ntropy-sdk/5.2.1", ["bi-weekly", "other", "monthly"]],
  ["ntropy-sdk/5", ["bi-weekly", "semi-monthly", "monthly"]],
  ["curl/8", ["bi-weekly", "semi-monthly", "monthly"]],
])("%s reads the periodicities %j", (userAgent, words) => {
  const client = exceptionsFor(userAgent);
  const known = ["bi-weekly", "semi-monthly", "monthly"];
  expect(known.map((one) => periodicityFor(client, one))).toEqual(words);
});
