import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

// One request at a time per connection. Node starts every request that a client sent ahead at once, and keeps their
// answers in memory behind the first: fifty kilobytes of requests that nobody reads the answers of would be gigabytes.

/**
 * Requests of one connection that wait for their turn; at one more the connection is cut. Clients that send ahead do so
 * with up to 16. A waiting request is some 3 KB, and one read from a socket can hold 3 600 of them.
 */
export const WAITING_REQUESTS_MAX = 32;

export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

interface Turn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Calls `start` with a request once every earlier one of its connection is answered to the last byte. */
export function takeTurns(start: Listener): Listener {
  /** An entry for each connection with a request that runs. */
  const waitingBySocket = new WeakMap<Socket, Turn[]>();

  function begin(socket: Socket, turn: Turn): void {
    turn.response.once("close", () => {
      const next = waitingBySocket.get(socket)?.shift();
      // After `Connection: close`, or without a client, there is nobody to answer: what waits was never begun.
      if (next === undefined || !socket.writable) waitingBySocket.delete(socket);
      else begin(socket, next);
    });
    start(turn.request, turn.response);
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
