// Endpoints of webhooks as a process of their own: one server that is reached at many addresses of this machine, so that
// every endpoint is an origin of its own. The first part of a path selects the kind of answer.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { FromReceiver, ToReceiver } from "./receiver.ts";

const SLOW_MS = 5_000;
/** Calls that an endpoint answers before it hangs for the rest of its life. */
const ANSWERED_FIRST = 20;

let eventIds: string[] = [];
let paths: string[] = [];
let atMs: number[] = [];
let fast = 0;
const answered = new Map<string, number>();

const say = (message: FromReceiver): void => {
  process.send?.(message);
};

function answer(path: string, response: ServerResponse): void {
  const behaviour = path.slice(1, path.indexOf("/", 1));
  const end = (): void => {
    response.writeHead(200).end();
  };
  if (behaviour === "fast") {
    fast += 1;
    end();
  }
  if (behaviour === "slow") setTimeout(end, SLOW_MS);
  if (behaviour === "tires") {
    const before = answered.get(path) ?? 0;
    answered.set(path, before + 1);
    if (before < ANSWERED_FIRST) end();
  }
}

const server = createServer((request, response) => {
  const path = request.url ?? "";
  eventIds.push(String(request.headers["webhook-id"]));
  paths.push(path);
  atMs.push(Date.now());
  request.resume();
  request.once("end", () => {
    answer(path, response);
  });
});

process.on("message", (message: ToReceiver) => {
  if (message === "count") say({ kind: "count", count: fast });
  else {
    say({ kind: "arrivals", eventIds, paths, atMs });
    eventIds = [];
    paths = [];
    atMs = [];
    fast = 0;
    answered.clear();
    server.closeAllConnections();
  }
});
process.once("disconnect", () => process.exit());
server.listen(0, "0.0.0.0", () => {
  say({ kind: "listening", port: (server.address() as AddressInfo).port });
});
