import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RawRecord } from "../record-runner.ts";
import { createPartitionWindow, type ReceivedRecord } from "./partition-window.ts";

const LIMITS = { records: 4, bytes: 1_000, ahead: 5 };

function record(offset: number, size: number): RawRecord {
  const bytes = Buffer.alloc(size);
  return { partition: 0, offset, key: "", bytes, headers: {}, order: "", appendedAtMs: 0 };
}

/** One record of the log: of which tenant it is, how large, and how many offsets before it have none. */
const entry = fc.record({
  tenant: fc.constantFrom("flood", "flood", "flood", "other", "calm"),
  size: fc.constantFrom(10, 10, 10, 300, 1_200),
  gap: fc.constantFrom(0, 0, 0, 1, 3),
  /** How often it counts as unknown first: keys of producers are looked up late. */
  unknownFor: fc.constantFrom(0, 0, 0, 1, 2),
});

type Move =
  | { readonly kind: "read"; readonly count: number; readonly isLate: boolean }
  | { readonly kind: "rejoin" }
  | { readonly kind: "start"; readonly which: number }
  | { readonly kind: "finish"; readonly which: number }
  | { readonly kind: "postpone"; readonly which: number };

const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("read" as const),
      count: fc.integer({ min: 1, max: 8 }),
      isLate: fc.constantFrom(false, false, false, true),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("rejoin" as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("start" as const), which: fc.nat() }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("finish" as const), which: fc.nat() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("postpone" as const), which: fc.nat() }),
  },
);

describe("window of a partition", () => {
  it("every record is received once, and nothing is committed that is not done, however it is read", () => {
    fc.assert(
      fc.property(
        fc.array(entry, { minLength: 1, maxLength: 60 }),
        fc.array(move, { maxLength: 120 }),
        (entries, moves) => {
          const window = createPartitionWindow(0, LIMITS);
          let end = 0;
          const log = entries.map(({ gap, ...rest }) => {
            end += gap + 1;
            return { ...rest, offset: end - 1, seen: 0 };
          });
          const tenantOf = ({ offset }: RawRecord): string => {
            const found = log.find((one) => one.offset === offset);
            if (found === undefined) throw new Error("no such record");
            found.seen += 1;
            return found.seen <= found.unknownFor ? "" : found.tenant;
          };
          const received = new Map<number, number>();
          const done = new Set<number>();
          const waiting: ReceivedRecord[] = [];
          const started: ReceivedRecord[] = [];
          let position = 0;
          let startedMost = 0;

          const read = (from: number, count: number): number => {
            const of = log.filter(({ offset }) => offset >= from).slice(0, count);
            const to = of.length < count ? end : (of.at(-1)?.offset ?? from) + 1;
            const records = of.map(({ offset, size }) => record(offset, size));
            for (const one of window.read(from, to, records, tenantOf)) {
              received.set(one.record.offset, (received.get(one.record.offset) ?? 0) + 1);
              waiting.push(one);
            }
            return to;
          };
          const run = (one: Move): void => {
            if (one.kind === "rejoin") position = window.done ?? 0;
            else if (one.kind === "start") {
              const [next] = waiting.splice(one.which % Math.max(1, waiting.length), 1);
              if (next === undefined) return;
              window.started(next, 0);
              started.push(next);
            } else if (one.kind === "finish") {
              const [ended] = started.splice(one.which % Math.max(1, started.length), 1);
              if (ended === undefined) return;
              window.finished(ended.record.offset);
              done.add(ended.record.offset);
            } else if (one.kind === "postpone") {
              const [later] = started.splice(one.which % Math.max(1, started.length), 1);
              if (later === undefined) return;
              window.postponed(later);
              waiting.unshift(later);
            } else {
              const aim = window.aim();
              if (aim === null) return;
              // A late read is of where the client was before.
              if (one.isLate) position = read(Math.min(position, window.next), one.count);
              else position = read(aim, one.count);
            }
          };
          const check = (): void => {
            const open = log.find(({ offset }) => !done.has(offset))?.offset ?? end;
            expect(window.done ?? 0).toBeLessThanOrEqual(Math.max(open, 0));
            expect(Math.max(0, ...received.values())).toBeLessThanOrEqual(1);
            expect(window.waitingRecords).toBe(waiting.length);
            // What was started and waits again may come on top of it.
            const most = 2 * LIMITS.records + startedMost;
            startedMost = Math.max(startedMost, started.length);
            expect(window.waitingRecords).toBeLessThanOrEqual(most);
          };
          for (const one of moves) {
            run(one);
            check();
          }
          // In the end everything is done: nothing that was passed over is left behind.
          for (let left = 0; left < 2_000 && done.size < log.length; left += 1) {
            run({ kind: "read", count: 5, isLate: false });
            run({ kind: "start", which: 0 });
            run({ kind: "finish", which: 0 });
            check();
          }
          expect(done.size).toBe(log.length);
          for (let left = 0; left < 100 && window.done !== end; left += 1) {
            run({ kind: "read", count: 5, isLate: false });
          }
          expect(window.done).toBe(end);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it("a record of another tenant is received at once, however many of a flood are before it", () => {
    const window = createPartitionWindow(0, LIMITS);
    const tenantOf = ({ offset }: RawRecord): string => (offset < 100 ? "flood" : "calm");
    const records = Array.from({ length: 101 }, (_, offset) => record(offset, 1));
    const received = window.read(0, 101, records, tenantOf);
    expect(received.map((one) => one.record.offset)).toEqual([0, 1, 2, 3, 100]);
    for (const one of received) {
      window.started(one, 0);
      window.finished(one.record.offset);
    }
    // What was done behind the rest of the flood is not committed, and not received again.
    expect([window.done, window.aim()]).toEqual([4, 4]);
    expect(window.read(4, 101, records.slice(4), tenantOf)).toHaveLength(4);
  });

  it("nowhere is read while too much is received behind what was passed over", () => {
    const window = createPartitionWindow(0, { ...LIMITS, ahead: 3 });
    const flood = Array.from({ length: 5 }, (_, offset) => record(offset, 1));
    window.read(0, 5, flood, () => "flood");
    expect(window.aim()).toBe(5);
    for (let offset = 5; offset < 8; offset += 1) {
      window.read(offset, offset + 1, [record(offset, 1)], () => `calm ${String(offset)}`);
    }
    expect(window.aim()).toBeNull();
  });

  it("what the log has removed meanwhile is not waited for", () => {
    const window = createPartitionWindow(0, LIMITS);
    const flood = Array.from({ length: 20 }, (_, offset) => record(offset, 1));
    for (const one of window.read(0, 20, flood, () => "flood")) {
      window.started(one, 0);
      window.finished(one.record.offset);
    }
    expect(window.aim()).toBe(4);
    window.beginsAt(15);
    expect([window.aim(), window.done]).toEqual([15, 15]);
  });

  it("finishing a record twice is a bug and reports so", () => {
    const window = createPartitionWindow(0);
    const [one] = window.read(0, 1, [record(0, 1)], () => "t");
    if (one === undefined) throw new Error("it was not received");
    window.started(one, 0);
    window.finished(0);
    expect(() => {
      window.finished(0);
    }).toThrow(/not in flight/);
    expect(() => {
      window.started(one, 0);
    }).toThrow(/not received/);
  });
});
