// A connection that is open and was looked at, with undici speaking HTTP/1.1 on it.
import type { Socket } from "node:net";
import { Client, type Dispatcher } from "undici";
import { ANSWER_OVERFLOW } from "./failure.ts";

export interface Connection {
  /** Where it leads and who vouches for that: calls of one route may share connections. */
  readonly route: string;
  /** A reading of `performance.now()`. */
  readonly openedAt: number;
  /** Whether another request may be sent on it, as far as is known. */
  isOpen(): boolean;
  /** Sends one request; one at a time. */
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void;
  /** Ends it, and with it the request on it. Twice is safe. */
  close(): Promise<void>;
}

const HEADER_BYTES_MAX = 16 * 1024;

/**
 * Bytes of one answer, framing included. It bounds what the other limits do not see, such as extensions of chunks, and is
 * wide enough for 64 KiB that come in chunks of one byte.
 */
const WIRE_BYTES_MAX = 512 * 1024;

/** Below the 5 s after which Node's own servers hang up, so that the two ends seldom close and send at the same time. */
const IDLE_MS_MAX = 4_000;

/**
 * undici opens no connection here: it is given one, once. When that is gone the client is of no use any more, since another
 * connection would have to be looked up and checked again.
 */
function handOver(socket: Socket): NonNullable<Client.Options["connect"]> {
  let isTaken = false;
  return (_options, callback) => {
    const isGone = isTaken || socket.destroyed;
    isTaken = true;
    // undici is not ready for an answer before it has asked.
    queueMicrotask(() => {
      if (isGone) callback(new Error("The connection is gone."), null);
      else callback(null, socket);
    });
  };
}

/** Ends the connection when it has brought more than one answer may have. What is returned is called before each. */
function limitAnswers(socket: Socket): () => void {
  let before = 0;
  socket.on("readable", () => {
    if (socket.bytesRead - before <= WIRE_BYTES_MAX) return;
    socket.destroy(Object.assign(new Error("answer overflow"), { code: ANSWER_OVERFLOW }));
  });
  return () => {
    before = socket.bytesRead;
  };
}

/** `onClose` is told when it has ended, whoever ended it. */
export function createConnection(
  route: string,
  origin: string,
  socket: Socket,
  openedAt: number,
  onClose: (connection: Connection) => void,
): Connection {
  const startAnswer = limitAnswers(socket);
  const client = new Client(origin, {
    connect: handOver(socket),
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: HEADER_BYTES_MAX,
    keepAliveTimeout: IDLE_MS_MAX,
    keepAliveMaxTimeout: IDLE_MS_MAX,
    // The deadline of the call is the only clock: these two are defeated by a byte now and then.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const connection: Connection = {
    route,
    openedAt,
    isOpen: () => !socket.destroyed && !client.destroyed,
    dispatch: (options, handler) => {
      startAnswer();
      client.dispatch(options, handler);
    },
    close: async () => {
      await client.destroy();
      // A client that was never asked anything has not taken it.
      socket.destroy();
    },
  };
  socket.once("close", () => {
    onClose(connection);
  });
  return connection;
}
