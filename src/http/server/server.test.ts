import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { createConnection } from "node:net";
import { text as readText } from "node:stream/consumers";
import { expect, test } from "vitest";
import { createHttpServer } from "../http.ts";
import {
  batch,
  CREATED_AT,
  exchangeBytes,
  fakeDeps,
  FACTS,
  gate,
  startServer,
  transactionBody,
} from "../../../test/support/http-server.ts";

const deps = fakeDeps([], []);
const HEAD = "HTTP/1.1\r\nHost: x\r\n";

test("bytes that are not an HTTP request get a 400 with a request id", async () => {
  await using server = await startServer();
  const answer = await exchangeBytes(server.port, "NONSENSE\r\n\r\n");
  expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
  expect(answer).toMatch(/X-Request-ID: new-1\r\n/);
  expect(answer).toMatch(/\{"detail":"[^"]+","code":"invalid_request","request_id":"new-\d+"\}$/);
});

test("headers beyond 16 KiB are a 431", async () => {
  await using server = await startServer();
  const head = `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`;
  expect(await exchangeBytes(server.port, head)).toMatch(/^HTTP\/1.1 431 /);
});

test("headers that never end are answered with 408", async () => {
  await using server = await startServer(
    {},
    { server: { headersTimeoutMs: 20, requestTimeoutMs: 20, connectionsCheckingIntervalMs: 5 } },
  );
  const socket = createConnection({ port: server.port, host: "127.0.0.1" });
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n");
  expect(await readText(socket)).toMatch(
    /^HTTP\/1.1 408 [\s\S]*"The request was not sent in time"/,
  );
});

test("closing answers running requests with Connection: close and ends idle connections", async () => {
  const held = gate();
  const entered = gate();
  await using server = await startServer({
    ingest: {
      ...deps.ingest,
      enrichOne: async () => {
        entered.open();
        await held.opened;
        return { createdAt: CREATED_AT, facts: FACTS, error: null };
      },
    },
  });
  const idle = createConnection({ port: server.port, host: "127.0.0.1" });
  idle.write("GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n");
  await once(idle, "data");
  const idleEnded = once(idle, "close");
  const running = server.call("POST", "/v3/transactions", { body: transactionBody });
  await entered.opened;

  const closed = server.close();
  await idleEnded;
  await expect(server.call("GET", "/health/live")).rejects.toThrow();
  held.open();
  const answer = await running;
  expect([answer.status, answer.headers.get("Connection")]).toEqual([200, "close"]);
  await closed;
  await server.close();
});

test("an answer that had begun before closing does not keep the server open", async () => {
  const held = gate();
  async function* chunks(): AsyncGenerator<string> {
    yield '{"id":"a"}';
    await held.opened;
    yield '{"id":"b"}';
  }
  await using server = await startServer({
    batches: { ...deps.batches, results: () => Promise.resolve({ batch, chunks: chunks() }) },
  });
  const agent = new Agent({ keepAlive: true });
  const headers = { "X-Api-Key": "acme:read" };
  const request = get(`${server.url}/v3/batches/b1/results`, { agent, headers });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const idle = createConnection({ port: server.port, host: "127.0.0.1" });
  idle.write("GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n");
  await once(idle, "data");
  const closed = server.close();
  // With this one the connections that were idle at the beginning are cut; the answer ends only now.
  await once(idle, "close");
  held.open();
  expect(await readText(response)).toContain('"results":[{"id":"a"},{"id":"b"}]}');
  await closed;
  agent.destroy();
});

test("a keep-alive client that sends once more while the server closes is answered, not reset", async () => {
  await using server = await startServer({}, { server: { closeGraceMs: 60_000 } });
  const request = "GET /health/ready HTTP/1.1\r\nHost: x\r\n\r\n";
  const socket = createConnection({ port: server.port, host: "127.0.0.1" });
  socket.write(request);
  await once(socket, "data");
  const closed = server.close();
  await expect(server.call("GET", "/health/live")).rejects.toThrow();
  socket.write(request);
  const answer = await readText(socket);
  expect(answer).toMatch(/^HTTP\/1.1 503 [\s\S]*Connection: close[\s\S]*"shutting down"/);
  await closed;
});

test.each([
  [
    "was answered before its body had come",
    `POST /v3/batches ${HEAD}Content-Length: 9\r\n\r\n`,
    401,
  ],
  ["sent no HTTP and never closes its side", "NONSENSE\r\n\r\n", 400],
])("a client that %s does not hold up closing", async (_what, bytes, status) => {
  await using server = await startServer();
  const options = { port: server.port, host: "127.0.0.1", allowHalfOpen: true };
  const socket = createConnection(options);
  socket.on("error", () => undefined);
  socket.write(bytes);
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(answer.toString()).toMatch(new RegExp(`^HTTP/1.1 ${String(status)} `));
  await server.close();
  socket.destroy();
});

test("a client that never sent anything does not hold up closing", async () => {
  await using server = await startServer();
  const socket = createConnection({ port: server.port, host: "127.0.0.1" });
  socket.on("error", () => undefined);
  await once(socket, "connect");
  // Accepted in the order of connecting: with the answer to a later connection, the server has accepted this one.
  await server.call("GET", "/health/live");
  await server.close();
  socket.destroy();
});

test("a request without a Host header is served like any other", async () => {
  await using server = await startServer();
  const bytes = "GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n";
  const answer = await exchangeBytes(server.port, bytes);
  expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\nX-Request-ID: new-1\r\n/);
});

test("connections can be cut when the caller's time is over", async () => {
  const entered = gate();
  await using server = await startServer({
    ingest: {
      ...deps.ingest,
      enrichOne: () => {
        entered.open();
        return Promise.withResolvers<never>().promise;
      },
    },
  });
  const running = server.call("POST", "/v3/transactions", { body: transactionBody });
  await entered.opened;
  const closed = server.close();
  server.closeAllConnections();
  await expect(running).rejects.toThrow();
  await closed;
});

test("results wait for a slow reader, and stop when it goes away", async () => {
  const chunk = JSON.stringify({ id: "x".repeat(1024 * 1024) });
  const ended = gate();
  let produced = 0;
  async function* endless(): AsyncGenerator<string> {
    try {
      for (;;) {
        produced += 1;
        yield await Promise.resolve(chunk);
      }
    } finally {
      ended.open();
    }
  }
  await using server = await startServer({
    batches: { ...deps.batches, results: () => Promise.resolve({ batch, chunks: endless() }) },
  });
  const socket = createConnection({ port: server.port, host: "127.0.0.1" });
  socket.write("GET /v3/batches/b1/results HTTP/1.1\r\nHost: x\r\nX-Api-Key: acme:read\r\n\r\n");
  await once(socket, "data");
  socket.destroy();
  await ended.opened;
  // What the sockets of both sides can hold, and no more: an endless answer would otherwise never have ended.
  expect(produced).toBeLessThan(200);
  expect(server.logs.map((entry) => entry.fields["aborted"])).toEqual([true]);
});

test("a port that is taken fails the start", async () => {
  await using server = await startServer();
  const second = createHttpServer(fakeDeps([], []), { cursorSecret: "s" });
  await expect(second.listen("127.0.0.1", server.port)).rejects.toThrow("EADDRINUSE");
});
