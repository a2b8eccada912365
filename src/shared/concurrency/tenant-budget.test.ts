import fc from "fast-check";
import { expect, test } from "vitest";
import { createTenantBudget } from "./tenant-budget.ts";

test("one organization alone gets half of the room, one after another gets some of what is left", () => {
  const room = createTenantBudget(12);
  const takeAll = (org: string): number => {
    let count = 0;
    while (room.acquire(org, 1)) count += 1;
    return count;
  };
  expect(["a", "b", "c", "d", "a"].map(takeAll)).toEqual([6, 3, 2, 1, 0]);
  room.release("b", 2);
  expect([room.acquire("c", 1), room.acquire("e", 2), room.acquire("f", 1)]).toEqual([
    false,
    true,
    false,
  ]);
});

test("an owner with nothing can get all that is left, never more than the budget", () => {
  const room = createTenantBudget(10);
  expect([room.acquire("a", 11), room.acquire("a", 10), room.acquire("b", 1)]).toEqual([
    false,
    true,
    false,
  ]);
  room.release("a", 10);
  expect(room.acquire("b", 10)).toBe(true);
});

test("however it is taken and given back, no more is held than there is, and all of it can be taken again", () => {
  const steps = fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.nat(30), fc.boolean()));
  fc.assert(
    fc.property(steps, (all) => {
      const room = createTenantBudget(100);
      const held: [string, number][] = [];
      for (const [org, amount, isTaking] of all) {
        if (isTaking && room.acquire(org, amount)) held.push([org, amount]);
        const [first] = isTaking ? [] : held.splice(0, 1);
        if (first !== undefined) room.release(...first);
        expect(held.reduce((sum, [, one]) => sum + one, 0)).toBeLessThanOrEqual(100);
      }
      for (const one of held) room.release(...one);
      expect(room.acquire("d", 100)).toBe(true);
    }),
  );
});

test("with a maximum for one, a tenant alone gets it, and later ones find some left", () => {
  const budget = createTenantBudget(16, { perTenantMax: 8, isAllForOne: true });
  const acquireAll = (tenant: string): number => {
    let count = 0;
    while (budget.acquire(tenant, 1)) count += 1;
    return count;
  };
  expect(["a", "b", "c", "d", "e", "f"].map(acquireAll)).toEqual([8, 4, 2, 1, 1, 0]);
  budget.release("a", 1);
  expect([budget.fits("a", 1), budget.fits("f", 1)]).toEqual([false, true]);
});

test("a tenant that may have all of it has its maximum again once all is released", () => {
  const steps = fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.boolean()));
  fc.assert(
    fc.property(steps, (all) => {
      const budget = createTenantBudget(5, { perTenantMax: 4, isAllForOne: true });
      const open: string[] = [];
      for (const [tenant, isAcquired] of all) {
        if (isAcquired && budget.acquire(tenant, 1)) open.push(tenant);
        const [first] = isAcquired ? [] : open.splice(0, 1);
        if (first !== undefined) budget.release(first, 1);
        expect(budget.held).toBe(open.length);
        expect(open.length).toBeLessThanOrEqual(5);
        expect(open.filter((one) => one === "a").length).toBeLessThanOrEqual(4);
      }
      for (const tenant of open) budget.release(tenant, 1);
      expect([1, 2, 3, 4, 5].map(() => budget.acquire("d", 1))).toEqual([
        ...[true, true, true, true, false],
      ]);
    }),
  );
});
