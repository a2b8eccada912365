import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, createConnection } from "node:net";
import { expect, test } from "vitest";
import { type Answer, jsonTextAnswer } from "./answer.ts";
import type { Exchange } from "./exchange.ts";
import { sendAnswer } from "./send.ts";
import { chunksOf } from "./test-server.ts";

/** More than the sockets of both sides hold. */
const LARGE = "x".repeat(64 * 1024 * 1024);

function streamAnswer(text: string): Answer {
  const words = { opening: "[", chunks: chunksOf([text]), closing: "]" };
  return { kind: "stream", status: 200, headers: {}, ...words };
}

test.each([
  ["text", jsonTextAnswer(200, LARGE)],
  ["stream", streamAnswer(LARGE)],
])("a reader that takes nothing of a %s is given up after two minutes", async (_kind, answer) => {
  const asked: number[] = [];
  const closed = Promise.withResolvers<ServerResponse>();
  const exchange: Exchange = {
    requestId: "r",
    route: "/",
    principal: null,
    bytesIn: 0,
    bytesOut: 0,
  };
  const server = createServer((_request, response) => {
    const setTimeout = response.setTimeout.bind(response);
    // The same limit, reached at once.
    response.setTimeout = (milliseconds) => {
      asked.push(milliseconds);
      return setTimeout(1);
    };
    response.once("close", () => {
      closed.resolve(response);
    });
    void sendAnswer(exchange, response, answer);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const socket = createConnection({ port, host: "127.0.0.1" });
  socket.on("error", () => undefined);
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const response = await closed.promise;
  expect([asked, response.writableFinished]).toEqual([[120_000], false]);
  socket.destroy();
  server.close();
});
