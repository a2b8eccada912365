import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:https";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { expect, onTestFinished, test, vi } from "vitest";
import type { AttemptResult } from "../model/webhook.ts";
import { makeCertificate } from "../../test/support/certificate.ts";
import { flood, listening, rawServer, tcpServer } from "../../test/support/tcp-server.ts";
import { createSender } from "./sender.ts";

const own = makeCertificate(["hooks.test"]);

async function call(url: string, ca: string | null, timeoutMs = 5_000): Promise<AttemptResult> {
  const sender = createSender({
    allowHttp: false,
    allowCidrs: ["127.0.0.1/32"],
    lookup: () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]),
    timeoutMs,
    ...(ca === null ? {} : { ca }),
  });
  onTestFinished(() => sender.close());
  return sender.send({ url, headers: {}, body: "{}" });
}

async function httpsServer(options: TlsOptions & { readonly cert: string }): Promise<number> {
  const server = createServer(options, (_request, response) => response.end("ok"));
  server.on("tlsClientError", () => undefined);
  return (await listening(server)).port;
}

test.each(["hooks.test", "hooks.test.", "HOOKS.test"])(
  "a trusted certificate with the name %s is accepted, and the times of all phases are reported",
  async (host) => {
    const result = await call(`https://${host}:${String(await httpsServer(own))}/`, own.cert);
    expect(result).toMatchObject({ status: 200, error: null, responseBody: "ok" });
    const number = expect.any(Number) as number;
    const { timings } = result;
    expect(timings).toEqual({
      dns: number,
      connect: number,
      tls: number,
      firstByte: number,
      total: number,
    });
    for (const ms of Object.values(timings) as number[]) expect(ms).toBe(Math.round(ms * 10) / 10);
  },
);

test("the name is asked for in the handshake", async () => {
  const names: string[] = [];
  const port = await httpsServer({
    ...own,
    SNICallback: (name, done) => {
      names.push(name);
      done(null);
    },
  });
  await call(`https://hooks.test:${String(port)}/`, own.cert);
  expect(names).toEqual(["hooks.test"]);
});

test.each([
  ["for another name", "other.test", own, own.cert],
  ["for a name, where an address is called", "127.0.0.1", own, own.cert],
  ["of an unknown authority", "hooks.test", own, null],
  ["of another host", "hooks.test", own, makeCertificate(["hooks.test"]).cert],
])("a certificate %s is refused", async (_what, host, server, ca) => {
  const result = await call(`https://${host}:${String(await httpsServer(server))}/`, ca);
  expect(result).toMatchObject({ status: null, error: "tls_failed", responseBody: null });
});

test("a certificate that has expired is refused", async () => {
  const expired = makeCertificate(["hooks.test"], -1);
  const port = await httpsServer(expired);
  const result = await call(`https://hooks.test:${String(port)}/`, expired.cert);
  expect(result.error).toBe("tls_failed");
  expect(result.detail).toContain("CERT_HAS_EXPIRED");
});

test("the switch of Node that turns verification off does not turn it off here", async () => {
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const result = await call(`https://hooks.test:${String(await httpsServer(own))}/`, null);
  expect(result.error).toBe("tls_failed");
});

test("TLS before 1.2 is refused", async () => {
  const port = await httpsServer({
    ...own,
    minVersion: "TLSv1",
    maxVersion: "TLSv1.1",
    ciphers: "DEFAULT@SECLEVEL=0",
  });
  const result = await call(`https://hooks.test:${String(port)}/`, own.cert);
  expect(result.error).toBe("tls_failed");
});

test("HTTP instead of TLS fails as an insecure connection", async () => {
  const { port } = await listening(createHttpServer((_request, response) => response.end()));
  const result = await call(`https://hooks.test:${String(port)}/`, own.cert);
  expect(result.error).toBe("tls_failed");
});

test("a connection that ends in the handshake fails as an insecure connection", async () => {
  const { port } = await rawServer((socket) => socket.end());
  const result = await call(`https://hooks.test:${String(port)}/`, own.cert);
  expect(result).toMatchObject({ error: "tls_failed", timings: { firstByte: null } });
});

test("a handshake that never ends, ends with the time for the whole call", async () => {
  const { port } = await tcpServer(() => undefined);
  const result = await call(`https://hooks.test:${String(port)}/`, own.cert, 200);
  expect(result).toMatchObject({ status: null, error: "timed_out" });
});

test("what limits an answer on the wire limits it within TLS too", async () => {
  const server = createTlsServer(own, (socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;");
      flood(socket, "x".repeat(65_536));
    });
  });
  const { port } = await listening(server);
  const result = await call(`https://hooks.test:${String(port)}/`, own.cert);
  expect(result).toMatchObject({ status: 200, error: "bad_response" });
});

/** A sender that trusts `usual`, and how often it opened a connection to the server. */
async function startPinning(usual: string) {
  const server = createServer(own, (_request, response) => response.end("ok"));
  server.on("tlsClientError", () => undefined);
  const { port, connections } = await listening(server);
  const sender = createSender({
    allowHttp: false,
    allowCidrs: ["127.0.0.1/32"],
    lookup: () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]),
    ca: usual,
  });
  onTestFinished(() => sender.close());
  const url = `https://hooks.test:${String(port)}/`;
  return {
    connections,
    send: (ca: string | null) => sender.send({ url, headers: {}, body: "{}", ca }),
  };
}

test("the certificates of a webhook are believed for its own calls, and for no others to the same host", async () => {
  const { send } = await startPinning(makeCertificate(["hooks.test"]).cert);
  expect(await send(null)).toMatchObject({ error: "tls_failed" });
  expect(await send(own.cert)).toMatchObject({ status: 200 });
  // Does not use the connection that is kept since.
  expect(await send(null)).toMatchObject({ error: "tls_failed" });
});

test("a webhook with a CA bundle trusts only that, not the default authorities", async () => {
  const { send, connections } = await startPinning(own.cert);
  expect(await send(null)).toMatchObject({ status: 200 });
  const other = makeCertificate(["hooks.test"]).cert;
  expect(await send(other)).toMatchObject({ error: "tls_failed" });
  expect(connections()).toBe(2);
  expect(await send(`${own.cert}${other}`)).toMatchObject({ status: 200 });
});

test("calls with the same certificates share a connection", async () => {
  const { send, connections } = await startPinning(makeCertificate(["hooks.test"]).cert);
  for (let calls = 0; calls < 3; calls += 1) await send(own.cert);
  expect(connections()).toBe(1);
});
