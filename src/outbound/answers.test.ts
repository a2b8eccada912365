import { createServer, type RequestListener } from "node:http";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import type { AttemptResult } from "../model/webhook.ts";
import { flood, listening, rawServer } from "../../test/support/tcp-server.ts";
import { createSender } from "./sender.ts";

const KIB = 1024;

/** Calls the port and returns the result. */
async function call(port: number, timeoutMs = 5_000): Promise<AttemptResult> {
  const sender = createSender({ allowHttp: true, allowCidrs: ["127.0.0.1/32"], timeoutMs });
  onTestFinished(() => sender.close());
  return sender.send({
    url: `http://127.0.0.1:${String(port)}/hook?a=b`,
    headers: { "content-type": "application/json", "X-Service-Token": "s3cr3t" },
    body: '{"payload":"private"}',
  });
}

const callHttp = async (listener: RequestListener): Promise<AttemptResult> =>
  call((await listening(createServer(listener))).port);

const callRaw = async (answer: (socket: Socket) => void): Promise<AttemptResult> =>
  call((await rawServer(answer)).port);

const callText = (answer: string): Promise<AttemptResult> =>
  callRaw((socket) => socket.end(answer));

test("what goes out is what was given, with nothing of ours but accept-encoding", async () => {
  const seen: unknown[] = [];
  await callHttp((request, response) => {
    request.setEncoding("utf8").on("data", (body: string) => {
      const { method, url, headers } = request;
      seen.push({ method, url, headers, body });
      response.end();
    });
  });
  expect(seen).toEqual([
    {
      method: "POST",
      url: "/hook?a=b",
      headers: {
        host: expect.stringMatching(/^127\.0\.0\.1:\d+$/) as string,
        connection: "keep-alive",
        "content-type": "application/json",
        "x-service-token": "s3cr3t",
        "accept-encoding": "identity",
        "content-length": "21",
      },
      body: '{"payload":"private"}',
    },
  ]);
});

test.each([200, 201, 202, 204, 226, 299])("%i is a success", async (status) => {
  const result = await callHttp((_request, response) => response.writeHead(status).end());
  expect(result).toMatchObject({ status, error: null, detail: null, responseBody: "" });
});

test.each([400, 401, 404, 410, 429, 500, 503, 599])(
  "%i is an answer, not a success",
  async (status) => {
    const result = await callHttp((_request, response) => response.writeHead(status).end("why"));
    const detail = `The endpoint answered ${String(status)}.`;
    expect(result).toMatchObject({ status, error: "status", detail, responseBody: "why" });
  },
);

test("304 is not a success", async () => {
  const result = await callText("HTTP/1.1 304 Not Modified\r\n\r\n");
  expect(result).toMatchObject({ status: 304, error: "redirected", responseBody: "" });
});

test("answers before the answer are passed over", async () => {
  const result = await callText(
    "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok",
  );
  expect(result).toMatchObject({ status: 200, error: null, responseBody: "ok" });
});

test("answers before the answer without end are a bad answer", async () => {
  const result = await callRaw((socket) => {
    flood(socket, "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(100));
  });
  expect(result).toMatchObject({ status: null, error: "bad_response" });
});

test.each(["100 Continue", "101 Switching Protocols"])(
  "%s is a bad answer, since it was not requested",
  async (status) => {
    const result = await callText(
      `HTTP/1.1 ${status}\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n`,
    );
    expect(result).toMatchObject({ status: null, error: "bad_response" });
  },
);

test.each(["120", "Wed, 21 Oct 2026 07:28:00 GMT"])(
  "Retry-After %j is returned unchanged",
  async (value) => {
    const result = await callHttp((_request, response) =>
      response.writeHead(429, { "retry-after": value }).end(),
    );
    expect(result.retryAfter).toBe(value);
  },
);

test("a Retry-After that can be none is not kept", async () => {
  const result = await callHttp((_request, response) =>
    response.writeHead(429, { "retry-after": "9".repeat(5_000) }).end(),
  );
  expect(result).toMatchObject({ status: 429, retryAfter: null });
});

test("4 KiB of a body are kept, and a character that this cuts in two is left out", async () => {
  const result = await callHttp((_request, response) => response.end(`a${"😀".repeat(3_000)}`));
  expect(result).toMatchObject({ error: null, responseBody: `a${"😀".repeat(1_023)}` });
});

test("a body that is not UTF-8 becomes text of at most 4 KiB", async () => {
  const result = await callHttp((_request, response) => response.end(Buffer.alloc(9_000, 0xff)));
  expect(result.responseBody).toMatch(/^\uFFFD+$/);
  expect(Buffer.byteLength(result.responseBody ?? "")).toBeLessThanOrEqual(4 * KIB);
});

test("a body of 64 KiB is read whole, and the connection is used again", async () => {
  const { port, connections } = await listening(
    createServer((request, response) => {
      request.resume();
      response.end(Buffer.alloc(64 * KIB, "a"));
    }),
  );
  const sender = createSender({ allowHttp: true, allowCidrs: ["127.0.0.1/32"] });
  onTestFinished(() => sender.close());
  const request = { url: `http://127.0.0.1:${String(port)}/`, headers: {}, body: "{}" };
  await sender.send(request);
  const result = await sender.send(request);
  expect(result).toMatchObject({ error: null, responseBody: "a".repeat(4 * KIB) });
  expect(connections()).toBe(1);
});

test.each([
  [200, null],
  [500, "status"],
])("an endless body of a %i is cut off, and the status counts", async (status, error) => {
  const result = await callRaw((socket) => {
    socket.write(`HTTP/1.1 ${String(status)} X\r\ncontent-type: text/plain\r\n\r\n`);
    flood(socket, "x".repeat(64 * KIB));
  });
  expect(result).toMatchObject({ status, error, responseBody: "x".repeat(4 * KIB) });
});

test("extensions of chunks without end, which no limit on the body sees, are a bad answer", async () => {
  const result = await callRaw((socket) => {
    socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;");
    flood(socket, "x".repeat(64 * KIB));
  });
  expect(result).toMatchObject({ status: 200, error: "bad_response" });
});

test("64 KiB in chunks of one byte are still an answer", async () => {
  const result = await callText(
    `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${"1\r\na\r\n".repeat(64 * KIB)}0\r\n\r\n`,
  );
  expect(result).toMatchObject({ status: 200, error: null });
});

test("a compressed answer is not unpacked", async () => {
  const bomb = gzipSync(Buffer.alloc(4 * KIB * KIB));
  const result = await callHttp((_request, response) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
  );
  expect(result).toMatchObject({ status: 200, error: null });
  expect(Buffer.byteLength(result.responseBody ?? "")).toBeLessThanOrEqual(4 * KIB);
});

test.each([
  ["one header of 1 MiB", `x: ${"a".repeat(KIB * KIB)}\r\n`],
  ["headers without number", "x: a\r\n".repeat(20_000)],
  ["a name of 20 KiB", `${"a".repeat(20 * KIB)}: x\r\n`],
])("%s is a bad answer", async (_what, headers) => {
  const result = await callText(`HTTP/1.1 200 OK\r\n${headers}\r\n`);
  expect(result).toMatchObject({ status: null, error: "bad_response", responseBody: null });
});

test("trailers without end are a bad answer", async () => {
  const result = await callRaw((socket) => {
    socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n");
    flood(socket, "x: a\r\n".repeat(1_000));
  });
  expect(result).toMatchObject({ status: 200, error: "bad_response" });
});

test.each([
  "SSH-2.0-OpenSSH_9.9\r\n",
  "220 mail.example ESMTP\r\n",
  "HTTP/1.1 abc OK\r\n\r\n",
  "HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n",
  "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\na",
  "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
  "HTTP/1.1 200 OK\r\nbad header\r\n\r\n",
])("what is not HTTP/1.1 is a bad answer: %j", async (answer) => {
  const result = await callText(answer);
  expect(result.error).toBe("bad_response");
  expect(result.detail).not.toMatch(/SSH|mail|private|s3cr3t/);
});

test.each([
  ["before the answer", ""],
  ["in the status line", "HTTP/1.1 20"],
  ["in the headers", "HTTP/1.1 200 OK\r\ncontent-le"],
])("a connection that ends %s is lost", async (_when, answer) => {
  expect(await callText(answer)).toMatchObject({ status: null, error: "connection_lost" });
});

test.each([
  ["of a known length", "content-length: 10"],
  ["in chunks", "transfer-encoding: chunked"],
])("half a body %s is not a success", async (_what, header) => {
  const result = await callText(`HTTP/1.1 200 OK\r\n${header}\r\n\r\n5\r\nhal`);
  expect(result).toMatchObject({ status: 200, error: "connection_lost" });
});

test("a reset instead of an answer is a lost connection", async () => {
  const result = await callRaw((socket) => socket.resetAndDestroy());
  expect(result).toMatchObject({ status: null, error: "connection_lost" });
});

test("a reset within the body is a lost connection", async () => {
  const result = await callRaw((socket) => {
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhal", () =>
      socket.resetAndDestroy(),
    );
  });
  expect(result.error).toBe("connection_lost");
});

/** Writes one byte now and then until the other side closes. */
function drip(socket: Socket, start: string, byte: string): void {
  socket.write(start);
  const timer = setInterval(() => socket.write(byte), 20);
  socket.once("close", () => {
    clearInterval(timer);
  });
}

test.each([
  ["body", "HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n", 200],
  ["header", "HTTP/1.1 200 OK\r\nx: ", null],
  ["status line", "", null],
])(
  "a drip of bytes in the %s ends with the time for the whole call",
  async (_where, start, status) => {
    const { port } = await rawServer((socket) => {
      drip(socket, start, status === null && start === "" ? "\r\n" : "a");
    });
    expect(await call(port, 700)).toMatchObject({ status, error: "timed_out" });
  },
);

test("a failure status counts, even if its body never ends", async () => {
  const { port } = await rawServer((socket) => {
    drip(socket, "HTTP/1.1 410 Gone\r\ncontent-length: 9999\r\n\r\n", "a");
  });
  expect(await call(port, 700)).toMatchObject({ status: 410, error: "status" });
});

test("silence ends with the time for the whole call", async () => {
  const { port } = await rawServer(() => undefined);
  expect(await call(port, 100)).toMatchObject({ status: null, error: "timed_out" });
});
