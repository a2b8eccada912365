import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { BREAKER_OPEN_MAX_MS } from "../delivery/breaker.ts";
import {
  ATTEMPT_OFFSETS_MS,
  attemptDueAt,
  nextAttemptAt,
  WINDOW_MS,
  WINDOW_REST_MS,
} from "./schedule.ts";

const SECOND = 1000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
const BASE = Date.UTC(2026, 9, 1, 12);

const gapBefore = (number: number): number =>
  (ATTEMPT_OFFSETS_MS[number - 1] ?? Number.NaN) - (ATTEMPT_OFFSETS_MS[number - 2] ?? Number.NaN);
const numbers = ATTEMPT_OFFSETS_MS.map((_, index) => index + 1);
const dueTimes = (key: string, base = BASE): number[] =>
  numbers.map((number) => attemptDueAt(base, number, key));

const key = fc.string({ unit: "binary", maxLength: 60 });
const base = fc.nat(4_102_444_800_000);

/** The next attempt after a failure with this answer at `nowMs`. */
const next = (
  nowMs: number,
  fields: Partial<Parameters<typeof nextAttemptAt>[0]> = {},
): number | null =>
  nextAttemptAt({ baseAt: BASE, nowMs, key: "k", status: 500, retryAfter: null, ...fields });

describe("offsets", () => {
  it("are 14, and the gaps between them add up to 23 h 45 m", () => {
    expect(ATTEMPT_OFFSETS_MS).toHaveLength(14);
    const gaps = numbers.slice(1).map(gapBefore);
    expect(gaps).toEqual([
      5 * SECOND,
      25 * SECOND,
      90 * SECOND,
      8 * MINUTE,
      20 * MINUTE,
      30 * MINUTE,
      HOUR,
      2 * HOUR,
      3 * HOUR,
      4 * HOUR,
      5 * HOUR,
      4 * HOUR,
      3 * HOUR + 45 * MINUTE,
    ]);
    expect(gaps.reduce((sum, gap) => sum + gap, 0)).toBe(85_500_000);
    expect(ATTEMPT_OFFSETS_MS.at(-1)).toBe(85_500_000);
  });

  it("leave the longest wait for a breaker and a whole call before the window ends", () => {
    expect(WINDOW_MS).toBe(86_400_000);
    expect(WINDOW_REST_MS).toBeGreaterThan(BREAKER_OPEN_MAX_MS + 10 * SECOND);
  });
});

describe("attemptDueAt", () => {
  it("the first is due at once, the others in order, each at most a tenth of its gap away, the last in [23 h, 24 h)", () => {
    fc.assert(
      fc.property(key, base, (of, baseAt) => {
        const due = dueTimes(of, baseAt).map((at) => at - baseAt);
        const wrong = due.filter((at, index) => {
          if (index === 0) return at !== 0;
          const awayMs = Math.abs(at - (ATTEMPT_OFFSETS_MS[index] ?? Number.NaN));
          const isAfter = at > (due[index - 1] ?? Number.NaN);
          return !(isAfter && awayMs <= gapBefore(index + 1) / 10 && Number.isInteger(at));
        });
        expect(wrong).toEqual([]);
        expect(due[13]).toBeGreaterThanOrEqual(23 * HOUR);
        expect(due[13]).toBeLessThanOrEqual(WINDOW_MS - WINDOW_REST_MS);
      }),
      { numRuns: 10_000 },
    );
  });

  it("the jitter is a function of the key, moves with the base and fills its room evenly", () => {
    expect(dueTimes("event:webhook", BASE + 7)).toEqual(
      dueTimes("event:webhook").map((at) => at + 7),
    );
    expect(dueTimes("a")).not.toEqual(dueTimes("b"));
    const keys = Array.from({ length: 4000 }, (_, index) => `k${String(index)}`);
    for (const number of numbers.slice(1)) {
      const gap = gapBefore(number);
      const earliest = (ATTEMPT_OFFSETS_MS[number - 1] ?? Number.NaN) - gap / 10;
      // The jitter of the last one ends at 23 h 49 m.
      const room = number === 14 ? gap / 10 + 4 * MINUTE : gap / 5;
      const quarters = [0, 0, 0, 0];
      for (const one of keys) {
        const share = (attemptDueAt(0, number, one) - earliest) / room;
        const quarter = Math.min(3, Math.floor(share * 4));
        quarters[quarter] = (quarters[quarter] ?? 0) + 1;
      }
      // Six standard deviations of 4000 draws are 165.
      for (const count of quarters) expect(Math.abs(count - 1000)).toBeLessThan(165);
    }
  });

  it("an early attempt has no effect on the next: each has its own jitter", () => {
    const tenths = numbers.slice(1, 13).map((number) => {
      const lateMs = attemptDueAt(0, number, "k") - (ATTEMPT_OFFSETS_MS[number - 1] ?? Number.NaN);
      return Math.round((100 * lateMs) / gapBefore(number));
    });
    expect(new Set(tenths).size).toBeGreaterThan(5);
  });

  it("there is no attempt 0, 15 or one and a half", () => {
    for (const number of [0, 15, 1.5, -1, Number.NaN]) {
      expect(() => attemptDueAt(BASE, number, "k")).toThrow(RangeError);
    }
  });
});

describe("nextAttemptAt", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  const due = dueTimes("k");
  const slot = (number: number): number => due[number - 1] ?? Number.NaN;

  it("is the first slot due after now: also when an attempt was late, and none is caught up", () => {
    expect(next(BASE)).toBe(slot(2));
    expect(next(slot(2) - 1)).toBe(slot(2));
    expect(next(slot(2))).toBe(slot(3));
    expect(next(BASE + 5 * HOUR)).toBe(slot(10));
    expect(next(slot(14) - 1)).toBe(slot(14));
    expect(next(slot(14))).toBeNull();
    expect(next(BASE + 48 * HOUR)).toBeNull();
  });

  it("a clock that was set back brings no slot back that was used", () => {
    expect(next(BASE - HOUR)).toBe(slot(2));
    expect(next(BASE, { dueAt: slot(6) })).toBe(slot(7));
    expect(next(BASE - HOUR, { dueAt: slot(14) })).toBeNull();
    expect(next(slot(8), { dueAt: slot(3) })).toBe(slot(9));
    expect(next(slot(8), { dueAt: null })).toBe(slot(9));
  });

  it("Retry-After of 429 and 503 moves the next slot later, by an hour at most", () => {
    const now = slot(6) + 3;
    for (const status of [429, 503]) {
      expect(next(now, { status, retryAfter: "2400" })).toBe(now + 2400 * SECOND);
      expect(next(now, { status, retryAfter: " 2400 " })).toBe(now + 2400 * SECOND);
      expect(next(now, { status, retryAfter: "86400" })).toBe(slot(7) + HOUR);
      expect(next(now, { status, retryAfter: "9".repeat(60) })).toBe(slot(7) + HOUR);
    }
  });

  it("Retry-After moves no slot earlier", () => {
    for (const retryAfter of ["0", "1", "60", "Thu, 01 Jan 1970 00:00:00 GMT"]) {
      expect(next(slot(6), { status: 503, retryAfter })).toBe(slot(7));
    }
  });

  it("Retry-After is understood as a date in all three forms of HTTP", () => {
    // The last form has no zone: it is UTC wherever the service runs.
    vi.stubEnv("TZ", "America/New_York");
    expect(new Date(0).getTimezoneOffset()).toBe(300);
    const now = Date.UTC(1994, 10, 6, 8, 20);
    const wanted = Date.UTC(1994, 10, 6, 8, 49, 37);
    for (const retryAfter of [
      "Sun, 06 Nov 1994 08:49:37 GMT",
      "Sunday, 06-Nov-94 08:49:37 GMT",
      "Sun Nov  6 08:49:37 1994",
    ]) {
      expect(next(now, { baseAt: now - 2 * MINUTE, status: 429, retryAfter })).toBe(wanted);
    }
  });

  it("junk in Retry-After and one with another status are ignored", () => {
    const junk = ["", " ", "soon", "-5", "1.5", "1e3", "0x10", "2400 s", "2400, 2400", "Infinity"];
    const dates = ["2026-10-01T13:40:00Z", "1 Oct 2026 13:40 GMT", "Thu, 99 Oct 2026 13:40:00 GMT"];
    for (const retryAfter of [...junk, ...dates, "9".repeat(65), `${" ".repeat(70)}2400`]) {
      expect(next(slot(6), { status: 503, retryAfter })).toBe(slot(7));
    }
    for (const status of [null, 200, 301, 400, 410, 500, 502, 504]) {
      expect(next(slot(6), { status, retryAfter: "2400" })).toBe(slot(7));
    }
  });

  it("Retry-After moves the last attempt no further than the rest of the window", () => {
    const last = next(slot(13), { status: 503, retryAfter: "86400" });
    expect(last).toBe(BASE + WINDOW_MS - WINDOW_REST_MS);
  });
});

/** What happens between the due time of an attempt and the recording of its failure, and what the endpoint answers. */
interface Step {
  /** Delay by the queue, limits, a breaker, or because no process was running. */
  readonly lateMs: number;
  readonly tookMs: number;
  /** How far the clock jumps before the failure is recorded. */
  readonly jumpMs: number;
  readonly status: number | null;
  readonly retryAfter: string | null;
}

interface Made {
  readonly dueAt: number;
  readonly at: number;
  /** When its failure was recorded. */
  readonly failedAt: number;
}

/** Attempts a delivery that always fails. Only the base and the next due time are kept between steps, as over a restart. */
function walk(of: string, step: (index: number) => Step): Made[] {
  const made: Made[] = [];
  let dueAt: number | null = BASE;
  let now = BASE;
  while (dueAt !== null) {
    const current = step(made.length);
    now = Math.max(now, dueAt) + current.lateMs;
    if (now >= BASE + WINDOW_MS) break;
    const startedAt = now;
    now += current.tookMs + current.jumpMs;
    made.push({ dueAt, at: startedAt, failedAt: now });
    const { status, retryAfter } = current;
    dueAt = nextAttemptAt({ baseAt: BASE, nowMs: now, dueAt, key: of, status, retryAfter });
    if (made.length > 100) throw new Error("The schedule does not end");
  }
  return made;
}

const calm: Step = { lateMs: 3, tookMs: 900, jumpMs: 0, status: 500, retryAfter: null };
const retryAfterText = fc.oneof(
  fc.nat(200_000).map(String),
  fc.string({ maxLength: 40 }),
  fc.integer({ min: BASE - HOUR, max: BASE + 26 * HOUR }).map((at) => new Date(at).toUTCString()),
);
const answer = {
  tookMs: fc.integer({ min: 0, max: 10_000 }),
  status: fc.constantFrom(null, 429, 500, 503),
  retryAfter: fc.option(retryAfterText),
};
const steps = (lateMsMax: number, jumpMsMax: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({
      lateMs: fc.oneof(fc.constant(0), fc.nat(lateMsMax)),
      jumpMs: fc.oneof(fc.constant(0), fc.integer({ min: -jumpMsMax, max: jumpMsMax })),
      ...answer,
    }),
    { minLength: 14, maxLength: 14 },
  );
const at = (all: readonly Step[]) => (index: number) => all[index] ?? calm;

describe("a delivery that always fails", () => {
  it("is tried 14 times, at the offsets, when all goes well", () => {
    const made = walk("k", () => calm);
    expect(made.map((one) => one.dueAt)).toEqual(dueTimes("k"));
  });

  it("goes on at the next slot after a restart in the middle, and what was due meanwhile is tried once", () => {
    const made = walk("k", (index) => (index === 6 ? { ...calm, lateMs: 5 * HOUR } : calm));
    const due = dueTimes("k");
    expect(made.map((one) => one.dueAt)).toEqual([...due.slice(0, 7), ...due.slice(9)]);
    expect(made[6]?.at).toBe((due[6] ?? Number.NaN) + 5 * HOUR);
  });

  it("is tried at most 14 times, at the first slot after each failure or an hour later, last in [23 h, 24 h)", () => {
    // With delays no longer than those of a breaker, there is a last attempt, whatever Retry-After contains.
    fc.assert(
      fc.property(key, steps(BREAKER_OPEN_MAX_MS, 0), (of, all) => {
        const made = walk(of, at(all));
        const slots = dueTimes(of);
        const wrong = made.filter(({ dueAt }, index) => {
          if (index === 0) return dueAt !== BASE;
          const failedAt = made[index - 1]?.failedAt ?? Number.NaN;
          const slot = slots.find((one) => one > failedAt) ?? Number.NaN;
          const before = all[index - 1] ?? calm;
          const mayMove = [429, 503].includes(before.status ?? 0) && before.retryAfter !== null;
          return !(dueAt >= slot && dueAt <= slot + (mayMove ? HOUR : 0));
        });
        expect(wrong).toEqual([]);
        expect(made.length).toBeLessThanOrEqual(14);
        const last = (made.at(-1)?.at ?? Number.NaN) - BASE;
        expect(last).toBeGreaterThanOrEqual(23 * HOUR);
        expect(last).toBeLessThan(WINDOW_MS);
      }),
      { numRuns: 20_000 },
    );
  });

  it("keeps to 14 attempts in order of their slots, also over clock leaps and hours without a process", () => {
    fc.assert(
      fc.property(key, steps(8 * HOUR, 30 * HOUR), (of, all) => {
        const made = walk(of, at(all));
        const due = made.map((one) => one.dueAt);
        expect(due.filter((one, index) => one <= (due[index - 1] ?? -1))).toEqual([]);
        expect(due.length).toBeLessThanOrEqual(14);
        expect(due.at(-1)).toBeLessThanOrEqual(BASE + WINDOW_MS - WINDOW_REST_MS);
      }),
      { numRuns: 20_000 },
    );
  });
});
