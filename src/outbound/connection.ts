// An open, verified connection, with undici speaking HTTP/1.1 on it.
import type { Socket } from "node:net";
import { Client, type Dispatcher } from "undici";
import { ANSWER_OVERFLOW } from "./failure.ts";

export interface Connection {
  /** Its target and the trusted CAs: calls with the same route may use the same connections. */
  readonly route: string;
  /** A value of `performance.now()`. */
  readonly openedAt: number;
  /** Whether another request may be sent on it, as far as this side can see. */
  isOpen(): boolean;
  /** Sends one request; one at a time. */
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void;
  /** Closes it, which ends a request on it. Calling it twice is safe. */
  close(): Promise<void>;
}

const HEADER_BYTES_MAX = 16 * 1024;

/**
 * Bytes of one answer, including framing. It limits what the other limits do not cover, such as extensions of chunks, and
 * leaves enough for 64 KiB in chunks of one byte.
 */
const WIRE_BYTES_MAX = 512 * 1024;

/** Below the 5 s after which Node's own servers close, so that it is rare that one side closes while the other sends. */
const IDLE_MS_MAX = 4_000;

/**
 * undici opens no connection here: it gets one, once. When that is closed, the client cannot be used any more, because another
 * connection would have to be resolved and verified again.
 */
function handOver(socket: Socket): NonNullable<Client.Options["connect"]> {
  let isTaken = false;
  return (_options, callback) => {
    const isGone = isTaken || socket.destroyed;
    isTaken = true;
    // undici is not ready for an answer before it has sent a request.
    queueMicrotask(() => {
      if (isGone) callback(new Error("The connection is gone."), null);
      else callback(null, socket);
    });
  };
}

/** Closes the connection when one answer exceeds the limit. The returned function resets the count before each answer. */
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

/** Calls `onClose` when the connection has ended, whichever side closed it. */
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
    // The deadline of the call is the only timeout: a peer that sends a byte now and then defeats these two.
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
      // A client without any request has not taken the socket.
      socket.destroy();
    },
  };
  socket.once("close", () => {
    onClose(connection);
  });
  return connection;
}
