import { expect, test } from "vitest";
import { createStepRunner, type SlicedWork } from "./steps.ts";

const turnOfTheLoop = (): Promise<unknown> => new Promise(setImmediate);

test("with long steps, the event loop runs one at a time, round robin over organizations", async () => {
  const done: string[] = [];
  function* steps(org: string, count: number): SlicedWork<number> {
    for (let step = 0; step < count; step += 1) {
      done.push(org);
      yield;
    }
    return count;
  }
  // No time at all: every step is longer.
  const runner = createStepRunner(0);
  const flood = [1, 2, 3].map(() => runner.run("flood", steps("flood", 5)));
  const calm = runner.run("calm", steps("calm", 2));
  await turnOfTheLoop();
  expect(done).toHaveLength(1);
  await turnOfTheLoop();
  expect(done).toHaveLength(2);
  expect(await calm).toBe(2);
  expect(done.filter((org) => org === "flood").length).toBeLessThanOrEqual(3);
  expect(await Promise.all(flood)).toEqual([5, 5, 5]);
});

test("what a step throws rejects, and the work of others goes on", async () => {
  const runner = createStepRunner();
  function* failing(): SlicedWork<never> {
    throw new RangeError("no");
  }
  function* fine(): SlicedWork<string> {
    yield;
    return "fine";
  }
  const [failed, other] = [runner.run("a", failing()), runner.run("a", fine())];
  await expect(failed).rejects.toThrow(RangeError);
  expect(await other).toBe("fine");
});
