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
