// Opens a connection to one of the verified addresses, and to no other.
import { connect as connectTcp, isIP, isIPv6, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls, type SecureContext } from "node:tls";
import { isSameAddress } from "./addresses.ts";
import { onAbort, type PhaseTimings, since } from "./deadline.ts";
import { codeSuffix, type Failure, failure } from "./failure.ts";
import type { Trust } from "./trust.ts";
import type { Target } from "./url.ts";

export type OpenedSocket = { readonly ok: true; readonly socket: Socket } | Failure;

export type Connect = (
  target: Target,
  trust: Trust,
  addresses: readonly string[],
  signal: AbortSignal,
  timings: PhaseTimings,
) => Promise<OpenedSocket>;

/**
 * After this, the next of several addresses is tried in parallel, as RFC 8305 recommends: many hosts have IPv6 addresses that
 * are unreachable.
 */
const NEXT_ADDRESS_AFTER_MS = 250;

interface SocketOpening {
  readonly socket: Socket;
  /** The event of an open socket. */
  readonly event: "connect" | "secureConnect";
  readonly failed: (error: unknown) => Failure;
  readonly tooLate: Failure;
}

/** Resolves when the socket is open, broken or out of time; only an open one is kept. */
function untilOpen(opening: SocketOpening, signal: AbortSignal): Promise<OpenedSocket> {
  const { socket } = opening;
  return new Promise((resolve) => {
    const give = (result: OpenedSocket): void => {
      stopListening();
      if (!result.ok) socket.destroy();
      resolve(result);
    };
    // This listener stays: an error between two owners of a socket must not end the process.
    socket.on("error", (error) => {
      give(opening.failed(error));
    });
    socket.once("close", () => {
      give(opening.failed(null));
    });
    socket.once(opening.event, () => {
      give({ ok: true, socket });
    });
    const stopListening = onAbort(signal, () => {
      // Not at once: `give` needs the value returned here, and the call may already be out of time.
      queueMicrotask(() => {
        give(opening.tooLate);
      });
    });
  });
}

/** Returns the verified addresses for any name. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_host, options, callback) => {
    if (options.all === true) callback(null, answers);
    else callback(null, answers[0]?.address ?? "", answers[0]?.family ?? 4);
  };
}

async function openTcp(
  target: Target,
  addresses: readonly string[],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<OpenedSocket> {
  const socket = connectTcp({
    host: target.host,
    port: target.port,
    lookup: pinnedTo(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
    noDelay: true,
  });
  const timer = setTimeout(() => {
    socket.destroy(Object.assign(new Error("connect timeout"), { code: "ETIMEDOUT" }));
  }, timeoutMs);
  const opened = await untilOpen(
    {
      socket,
      event: "connect",
      failed: (error) =>
        failure("connect_failed", `The connection could not be opened${codeSuffix(error)}.`),
      tooLate: failure("timed_out", "The time was up while the connection was opened."),
    },
    signal,
  );
  clearTimeout(timer);
  if (!opened.ok) return opened;
  // The addresses are fixed above; this is a safeguard in case a later version of a library ignores them.
  const remote = socket.remoteAddress ?? "";
  if (addresses.some((address) => isSameAddress(address, remote))) return opened;
  socket.destroy();
  return failure("address_refused", "The connection led to another address than was looked up.");
}

function openTls(
  target: Target,
  tcp: Socket,
  secureContext: SecureContext,
  signal: AbortSignal,
): Promise<OpenedSocket> {
  // The dot of an absolute name is only for DNS; names in certificates and handshakes do not have it.
  const name = target.host.replace(/\.$/, "");
  const socket = connectTls({
    socket: tcp,
    host: name,
    // An address is not a valid server name (RFC 6066); it is compared with the certificate all the same.
    ...(isIP(name) === 0 ? { servername: name } : {}),
    secureContext,
    // Explicit: the default would follow NODE_TLS_REJECT_UNAUTHORIZED.
    rejectUnauthorized: true,
    ALPNProtocols: ["http/1.1"],
  });
  return untilOpen(
    {
      socket,
      event: "secureConnect",
      failed: (error) =>
        failure("tls_failed", `No secure connection could be agreed on${codeSuffix(error)}.`),
      tooLate: failure("timed_out", "The time was up while a secure connection was agreed on."),
    },
    signal,
  );
}

/** No proxy, whatever the environment contains: the connection goes to exactly the verified address. */
export function createConnect(connectTimeoutMs: number): Connect {
  return async (target, { secureContext }, addresses, signal, timings) => {
    const started = performance.now();
    const tcp = await openTcp(target, addresses, connectTimeoutMs, signal);
    timings.connect = since(started);
    if (!tcp.ok || !target.secure) return tcp;
    const tlsStarted = performance.now();
    const tls = await openTls(target, tcp.socket, secureContext, signal);
    timings.tls = since(tlsStarted);
    if (!tls.ok) tcp.socket.destroy();
    return tls;
  };
}
