// Ports for servers that several test processes start at the same time, and start again on the same port after a kill.
import { once } from "node:events";
import { createServer, type Server } from "node:net";

/**
 * Below the ports that systems hand out by themselves (from 32768 on Linux, 49152 elsewhere), so that an outgoing
 * connection cannot take a port while its server is down for a moment.
 */
const PORT_MIN = 20_000;
const PORTS_MAX = 4_000;
/** A port is claimed by listening this far above it: the system gives the claim up when the claiming process dies. */
const CLAIM_OFFSET = 5_000;
/** Hundreds of servers would have to run at once for this many to be taken. */
const ATTEMPTS_MAX = 200;

export interface PortClaim {
  readonly port: number;
  release(): Promise<void>;
}

/**
 * Claims a port of 127.0.0.1 on which nothing listens. No other process that asks here gets it before `release`.
 * @throws Error when no port is free
 */
export async function claimPort(): Promise<PortClaim> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const port = PORT_MIN + Math.floor(Math.random() * PORTS_MAX);
    const claim = await listen(port + CLAIM_OFFSET);
    if (claim === null) continue;
    const probe = await listen(port);
    if (probe !== null) {
      await close(probe);
      return { port, release: () => close(claim) };
    }
    await close(claim);
  }
  throw new Error(`No free port was found in ${String(ATTEMPTS_MAX)} attempts`);
}

async function listen(port: number): Promise<Server | null> {
  const server = createServer((socket) => socket.destroy());
  // A claim alone must not keep a finished test process running.
  server.unref();
  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
    return server;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return null;
    throw error;
  }
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
  });
}
