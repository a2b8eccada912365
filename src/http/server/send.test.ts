import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, createConnection } from "node:net";
import { expect, test } from "vitest";
import { createTenantBudget } from "../../shared/concurrency/tenant-budget.ts";
import { type Answer, jsonTextAnswer } from "./answer.ts";
import type { Exchange } from "./exchange.ts";
import { sendAnswer } from "./send.ts";
import {
  batch,
  chunksOf,
  fakeDeps,
  gate,
  startServer,
  stored,
} from "../../../test/support/http-server.ts";

/** More than the sockets of both sides hold. */
const LARGE = "x".repeat(64 * 1024 * 1024);

function streamAnswer(text: string): Answer {
  const words = { opening: "[", chunks: chunksOf([text]), closing: "]" };
  return { kind: "stream", status: 200, headers: {}, ...words };
}

test.each([
  ["text", jsonTextAnswer(200, LARGE)],
  ["stream", streamAnswer(LARGE)],
])(
  "a reader that takes nothing of a %s is disconnected after two minutes",
  async (_kind, answer) => {
    const asked: number[] = [];
    const closed = Promise.withResolvers<ServerResponse>();
    const exchange: Exchange = {
      requestId: "r",
      route: "/",
      principal: null,
      bytesIn: 0,
      bytesOut: 0,
      answerRoom: createTenantBudget(0),
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
  },
);

test("readers of one organization that take nothing leave room for those of others, and get it back", async () => {
  const deps = fakeDeps([], []);
  const held = gate();
  async function* slow(): AsyncGenerator<string> {
    yield "{}";
    await held.opened;
  }
  await using server = await startServer(
    {
      batches: { ...deps.batches, results: () => Promise.resolve({ batch, chunks: slow() }) },
      transactions: {
        ...deps.transactions,
        list: (_org, _filter, { limit }) =>
          Promise.resolve({ rows: Array.from({ length: limit }, () => stored), next: null }),
      },
    },
    { answerBytesInFlightMax: 3 * 1024 * 1024 },
  );
  const read = (key: string, path: string) =>
    fetch(server.url + path, { headers: { "X-Api-Key": key } });
  const results = "/v3/batches/b1/results";
  const [first, other] = [await read("acme:read", results), await read("other:read", results)];
  const refused = await read("acme:read", results);
  expect([first.status, other.status, refused.status]).toEqual([200, 200, 503]);
  expect(refused.headers.get("Retry-After")).toBe("1");
  const listed = async (limit: number): Promise<number> =>
    (await server.call("GET", `/v3/transactions?limit=${String(limit)}`)).status;
  // Such a reader would also hold a long list in memory; short answers are always sent.
  expect([await listed(1_000), await listed(1)]).toEqual([503, 200]);
  held.open();
  expect([await first.json(), await other.json()]).toHaveLength(2);
  expect([await listed(1_000), (await read("acme:read", results)).status]).toEqual([200, 200]);
});
