import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { DELIVERY_STATES, DISABLED_REASONS } from "../../model/webhook.ts";
import {
  attempt,
  fakeDeps,
  gate,
  startServer,
  webhook,
} from "../../../test/support/http-server.ts";
import { v3Routes } from "../v3/routes.ts";
import { visitPage } from "../../../test/support/visit-page.ts";

const read = (name: string): string =>
  readFileSync(new URL(`webhook-log/${name}`, import.meta.url), "utf8");
const page = read("log.html");
const style = read("log.css");
const script = read("log.js");
const { webhooks } = fakeDeps([], []);

/** What the first group of every match of a pattern is. */
const foundIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? "");

// ---- What is served

test.each([
  ["/webhooks/log", "text/html; charset=utf-8", page],
  ["/webhooks/log.css", "text/css; charset=utf-8", style],
  ["/webhooks/log.js", "text/javascript; charset=utf-8", script],
])(
  "%s is open, is asked for anew every time, and may do nothing more",
  async (path, type, text) => {
    await using server = await startServer();
    const answer = await server.call("GET", path, { key: null });
    expect([answer.status, answer.text]).toEqual([200, text]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": type,
      "cache-control": "no-cache",
      "content-security-policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; " +
        "form-action 'none'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    });
    expect((await server.call("HEAD", path, { key: null })).status).toBe(200);
    expect((await server.call("POST", path)).status).toBe(405);
  },
);

test("nothing else of the folder is served", async () => {
  await using server = await startServer();
  const paths = ["/webhooks/log/", "/webhooks/log.html", "/webhooks/log/log.js"];
  for (const path of [...paths, "/webhooks/tsconfig.json", "/webhooks/..%2Fwebhook-log.ts"])
    expect([path, (await server.call("GET", path)).status]).toEqual([path, 404]);
});

// ---- What the files have in them

test("the page has no script or style inside it and loads only files that are served", async () => {
  expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:|https?:|<script(?![^>]* src=)/i);
  expect(style).not.toMatch(/@import|url\(/);
  const links = foundIn(page, /(?:src|href)="([^"#]+)"/g);
  expect(links).toEqual(["log.css", "log.js"]);
  await using server = await startServer();
  for (const link of links) {
    const { pathname } = new URL(link, `${server.url}/webhooks/log`);
    expect((await server.call("GET", pathname, { key: null })).status).toBe(200);
  }
});

test("a form that is sent without the script carries no key", () => {
  const [form] = foundIn(page, /(<form[^]*<\/form>)/g);
  expect(form).toContain('id="key"');
  expect(form).not.toMatch(/\s(?:name|action|formaction)=/);
});

test("what others wrote gets into the page as text only", () => {
  const ways =
    /innerHTML|outerHTML|insertAdjacent|document\.write|setHTML|parseFrom|createContextualFragment|srcdoc|\beval\b|Function\(|\bimport\b|\.(?:href|src|style|on\w+) *=/;
  expect(script).not.toMatch(ways);
  expect(script).toContain("textContent");
  expect(new Set(foundIn(script, /element\("(\w+)"/g))).toEqual(
    new Set(["button", "dd", "dl", "dt", "h4", "li", "p", "pre"]),
  );
  expect(foundIn(script, /setAttribute\("([^"]+)"/g).sort()).toEqual([
    "aria-current",
    "aria-disabled",
    "aria-label",
    "role",
  ]);
});

test("the key is neither stored nor put into an address", () => {
  expect(script).not.toMatch(/Storage|cookie|indexedDB|history|location\.(?!reload)|console/);
  // Declared, set when the user enters one, and sent in a header.
  expect(foundIn(script, /(.*\bapiKey\b.*)/g).map((line) => line.trim())).toEqual([
    'let apiKey = "";',
    'headers: { "X-Api-Key": apiKey },',
    "apiKey = typed;",
  ]);
});

test("every operation that the page asks for is in the table of the API", () => {
  const operations = foundIn(script, /"((?:GET|POST|PATCH|PUT|DELETE) \/[^"]*)"/g);
  expect(new Set(operations)).toEqual(
    new Set([
      "GET /v3/webhooks",
      "GET /v3/webhooks/{id}/deliveries",
      "GET /v3/webhooks/{id}/deliveries/{event_id}",
      "POST /v3/webhooks/{id}/deliveries/{event_id}/resend",
      "POST /v3/webhooks/{id}/test",
    ]),
  );
  const table = v3Routes.map((route) => `${route.method} ${route.path}`);
  expect(table).toEqual(expect.arrayContaining(operations));
  expect(foundIn(script, /(\bfetch\()/g)).toHaveLength(1);
});

test("the page has every state, every reason and every element of the script", () => {
  expect(foundIn(page, /<option value="(\w+)"/g)).toEqual([...DELIVERY_STATES]);
  for (const word of [...DELIVERY_STATES, ...DISABLED_REASONS])
    expect(script).toMatch(new RegExp(`^  ${word}: "`, "m"));
  const ids = foundIn(page, /\sid="([^"]+)"/g);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining(foundIn(script, /byId\("([^"]+)"\)/g)));
  const named = foundIn(page, /(?:for|aria-labelledby|aria-describedby|href)="#?([\w-]+)"/g);
  expect(ids).toEqual(expect.arrayContaining(named));
});

// ---- What the script does: it runs on a stand-in for a document, and asks the real server.

const HOSTILE = "<img src=x onerror=alert(1)>";

test.each([
  ["", "enabled", {}],
  ["good", "enabled", { lastSuccessAt: webhook.createdAt }],
  [
    "bad",
    "enabled, failing",
    { lastSuccessAt: webhook.createdAt, consecutiveFailures: 3, lastError: "The endpoint failed" },
  ],
  ["bad", "enabled, failing", { lastError: "The hmac_secret cannot be decrypted" }],
])("an enabled webhook is marked %j and described as %s", async (mark, words, health) => {
  const rows = [{ ...webhook, health: { ...webhook.health, ...health } }];
  await using server = await startServer({
    webhooks: { ...webhooks, list: () => Promise.resolve({ rows, next: null }) },
  });
  const log = visitPage(page, script, server.url);
  log.enter("acme:read");
  await log.shows("Shown: 1 webhook.");
  const [item] = log.byId("webhook-list").children;
  expect(item?.className).toBe(mark);
  expect(item?.textContent.split("\n")).toContain(words);
});

test("from the key to the attempts of a delivery, with whatever an endpoint wrote as text", async () => {
  await using server = await startServer({
    webhooks: {
      ...webhooks,
      list: () =>
        Promise.resolve({
          rows: [
            webhook,
            {
              ...webhook,
              id: "w2",
              url: `https://x/${HOSTILE}`,
              enabled: false,
              health: {
                ...webhook.health,
                consecutiveFailures: 50,
                disabledAt: webhook.createdAt,
                disabledReason: "failures",
                lastError: HOSTILE,
              },
            },
          ],
          next: null,
        }),
      delivery: async (org, id, eventId) => {
        const found = await webhooks.delivery(org, id, eventId);
        return found && { ...found, attempts: [{ ...attempt, responseBody: HOSTILE }] };
      },
    },
  });
  const log = visitPage(page, script, server.url);
  expect(log.byId("webhooks").hidden).toBe(true);
  log.enter(" acme:write ");
  await log.shows("Shown: 2 webhooks.");
  expect([log.byId("webhooks").hidden, log.byId("key").value]).toEqual([false, ""]);
  const list = log.byId("webhook-list").textContent;
  expect(list).toContain("disabled since 2024-05-06 07:08:09.010 UTC");
  for (const words of ["too many failures in a row", "50 in a row", `https://x/${HOSTILE}`])
    expect(list).toContain(words);

  log.press("webhook-list", 1);
  await log.shows("Shown: 1 delivery, newest first.");
  expect(log.byId("delivery-list").textContent).toContain(
    "pending; 1 attempt, the last failed: status 500",
  );
  log.press("delivery-list", 0);
  await log.shows("Shown: the delivery with 1 attempt.");
  expect(log.byId("delivery").hidden).toBe(false);
  const attempts = log.byId("attempt-list");
  expect(attempts.querySelector("pre")?.textContent).toBe(HOSTILE);
  expect(attempts.querySelector("img")).toBeNull();
  for (const words of ["Attempt 1 failed: status 500", "First byte\n2 ms", "Total\n3.5 ms"])
    expect(attempts.textContent).toContain(words);

  expect(log.requests.map(({ path }) => path)).toEqual([
    "../v3/webhooks?limit=100",
    "../v3/webhooks/w2/deliveries?limit=25",
    "../v3/webhooks/w2/deliveries/e1",
  ]);
  for (const { init } of log.requests) expect(init.headers).toEqual({ "X-Api-Key": "acme:write" });
});

test("deliveries are filtered by state, and older ones come by the cursor", async () => {
  const asked: unknown[] = [];
  await using server = await startServer({
    webhooks: {
      ...webhooks,
      deliveries: async (org, id, filter, request) => {
        asked.push([filter.state, request.after?.tie ?? null]);
        const found = await webhooks.deliveries(org, id, filter, request);
        const next = request.after === null ? { createdAt: webhook.createdAt, tie: "e1" } : null;
        return { rows: found?.rows ?? [], next };
      },
    },
  });
  const log = visitPage(page, script, server.url);
  log.enter("acme:read");
  await log.shows("1 webhook.");
  log.press("webhook-list", 0);
  await log.shows("there are older ones");
  log.byId("state").value = "exhausted";
  log.byId("state").emit("change");
  await log.shows("Shown: 1 delivery in the state exhausted, newest first; there are older ones.");
  log.press("older");
  await log.shows("Shown: 2 deliveries in the state exhausted, newest first.");
  expect(asked).toEqual([
    [null, null],
    ["exhausted", null],
    ["exhausted", "e1"],
  ]);
  expect(log.byId("older").hidden).toBe(true);
  await vi.waitFor(() => {
    expect(log.byId("delivery-list").querySelectorAll("button")[1]?.focus).toHaveBeenCalled();
  });
});

test("sending again waits for the attempt, and a test shows its own", async () => {
  let attempts = [attempt];
  await using server = await startServer({
    webhooks: {
      ...webhooks,
      delivery: async (org, id, eventId) => {
        const found = await webhooks.delivery(org, id, eventId);
        if (found === null) return null;
        return { delivery: { ...found.delivery, attempts: attempts.length }, attempts };
      },
      resend: (...call) => {
        attempts = [attempt, { ...attempt, number: 2, status: 200, error: null, replay: true }];
        return webhooks.resend(...call);
      },
    },
  });
  const log = visitPage(page, script, server.url);
  log.enter("acme:write");
  await log.shows("1 webhook.");
  log.press("webhook-list", 0);
  await log.shows("1 delivery");
  log.press("delivery-list", 0);
  await log.shows("with 1 attempt");
  log.press("resend");
  log.press("resend");
  await log.shows("Sent again: answered 200.");
  expect(log.byId("attempt-list").textContent).toContain("Attempt 2 answered 200");
  log.press("send-test");
  await log.shows("Test: failed: status 500.");
  expect(log.byId("test-result").hidden).toBe(false);
  const posts = log.requests.filter(({ init }) => init.method === "POST").map(({ path }) => path);
  expect(posts).toEqual(["../v3/webhooks/w1/deliveries/e1/resend", "../v3/webhooks/w1/test"]);
});

test("a failure is shown in words", async () => {
  const server = await startServer();
  const log = visitPage(page, script, server.url);
  log.enter("no key");
  await log.shows("This is not an API key", "problem");
  log.enter("revoked");
  await log.shows("This API key is unknown", "problem");
  expect(log.byId("key").focus).toHaveBeenCalled();
  log.enter("acme:operator");
  await log.shows("This API key cannot read webhooks", "problem");
  log.enter("acme:read");
  await log.shows("1 webhook.");
  expect(log.byId("problem").textContent).toBe("");
  log.press("webhook-list", 0);
  await log.shows("1 delivery");
  log.press("send-test");
  await log.shows("This API key can read but not send", "problem");
  await server[Symbol.asyncDispose]();
  log.press("refresh-deliveries");
  await log.shows("The service could not be reached", "problem");
});

test("an answer that is not the API's, or an unexpected one, is shown as such", async () => {
  await using server = await startServer({
    webhooks: { ...webhooks, list: () => Promise.reject(new Error("bug")) },
  });
  const log = visitPage(page, script, server.url);
  log.enter("acme:read");
  await log.shows(/cannot do this now \(500\)/, "problem");
  const elsewhere = visitPage(page, script, `${server.url}/nowhere`);
  elsewhere.enter("acme:read");
  await elsewhere.shows("It does not exist any more. Reason: Path not found.", "problem");
});

test("a slow answer about one webhook does not replace what was asked for later", async () => {
  const held = gate();
  const arrived = gate();
  await using server = await startServer({
    webhooks: {
      ...webhooks,
      list: () => Promise.resolve({ rows: [webhook, { ...webhook, id: "w2" }], next: null }),
      deliveries: async (org, id, ...rest) => {
        if (id === "w1") {
          arrived.open();
          await held.opened;
        }
        const found = await webhooks.deliveries(org, id, ...rest);
        if (found === null) return null;
        return { ...found, rows: id === "w1" ? [] : found.rows };
      },
    },
  });
  const log = visitPage(page, script, server.url);
  log.enter("acme:read");
  await log.shows("2 webhooks.");
  log.press("webhook-list", 0);
  await arrived.opened;
  log.press("webhook-list", 1);
  await log.shows("Shown: 1 delivery");
  held.open();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(log.byId("status").textContent).toContain("Shown: 1 delivery");
  expect(log.byId("delivery-list").children).toHaveLength(1);
});
