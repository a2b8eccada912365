import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { createFairQueue } from "../../shared/concurrency/fair-queue.ts";

// One request at a time per connection. Node starts every request that a client sent ahead at once, and keeps their
// answers in memory behind the first: fifty kilobytes of requests whose answers are not read would be gigabytes.
//
// And a bounded number of requests per turn of the event loop over all connections. Node reads all sockets that have data
// before it runs timers, disk or thread callbacks: a thousand connections that repeat at once, even if only refused,
// would block everything else.

/**
 * Waiting requests of one connection; at one more the connection is closed. Clients that pipeline send up to 16 ahead.
 * A waiting request is some 3 KB, and one read from a socket can hold 3 600 of them.
 */
export const WAITING_REQUESTS_MAX = 32;

/**
 * Requests that begin in one turn of the event loop: some 4 ms of work. With fewer, fewer requests would share a commit of
 * the log; with more, the busiest caller would fill the log, and all requests would wait for longer turns.
 */
export const BEGUN_AT_ONCE_MAX = 32;

export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

interface PendingRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Calls `start` with a request once every earlier one of its connection is answered to the last byte, in a turn of the
 * event loop in which not too many others begin.
 * @param ownerOf the organization of a request: its requests wait in order, organizations are served round robin
 */
export function scheduleRequests(
  start: Listener,
  ownerOf: (request: IncomingMessage) => string,
): Listener {
  const inSlices = createSlices(BEGUN_AT_ONCE_MAX);
  /** An entry for each connection with a request that runs. */
  const waitingBySocket = new WeakMap<Socket, PendingRequest[]>();

  function begin(socket: Socket, turn: PendingRequest): void {
    turn.response.once("close", () => {
      const next = waitingBySocket.get(socket)?.shift();
      // After `Connection: close`, or without a client, no answer can be sent: waiting requests never begin.
      if (next === undefined || !socket.writable) waitingBySocket.delete(socket);
      else begin(socket, next);
    });
    inSlices(ownerOf(turn.request), () => {
      // The client may have disconnected meanwhile.
      if (!turn.response.closed) start(turn.request, turn.response);
    });
  }

  return (request, response) => {
    const { socket } = request;
    // A request of the same read, after the connection was closed.
    if (socket.destroyed) return;
    const waiting = waitingBySocket.get(socket);
    if (waiting === undefined) {
      waitingBySocket.set(socket, []);
      begin(socket, { request, response });
    } else if (waiting.length < WAITING_REQUESTS_MAX) {
      waiting.push({ request, response });
    } else {
      socket.destroy();
    }
  };
}

/** Runs work in turns of the event loop, at most `atOnceMax` in one, round robin over owners. */
function createSlices(atOnceMax: number): (of: string, work: () => void) => void {
  const waiting = createFairQueue<() => void>();
  let begun = 0;

  function begin(work: () => void): void {
    if (begun === 0) setImmediate(nextTurn);
    begun += 1;
    // Each in a callback of its own, so that its microtasks run before the next one begins.
    setImmediate(work);
  }

  function nextTurn(): void {
    begun = 0;
    while (begun < atOnceMax) {
      const work = waiting.take();
      if (work === undefined) return;
      begin(work);
    }
  }

  return (of, work) => {
    if (begun < atOnceMax) begin(work);
    else waiting.add(of, work);
  };
}
