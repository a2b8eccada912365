import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RawRecord } from "../record-runner.ts";
import { createPartitionBuffer, type PartitionBuffer, type Taken } from "./partition-buffer.ts";

function record(partition: number, offset: number, tenant = "t", size = 3): RawRecord {
  const bytes = Buffer.alloc(size);
  return {
    partition,
    offset,
    key: JSON.stringify([tenant]),
    bytes,
    headers: {},
    order: "",
    appendedAtMs: 0,
  };
}

const PARTITIONS = [0, 1, 2];
/** Records are scheduled by tenant, and so not in the order of their partition. */
const tenantOf = (offset: number): string => String(offset % 3);
/** So few that a slow record is met. */
const HELD_MAX = 3;

type Step =
  | { readonly kind: "assign"; readonly partitions: readonly number[] }
  | { readonly kind: "add"; readonly partition: number; readonly gaps: readonly number[] }
  | { readonly kind: "again"; readonly partition: number }
  | { readonly kind: "skip"; readonly partition: number; readonly count: number }
  | { readonly kind: "take" }
  | { readonly kind: "finish"; readonly which: number; readonly isDone: boolean };

const partition = fc.constantFrom(...PARTITIONS);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("assign" as const),
      partitions: fc.subarray(PARTITIONS),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("add" as const),
      partition,
      gaps: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("again" as const), partition }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("skip" as const), partition, count: fc.nat(3) }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("take" as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("finish" as const),
      which: fc.nat(),
      isDone: fc.boolean(),
    }),
  },
);

/** What a partition has seen since it was assigned. */
interface Assignment {
  /** Offsets that were delivered, in order. */
  readonly handed: number[];
  readonly begun: number[];
  readonly done: Set<number>;
  next: number;
}

interface Model {
  readonly buffer: PartitionBuffer;
  readonly assigned: Map<number, Assignment>;
  readonly open: { readonly taken: Taken; readonly of: Assignment }[];
}

/** The offset that may be committed: all that was delivered before it is done. */
function committable({ handed, done, next }: Assignment): number {
  return handed.find((offset) => !done.has(offset)) ?? next;
}

function assign({ buffer: window, assigned }: Model, partitions: readonly number[]): void {
  window.assign(partitions);
  for (const known of assigned.keys()) {
    if (!partitions.includes(known)) assigned.delete(known);
  }
  for (const added of partitions) {
    if (!assigned.has(added))
      assigned.set(added, { handed: [], begun: [], done: new Set(), next: 0 });
  }
}

function add({ buffer: window, assigned }: Model, to: number, gaps: readonly number[]): void {
  const seen = assigned.get(to);
  let next = seen?.next ?? 0;
  const offsets = gaps.map((gap) => {
    next += gap + 1;
    return next - 1;
  });
  const records = offsets.map((at) => record(to, at));
  expect(window.add(to, records)).toBe(seen !== undefined);
  if (seen === undefined) return;
  seen.handed.push(...offsets);
  seen.next = next;
}

function take({ buffer: window, assigned, open }: Model): void {
  const taken = window.take(open.length);
  if (taken === null) return;
  const of = assigned.get(taken.record.partition);
  if (of === undefined) throw new Error("a record of a partition that is not assigned");
  of.begun.push(taken.record.offset);
  open.push({ taken, of });
}

function finish({ open }: Model, which: number, isDone: boolean): void {
  const [ended] = open.splice(which % Math.max(open.length, 1), 1);
  if (ended === undefined) return;
  ended.taken.finish(isDone);
  if (isDone) ended.of.done.add(ended.taken.record.offset);
}

function run(model: Model, one: Step): void {
  if (one.kind === "assign") assign(model, one.partitions);
  else if (one.kind === "take") take(model);
  else if (one.kind === "finish") finish(model, one.which, one.isDone);
  else if (one.kind === "add") add(model, one.partition, one.gaps);
  else {
    const seen = model.assigned.get(one.partition) ?? { handed: [], next: 0 };
    if (one.kind === "again") {
      // What a rebalance redelivers.
      const records = seen.handed.map((at) => record(one.partition, at, tenantOf(at)));
      model.buffer.add(one.partition, records);
    } else {
      model.buffer.skip(one.partition, seen.next + one.count - 1);
      seen.next += one.count;
    }
  }
}

describe("window of records", () => {
  it("what may be committed never passes a record that is not done, and reaches the end when all are, whatever comes and goes", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const model: Model = {
          buffer: createPartitionBuffer(HELD_MAX),
          assigned: new Map(),
          open: [],
        };
        run(model, { kind: "assign", partitions: [0, 1] });
        for (const one of steps) {
          run(model, one);
          expect(model.buffer.inFlight()).toBe(model.open.length);
          for (const part of model.buffer.partitions()) {
            const seen = model.assigned.get(part.partition);
            if (seen === undefined) throw new Error("a partition that is not assigned");
            expect(part.next).toBe(seen.next);
            // Null while nothing is: the group's own offset stands.
            const last = committable(seen);
            if (part.done === null) expect(seen.done.has(seen.handed[0] ?? -1)).toBe(false);
            else expect(part.done).toBeLessThanOrEqual(last);
            // However long a record takes: what was begun behind it is bounded.
            const held = seen.begun.filter((offset) => offset >= last).length;
            expect(held).toBeLessThanOrEqual(HELD_MAX);
            const isIdle = seen.handed.every((offset) => seen.done.has(offset));
            if (isIdle && seen.next > 0) expect(part.done).toBe(seen.next);
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("a partition drains, however much is done behind a first record that is scheduled last", () => {
    const byTenant = createPartitionBuffer(10, ({ key }) => ({ tenant: key, priority: "default" }));
    byTenant.assign([0]);
    const record = (offset: number, key: string, bytes: number): RawRecord => ({
      ...{ partition: 0, offset, key, bytes: Buffer.alloc(bytes), headers: {} },
      ...{ order: String(offset), appendedAtMs: 0 },
    });
    // What was served to "large" before puts its next record behind many of the others.
    byTenant.add(0, [record(0, "large", 100_000)]);
    byTenant.take(0)?.finish(true);
    const others = Array.from({ length: 60 }, (_, index) => record(index + 2, "small", 10));
    byTenant.add(0, [record(1, "large", 100_000), ...others]);
    let taken = 0;
    for (let one = byTenant.take(0); one !== null; one = byTenant.take(0)) {
      one.finish(true);
      taken += 1;
    }
    expect([taken, byTenant.get(0)?.done]).toEqual([61, 62]);
  });

  it("every record that was added is taken exactly once, in order of each partition, while it stays assigned", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(partition, fc.integer({ min: 1, max: 5 }))), (adds) => {
        const buffer = createPartitionBuffer();
        buffer.assign(PARTITIONS);
        const next = [0, 0, 0];
        for (const [at, count] of adds) {
          const first = next[at] ?? 0;
          const records = Array.from({ length: count }, (_, index) => record(at, first + index));
          buffer.add(at, records);
          buffer.add(at, records);
          next[at] = first + count;
        }
        const taken: number[][] = [[], [], []];
        for (let one = buffer.take(0); one !== null; one = buffer.take(0)) {
          taken[one.record.partition]?.push(one.record.offset);
          one.finish(true);
        }
        expect(taken).toEqual(
          next.map((count) => Array.from({ length: count }, (_, index) => index)),
        );
        expect(buffer.inFlight()).toBe(0);
        for (const part of buffer.partitions()) {
          expect([part.waitingRecords, part.waitingBytes]).toEqual([0, 0]);
        }
      }),
    );
  });

  it("behind a record that takes long so many are begun and no more, other partitions go on, and all comes in order after it", () => {
    const buffer = createPartitionBuffer(HELD_MAX);
    buffer.assign([0, 1]);
    const offsets = Array.from({ length: 10 }, (_, index) => index);
    for (const at of [0, 1])
      buffer.add(
        at,
        offsets.map((offset) => record(at, offset)),
      );
    const slow = buffer.take(0);
    const begun: string[] = [];
    const takeAll = (): void => {
      for (let one = buffer.take(0); one !== null; one = buffer.take(0)) {
        begun.push(`${String(one.record.partition)}-${String(one.record.offset)}`);
        one.finish(true);
      }
    };
    takeAll();
    const others = offsets.map((offset) => `1-${String(offset)}`);
    expect(begun).toEqual(["0-1", "0-2", ...others]);
    expect([buffer.get(0)?.done, buffer.get(1)?.done]).toEqual([null, 10]);
    slow?.finish(true);
    takeAll();
    expect(begun.slice(12)).toEqual(offsets.slice(3).map((offset) => `0-${String(offset)}`));
    expect(buffer.get(0)?.done).toBe(10);
  });

  it("marks and undone records at the end of a partition are done when all before them are", () => {
    const buffer = createPartitionBuffer();
    buffer.assign([0]);
    buffer.skip(0, 4);
    expect(buffer.get(0)).toMatchObject({ next: 5, done: 5 });
    buffer.add(0, [record(0, 5), record(0, 6)]);
    buffer.skip(0, 7);
    const [first, second] = [buffer.take(1), buffer.take(2)];
    expect(buffer.oldestStartedAtMs()).toBe(1);
    second?.finish(true);
    expect(buffer.get(0)?.done).toBe(5);
    first?.finish(true);
    expect(buffer.get(0)).toMatchObject({ next: 8, done: 8 });
    // Older news changes nothing.
    buffer.skip(0, 3);
    expect(buffer.get(0)).toMatchObject({ next: 8, done: 8 });
  });

  it("a partition that went and came back begins anew: what was done before is not committed after", () => {
    const buffer = createPartitionBuffer();
    buffer.assign([0]);
    buffer.add(0, [record(0, 0)]);
    const taken = buffer.take(0);
    buffer.assign([]);
    buffer.assign([0]);
    taken?.finish(true);
    expect(buffer.get(0)).toMatchObject({ next: 0, done: null });
    expect(buffer.add(0, [record(0, 0)])).toBe(true);
    expect(buffer.take(0)?.record.offset).toBe(0);
  });

  it("what a tenant has behind a flood of another in the same partition is started after one record of the flood at most", () => {
    const buffer = createPartitionBuffer();
    buffer.assign([0]);
    const flood = Array.from({ length: 300 }, (_, offset) => record(0, offset, "flood", 30_000));
    buffer.add(0, [...flood, record(0, 300, "calm", 100), record(0, 301, "calm", 100)]);
    const tenants = Array.from({ length: 4 }, () => buffer.take(0)?.tenant);
    expect(tenants).toEqual(["flood", "calm", "calm", "flood"]);
  });

  it("a postponed record waits in front of its tenant, is not committed past, and holds no other up", () => {
    const buffer = createPartitionBuffer(HELD_MAX);
    buffer.assign([0]);
    const others = Array.from({ length: 50 }, (_, index) => record(0, index + 2, "b"));
    buffer.add(0, [record(0, 0, "a"), record(0, 1, "a"), ...others]);
    const [first] = [buffer.take(0)];
    first?.postpone("a");
    expect([buffer.inFlight(), buffer.waiting("default")]).toEqual([0, 52]);
    const isPaused = (tenant: string): boolean => tenant === "a";
    const mayStart = (tenant: string): boolean => !isPaused(tenant);
    let served = 0;
    for (;;) {
      const one = buffer.take(0, mayStart, isPaused);
      if (one === null) break;
      one.finish(true);
      served += 1;
    }
    expect([served, buffer.get(0)?.done, buffer.get(0)?.waitingRecords]).toEqual([50, null, 2]);
    for (const offset of [0, 1]) {
      const one = buffer.take(0);
      expect(one?.record.offset).toBe(offset);
      one?.finish(true);
    }
    expect(buffer.get(0)?.done).toBe(52);
  });

  it("a record that is put back under its organization, known by now, counts for that one", () => {
    const buffer = createPartitionBuffer(HELD_MAX);
    buffer.assign([0]);
    buffer.add(0, [record(0, 0, "")]);
    buffer.take(0)?.postpone("a");
    expect(buffer.take(0, (tenant) => tenant !== "a")).toBeNull();
    expect(buffer.take(0, (tenant) => tenant === "a")?.tenant).toBe("a");
  });

  it("what is postponed after its partition left and came back is not started twice", () => {
    const buffer = createPartitionBuffer(HELD_MAX);
    buffer.assign([0]);
    buffer.add(0, [record(0, 0, "a")]);
    const taken = buffer.take(0);
    buffer.assign([]);
    buffer.assign([0]);
    buffer.add(0, [record(0, 0, "a")]);
    taken?.postpone("a");
    expect(buffer.take(0)?.record.offset).toBe(0);
    expect(buffer.take(0)).toBeNull();
  });

  it("a tenant that may not start another record keeps no other from starting", () => {
    const buffer = createPartitionBuffer();
    buffer.assign([0]);
    buffer.add(0, [record(0, 0, "a"), record(0, 1, "a"), record(0, 2, "b")]);
    const mayStart = (tenant: string): boolean => tenant !== "a";
    expect(buffer.take(0, mayStart)?.record.offset).toBe(2);
    expect(buffer.take(0, mayStart)).toBeNull();
    expect(buffer.take(0)?.record.offset).toBe(0);
  });
});
