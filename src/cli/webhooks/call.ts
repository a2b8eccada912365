// One call to the local receiver: what is right and wrong about it, in words.
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { safeText } from "../explain/table.ts";
import { verifySignature } from "./verify.ts";

/** A call as it arrived. */
export interface ReceivedCall {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** Null: it was larger than `BODY_BYTES_MAX`. */
  readonly body: Buffer | null;
  readonly bodyBytes: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** What the receiver expects of a call, and how it answers. */
export interface Expectation {
  readonly secret: string | null;
  readonly token: string | null;
  readonly status: number;
}

export interface ReadCall {
  readonly status: number;
  /** Sent back as text, so that it stands in the attempts of the delivery; "" when there is nothing to say. */
  readonly answer: string;
  /** One line for people. */
  readonly line: string;
  /** The body, indented when it is JSON; "" without one. */
  readonly shownBody: string;
}

export const BODY_BYTES_MAX = 1_048_576;
/** The limit that every receiver should use. */
const SIGNATURE_AGE_MAX_MS = 300_000;
/** Events whose repetitions are detected: the oldest is evicted first. */
const EVENTS_REMEMBERED_MAX = 10_000;

interface Event {
  readonly eventId: string;
  readonly eventType: string;
  readonly resourceId: string;
  readonly parsed: unknown;
}

interface Check {
  readonly words: string;
  readonly isRefused: boolean;
}

/** Reads one call after the other and remembers which events there were. */
export function createCallReader(expected: Expectation): (call: ReceivedCall) => ReadCall {
  const countRepeat = createRepeatCounter();
  return (call) => {
    const { body } = call;
    if (call.method !== "POST")
      return reject(call, 405, `${safeText(call.method)} is not a webhook call`);
    if (body === null)
      return reject(call, 413, `too large: more than ${String(BODY_BYTES_MAX)} bytes`);
    const event = readEvent(body);
    if (event === null)
      return { ...reject(call, 400, "not an event"), shownBody: safeLines(body.toString("utf8")) };
    const checks = [checkSignature(call, body, expected.secret)];
    if (expected.token !== null) checks.push(checkToken(call.headers, expected.token));
    const refused = checks.filter(({ isRefused }) => isRefused);
    const status = refused.length > 0 ? 401 : expected.status;
    // An unverified call does not count as a repetition of an event.
    const repeat = refused.length > 0 ? [] : countRepeat(event.eventId, body);
    const named = [event.eventType, event.eventId, event.resourceId].map(safeText);
    const words = [...named, ...checks.map((check) => check.words), ...repeat];
    if (headerOf(call.headers, "webhook-replay") === "1") words.push("sent again on request");
    return {
      status,
      answer: refused.map((check) => check.words).join(", "),
      line: lineOf(call, words, status),
      shownBody: safeLines(JSON.stringify(event.parsed, null, 2)),
    };
  };
}

function reject(call: ReceivedCall, status: number, why: string): ReadCall {
  return { status, answer: why, line: lineOf(call, [why], status), shownBody: "" };
}

function lineOf(call: ReceivedCall, words: readonly string[], status: number): string {
  const size = `${String(call.bodyBytes)} bytes`;
  const at = new Date(call.at).toISOString();
  return [at, ...words, size, `answered ${String(status)}`].join("  ");
}

function readEvent(body: Buffer): Event | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString("utf8"));
  } catch {
    return null;
  }
  const { event_id: eventId, event_type: eventType, data } = fieldsOf(parsed);
  if (typeof eventId !== "string" || typeof eventType !== "string") return null;
  const { id } = fieldsOf(data);
  return { eventId, eventType, resourceId: typeof id === "string" ? id : "-", parsed };
}

const fieldsOf = (value: unknown): Partial<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {};

function checkSignature({ headers, at }: ReceivedCall, body: Buffer, secret: string | null): Check {
  const timestamp = headerOf(headers, "webhook-timestamp");
  const signature = headerOf(headers, "webhook-signature");
  if (secret === null) {
    const words = signature === null ? "not signed" : "signed, not checked";
    return { words, isRefused: false };
  }
  const call = { id: headerOf(headers, "webhook-id"), timestamp, signature, body };
  const verdict = verifySignature(call, secret, at, SIGNATURE_AGE_MAX_MS);
  switch (verdict) {
    case "verified":
      return { words: "verified", isRefused: false };
    case "missing":
      return { words: "not signed", isRefused: true };
    case "wrong":
      return { words: "WRONG SIGNATURE", isRefused: true };
    case "too_old": {
      const isPast = Number(timestamp) * 1_000 < at;
      return { words: isPast ? "too old" : "from the future", isRefused: true };
    }
  }
}

/** While a token is rotated the one before it comes along. */
function checkToken(headers: IncomingHttpHeaders, token: string): Check {
  const current = headerOf(headers, "x-service-token");
  const previous = headerOf(headers, "x-service-token-previous");
  if (current === null) return { words: "no token", isRefused: true };
  if (isSame(current, token)) return { words: "token right", isRefused: false };
  if (previous !== null && isSame(previous, token))
    return { words: "token right, previous one", isRefused: false };
  return { words: "WRONG TOKEN", isRefused: true };
}

/** Hashes have one length, so the time of the comparison reveals nothing about the texts. */
const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(digestOf(one), digestOf(other));

const digestOf = (bytes: string | Buffer): Buffer => createHash("sha256").update(bytes).digest();

function createRepeatCounter(): (eventId: string, body: Buffer) => string[] {
  const seen = new Map<string, { readonly calls: number; readonly digest: Buffer }>();
  return (eventId, body) => {
    const before = seen.get(eventId);
    const digest = digestOf(body);
    const calls = (before?.calls ?? 0) + 1;
    seen.delete(eventId);
    seen.set(eventId, { calls, digest: before?.digest ?? digest });
    const [oldest] = seen.keys();
    if (seen.size > EVENTS_REMEMBERED_MAX && oldest !== undefined) seen.delete(oldest);
    if (before === undefined) return [];
    const isOther = !before.digest.equals(digest);
    return [`repeat, call ${String(calls)}${isOther ? " with OTHER BYTES" : ""}`];
  };
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  return typeof value === "string" ? value : null;
}

/** Safe for a terminal, line by line. */
const safeLines = (text: string): string => text.split("\n").map(safeText).join("\n");
