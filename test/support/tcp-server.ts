// A server that answers with whatever bytes a test wants, on a free port of 127.0.0.1.
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface TcpServer {
  readonly port: number;
  /** Connections so far. */
  connections(): number;
}

/** Lets `server` listen until the test is over. Every socket it has then is cut. */
export async function listening(server: Server): Promise<TcpServer> {
  const open = new Set<Socket>();
  let count = 0;
  server.on("connection", (socket) => {
    count += 1;
    open.add(socket);
    // The other side of a test hangs up as it likes.
    socket.on("error", () => undefined);
    socket.once("close", () => open.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    for (const socket of open) socket.destroy();
  });
  return { port: (server.address() as AddressInfo).port, connections: () => count };
}

/** Calls `serve` with each connection. */
export const tcpServer = (serve: (socket: Socket) => void): Promise<TcpServer> =>
  listening(createServer(serve));

/** Calls `answer` as soon as something of a request has come. */
export const rawServer = (answer: (socket: Socket) => void): Promise<TcpServer> =>
  tcpServer((socket) => {
    socket.once("data", () => {
      answer(socket);
    });
  });

/** Writes until the other side hangs up. */
export function flood(socket: Socket, bytes: string): void {
  while (!socket.destroyed && socket.write(bytes));
  if (!socket.destroyed) {
    socket.once("drain", () => {
      flood(socket, bytes);
    });
  }
}
