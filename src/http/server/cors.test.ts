import { expect, it } from "vitest";
import { startServer, transactionBody } from "../../../test/support/http-server.ts";

const ORIGIN = "https://app.example.com";
const preflight = {
  key: null,
  headers: { Origin: ORIGIN, "Access-Control-Request-Method": "POST" },
} as const;
const corsHeaders = (headers: Headers): string[] =>
  [...headers.keys()].filter((name) => name.startsWith("access-control-"));

it("without CORS_ORIGINS no answer allows another origin anything", async () => {
  await using server = await startServer();
  const options = await server.call("OPTIONS", "/v3/transactions", preflight);
  const list = await server.call("GET", "/v3/transactions", { headers: { Origin: ORIGIN } });
  expect([...corsHeaders(options.headers), ...corsHeaders(list.headers)]).toEqual([]);
  expect(options.headers.get("Allow")).toContain("POST");
});

it("a page of an allowed origin may call the API and read its headers, without credentials", async () => {
  await using server = await startServer({ corsOrigins: [ORIGIN] });
  const options = await server.call("OPTIONS", "/v3/transactions", preflight);
  expect(options.status).toBe(204);
  expect(options.headers.get("Access-Control-Allow-Origin")).toBe(ORIGIN);
  expect(options.headers.get("Access-Control-Allow-Methods")).toContain("POST");
  expect(options.headers.get("Access-Control-Allow-Headers")).toContain("X-Api-Key");
  for (const body of [transactionBody, "{"]) {
    const answer = await server.call("POST", "/v3/transactions", {
      body,
      headers: { Origin: ORIGIN },
    });
    expect(answer.headers.get("Access-Control-Allow-Origin")).toBe(ORIGIN);
    expect(answer.headers.get("Access-Control-Expose-Headers")).toContain("X-Request-ID");
    expect(answer.headers.get("Access-Control-Allow-Credentials")).toBeNull();
    expect(answer.headers.get("Vary")).toContain("Origin");
  }
});

it.each(["https://app.example.com.evil.example", "http://app.example.com", "null"])(
  "the origin %s, which is not allowed, gets nothing but Vary",
  async (origin) => {
    await using server = await startServer({ corsOrigins: [ORIGIN] });
    const headers = { ...preflight.headers, Origin: origin };
    const answer = await server.call("OPTIONS", "/v3/transactions", { key: null, headers });
    expect(corsHeaders(answer.headers)).toEqual([]);
    expect(answer.headers.get("Vary")).toContain("Origin");
  },
);
