import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { listening, tcpServer } from "../../test/support/tcp-server.ts";
import { until } from "../../test/support/poll.ts";
import type { DnsLookup } from "./resolve.ts";
import { createSender, type Sender, type SenderOptions } from "./sender.ts";

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

function makeSender(options: Partial<SenderOptions> = {}): Sender {
  const sender = createSender({
    allowHttp: true,
    allowCidrs: ["127.0.0.1/32"],
    lookup: () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]),
    ...options,
  });
  onTestFinished(() => sender.close());
  return sender;
}

const request = (port: number, path = "/") => ({
  url: `http://hooks.test:${String(port)}${path}`,
  headers: {},
  body: "{}",
});

const httpServer = (listener: RequestListener) => listening(createServer(listener));

test("calls after each other share a connection, and its phases are counted for the first alone", async () => {
  const { port, connections } = await httpServer((_request, response) => response.end());
  const lookup = vi.fn<DnsLookup>(() => Promise.resolve([{ address: "127.0.0.1", family: 4 }]));
  const { send } = makeSender({ lookup });
  const first = await send(request(port));
  const second = await send(request(port));
  expect(connections()).toBe(1);
  expect(lookup).toHaveBeenCalledTimes(1);
  expect(first.timings).toMatchObject({ dns: expect.any(Number) as number, tls: null });
  expect(second.timings).toMatchObject({ dns: null, connect: null, tls: null });
  expect(second.error).toBeNull();
});

test("calls at the same time have a connection each, and of what is left 32 are kept", async () => {
  const waiting: (() => void)[] = [];
  const { port, connections } = await httpServer((_request, response) => {
    waiting.push(() => response.end());
    if (waiting.length % 40 === 0) for (const answer of waiting.splice(0)) answer();
  });
  const { send } = makeSender();
  const forty = () => Promise.all(Array.from({ length: 40 }, () => send(request(port))));
  expect((await forty()).map(({ error }) => error)).toEqual(Array.from({ length: 40 }, () => null));
  expect(connections()).toBe(40);
  await forty();
  expect(connections()).toBe(48);
});

test("many calls at once ask for a host's addresses once", async () => {
  const { port } = await httpServer((_request, response) => response.end());
  const lookup = vi.fn<DnsLookup>(() => Promise.resolve([{ address: "127.0.0.1", family: 4 }]));
  const { send } = makeSender({ lookup });
  await Promise.all(Array.from({ length: 10 }, () => send(request(port))));
  expect(lookup).toHaveBeenCalledTimes(1);
});

test("a connection that the endpoint closes is not used again", async () => {
  const { port, connections } = await httpServer((_request, response) =>
    response.writeHead(200, { connection: "close" }).end(),
  );
  const { send } = makeSender();
  await send(request(port));
  expect(await send(request(port))).toMatchObject({ error: null });
  expect(connections()).toBe(2);
});

test("an idle connection that turns out to be closed is not a failure of the endpoint", async () => {
  let calls = 0;
  const { port, connections } = await tcpServer((socket) => {
    socket.on("data", () => {
      calls += 1;
      // The second call finds the first connection closed, as when both sides act at the same time.
      if (calls === 2) socket.resetAndDestroy();
      else socket.write(OK);
    });
  });
  const { send } = makeSender();
  await send(request(port));
  expect(await send(request(port))).toMatchObject({ status: 200, error: null });
  expect(connections()).toBe(2);
});

test("a new connection that is closed before the answer is tried once", async () => {
  const { port, connections } = await tcpServer((socket) => {
    socket.once("data", () => socket.resetAndDestroy());
  });
  const { send } = makeSender();
  expect(await send(request(port))).toMatchObject({ error: "connection_lost" });
  expect(connections()).toBe(1);
});

test("a second, unrequested answer is not taken for the answer to the next call", async () => {
  const { port } = await tcpServer((socket) => {
    socket.on("data", () => socket.write(`${OK}HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n`));
  });
  const { send } = makeSender();
  expect(await send(request(port))).toMatchObject({ status: 200 });
  expect(await send(request(port))).toMatchObject({ status: 200 });
});

test("a connection older than ten seconds is opened anew, so that a change in DNS is seen", async () => {
  const { port, connections } = await httpServer((_request, response) => response.end());
  const { send } = makeSender();
  await send(request(port));
  const now = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => now + 10_001);
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  await send(request(port));
  expect(connections()).toBe(2);
});

test("an endpoint without a listener cannot be connected to", async () => {
  const server = createServer();
  const { port } = await listening(server);
  server.close();
  await once(server, "close");
  const result = await makeSender().send(request(port));
  expect(result).toMatchObject({ status: null, error: "connect_failed", responseBody: null });
});

test("a connection that is not opened in time has failed, before the time for the call is up", async () => {
  vi.spyOn(Socket.prototype, "connect").mockReturnThis();
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  const { send } = makeSender({ connectTimeoutMs: 20 });
  expect(await send(request(9_999))).toMatchObject({ status: null, error: "connect_failed" });
});

test.each([
  ["has no address", () => Promise.resolve([])],
  ["is not known", () => Promise.reject(Object.assign(new Error("x"), { code: "ENOTFOUND" }))],
  [
    "cannot be looked up",
    () => {
      throw new Error("secret resolver 10.0.0.2");
    },
  ],
] satisfies [string, DnsLookup][])("a host that %s fails with that", async (_what, lookup) => {
  const result = await makeSender({ lookup }).send(request(9_999));
  expect(result).toMatchObject({ status: null, error: "dns_failed" });
  expect(result.detail).not.toMatch(/secret|10\.0/);
});

test("a lookup that failed is made anew for the next call", async () => {
  const { port } = await httpServer((_request, response) => response.end());
  const lookup = vi
    .fn<DnsLookup>(() => Promise.resolve([{ address: "127.0.0.1", family: 4 }]))
    .mockImplementationOnce(() => {
      throw new Error("once");
    });
  const { send } = makeSender({ lookup });
  expect(await send(request(port))).toMatchObject({ error: "dns_failed" });
  expect(await send(request(port))).toMatchObject({ error: null });
});

test("a lookup that never ends, ends with the time for the whole call", async () => {
  const { send } = makeSender({ lookup: () => new Promise(() => undefined), timeoutMs: 50 });
  expect(await send(request(9_999))).toMatchObject({ status: null, error: "timed_out" });
});

test("by default a call has ten seconds in all and three to connect", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.spyOn(Socket.prototype, "connect").mockReturnThis();
  onTestFinished(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
  const asked = Promise.withResolvers<Awaited<ReturnType<DnsLookup>>>();
  for (const [lookup, ms, error] of [
    [() => asked.promise, 10_000, "timed_out"],
    [
      () => Promise.resolve([{ address: "127.0.0.1", family: 4 as const }]),
      3_000,
      "connect_failed",
    ],
  ] as const) {
    let ended: string | null = null;
    void makeSender({ lookup })
      .send(request(9_999))
      .then((result) => {
        ended = result.error;
      });
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(ended).toBeNull();
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toBe(error);
  }
});

test("a header that cannot be sent fails without being quoted", async () => {
  const { port } = await httpServer((_request, response) => response.end());
  const result = await makeSender().send({
    ...request(port),
    headers: { "x-service-token": "s3cr3t\r\nx: y" },
  });
  expect(result).toMatchObject({ status: null, error: "connect_failed" });
  expect(result.detail).not.toContain("s3cr3t");
});

test("closing waits for the calls in flight, cuts what waits, and takes no more", async () => {
  const { port } = await httpServer((incoming, response) => {
    if (incoming.url === "/slow") setImmediate(() => response.end("late"));
    else response.end();
  });
  const sender = makeSender();
  await sender.send(request(port));
  const slow = sender.send(request(port, "/slow"));
  await sender.close();
  await sender.close();
  expect(await slow).toMatchObject({ status: 200, error: null });
  expect(await sender.send(request(port))).toMatchObject({ status: null, error: "connect_failed" });
});

test("nothing is left open after closing", async () => {
  const open = new Set<Socket>();
  const { port } = await listening(
    createServer((_request, response) => response.end()).on("connection", (socket) => {
      open.add(socket);
      socket.once("close", () => open.delete(socket));
    }),
  );
  const sender = makeSender();
  await Promise.all([sender.send(request(port)), sender.send(request(port))]);
  await sender.close();
  await until("all connections are closed", () => (open.size === 0 ? true : null));
});
