import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { createFairQueue } from "../../shared/concurrency/fair-queue.ts";

// One request at a time per connection. Node starts every request that a client sent ahead at once, and keeps their
// answers in memory behind the first: fifty kilobytes of requests that nobody reads the answers of would be gigabytes.
//
// And so many requests at a time of all connections. Node reads from its sockets until none has anything left, before it
// looks at timers, at the disk or at threads; a thousand connections that ask again as soon as they are answered, if only
// to be refused, would keep it from everything else for good.

/**
 * Requests of one connection that wait for their turn; at one more the connection is cut. Clients that send ahead do so
 * with up to 16. A waiting request is some 3 KB, and one read from a socket can hold 3 600 of them.
 */
export const WAITING_REQUESTS_MAX = 32;

/**
 * Requests that begin in one turn of the event loop: some 4 ms of work. With fewer, commits of the log would be shared by
 * fewer; with more, the log would be full of whoever asks most, and everybody would wait for longer turns.
 */
export const BEGUN_AT_ONCE_MAX = 32;

export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

interface Turn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Calls `start` with a request once every earlier one of its connection is answered to the last byte, in a turn of the
 * event loop in which not too many others begin.
 * @param ownerOf requests with the same answer wait behind each other; others take turns with them
 */
export function takeTurns(
  start: Listener,
  ownerOf: (request: IncomingMessage) => string,
): Listener {
  const inSlices = createSlices(BEGUN_AT_ONCE_MAX);
  /** An entry for each connection with a request that runs. */
  const waitingBySocket = new WeakMap<Socket, Turn[]>();

  function begin(socket: Socket, turn: Turn): void {
    turn.response.once("close", () => {
      const next = waitingBySocket.get(socket)?.shift();
      // After `Connection: close`, or without a client, there is nobody to answer: what waits was never begun.
      if (next === undefined || !socket.writable) waitingBySocket.delete(socket);
      else begin(socket, next);
    });
    inSlices(ownerOf(turn.request), () => {
      // A client that has left meanwhile waits for nothing.
      if (!turn.response.closed) start(turn.request, turn.response);
    });
  }

  return (request, response) => {
    const { socket } = request;
    // What is left of a read whose connection was just cut.
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

/** Runs what it is given in turns of the event loop, no more than `atOnceMax` in one; those whose it is take turns. */
function createSlices(atOnceMax: number): (of: string, work: () => void) => void {
  const waiting = createFairQueue<() => void>();
  let begun = 0;

  function begin(work: () => void): void {
    if (begun === 0) setImmediate(nextTurn);
    begun += 1;
    // Each by itself, so that what it has left to do at once is done before the next one begins.
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
