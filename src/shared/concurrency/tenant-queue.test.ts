import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTenantQueue, DEFAULT_ITEMS_PER_LOW_ITEM, type TenantQueue } from "./tenant-queue.ts";
import type { BatchPriority } from "./priority.ts";

const COST_MAX = 50;

function addAll(
  queue: TenantQueue<number>,
  tenant: string,
  costs: readonly number[],
  priority: BatchPriority = "default",
): void {
  for (const item of costs) queue.add({ tenant, priority, item });
}

/** Serves the next item; the item is its own cost. */
function serve(queue: TenantQueue<number>): string | undefined {
  const taken = queue.take();
  if (taken !== undefined) queue.charge(taken.tenant, taken.item);
  return taken?.tenant;
}

describe("tenant queue", () => {
  it("two tenants that always wait are served the same cost, to within one item of each", () => {
    const costs = fc.array(fc.integer({ min: 1, max: COST_MAX }), { minLength: 60, maxLength: 60 });
    fc.assert(
      fc.property(costs, costs, (ofA, ofB) => {
        const queue = createTenantQueue<number>();
        addAll(queue, "a", ofA);
        addAll(queue, "b", ofB);
        const served = { a: 0, b: 0 };
        for (;;) {
          const taken = queue.take();
          if (taken === undefined) break;
          queue.charge(taken.tenant, taken.item);
          served[taken.tenant as "a" | "b"] += taken.item;
          if (queue.size === 0 || served.a === sum(ofA) || served.b === sum(ofB)) break;
          expect(Math.abs(served.a - served.b)).toBeLessThanOrEqual(2 * COST_MAX);
        }
      }),
    );
  });

  it("a tenant that comes to a flood waits for one item of it at most, however long the flood has run", () => {
    fc.assert(
      fc.property(fc.nat(200), fc.integer({ min: 1, max: COST_MAX }), (before, cost) => {
        const queue = createTenantQueue<number>();
        addAll(queue, "flood", new Array<number>(400).fill(cost));
        for (let served = 0; served < before; served += 1) serve(queue);
        addAll(queue, "late", [1]);
        expect([serve(queue), serve(queue)]).toContain("late");
      }),
    );
  });

  it("of a tenant that may have none, no item is looked at", () => {
    const queue = createTenantQueue<number>();
    addAll(queue, "full", [1, 2, 3]);
    addAll(queue, "free", [4]);
    const looked: number[] = [];
    const take = (): number | undefined =>
      queue.take(
        ({ item }) => looked.push(item) > 0,
        (tenant) => tenant === "free",
      )?.item;
    expect([take(), take()]).toEqual([4, undefined]);
    expect(looked).toEqual([4]);
  });

  it("idling saves nothing up, and leaving while in debt does not cancel the debt", () => {
    const queue = createTenantQueue<number>();
    addAll(queue, "a", [1]);
    serve(queue);
    addAll(queue, "b", new Array<number>(20).fill(1));
    for (let served = 0; served < 10; served += 1) serve(queue);
    addAll(queue, "a", new Array<number>(20).fill(1));
    const next = Array.from({ length: 10 }, () => serve(queue));
    expect(next.filter((tenant) => tenant === "a").length).toBeLessThanOrEqual(6);
    addAll(queue, "c", [1_000]);
    for (let served = 0; served < 4; served += 1) serve(queue);
    addAll(queue, "c", [1]);
    const rest = Array.from({ length: queue.size }, () => serve(queue));
    expect(rest.at(-1)).toBe("c");
  });

  it("nothing is lost or served twice, whatever is added, taken, passed over and removed", () => {
    const step = fc.oneof(
      fc.record({
        kind: fc.constant("add" as const),
        tenant: fc.constantFrom("a", "b", "c"),
        priority: fc.constantFrom<BatchPriority>("default", "low"),
        isFirst: fc.boolean(),
      }),
      fc.record({ kind: fc.constant("take" as const), refused: fc.constantFrom("a", "b", "none") }),
      fc.record({ kind: fc.constant("filter" as const), odd: fc.boolean() }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const queue = createTenantQueue<number>();
        let inside = new Map<number, string>();
        for (const [number, one] of steps.entries()) {
          if (one.kind === "add") {
            queue.add({ ...one, item: number }, one.isFirst);
            inside.set(number, one.tenant);
          } else if (one.kind === "take") {
            const taken = queue.take(({ tenant }) => tenant !== one.refused);
            const couldTake = [...inside.values()].some((tenant) => tenant !== one.refused);
            expect(taken !== undefined).toBe(couldTake);
            if (taken === undefined) continue;
            expect(inside.get(taken.item)).toBe(taken.tenant);
            inside.delete(taken.item);
            queue.charge(taken.tenant, 1);
          } else {
            const isWanted = (item: number): boolean => (item % 2 === 1) === one.odd;
            queue.filter(({ item }) => isWanted(item));
            inside = new Map([...inside].filter(([item]) => isWanted(item)));
          }
          expect(queue.size).toBe(inside.size);
          expect(queue.waiting("default") + queue.waiting("low")).toBe(inside.size);
        }
      }),
    );
  });

  it("low waits behind default of its tenant, and is served after so many of those at the latest", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 5 }), (many, low) => {
        const queue = createTenantQueue<number>();
        addAll(queue, "a", new Array<number>(low).fill(1), "low");
        addAll(queue, "a", new Array<number>(many).fill(1));
        const order = Array.from({ length: many + low }, () => queue.take()?.priority);
        const firstLow = order.indexOf("low");
        expect(firstLow).toBe(Math.min(many, DEFAULT_ITEMS_PER_LOW_ITEM));
        expect(order.filter((priority) => priority === "low")).toHaveLength(low);
      }),
    );
  });

  it("low of one tenant is not behind default of another: that is for their costs to say", () => {
    const queue = createTenantQueue<number>();
    addAll(queue, "a", [1, 1, 1, 1]);
    addAll(queue, "b", [1, 1], "low");
    expect(Array.from({ length: 4 }, () => serve(queue))).toEqual(["a", "b", "a", "b"]);
  });

  it("others are those that have something waiting", () => {
    const queue = createTenantQueue<number>();
    addAll(queue, "a", [1]);
    expect([queue.hasOthers("a"), queue.hasOthers("b")]).toEqual([false, true]);
    serve(queue);
    expect(queue.hasOthers("b")).toBe(false);
  });

  it("the rest of an item that was interrupted comes before what its tenant has waiting", () => {
    const queue = createTenantQueue<number>();
    addAll(queue, "a", [1, 2]);
    queue.add({ tenant: "a", priority: "default", item: 3 }, true);
    expect([queue.take()?.item, queue.take()?.item]).toEqual([3, 1]);
  });
});

const sum = (costs: readonly number[]): number => costs.reduce((total, cost) => total + cost, 0);
