import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ATTEMPT_ERRORS, type AttemptError } from "../model/webhook.ts";
import {
  BREAKER_FAILURES_MAX,
  BREAKER_OPEN_FIRST_MS,
  BREAKER_OPEN_MAX_MS,
  BREAKER_PROBE_MAX_MS,
  type Breaker,
  type BreakerCall,
  createBreaker,
} from "./breaker.ts";

const UNREACHABLE: readonly AttemptError[] = [
  "dns_failed",
  "connect_failed",
  "tls_failed",
  "timed_out",
  "connection_lost",
];
const ANSWERS: readonly (AttemptError | null)[] = [null, "bad_response", "redirected", "status"];

function call(breaker: Breaker, nowMs: number): BreakerCall {
  const begun = breaker.begin(nowMs);
  if (begun === null) throw new Error("The breaker let no call through");
  return begun;
}

/** A breaker that has opened at time 0. */
function opened(): Breaker {
  const breaker = createBreaker();
  for (let index = 0; index < BREAKER_FAILURES_MAX; index += 1) {
    call(breaker, 0).finish("connect_failed", 0);
  }
  return breaker;
}

describe("a closed breaker", () => {
  it("opens at the fifth unreachable call in a row, whatever its kinds", () => {
    const breaker = createBreaker();
    for (const error of UNREACHABLE.slice(0, 4)) call(breaker, 1000).finish(error, 1000);
    expect(breaker.state(1000)).toBe("closed");
    expect(breaker.waitMs(1000)).toBe(0);
    call(breaker, 1000).finish("connection_lost", 2000);
    expect(breaker.state(2000)).toBe("open");
    expect(breaker.waitMs(2000)).toBe(30_000);
    expect(breaker.begin(2000)).toBeNull();
  });

  it.each(UNREACHABLE)("%s five times in a row opens", (error) => {
    const breaker = createBreaker();
    for (let index = 0; index < 5; index += 1) call(breaker, 0).finish(error, 0);
    expect(breaker.state(0)).toBe("open");
  });

  it.each(ANSWERS)("%s is an answer: the count begins anew", (answer) => {
    const breaker = createBreaker();
    for (let index = 0; index < 20; index += 1) {
      call(breaker, 0).finish(index % 5 === 4 ? answer : "timed_out", 0);
    }
    expect(breaker.state(0)).toBe("closed");
  });

  it("an address that we refused and a call that was not made neither count nor reset", () => {
    const breaker = createBreaker();
    for (let index = 0; index < 4; index += 1) call(breaker, 0).finish("dns_failed", 0);
    for (let index = 0; index < 20; index += 1) call(breaker, 0).finish("address_refused", 0);
    call(breaker, 0).abandon();
    expect(breaker.state(0)).toBe("closed");
    call(breaker, 0).finish("dns_failed", 0);
    expect(breaker.state(0)).toBe("open");
  });

  it("every kind of error is one of the three", () => {
    expect(new Set([...UNREACHABLE, ...ANSWERS, "address_refused", "secret_unavailable"])).toEqual(
      new Set([...ATTEMPT_ERRORS, null]),
    );
  });

  it("a call that ends twice counts once", () => {
    const breaker = createBreaker();
    const only = call(breaker, 0);
    for (let index = 0; index < 10; index += 1) only.finish("timed_out", 0);
    expect(breaker.state(0)).toBe("closed");
  });
});

describe("an open breaker", () => {
  it("lets exactly one probe through after 30 s, and closes on any answer to it", () => {
    for (const answer of ANSWERS) {
      const breaker = opened();
      expect(breaker.begin(29_999)).toBeNull();
      expect(breaker.state(29_999)).toBe("open");
      expect(breaker.waitMs(29_999)).toBe(1);
      expect(breaker.state(30_000)).toBe("half_open");
      const probe = call(breaker, 30_000);
      expect(breaker.begin(30_000)).toBeNull();
      expect(breaker.waitMs(30_000)).toBe(BREAKER_PROBE_MAX_MS);
      probe.finish(answer, 30_500);
      expect(breaker.state(30_500)).toBe("closed");
      expect(breaker.begin(30_500)).not.toBeNull();
      expect(breaker.begin(30_500)).not.toBeNull();
    }
  });

  it("stays open for 30 s, 1, 2, 4, 8, 10, 10 min while probes fail, and for 30 s again once it was closed", () => {
    const breaker = opened();
    const waits: number[] = [];
    let now = 0;
    for (let index = 0; index < 7; index += 1) {
      const waitMs = breaker.waitMs(now);
      waits.push(waitMs);
      now += waitMs;
      call(breaker, now).finish("timed_out", now);
    }
    expect(waits).toEqual([30_000, 60_000, 120_000, 240_000, 480_000, 600_000, 600_000]);
    now += breaker.waitMs(now);
    call(breaker, now).finish("status", now);
    for (let index = 0; index < 5; index += 1) call(breaker, now).finish("timed_out", now);
    expect(breaker.waitMs(now)).toBe(BREAKER_OPEN_FIRST_MS);
  });

  it("failures of calls that began before it opened do not make it longer; an answer to one closes it", () => {
    const breaker = createBreaker();
    const early = Array.from({ length: 16 }, () => call(breaker, 0));
    for (const one of early.slice(0, 15)) one.finish("timed_out", 10_000);
    expect(breaker.waitMs(10_000)).toBe(30_000);
    early[15]?.finish("status", 11_000);
    expect(breaker.state(11_000)).toBe("closed");
  });

  it("the late failure of a call from before is not the probe's", () => {
    const breaker = createBreaker();
    const early = call(breaker, 0);
    for (let index = 0; index < 5; index += 1) call(breaker, 0).finish("timed_out", 0);
    const probe = call(breaker, 30_000);
    early.finish("timed_out", 30_001);
    expect(breaker.state(30_001)).toBe("half_open");
    expect(breaker.begin(30_001)).toBeNull();
    probe.finish("timed_out", 30_002);
    expect(breaker.waitMs(30_002)).toBe(60_000);
  });

  it("a probe that was not made makes room for the next at once", () => {
    const breaker = opened();
    call(breaker, 30_000).abandon();
    call(breaker, 30_000).finish("address_refused", 30_000);
    expect(breaker.state(30_000)).toBe("half_open");
    expect(breaker.begin(30_000)).not.toBeNull();
  });

  it("a probe that never ends does not block the endpoint, and has no effect when it ends after all", () => {
    const breaker = opened();
    const lost = call(breaker, 30_000);
    expect(breaker.begin(59_999)).toBeNull();
    const second = call(breaker, 60_000);
    lost.finish("timed_out", 60_001);
    expect(breaker.state(60_001)).toBe("half_open");
    second.finish(null, 60_002);
    expect(breaker.state(60_002)).toBe("closed");
  });

  it("a clock that was set back by a day makes it wait its time once more, not a day", () => {
    const breaker = opened();
    const yesterday = -86_400_000;
    expect(breaker.waitMs(yesterday)).toBe(30_000);
    expect(breaker.begin(yesterday + 29_999)).toBeNull();
    expect(breaker.begin(yesterday + 30_000)).not.toBeNull();
    expect(breaker.waitMs(2 * yesterday)).toBeLessThanOrEqual(BREAKER_PROBE_MAX_MS);
  });
});

type Op =
  | { readonly kind: "begin" }
  | { readonly kind: "pass"; readonly ms: number }
  | { readonly kind: "finish"; readonly pick: number; readonly error: AttemptError | null }
  | { readonly kind: "abandon"; readonly pick: number };

const passing = fc.oneof(fc.nat(20_000), fc.nat(700_000), fc.integer({ min: -3_600_000, max: 0 }));
const ending = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...UNREACHABLE) },
  { weight: 1, arbitrary: fc.constantFrom<AttemptError | null>(null, ...ATTEMPT_ERRORS) },
);
const op: fc.Arbitrary<Op> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: "begin" as const }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("pass" as const), ms: passing }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant("finish" as const), pick: fc.nat(), error: ending }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("abandon" as const), pick: fc.nat() }),
  },
);

/** A breaker, the calls that it let through, and the state of the probe as a caller sees it. */
function watched() {
  const breaker = createBreaker();
  const calls: BreakerCall[] = [];
  let probe: { readonly call: BreakerCall; at: number } | null = null;
  let now = 0;

  function begin(): void {
    const state = breaker.state(now);
    const waitMs = breaker.waitMs(now);
    const begun = breaker.begin(now);
    expect(begun !== null).toBe(waitMs === 0);
    if (begun === null) return;
    calls.push(begun);
    expect(state).not.toBe("open");
    if (state === "closed") return;
    // A probe in flight blocks the next one until its maximum time is over.
    if (probe !== null) expect(now - probe.at).toBeGreaterThanOrEqual(BREAKER_PROBE_MAX_MS);
    probe = { call: begun, at: now };
  }

  function end(pick: number, how: (ended: BreakerCall) => void): void {
    const [ended] = calls.splice(pick % Math.max(1, calls.length), 1);
    if (ended === undefined) return;
    how(ended);
    if (probe?.call === ended || breaker.state(now) === "closed") probe = null;
  }

  function step(next: Op): void {
    if (next.kind === "begin") begin();
    if (next.kind === "pass") now += next.ms;
    if (next.kind === "abandon") {
      end(next.pick, (ended) => {
        ended.abandon();
      });
    }
    if (next.kind === "finish") {
      end(next.pick, (ended) => {
        ended.finish(next.error, now);
        if (ANSWERS.includes(next.error)) expect(breaker.state(now)).toBe("closed");
      });
    }
    expect(breaker.waitMs(now)).toBeLessThanOrEqual(BREAKER_OPEN_MAX_MS);
    if (probe !== null) probe.at = Math.min(probe.at, now);
  }

  return { step, callAfter: (ms: number) => breaker.begin(now + ms) };
}

describe("whatever happens", () => {
  it("there is one probe at a time, an answer closes, and after ten minutes a call is let through", () => {
    fc.assert(
      fc.property(fc.array(op, { maxLength: 60 }), (ops) => {
        const { step, callAfter } = watched();
        for (const next of ops) step(next);
        expect(callAfter(BREAKER_OPEN_MAX_MS)).not.toBeNull();
      }),
      { numRuns: 5000 },
    );
  });
});
