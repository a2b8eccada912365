import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ConsumerEvent } from "../model/process-events.ts";
import type { RawRecord } from "./record-runner.ts";
import { createTenantPauses } from "./tenant-pauses.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const record = (offset: number): RawRecord => ({
  ...{ partition: 0, offset, key: "", bytes: new Uint8Array(), headers: {} },
  ...{ order: "", appendedAtMs: 0 },
});
const refused = (waitMs: number) => ({ org: "acme", waitMs });

function setUp() {
  const state = { wakes: 0, nowMs: 0, events: [] as ConsumerEvent[] };
  const pauses = createTenantPauses({
    nowMs: () => state.nowMs,
    wake: () => (state.wakes += 1),
    report: (event) => state.events.push(event),
  });
  return { pauses, state };
}

it("after a refusal nothing of the tenant starts until the wait is over, and others do", () => {
  const { pauses, state } = setUp();
  pauses.ended("acme", record(1), refused(500));
  expect([pauses.mayStart("acme"), pauses.mayStart("other")]).toEqual([false, true]);
  expect([pauses.isPaused("acme"), pauses.isPaused("other"), pauses.count()]).toEqual([
    ...[true, false, 1],
  ]);
  vi.advanceTimersByTime(499);
  expect([pauses.mayStart("acme"), state.wakes]).toEqual([false, 0]);
  vi.advanceTimersByTime(1);
  expect([pauses.mayStart("acme"), state.wakes]).toEqual([true, 1]);
});

it("after the wait one record is tried alone, and the others follow once it was not refused", () => {
  const { pauses } = setUp();
  pauses.ended("acme", record(1), refused(500));
  vi.advanceTimersByTime(500);
  pauses.started("acme", record(1));
  expect(pauses.mayStart("acme")).toBe(false);
  const trial = record(2);
  pauses.ended("acme", record(1), "done");
  expect(pauses.mayStart("acme")).toBe(false);
  pauses.started("acme", trial);
  pauses.ended("acme", trial, refused(300));
  expect(pauses.mayStart("acme")).toBe(false);
  vi.advanceTimersByTime(300);
  pauses.started("acme", trial);
  pauses.ended("acme", trial, "done");
  expect([pauses.mayStart("acme"), pauses.isPaused("acme")]).toEqual([true, false]);
});

it("records that were in flight together wait once, for the first that was refused", () => {
  const { pauses } = setUp();
  for (const waitMs of [400, 900, 100]) pauses.ended("acme", record(waitMs), refused(waitMs));
  vi.advanceTimersByTime(399);
  expect(pauses.mayStart("acme")).toBe(false);
  vi.advanceTimersByTime(1);
  expect(pauses.mayStart("acme")).toBe(true);
});

it("a wait is neither shorter than a refusal is worth nor longer than raised limits may take", () => {
  for (const [waitMs, waits] of [
    [1, 100],
    [10_000_000_000, 60_000],
  ] as const) {
    const { pauses } = setUp();
    pauses.ended("acme", record(1), refused(waitMs));
    vi.advanceTimersByTime(waits - 1);
    expect(pauses.mayStart("acme")).toBe(false);
    vi.advanceTimersByTime(1);
    expect(pauses.mayStart("acme")).toBe(true);
  }
});

it("a tenant whose records another process has by now is not shown as waiting for ever", () => {
  const { pauses } = setUp();
  pauses.ended("acme", record(1), refused(500));
  vi.advanceTimersByTime(500 + 59_999);
  expect(pauses.count()).toBe(1);
  vi.advanceTimersByTime(1);
  expect([pauses.count(), pauses.mayStart("acme"), pauses.isPaused("acme")]).toEqual([
    ...[0, true, false],
  ]);
});

it("a pause does not end while the one record that is tried after it is in flight", () => {
  const { pauses } = setUp();
  pauses.ended("acme", record(1), refused(500));
  vi.advanceTimersByTime(500);
  pauses.started("acme", record(1));
  vi.advanceTimersByTime(600_000);
  expect(pauses.mayStart("acme")).toBe(false);
  pauses.ended("acme", record(1), refused(100));
  vi.advanceTimersByTime(99);
  expect(pauses.mayStart("acme")).toBe(false);
});

it("every refusal is reported, and as new once a minute, also when the clock was set back", () => {
  const { pauses, state } = setUp();
  for (const nowMs of [1_000_000, 1_059_999, 1_060_000, 0]) {
    state.nowMs = nowMs;
    pauses.ended("acme", record(1), refused(100));
  }
  expect(state.events.map((event) => event.kind === "postponed" && event.isNew)).toEqual([
    ...[true, false, true, true],
  ]);
});

it("closed, it does not wake the consumer any more", () => {
  const { pauses, state } = setUp();
  pauses.ended("acme", record(1), refused(100));
  pauses.close();
  vi.advanceTimersByTime(1_000);
  expect(state.wakes).toBe(0);
});
