import type { Request } from "express";
import { expect, test } from "vitest";
import { buildOpenApi } from "../v3/openapi.ts";
import { docsPages } from "../ops/docs.ts";
import { exchangeBytes, fakeDeps, startServer } from "../../../test/support/http-server.ts";

const deps = fakeDeps([], []);

test("health is open: live and ready answer 200 or 503 with reasons", async () => {
  await using good = await startServer();
  const live = await good.call("GET", "/health/live", { key: null });
  expect([live.status, live.json]).toEqual([200, { status: "live" }]);
  const ready = await good.call("GET", "/health/ready", { key: null });
  const short = await good.call("GET", "/health", { key: null });
  expect([short.status, short.json]).toEqual([ready.status, ready.json]);
  expect([ready.status, ready.json]).toEqual([200, { status: "ready", reasons: [] }]);

  await using bad = await startServer({
    health: {
      live: () => false,
      ready: () => ({ ready: false, reasons: ["store"], degraded: [] }),
    },
  });
  expect((await bad.call("GET", "/health/live", { key: null })).status).toBe(503);
  const not = await bad.call("GET", "/health/ready", { key: null });
  expect([not.status, not.json]).toEqual([503, { status: "not ready", reasons: ["store"] }]);
});

test("pages are only read", async () => {
  await using server = await startServer();
  const answer = await server.call("POST", "/health/live", { key: null });
  expect([answer.status, answer.headers.get("Allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  expect((await server.call("HEAD", "/docs", { key: null })).status).toBe(200);
});

test("metrics are open to this machine", async () => {
  await using server = await startServer();
  const answer = await server.call("GET", "/metrics", { key: null });
  expect([answer.status, answer.text]).toEqual([200, "up 1\n"]);
  expect(answer.headers.get("Content-Type")).toBe("text/plain; version=0.0.4");
});

test("metrics under a name that is not of this machine need an operator's key", async () => {
  await using server = await startServer();
  const statusFor = async (host: string, key = ""): Promise<string> => {
    const head = `GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${key}\r\n`;
    return (await exchangeBytes(server.port, head)).slice(9, 12);
  };
  for (const host of ["localhost", "LOCALHOST:8080", "a.localhost", "127.0.0.1:80", "[::1]:80"])
    expect([host, await statusFor(host)]).toEqual([host, "200"]);
  // A page of evil.example whose name is made to resolve to 127.0.0.1 sends its own name.
  for (const host of [
    "evil.example",
    "evil.example:80",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "x:y",
  ])
    expect([host, await statusFor(host)]).toEqual([host, "401"]);
  expect(await statusFor("metrics.example", "X-Api-Key: acme:operator\r\n")).toBe("200");
});

test("metrics of a server that others can reach need an operator's key", async () => {
  await using server = await startServer({}, { host: "0.0.0.0" });
  const statusOf = async (headers: Record<string, string>): Promise<number> =>
    (await server.call("GET", "/metrics", { key: null, headers })).status;
  expect(await statusOf({})).toBe(401);
  expect(await statusOf({ "X-Api-Key": "revoked" })).toBe(401);
  expect(await statusOf({ "X-Api-Key": "acme:admin" })).toBe(403);
  expect(await statusOf({ "X-Api-Key": "acme:operator" })).toBe(200);
  expect(await statusOf({ Authorization: "Bearer acme:operator" })).toBe(200);
  expect(await statusOf({ Authorization: "Basic acme:operator" })).toBe(401);
});

test("metrics that fail are a 500 like any other bug", async () => {
  await using server = await startServer({
    metrics: { ...deps.metrics, text: () => Promise.reject(new Error("bug")) },
  });
  expect((await server.call("GET", "/metrics", { key: null })).status).toBe(500);
});

test("the documentation page loads nothing from elsewhere and runs no inline script", async () => {
  await using server = await startServer();
  const page = await server.call("GET", "/docs", { key: null });
  expect(page.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
  expect(page.text).not.toMatch(/https?:|<script>|\bon\w+=/);
  const links = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? "");
  expect(links).toHaveLength(4);
  for (const link of links) {
    const asset = await server.call("GET", new URL(link, `${server.url}/docs`).pathname);
    expect([link, asset.status]).toEqual([link, 200]);
    expect(asset.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(asset.text.length).toBeGreaterThan(50);
  }
  const policy = page.headers.get("Content-Security-Policy") ?? "";
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toContain("https:");
  const start = await server.call("GET", "/docs/start.js");
  expect(start.text).toContain("openapi/v3.json");
});

test("the address of the service redirects a browser to the documentation", async () => {
  await using server = await startServer();
  const answer = await fetch(server.url, { redirect: "manual" });
  expect([answer.status, answer.headers.get("Location")]).toEqual([302, "docs"]);
  const slash = await server.call("GET", "/docs/", { key: null });
  expect([slash.status, slash.headers.get("Location")]).toEqual([302, "../docs"]);
});

test("nothing else of the documentation package is served", async () => {
  await using server = await startServer();
  for (const path of ["/docs/index.html", "/docs/package.json", "/docs/..%2Fpackage.json"]) {
    expect((await server.call("GET", path)).status).toBe(404);
  }
});

test("a file of the documentation is in memory once, however many read it", async () => {
  const script = docsPages({ v2: buildOpenApi, v3: buildOpenApi }).find((page) =>
    page.path.endsWith("bundle.js"),
  );
  const read = async (): Promise<unknown> => {
    const answer = await script?.answer(null as unknown as Request);
    return answer?.kind === "text" ? answer.body : null;
  };
  const [first, second] = await Promise.all([read(), read()]);
  expect(first).toBeInstanceOf(Buffer);
  expect([second === first, (await read()) === first]).toEqual([true, true]);
});

test("successful probes are logged at debug only, failing ones as warnings", async () => {
  await using server = await startServer();
  for (const path of ["/health/live", "/metrics", "/docs", "/health/nothing"])
    await server.call("GET", path, { key: null });
  const routes = server.logs
    .filter(({ level }) => level === "info")
    .map(({ fields }) => fields["route"]);
  expect(routes).toEqual(["/docs", "unmatched"]);
});
