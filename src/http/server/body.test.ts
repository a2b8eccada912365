import { once } from "node:events";
import { createConnection, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { LedgerlineError } from "../../shared/errors.ts";
import {
  CREATED_AT,
  exchangeBytes,
  fakeDeps,
  FACTS,
  gate,
  postHead,
  startServer,
  transactionBody,
} from "../../../test/support/http-server.ts";

const deps = fakeDeps([], []);
const bodyText = JSON.stringify(transactionBody);

test("no body is never a 415: it is a missing body", async () => {
  await using server = await startServer();
  const missing =
    '{"detail":[{"loc":["body"],"type":"missing","msg":"Field required"}],"code":"validation_error"';
  for (const head of [
    "Content-Length: 0\r\nContent-Type: application/octet-stream",
    "Content-Length: 0",
    "Accept: */*",
    "Transfer-Encoding: chunked\r\nContent-Type: application/octet-stream",
  ]) {
    const end = head.startsWith("Transfer") ? "0\r\n\r\n" : "";
    const answer = await exchangeBytes(server.port, postHead("/v3/batches", head) + end);
    expect(answer).toMatch(/^HTTP\/1.1 422 /);
    expect(answer).toContain(missing);
  }
});

test("a chunked body of another type is a 415", async () => {
  await using server = await startServer();
  const head = "Transfer-Encoding: chunked\r\nContent-Type: text/plain";
  const answer = await exchangeBytes(
    server.port,
    `${postHead("/v3/batches", head)}1\r\nx\r\n0\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1.1 415 /);
});

test("a body under another transfer coding than chunked is a 501, and none of it is read as it stands", async () => {
  await using server = await startServer();
  const head = "Transfer-Encoding: gzip, chunked\r\nContent-Type: application/json";
  const chunk = `${bodyText.length.toString(16)}\r\n${bodyText}\r\n0\r\n\r\n`;
  const answer = await exchangeBytes(server.port, postHead("/v3/transactions", head) + chunk);
  expect(answer).toMatch(/^HTTP\/1.1 501 /);
  expect(answer).toContain(
    '{"detail":"Transfer-Encoding must be chunked","code":"unsupported_transfer_encoding"',
  );
});

test("an HTTP/1.0 request with a Transfer-Encoding is a 400 that ends the connection, and nothing of it is read", async () => {
  await using server = await startServer();
  const head =
    "Transfer-Encoding: chunked\r\nContent-Type: application/json\r\nConnection: keep-alive";
  const chunk = `${bodyText.length.toString(16)}\r\n${bodyText}\r\n0\r\n\r\n`;
  const old = postHead("/v3/transactions", head).replace("HTTP/1.1", "HTTP/1.0");
  const answer = await exchangeBytes(server.port, old + chunk + old + chunk);
  expect(answer).toMatch(/^HTTP\/1.1 400 /);
  expect(answer).toContain(
    '"detail":"HTTP/1.0 requests cannot have a Transfer-Encoding; use HTTP/1.1"',
  );
  expect(answer).toContain("Connection: close");
  expect(answer.match(/HTTP\/1.1 \d/g)).toHaveLength(1);
});

test("a body that is too large is a 413: declared, chunked, and inflated", async () => {
  await using server = await startServer({}, { bodyBytesMax: 100 });
  const large = JSON.stringify({ ...transactionBody, description: "x".repeat(200) });
  const declared = await server.call("POST", "/v3/transactions", { body: large });
  expect([declared.status, declared.json]).toMatchObject([
    413,
    { detail: "Request body must be at most 100 bytes" },
  ]);
  const zipped = gzipSync(large.replace("x".repeat(200), "x".repeat(5000)));
  const inflated = await server.call("POST", "/v3/transactions", {
    body: zipped,
    headers: { "Content-Encoding": "gzip" },
  });
  expect([zipped.length > 100, inflated.status]).toEqual([true, 413]);
  const small = gzipSync("x".repeat(5000));
  expect(small.length).toBeLessThan(100);
  const bomb = await server.call("POST", "/v3/transactions", {
    body: small,
    headers: { "Content-Encoding": "gzip" },
  });
  expect(bomb.status).toBe(413);
  const head = "Transfer-Encoding: chunked\r\nContent-Type: application/json";
  const chunk = `c8\r\n${"x".repeat(200)}\r\n0\r\n\r\n`;
  expect(await exchangeBytes(server.port, postHead("/v3/batches", head) + chunk)).toMatch(
    /^HTTP\/1.1 413 /,
  );
});

test("compressed bodies are read; a wrong Content-Encoding is 400, an unknown one 415", async () => {
  await using server = await startServer();
  const send = async (body: Buffer | string, encoding: string): Promise<number> => {
    const headers = { "Content-Encoding": encoding };
    return (await server.call("POST", "/v3/transactions", { body, headers })).status;
  };
  const zipped = gzipSync(bodyText);
  expect(await send(zipped, "gzip")).toBe(200);
  expect(await send(bodyText, "identity")).toBe(200);
  expect(await send(bodyText, "gzip")).toBe(400);
  expect(await send(zipped.subarray(0, 20), "gzip")).toBe(400);
  expect(await send(zipped, "compress")).toBe(415);
});

test("a body that is cut off is accepted in no part", async () => {
  let calls = 0;
  await using server = await startServer({
    ingest: {
      ...deps.ingest,
      enrichOne: () => {
        calls += 1;
        return Promise.resolve({ createdAt: CREATED_AT, facts: FACTS, error: null });
      },
    },
  });
  const length = `Content-Length: ${String(bodyText.length + 1)}\r\nContent-Type: application/json`;
  const declared = await exchangeBytes(
    server.port,
    postHead("/v3/transactions", length) + bodyText,
  );
  const head = "Transfer-Encoding: chunked\r\nContent-Type: application/json";
  const chunk = `${bodyText.length.toString(16)}\r\n${bodyText}\r\n`;
  const chunked = await exchangeBytes(server.port, postHead("/v3/transactions", head) + chunk);
  for (const answer of [declared, chunked]) expect(answer).toMatch(/^HTTP\/1.1 400 /);
  expect(calls).toBe(0);
});

test("request bodies share one budget, and give back what they took", async () => {
  await using server = await startServer({}, { bodyBytesInFlightMax: bodyText.length + 10 });
  const call = async (): Promise<number> =>
    (await server.call("POST", "/v3/transactions", { body: bodyText })).status;
  const tooMuch = await server.call("POST", "/v3/transactions", { body: `${bodyText}           ` });
  expect([tooMuch.status, tooMuch.headers.get("Retry-After")]).toEqual([503, "1"]);
  for (let index = 0; index < 5; index += 1) expect(await call()).toBe(200);
  // And no more than that.
  const again = await server.call("POST", "/v3/transactions", { body: `${bodyText}           ` });
  expect(again.status).toBe(503);
  // Chunked bodies count as they arrive, and those refused for another reason give back too.
  const head = "Transfer-Encoding: chunked\r\nContent-Type: application/json";
  const long = `400\r\n${"x".repeat(0x400)}\r\n0\r\n\r\n`;
  expect(await exchangeBytes(server.port, postHead("/v3/batches", head) + long)).toContain(" 503 ");
  const bad = await server.call("POST", "/v3/transactions", {
    body: "xx",
    headers: { "Content-Encoding": "gzip" },
  });
  expect(bad.status).toBe(400);
  expect(await call()).toBe(200);
});

test("an organization whose bodies come slowly leaves room for those of others", async () => {
  const { length } = bodyText;
  await using server = await startServer({}, { bodyBytesInFlightMax: 4 * length });
  const head = postHead(
    "/v3/batches",
    `Content-Length: ${String(length)}\r\nContent-Type: application/json\r\nExpect: 100-continue`,
  );
  const begun: string[] = [];
  const sockets: Socket[] = [];
  for (let count = 0; count < 4; count += 1) {
    const socket = createConnection({ port: server.port, host: "127.0.0.1" });
    sockets.push(socket);
    socket.write(head);
    // Once it is asked to go on, its bytes are counted, and none of them come.
    begun.push(String((await once(socket, "data"))[0]).slice(9, 12));
  }
  expect(begun).toEqual(["100", "100", "503", "503"]);
  const body = bodyText;
  const other = await server.call("POST", "/v3/transactions", { key: "other:write", body });
  expect(other.status).toBe(200);
  for (const socket of sockets) socket.destroy();
});

test("a body counts against the budget until it is checked, not while it is handled", async () => {
  const [inStore, storeOpened] = [gate(), gate()];
  const [inHandler, handlerOpened] = [gate(), gate()];
  await using server = await startServer(
    {
      idempotency: {
        ...deps.idempotency,
        begin: async (...call) => {
          inStore.open();
          await storeOpened.opened;
          return deps.idempotency.begin(...call);
        },
      },
      ingest: {
        ...deps.ingest,
        enrichOne: async (...call) => {
          inHandler.open();
          await handlerOpened.opened;
          return deps.ingest.enrichOne(...call);
        },
      },
    },
    { bodyBytesInFlightMax: bodyText.length },
  );
  const headers = { "Idempotency-Key": "k1" };
  const first = server.call("POST", "/v3/transactions", { body: bodyText, headers });
  await inStore.opened;
  const early = await server.call("POST", "/v3/transactions", { body: bodyText });
  storeOpened.open();
  await inHandler.opened;
  const late = server.call("POST", "/v3/transactions", { body: bodyText });
  handlerOpened.open();
  expect([early.status, (await late).status, (await first).status]).toEqual([503, 200, 200]);
});

test.each([["replay"], ["mismatch"], ["running"], ["lost"]] as const)(
  "a body whose idempotency key alone decides (%s) is given back",
  async (kind) => {
    await using server = await startServer(
      {
        idempotency: {
          ...deps.idempotency,
          begin: () =>
            kind === "lost"
              ? Promise.reject(new LedgerlineError("unavailable", "down"))
              : Promise.resolve({ kind, status: 200, body: "{}" }),
        },
      },
      { bodyBytesInFlightMax: bodyText.length },
    );
    for (const key of ["k1", "k2", "a b"]) {
      const headers = { "Idempotency-Key": key };
      await server.call("POST", "/v3/transactions", { body: bodyText, headers });
    }
    const answer = await server.call("POST", "/v3/transactions", { body: bodyText });
    expect(answer.status).toBe(200);
  },
);

test("a client that leaves while its key is looked up holds nothing", async () => {
  const held = gate();
  const asked = gate();
  const left = gate();
  await using server = await startServer(
    {
      authenticate: async (key) => {
        asked.open();
        await held.opened;
        return deps.authenticate(key);
      },
      metrics: { ...deps.metrics, httpRequest: left.open },
    },
    { bodyBytesInFlightMax: 200 },
  );
  const socket = createConnection({ port: server.port, host: "127.0.0.1" });
  socket.write(
    postHead("/v3/batches", "Content-Length: 200\r\nContent-Type: application/json") + "[",
  );
  await asked.opened;
  socket.destroy();
  await left.opened;
  held.open();
  const answer = await server.call("POST", "/v3/transactions", { body: bodyText });
  expect(answer.status).toBe(200);
});

test("a client that waits for 100 Continue is refused before it sends its body", async () => {
  await using server = await startServer();
  const expectation = "Expect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: ";
  const refused = await exchangeBytes(
    server.port,
    postHead("/v3/batches", expectation + String(33 * 1024 * 1024)),
  );
  expect(refused).toMatch(/^HTTP\/1.1 413 /);
  expect(refused).not.toContain("100 Continue");
  const head = postHead("/v3/transactions", expectation + String(bodyText.length));
  const taken = await exchangeBytes(server.port, head + bodyText);
  expect(taken).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK/);
});
