import { expect, it } from "vitest";
import { startServer } from "../../../test/support/http-server.ts";

const KEY = "acme:write";

it("a key is taken from X-Api-Key or from a bearer token", async () => {
  await using server = await startServer();
  for (const headers of [
    { Authorization: `Bearer ${KEY}` },
    { authorization: `bearer  ${KEY}` },
    { Authorization: `Bearer ${KEY}`, "X-Api-Key": KEY },
    { Authorization: "Basic cHJveHk6cGFzc3dvcmQ=", "X-Api-Key": KEY },
  ]) {
    const answer = await server.call("GET", "/v3/transactions", { key: null, headers });
    expect([headers, answer.status]).toEqual([headers, 200]);
  }
});

it("a missing key and a wrong one have different answers, each with its challenge", async () => {
  await using server = await startServer();
  for (const headers of [{}, { "X-Api-Key": "" }, { Authorization: "Basic eDp5" }]) {
    const missing = await server.call("GET", "/v3/transactions", { key: null, headers });
    expect([missing.status, missing.json]).toMatchObject([401, { code: "missing_api_key" }]);
    expect(missing.headers.get("WWW-Authenticate")).toBe('Bearer realm="ledgerline"');
  }
  for (const headers of [{ "X-Api-Key": "revoked" }, { Authorization: "Bearer revoked" }]) {
    const wrong = await server.call("GET", "/v3/transactions", { key: null, headers });
    expect([wrong.status, wrong.json]).toMatchObject([401, { code: "invalid_api_key" }]);
    expect(wrong.headers.get("WWW-Authenticate")).toMatch(
      /^Bearer realm="ledgerline", error="invalid_token", error_description="[^"]+"$/,
    );
  }
});

it("two different keys are refused, whichever is good", async () => {
  await using server = await startServer();
  const headers = { Authorization: "Bearer other:write" };
  const answer = await server.call("GET", "/v3/transactions", { headers });
  expect([answer.status, answer.json]).toMatchObject([401, { code: "ambiguous_api_key" }]);
  expect(answer.headers.get("WWW-Authenticate")).toContain('error="invalid_request"');
});
