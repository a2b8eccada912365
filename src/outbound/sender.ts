// Sends webhook calls to untrusted hosts, and returns the outcome of each.
import { isIP } from "node:net";
import type { AttemptResult } from "../model/webhook.ts";
import { parseCidrs } from "./addresses.ts";
import { createConnect } from "./connect.ts";
import type { Connection } from "./connection.ts";
import { type PhaseTimings, since, startDeadline } from "./deadline.ts";
import { type ExchangeResult, exchange, failedBefore } from "./exchange.ts";
import { codeSuffix, type Failure, failure } from "./failure.ts";
import { createIdleConnections } from "./idle.ts";
import { createResolve, type DnsLookup, systemLookup } from "./resolve.ts";
import { attemptResultOf } from "./result.ts";
import { createTrust, type Trust } from "./trust.ts";
import { readUrl, type Target, type UrlPolicy, urlRules } from "./url.ts";

/** A call. It is sent unchanged; only a missing `accept-encoding: identity` is added. */
export interface SendRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Certificates in PEM that are trusted instead of the default ones; left out or null: the default ones. */
  readonly ca?: string | null;
}

export interface Sender {
  /** Makes one call. Never rejects: every outcome is in the result. */
  send(request: SendRequest): Promise<AttemptResult>;
  /** Accepts no more calls and waits for those in flight, which their time limit bounds. Calling it twice is safe. */
  close(): Promise<void>;
}

export interface SenderOptions extends UrlPolicy {
  /** All addresses of a host; by default those of the operating system. */
  readonly lookup?: DnsLookup;
  /** For a whole call: DNS, connecting, TLS, headers and body. */
  readonly timeoutMs?: number;
  /** For opening a TCP connection; part of the time for the whole call. */
  readonly connectTimeoutMs?: number;
  /** The default certificates in PEM; without it, those of the machine and of Node. */
  readonly ca?: string | readonly string[];
}

const TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 3_000;

/** Compressed answers would not be decompressed here. */
function withIdentity(request: SendRequest): SendRequest {
  const isSet = Object.keys(request.headers).some(
    (name) => name.toLowerCase() === "accept-encoding",
  );
  return isSet
    ? request
    : { ...request, headers: { ...request.headers, "accept-encoding": "identity" } };
}

/** A call in flight, with its URL parsed. */
interface OpenCall {
  readonly target: Target;
  readonly request: SendRequest;
  readonly signal: AbortSignal;
  readonly timings: PhaseTimings;
}

type ConnectionOpening = { readonly ok: true; readonly connection: Connection } | Failure;

/** Whether an idle connection turned out to be closed by the other side. */
const wasStale = (answer: ExchangeResult): boolean =>
  answer.firstByteMs === null && answer.failure?.error === "connection_lost";

/** Makes calls; their time limit is set elsewhere. */
function createCaller(options: SenderOptions) {
  const resolve = createResolve(options.lookup ?? systemLookup, parseCidrs(options.allowCidrs));
  const connect = createConnect(options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS);
  const trustOf = createTrust(options.ca);
  const idle = createIdleConnections();

  async function open(call: OpenCall, trust: Trust, route: string): Promise<ConnectionOpening> {
    const { target, signal, timings } = call;
    // Loaded here because undici is more code than any other library, and only webhooks need it.
    const { createConnection } = await import("./connection.ts");
    const openedAt = performance.now();
    const resolved = await resolve(target.host, signal);
    if (isIP(target.host) === 0) timings.dns = since(openedAt);
    if (!resolved.ok) return resolved;
    const opened = await connect(target, trust, resolved.addresses, signal, timings);
    if (!opened.ok) return opened;
    const { origin } = target;
    const { socket } = opened;
    const connection = createConnection(route, origin, socket, openedAt, idle.remove);
    return { ok: true, connection };
  }

  async function sendOn(connection: Connection, call: OpenCall): Promise<ExchangeResult> {
    const { headers, body } = call.request;
    const { path } = call.target;
    const answer = await exchange(connection, { path, headers, body }, call.signal);
    if (answer.isReusable) idle.give(connection);
    else void connection.close();
    return answer;
  }

  return {
    call: async (call: OpenCall): Promise<ExchangeResult> => {
      const trust = trustOf(call.request.ca ?? null);
      const route = `${call.target.origin} ${String(trust.id)}`;
      const waiting = idle.take(route);
      if (waiting !== null) {
        const answer = await sendOn(waiting, call);
        // Not a failure of the endpoint: it closed while we sent. If it received the call all the same, it gets it twice, which
        // webhooks allow: both have the same id.
        if (!wasStale(answer)) return answer;
      }
      const opening = await open(call, trust, route);
      return opening.ok ? sendOn(opening.connection, call) : failedBefore(opening);
    },
    close: idle.close,
  };
}

const CLOSED = failure("connect_failed", "The service was shutting down.");

/** `allowCidrs` must be valid for `parseCidrs`. */
export function createSender(options: SenderOptions): Sender {
  const rules = urlRules(options);
  const caller = createCaller(options);
  const attempts = new Set<Promise<AttemptResult>>();
  let isClosed = false;

  async function outcomeOf(
    request: SendRequest,
    signal: AbortSignal,
    timings: PhaseTimings,
  ): Promise<ExchangeResult> {
    if (isClosed) return failedBefore(CLOSED);
    const read = readUrl(request.url, rules);
    if (!read.ok) return failedBefore(failure("address_refused", read.problem));
    const call = { target: read.target, request: withIdentity(request), signal, timings };
    try {
      return await caller.call(call);
    } catch (error) {
      // No known error gets here; a delivery must not be lost to an unknown one.
      return failedBefore(
        failure("connect_failed", `The call could not be made${codeSuffix(error)}.`),
      );
    }
  }

  async function attempt(request: SendRequest): Promise<AttemptResult> {
    const timings: PhaseTimings = { dns: null, connect: null, tls: null };
    const deadline = startDeadline(options.timeoutMs ?? TIMEOUT_MS);
    const outcome = await outcomeOf(request, deadline.signal, timings);
    deadline.clear();
    return attemptResultOf(outcome, request.url, timings, deadline.elapsed());
  }

  return {
    send: async (request) => {
      const running = attempt(request);
      attempts.add(running);
      try {
        return await running;
      } finally {
        attempts.delete(running);
      }
    },
    close: async () => {
      isClosed = true;
      await Promise.allSettled(attempts);
      await caller.close();
    },
  };
}
