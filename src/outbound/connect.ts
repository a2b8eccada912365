// Opens a connection to one of the addresses that were looked at, and to no other.
import { connect as connectTcp, isIP, isIPv6, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls, type SecureContext } from "node:tls";
import { isSameAddress } from "./addresses.ts";
import { onAbort, type PhaseTimings, since } from "./deadline.ts";
import { codeSuffix, type Failure, failure } from "./failure.ts";
import type { Trust } from "./trust.ts";
import type { Target } from "./url.ts";

export type Opened = { readonly ok: true; readonly socket: Socket } | Failure;

export type Connect = (
  target: Target,
  trust: Trust,
  addresses: readonly string[],
  signal: AbortSignal,
  timings: PhaseTimings,
) => Promise<Opened>;

/** After this the next of several addresses is tried too, as RFC 8305 advises: many hosts have IPv6 that leads nowhere. */
const NEXT_ADDRESS_AFTER_MS = 250;

interface Opening {
  readonly socket: Socket;
  /** The event that says that it is open. */
  readonly event: "connect" | "secureConnect";
  readonly failed: (error: unknown) => Failure;
  readonly tooLate: Failure;
}

/** Resolves when the socket is open, broken or out of time; only an open one is left alive. */
function untilOpen(opening: Opening, signal: AbortSignal): Promise<Opened> {
  const { socket } = opening;
  return new Promise((resolve) => {
    const give = (result: Opened): void => {
      forget();
      if (!result.ok) socket.destroy();
      resolve(result);
    };
    // It stays for good: an error that comes between two owners of a socket must not end the process.
    socket.on("error", (error) => {
      give(opening.failed(error));
    });
    socket.once("close", () => {
      give(opening.failed(null));
    });
    socket.once(opening.event, () => {
      give({ ok: true, socket });
    });
    const forget = onAbort(signal, () => {
      // Not at once: `give` needs what is being returned here, and the call may already be out of time.
      queueMicrotask(() => {
        give(opening.tooLate);
      });
    });
  });
}

/** Gives the addresses that were looked at for whatever name is asked. */
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
): Promise<Opened> {
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
  // The addresses were given above; this is for the day when something between here and there stops heeding them.
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
): Promise<Opened> {
  // The dot of an absolute name is for DNS; neither the names in certificates nor those in the handshake have it.
  const name = target.host.replace(/\.$/, "");
  const socket = connectTls({
    socket: tcp,
    host: name,
    // An address is not a name to ask for (RFC 6066); it is compared with the certificate all the same.
    ...(isIP(name) === 0 ? { servername: name } : {}),
    secureContext,
    // Said aloud: the default would follow NODE_TLS_REJECT_UNAUTHORIZED.
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

/** No proxy, whatever the environment says: what is connected to is exactly what was looked at. */
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
