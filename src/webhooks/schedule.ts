// When a delivery is attempted. Each attempt belongs to a slot at an absolute offset from the event. Delays relative to the
// previous attempt were rejected: their jitter adds up, and the last attempt would be anywhere between 17 and 24 hours.
import { hash } from "node:crypto";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** How long after the event a delivery is attempted; no attempt begins later. */
export const WINDOW_MS = 24 * HOUR_MS;

/** Due times of the attempts after the event, before jitter. */
export const ATTEMPT_OFFSETS_MS: readonly number[] = [
  0,
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  7 * HOUR_MS,
  11 * HOUR_MS,
  16 * HOUR_MS,
  20 * HOUR_MS,
  23 * HOUR_MS + 45 * MINUTE_MS,
];

/** An attempt may be early or late by this part of the gap to the previous one: a tenth. */
const JITTER_DIVISOR = 10;

/**
 * Nothing is due in the last minutes of the window, so that a delayed attempt can still begin inside it: 10 minutes are the
 * longest time that the breaker of an endpoint stays open, one minute is for queueing.
 */
export const WINDOW_REST_MS = 11 * MINUTE_MS;
const LAST_DUE_MS = WINDOW_MS - WINDOW_REST_MS;

/**
 * An endpoint may delay an attempt by this much; without a limit, one that answers `Retry-After: 86400` would never be called
 * again.
 */
const RETRY_AFTER_DELAY_MAX_MS = HOUR_MS;

/** The longest of the three forms of an HTTP date has 33 characters. */
const RETRY_AFTER_CHARS_MAX = 64;

const DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
const TIME = String.raw`\d\d:\d\d:\d\d`;
/** RFC 9110, 5.6.7: the current form, then the two obsolete ones that must be accepted. `Date.parse` alone accepts "1.5". */
const DATE_WITH_ZONE = new RegExp(
  String.raw`^(?:${DAY}, \d\d ${MONTH} \d{4}|[A-Z][a-z]{2,5}day, \d\d-${MONTH}-\d\d) ${TIME} GMT$`,
);
const DATE_WITHOUT_ZONE = new RegExp(String.raw`^${DAY} ${MONTH} [ \d]\d ${TIME} \d{4}$`);

/** The facts about a failed attempt. */
export interface FailedAttempt {
  /** When the window began: the time of the event, or of the request to send it again. */
  readonly baseAt: number;
  readonly nowMs: number;
  /**
   * When the attempt was due, as returned by this function or `attemptDueAt`. With it, a clock that was set back cannot make a
   * used slot available again; leave it out for an attempt outside the schedule, which uses up no slot.
   */
  readonly dueAt?: number | null;
  /** Identifies the delivery. */
  readonly key: string;
  readonly status: number | null;
  readonly retryAfter: string | null;
}

/**
 * When attempt `number`, from 1, of a delivery is due. It has jitter around its offset of at most a tenth of the gap to the
 * previous attempt; the first is due at once. The jitter is a function of the key: a restart gives the same.
 */
export function attemptDueAt(baseAt: number, number: number, key: string): number {
  return baseAt + dueAfterMs(number - 1, digestOf(key));
}

/**
 * When the next attempt is due, or null when no slot is left. The next slot is the first that is due after now: slots that were
 * missed are skipped, not caught up in a burst. `Retry-After` of a 429 or 503 moves it later.
 */
export function nextAttemptAt(failed: FailedAttempt): number | null {
  const { baseAt, nowMs, key } = failed;
  const usedMs = Math.max(nowMs, failed.dueAt ?? nowMs) - baseAt;
  const digest = digestOf(key);
  // From the second slot on: an attempt was made, so the first slot is used, whatever the clock shows.
  for (let index = 1; index < ATTEMPT_OFFSETS_MS.length; index += 1) {
    const slotMs = dueAfterMs(index, digest);
    if (slotMs > usedMs) return baseAt + Math.max(slotMs, wantedMs(failed, slotMs));
  }
  return null;
}

/** 64 bytes: four for each slot. */
function digestOf(key: string): Buffer {
  return hash("sha512", key, "buffer");
}

function dueAfterMs(index: number, digest: Buffer): number {
  const offset = ATTEMPT_OFFSETS_MS[index];
  if (offset === undefined) throw new RangeError(`There is no attempt ${String(index + 1)}`);
  const before = ATTEMPT_OFFSETS_MS[index - 1];
  if (before === undefined) return offset;
  const jitterMs = (offset - before) / JITTER_DIVISOR;
  const earliest = offset - jitterMs;
  // Limits the range before the draw: limiting the result would put a third of all last attempts into one millisecond.
  const latest = Math.min(offset + jitterMs, LAST_DUE_MS);
  const share = digest.readUInt32BE(4 * index) / 2 ** 32;
  return Math.floor(earliest + share * (latest - earliest));
}

/** The delay after the base that the endpoint requests, within the limit. */
function wantedMs(failed: FailedAttempt, slotMs: number): number {
  const { baseAt, nowMs, status, retryAfter } = failed;
  if (retryAfter === null || (status !== 429 && status !== 503)) return slotMs;
  const at = retryAt(retryAfter, nowMs);
  if (at === null) return slotMs;
  return Math.min(at - baseAt, slotMs + RETRY_AFTER_DELAY_MAX_MS, LAST_DUE_MS);
}

/** The time in a `Retry-After`, or null when it contains none. */
function retryAt(value: string, nowMs: number): number | null {
  if (value.length > RETRY_AFTER_CHARS_MAX) return null;
  const text = value.trim();
  if (/^\d+$/.test(text)) return nowMs + Number(text) * SECOND_MS;
  if (!DATE_WITH_ZONE.test(text) && !DATE_WITHOUT_ZONE.test(text)) return null;
  const at = Date.parse(DATE_WITHOUT_ZONE.test(text) ? `${text} GMT` : text);
  return Number.isNaN(at) ? null : at;
}
