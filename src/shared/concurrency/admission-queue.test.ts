import { expect, it } from "vitest";
import { createAdmissionQueue } from "./admission-queue.ts";

/** A queue that admits so many calls at a time, and the names of the admitted ones in order. */
function setUp(atOnceMax: number) {
  const enter = createAdmissionQueue(atOnceMax);
  const admitted: string[] = [];
  return {
    admitted,
    enter: (name: string, org: string): (() => Promise<unknown>) => {
      const { admitted: turn, leave } = enter(org);
      void turn.then(() => admitted.push(name));
      return () => {
        leave();
        return new Promise(setImmediate);
      };
    },
  };
}

it("admits as many calls as fit, and then one organization after the other", async () => {
  const { admitted, enter } = setUp(1);
  const leaves = [
    ...["a1", "a2", "a3"].map((name) => enter(name, "a")),
    ...["b1", "b2"].map((name) => enter(name, "b")),
  ];
  await new Promise(setImmediate);
  expect(admitted).toEqual(["a1"]);
  for (const index of [0, 1, 3, 2]) await leaves[index]?.();
  expect(admitted).toEqual(["a1", "a2", "b1", "a3", "b2"]);
});

it("a call that leaves before it is admitted frees no place, and takes none", async () => {
  const { admitted, enter } = setUp(1);
  const first = enter("first", "a");
  await enter("gone", "a")();
  enter("last", "a");
  await new Promise(setImmediate);
  expect(admitted).toEqual(["first"]);
  await first();
  expect(admitted).toEqual(["first", "last"]);
});
