import { expect, test } from "vitest";
import { startServer } from "../../../test/support/http-server.ts";

const id = "fe4bf929-29ba-3933-b588-407855c85b52";
const open = { key: null } as const;

test("a logo needs no key, may be shown by any page and kept for a year, and can do nothing", async () => {
  await using server = await startServer();
  const answer = await server.call("GET", `/logos/${id}.svg?name=B`, open);
  expect([answer.status, answer.text]).toEqual([200, `<svg><title>${id} B</title></svg>`]);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "image/svg+xml; charset=utf-8",
    "cache-control": "public, max-age=86400",
    etag: `"${"0".repeat(40)}"`,
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    "cross-origin-resource-policy": "cross-origin",
    "x-content-type-options": "nosniff",
  });
});

test("a client that has this version of a logo gets 304", async () => {
  await using server = await startServer();
  const ask = async (tag: string): Promise<readonly [number, string]> => {
    const headers = { "If-None-Match": tag };
    const answer = await server.call("GET", `/logos/${id}.svg?name=B`, { ...open, headers });
    return [answer.status, answer.text];
  };
  const tag = `"${"0".repeat(40)}"`;
  expect(await ask(tag)).toEqual([304, ""]);
  expect(await ask(`"other", W/${tag}`)).toEqual([304, ""]);
  expect((await ask('"other"'))[0]).toBe(200);
});

test("HEAD tells of a logo without sending it, other methods are refused", async () => {
  await using server = await startServer();
  const head = await server.call("HEAD", `/logos/${id}.svg?name=B`, open);
  expect([head.status, head.text]).toEqual([200, ""]);
  expect(Number(head.headers.get("Content-Length"))).toBeGreaterThan(0);
  expect((await server.call("POST", `/logos/${id}.svg`, open)).status).toBe(405);
});

test("an invalid id, another file type and an entity without picture and letter are 404", async () => {
  await using server = await startServer();
  const paths = [
    `/logos/${id}.svg`,
    `/logos/${id}.png?name=B`,
    `/logos/${id}?name=B`,
    `/logos/${id.toUpperCase()}.svg?name=B`,
    `/logos/${id}0.svg?name=B`,
    `/logos/x/${id}.svg?name=B`,
    `/logos/..%2f${id}.svg?name=B`,
    "/logos/%ff.svg?name=B",
    "/logos/",
  ];
  for (const path of paths) {
    const answer = await server.call("GET", path, open);
    expect([path, answer.status, answer.headers.get("Cache-Control")]).toEqual([
      path,
      404,
      "no-store",
    ]);
  }
});
