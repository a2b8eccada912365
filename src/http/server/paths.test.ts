import { expect, test } from "vitest";
import { createPathFinder, requestPath } from "./paths.ts";
import { exchangeBytes, fakeDeps, startServer, stored } from "../../../test/support/http-server.ts";
import { v2Routes } from "../v2/routes.ts";
import { v3Routes } from "../v3/routes.ts";

const deps = fakeDeps([], []);
const findPath = createPathFinder([...v3Routes, ...v2Routes].map((route) => route.path));

const TRANSACTION = "/v3/transactions/{id}";
const ASSIGN = "/v3/transactions/{id}/assign";
const RESULTS = "/v3/batches/{id}/results";
const HOLDER = "/v3/account_holders/{id}";
const DELIVERIES = "/v3/webhooks/{id}/deliveries";
const DELETE = "/v3/account_holders/{id}/transactions/delete";

test.each([
  ["/v3/transactions/sl%2Fash", TRANSACTION, "sl/ash"],
  ["/v3/transactions/100%25x", TRANSACTION, "100%x"],
  ["/v3/transactions/100%2541", TRANSACTION, "100%41"],
  ["/v3/transactions/a%2Fassign", TRANSACTION, "a/assign"],
  ["/v3/transactions/a/assign", ASSIGN, "a"],
  ["/v3/transactions/a%2Fassign/assign", ASSIGN, "a/assign"],
  ["/v3/transactions/assign", TRANSACTION, "assign"],
  ["/v3/batches/b/results", RESULTS, "b"],
  ["/v3/account_holders/h/transactions/delete", DELETE, "h"],
  ["/v3/account_holders/h%2Ftransactions%2Fdelete", HOLDER, "h/transactions/delete"],
])("an escaped id is one segment: %s", (path, pattern, id) => {
  expect(findPath(path)).toEqual({ pattern, values: { id } });
});

test.each([
  ["/v3/transactions/sl/ash", TRANSACTION, "sl/ash"],
  ["/v3/transactions/sl/ash/assign", ASSIGN, "sl/ash"],
  ["/v3/transactions/assign/assign/assign", ASSIGN, "assign/assign"],
  ["/v3/transactions//assign", TRANSACTION, "/assign"],
  ["/v3/transactions/a/", TRANSACTION, "a/"],
  ["/v3/transactions//", TRANSACTION, "/"],
  ["/v3/transactions/a#b", TRANSACTION, "a#b"],
  ["/v3/batches/b/c/results", RESULTS, "b/c"],
  ["/v3/account_holders/a/b/transactions/delete", DELETE, "a/b"],
  ["/v3/account_holders/h/transactions", HOLDER, "h/transactions"],
])("an unescaped id may have slashes, where nothing else fits: %s", (path, pattern, id) => {
  expect(findPath(path)).toEqual({ pattern, values: { id } });
});

test.each([
  ["%", "%"],
  ["100%", "100%"],
  ["100%x", "100%x"],
  ["%zz%41", "%zzA"],
  ["%ff", "%ff"],
  ["%E0%A4%A", "%E0%A4%A"],
  ["a%C3%BC%b%20c", "aü%b c"],
])("a percent sign that escapes nothing stands for itself: %s", (text, id) => {
  expect(findPath(`/v3/transactions/${text}`)?.values).toEqual({ id });
});

test.each([
  "/",
  "/v3",
  "/v3/",
  "/v3/transactions/",
  "/V3/batches/b",
  "/v3/rulez/x",
  "x/v3/batches",
])("%s is not a path", (path) => {
  expect(findPath(path)).toBeNull();
});

test.each(["/a.b", "a", "/a/{b", "/a/{b}c", "/a/{B}/(c)", "/"])(
  "a pattern of anything but words and parameters fails the start: %s",
  (pattern) => {
    expect(() => createPathFinder([`${pattern}/{id}`])).toThrow("not a path");
  },
);

test.each([
  ["/v3/webhooks/w/deliveries/e", `${DELIVERIES}/{event_id}`, { id: "w", event_id: "e" }],
  ["/v3/webhooks/w/deliveries/e%2Ff", `${DELIVERIES}/{event_id}`, { id: "w", event_id: "e/f" }],
  ["/v3/webhooks/w/deliveries/resend", `${DELIVERIES}/{event_id}`, { id: "w", event_id: "resend" }],
  [
    "/v3/webhooks/w/deliveries/e/resend",
    `${DELIVERIES}/{event_id}/resend`,
    { id: "w", event_id: "e" },
  ],
  ["/v3/webhooks/w/deliveries", DELIVERIES, { id: "w" }],
  ["/v3/webhooks/w/test", "/v3/webhooks/{id}/test", { id: "w" }],
  [
    "/v3/webhooks/w/recoveries/r",
    "/v3/webhooks/{id}/recoveries/{recovery_id}",
    { id: "w", recovery_id: "r" },
  ],
])("of two parameters each is one segment: %s", (path, pattern, values) => {
  expect(findPath(path)).toEqual({ pattern, values });
});

test("where two ids could have the slash, no path of two parameters is meant", () => {
  const path = "w/deliveries/e/f";
  const found = { pattern: "/v3/webhooks/{id}", values: { id: path } };
  expect(findPath(`/v3/webhooks/${path}`)).toEqual(found);
});

test.each([
  ["/v3/batches?limit=1?2", "/v3/batches"],
  ["http://host:80/v3/batches?x", "/v3/batches"],
  ["HTTPS://host", ""],
  ["*", "*"],
])("the path of the request line %s is %j", (url, path) => {
  expect(requestPath(url)).toBe(path);
});

test("ids that a client puts into the path unescaped are read as they are", async () => {
  const ids: string[] = [];
  await using server = await startServer({
    transactions: {
      ...deps.transactions,
      get: (_org, id) => {
        ids.push(id);
        return Promise.resolve({ ...stored, input: { ...stored.input, id } });
      },
    },
  });
  const sent = [
    'a|b{c}<d>^"`\\:;@+',
    "sl/ash",
    "100%x",
    "http://x/y",
    "%",
    "..",
    "../../..",
    "a/../b",
  ];
  for (const id of sent) {
    const request = `GET /v3/transactions/${id} HTTP/1.1\r\nHost: x\r\nX-Api-Key: acme:read\r\nConnection: close\r\n\r\n`;
    expect(await exchangeBytes(server.port, request)).toContain(`"id":${JSON.stringify(id)}`);
  }
  expect(ids).toEqual(sent);
});

test("no path is a 500", async () => {
  await using server = await startServer();
  for (const path of [
    "/%",
    "/docs/%ff",
    "/v3/%",
    "/openapi/%/v3.json",
    "//",
    "http://[/x",
    "http://",
    "/\\",
  ]) {
    const answer = await exchangeBytes(
      server.port,
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect([path, answer.slice(0, 12)]).toEqual([path, expect.stringMatching(/ 40[04]$/)]);
  }
});
