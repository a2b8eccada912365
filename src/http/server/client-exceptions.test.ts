import { expect, test } from "vitest";
import { exceptionsFor } from "./client-exceptions.ts";
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

test.each([
  ["ntropy-sdk/4.26.0", false],
  ["ntropy-sdk/5.2.1", false],
  ["ntropy-sdk/5.5.0", false],
  ["ntropy-sdk/5.7.0", true],
  ["ntropy-sdk/5.10.0", true],
  ["ntropy-sdk/50.1", true],
  ["ntropy-sdk/10.0.0", true],
])("%s can read the periodicity semi-monthly: %j", (userAgent, hasSemiMonthly) => {
  expect(exceptionsFor(userAgent)).toMatchObject({ hasSemiMonthly });
});

test("a client that names itself not at all has no exceptions", () => {
  expect(exceptionsFor(undefined)).toEqual({ ruleIdsAsText: false, hasSemiMonthly: true });
});
