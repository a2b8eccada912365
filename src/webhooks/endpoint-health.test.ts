import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { WebhookHealth } from "../model/webhook.ts";
import {
  applyResults,
  type DisablePolicy,
  disabledHealth,
  enabledHealth,
  type HealthResult,
  newHealth,
} from "./endpoint-health.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const CREATED = Date.UTC(2026, 9, 1);
const POLICY: DisablePolicy = { failuresMax: 50, quietMs: DAY };

const failure = (at: number, fields: Partial<HealthResult> = {}): HealthResult => ({
  at,
  ok: false,
  status: 500,
  error: "status",
  detail: "The endpoint answered 500.",
  counts: true,
  ...fields,
});
const success = (at: number, fields: Partial<HealthResult> = {}): HealthResult => ({
  at,
  ok: true,
  status: 200,
  error: null,
  detail: null,
  counts: true,
  ...fields,
});
const failures = (count: number, at: number): HealthResult[] =>
  Array.from({ length: count }, () => failure(at));

const health = (fields: Partial<WebhookHealth> = {}): WebhookHealth => ({
  ...newHealth(CREATED),
  ...fields,
});

describe("applyResults", () => {
  it("a failure counts and is described, a success resets both and is remembered", () => {
    const failed = applyResults(health(), failures(3, CREATED + 1), POLICY);
    expect(failed).toEqual({
      health: health({ consecutiveFailures: 3, lastError: "The endpoint answered 500." }),
      enabled: true,
      warnings: [],
    });
    const good = applyResults(failed.health, [success(CREATED + 2)], POLICY);
    expect(good.health).toEqual(health({ lastSuccessAt: CREATED + 2 }));
  });

  it("an older success that comes in late does not move the last one back", () => {
    const before = health({ lastSuccessAt: CREATED + 500 });
    expect(applyResults(before, [success(CREATED + 400)], POLICY).health.lastSuccessAt).toBe(
      CREATED + 500,
    );
  });

  it("a failure without a sentence gets one, and a long one is cut", () => {
    const lastError = (fields: Partial<HealthResult>): string | null =>
      applyResults(health(), [failure(CREATED, fields)], POLICY).health.lastError;
    expect(lastError({ detail: null })).toBe("The endpoint answered 500.");
    expect(lastError({ detail: null, status: null, error: "tls_failed" })).toBe(
      "The call failed: tls_failed.",
    );
    expect(lastError({ detail: "x".repeat(1000) })).toHaveLength(300);
  });

  it("50 failures disable only when the last success is a day old", () => {
    const before = health({ consecutiveFailures: 49, lastSuccessAt: CREATED + 5 });
    const early = applyResults(before, [failure(CREATED + 5 + DAY - 1)], POLICY);
    expect(early.enabled).toBe(true);
    const late = applyResults(before, [failure(CREATED + 5 + DAY)], POLICY);
    expect(late.enabled).toBe(false);
    expect(late.health).toMatchObject({
      consecutiveFailures: 50,
      disabledAt: CREATED + 5 + DAY,
      disabledReason: "failures",
      lastError: "The endpoint answered 500.",
    });
  });

  it("without a success the day begins when the webhook was enabled", () => {
    expect(applyResults(health(), failures(80, CREATED + DAY - 1), POLICY).enabled).toBe(true);
    expect(applyResults(health(), failures(50, CREATED + DAY), POLICY).enabled).toBe(false);
  });

  it("a success from before it was enabled again does not shorten the day", () => {
    const off = health({ lastSuccessAt: CREATED + 1, disabledAt: CREATED + 9 * DAY });
    const again = enabledHealth({ ...off, disabledReason: "failures" }, CREATED + 10 * DAY);
    expect(applyResults(again, failures(60, CREATED + 10 * DAY + HOUR), POLICY).enabled).toBe(true);
    expect(applyResults(again, failures(60, CREATED + 11 * DAY), POLICY).enabled).toBe(false);
  });

  it("with no quiet time the failures alone decide, also when the clock was set back", () => {
    const now = { failuresMax: 50, quietMs: 0 };
    const before = health({ consecutiveFailures: 49, lastSuccessAt: CREATED + DAY });
    expect(applyResults(before, [failure(CREATED + HOUR)], now).enabled).toBe(false);
  });

  it("410 disables at once", () => {
    const gone = failure(CREATED + 1, { status: 410, detail: "The endpoint answered 410." });
    const { health: after, enabled } = applyResults(health(), [gone], POLICY);
    expect(enabled).toBe(false);
    expect(after).toMatchObject({
      disabledAt: CREATED + 1,
      disabledReason: "gone",
      lastError: "The endpoint answered 410.",
    });
  });

  it("what does not count changes nothing: no failure, no 410, no success", () => {
    const before = health({ consecutiveFailures: 49, lastError: "x" });
    const results = [
      failure(CREATED + 2 * DAY, { counts: false, status: null, error: "address_refused" }),
      failure(CREATED + 2 * DAY, { counts: false, status: 410 }),
      success(CREATED + 2 * DAY, { counts: false }),
    ];
    expect(applyResults(before, results, POLICY)).toEqual({
      health: before,
      enabled: true,
      warnings: [],
    });
  });

  it("a failure of a call from before it was enabled does not count, a success does", () => {
    const again = health({ enabledAt: CREATED + DAY });
    const stale = [failure(CREATED + DAY - 1), failure(CREATED + DAY - 1, { status: 410 })];
    expect(applyResults(again, stale, POLICY).health).toEqual(again);
    expect(applyResults(again, [success(CREATED + 5)], POLICY).health.lastSuccessAt).toBe(
      CREATED + 5,
    );
  });

  it("a disabled webhook is changed by no result, and reports again that it is disabled", () => {
    const off = disabledHealth(health(), "customer", CREATED + 1);
    const results = [...failures(60, CREATED + 2 * DAY), success(CREATED + 2 * DAY)];
    expect(applyResults(off, results, POLICY)).toEqual({
      health: off,
      enabled: false,
      warnings: [],
    });
  });
});

describe("warnings", () => {
  const warned = (before: number, results: readonly HealthResult[], policy = POLICY) =>
    applyResults(health({ consecutiveFailures: before }), results, policy).warnings;

  it("come at 25, 40 and 50 failures, once", () => {
    let current = health();
    const at: [number, readonly number[]][] = [];
    for (let count = 1; count <= 70; count += 1) {
      const after = applyResults(current, [failure(CREATED + 1)], POLICY);
      current = after.health;
      if (after.warnings.length > 0) at.push([count, after.warnings]);
    }
    expect(at).toEqual([
      [25, [50]],
      [40, [80]],
      [50, [100]],
    ]);
  });

  it("crossed together they are given together", () => {
    expect(warned(20, failures(25, CREATED + 1))).toEqual([50, 80]);
    expect(warned(0, [failure(CREATED + 1)], { failuresMax: 1, quietMs: DAY })).toEqual([
      50, 80, 100,
    ]);
  });

  it("a level that a success takes back is not given, one reached again after it is given again", () => {
    expect(warned(24, [failure(CREATED + 1), success(CREATED + 2)])).toEqual([]);
    expect(warned(30, [success(CREATED + 1), ...failures(26, CREATED + 2)])).toEqual([50]);
    expect(
      warned(24, [failure(CREATED + 1), success(CREATED + 2), ...failures(25, CREATED + 2)]),
    ).toEqual([50]);
  });

  it("a result that is left out takes no level back", () => {
    const test = success(CREATED + 2, { counts: false });
    expect(warned(24, [failure(CREATED + 1), test])).toEqual([50]);
  });
});

const anyResult: fc.Arbitrary<HealthResult> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.integer({ min: -HOUR, max: 3 * DAY }).map((ms) => failure(CREATED + ms)),
  },
  { weight: 1, arbitrary: fc.nat(3 * DAY).map((ms) => success(CREATED + ms)) },
  { weight: 1, arbitrary: fc.nat(3 * DAY).map((ms) => failure(CREATED + ms, { counts: false })) },
  { weight: 1, arbitrary: fc.nat(3 * DAY).map((ms) => failure(CREATED + ms, { status: 410 })) },
);

describe("whatever comes in", () => {
  it("it makes no difference how results are cut into groups", () => {
    const policy = { failuresMax: 6, quietMs: DAY };
    fc.assert(
      fc.property(fc.array(anyResult, { maxLength: 40 }), fc.nat(40), (results, cut) => {
        const whole = applyResults(health(), results, policy);
        const first = applyResults(health(), results.slice(0, cut), policy);
        const second = applyResults(first.health, results.slice(cut), policy);
        expect(second.health).toEqual(whole.health);
        expect(second.enabled).toBe(whole.enabled);
      }),
      { numRuns: 2000 },
    );
  });

  it("only 410, or enough failures since the last success and a day, disable", () => {
    const policy = { failuresMax: 6, quietMs: DAY };
    fc.assert(
      fc.property(fc.array(anyResult, { maxLength: 40 }), (results) => {
        const { health: after, enabled } = applyResults(health(), results, policy);
        expect(enabled).toBe(after.disabledAt === null);
        expect(after.disabledReason === null).toBe(enabled);
        if (after.disabledReason === "failures") {
          expect(after.consecutiveFailures).toBeGreaterThanOrEqual(6);
          const goodAt = after.lastSuccessAt ?? CREATED;
          expect((after.disabledAt ?? Number.NaN) - goodAt).toBeGreaterThanOrEqual(DAY);
        }
        if (enabled) expect(results.every((one) => one.status !== 410)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("switching", () => {
  it("enabling begins anew and remembers the last success", () => {
    const off = health({
      consecutiveFailures: 50,
      lastSuccessAt: CREATED + 3,
      disabledAt: CREATED + 5,
      disabledReason: "failures",
      lastError: "x",
    });
    expect(enabledHealth(off, CREATED + 9)).toEqual({
      ...newHealth(CREATED + 9),
      lastSuccessAt: CREATED + 3,
    });
  });

  it("enabling what is enabled does not hide its failures", () => {
    const failing = health({ consecutiveFailures: 49, lastError: "x" });
    expect(enabledHealth(failing, CREATED + DAY)).toBe(failing);
  });

  it("disabling twice keeps the first time and reason", () => {
    const gone = disabledHealth(health({ consecutiveFailures: 3 }), "gone", CREATED + 1);
    expect(gone).toEqual(
      health({ consecutiveFailures: 3, disabledAt: CREATED + 1, disabledReason: "gone" }),
    );
    expect(disabledHealth(gone, "customer", CREATED + 2)).toBe(gone);
  });
});
