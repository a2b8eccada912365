import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createConnection } from "node:net";
import { text as readText } from "node:stream/consumers";
import { expect, test } from "vitest";
import {
  CREATED_AT,
  FACTS,
  fakeDeps,
  gate,
  startServer,
  transactionBody,
} from "../../../test/support/http-server.ts";
import { BEGUN_AT_ONCE_MAX, scheduleRequests, WAITING_REQUESTS_MAX } from "./request-scheduler.ts";

const deps = fakeDeps([], []);

/** A request for an enrichment of a transaction with this id. */
function post(id: string, connection = "keep-alive"): string {
  const body = JSON.stringify({ ...transactionBody, id });
  const head = `Host: x\r\nX-Api-Key: acme:write\r\nContent-Type: application/json\r\nConnection: ${connection}`;
  return `POST /v3/transactions HTTP/1.1\r\n${head}\r\nContent-Length: ${String(body.length)}\r\n\r\n${body}`;
}

/** A stage that holds every call until it is released, and records which began. */
function heldIngest() {
  const began: string[] = [];
  const held = gate();
  const entered = gate();
  return {
    began,
    held,
    entered,
    ingest: {
      ...deps.ingest,
      enrichOne: async (_org: string, _requestId: string, input: { readonly id: string }) => {
        began.push(input.id);
        entered.open();
        await held.opened;
        return { createdAt: CREATED_AT, facts: FACTS, error: null };
      },
    },
  };
}

test("requests sent ahead on one connection run one after the other, in order", async () => {
  const { began, held, entered, ingest } = heldIngest();
  await using server = await startServer({ ingest });
  const socket = createConnection({ port: server.port, host: "127.0.0.1" });
  socket.write(post("a") + post("b") + post("c", "close"));
  await entered.opened;
  // Another connection is served meanwhile; by its answer the others of the same read would have begun.
  expect((await server.call("GET", "/health/live")).status).toBe(200);
  expect(began).toEqual(["a"]);
  held.open();
  const text = await readText(socket);
  expect(text.match(/"id":"\w"/g)).toEqual(['"id":"a"', '"id":"b"', '"id":"c"']);
  expect(began).toEqual(["a", "b", "c"]);
});

test("a connection on which too many requests wait is cut, and none of them begins", async () => {
  const { began, entered, held, ingest } = heldIngest();
  await using server = await startServer({ ingest });
  const many = Array.from({ length: WAITING_REQUESTS_MAX + 2 }, (_, index) => post(String(index)));
  const socket = createConnection({ port: server.port, host: "127.0.0.1" });
  socket.on("error", () => undefined);
  const cut = once(socket, "close");
  socket.write(many.join(""));
  await entered.opened;
  await cut;
  held.open();
  expect((await server.call("GET", "/health/live")).status).toBe(200);
  expect(began).toEqual(["0"]);
});

test("as many requests as may wait are all answered", async () => {
  await using server = await startServer();
  const requests = Array.from({ length: WAITING_REQUESTS_MAX }, (_, index) => post(String(index)));
  const socket = createConnection({ port: server.port, host: "127.0.0.1" });
  socket.write(requests.join("") + post("last", "close"));
  const text = await readText(socket);
  expect(text.match(/HTTP\/1.1 200 OK/g)).toHaveLength(WAITING_REQUESTS_MAX + 1);
});

test("a client that leaves takes its waiting requests with it", async () => {
  const { began, entered, held, ingest } = heldIngest();
  const left = gate();
  await using server = await startServer({
    ingest,
    metrics: { ...deps.metrics, httpRequest: left.open },
  });
  const socket = createConnection({ port: server.port, host: "127.0.0.1" });
  socket.write(post("a") + post("b"));
  await entered.opened;
  socket.destroy();
  await left.opened;
  held.open();
  expect((await server.call("GET", "/health/live")).status).toBe(200);
  expect(began).toEqual(["a"]);
});

test("closing answers the request that runs and begins none that waits behind it", async () => {
  const { began, entered, held, ingest } = heldIngest();
  await using server = await startServer({ ingest });
  const socket = createConnection({ port: server.port, host: "127.0.0.1" });
  socket.write(post("a") + post("b"));
  await entered.opened;
  const closed = server.close();
  held.open();
  const text = await readText(socket);
  expect(text.match(/HTTP\/1.1 200 OK/g)).toHaveLength(1);
  expect(text).toContain("Connection: close");
  await closed;
  expect(began).toEqual(["a"]);
});

test("closing sends Connection: close also to a request that had waited", async () => {
  const held = gate();
  const second = gate();
  await using server = await startServer({
    ingest: {
      ...deps.ingest,
      enrichOne: async (org, requestId, input) => {
        if (input.id === "b") {
          second.open();
          await held.opened;
        }
        return deps.ingest.enrichOne(org, requestId, input);
      },
    },
  });
  const socket = createConnection({ port: server.port, host: "127.0.0.1" });
  socket.write(post("a") + post("b"));
  await second.opened;
  const closed = server.close();
  held.open();
  const text = await readText(socket);
  expect(text.match(/Connection: [\w-]+/g)).toEqual([
    "Connection: keep-alive",
    "Connection: close",
  ]);
  await closed;
});

/** Schedules requests of fake connections, and records which organizations' requests begin. */
function listener() {
  const begun: string[] = [];
  const listen = scheduleRequests(
    ({ headers }) => begun.push(String(headers["x-api-key"])),
    // Invented keys belong to no organization.
    ({ headers }) => (headers["x-api-key"] === "calm" ? "calm" : ""),
  );
  const send = (key: string, closed = false): void => {
    const request: unknown = { socket: {}, headers: { "x-api-key": key } };
    const response: unknown = { once: () => undefined, closed };
    listen(request as IncomingMessage, response as ServerResponse);
  };
  return { begun, send };
}

const turnOfTheLoop = (): Promise<unknown> => new Promise(setImmediate);

test("so many requests begin in a turn of the event loop, and of those that wait each key's in its turn", async () => {
  const { begun, send } = listener();
  for (let count = 0; count < 2 * BEGUN_AT_ONCE_MAX; count += 1) send("flood");
  send("calm");
  expect(begun).toHaveLength(0);
  await turnOfTheLoop();
  expect(begun).toHaveLength(BEGUN_AT_ONCE_MAX);
  await turnOfTheLoop();
  expect(begun).toHaveLength(2 * BEGUN_AT_ONCE_MAX);
  expect(begun.indexOf("calm")).toBe(BEGUN_AT_ONCE_MAX + 1);
  await turnOfTheLoop();
  expect(begun).toHaveLength(2 * BEGUN_AT_ONCE_MAX + 1);
  send("later");
  await turnOfTheLoop();
  expect(begun.at(-1)).toBe("later");
});

test("a request whose client leaves before its turn does not begin", async () => {
  const { begun, send } = listener();
  send("left", true);
  send("stays");
  await turnOfTheLoop();
  expect(begun).toEqual(["stays"]);
});
