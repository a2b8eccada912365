import { expect, it } from "vitest";
import { createBatcher } from "./batcher.ts";

/** Threads that answer in capitals when the test lets them, and the tasks that they received. */
function setUp(limits: { readonly tasksMax: number; readonly itemsMax: number }) {
  const batch = createBatcher<string, string>(limits);
  const tasks: string[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const run = (items: readonly string[]): Promise<readonly string[]> => {
    tasks.push(items.join(""));
    const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
    ends.push((error) => {
      if (error === undefined) resolve(items.map((item) => item.toUpperCase()));
      else reject(error);
    });
    return promise;
  };
  return {
    tasks,
    add: (items: string, group = "g") => batch(group, run, Array.from(items)),
    end: async (task: number, error?: Error) => {
      ends[task]?.(error);
      await new Promise(setImmediate);
    },
  };
}

it("a call runs alone on a free thread; waiting calls run together, each with its result", async () => {
  const { add, end, tasks } = setUp({ tasksMax: 2, itemsMax: 4 });
  const all = ["a", "b", "c", "de", "f", "g"].map((items) => add(items));
  expect(tasks).toEqual(["a", "b"]);
  await end(1);
  expect(tasks).toEqual(["a", "b", "cdef"]);
  await end(2);
  await end(0);
  expect(tasks).toEqual(["a", "b", "cdef", "g"]);
  await end(3);
  expect((await Promise.all(all)).map((results) => results.join(""))).toEqual([
    ...["A", "B", "C", "DE", "F", "G"],
  ]);
});

it("groups are never in one task, and none waits for the tasks of another", async () => {
  const { add, end, tasks } = setUp({ tasksMax: 1, itemsMax: 2 });
  for (const item of "abcdef") void add(item, "flood");
  void add("x", "calm");
  void add("y", "calm");
  expect(tasks).toEqual(["a", "x"]);
  for (let task = 0; task < 3; task += 1) await end(task);
  expect(tasks).toEqual(["a", "x", "bc", "y", "de"]);
});

it("one caller may have more than a task has otherwise, and then has it alone", async () => {
  const { add, end, tasks } = setUp({ tasksMax: 1, itemsMax: 2 });
  for (const items of ["a", "bcd", "e"]) void add(items);
  await end(0);
  await end(1);
  expect(tasks).toEqual(["a", "bcd", "e"]);
});

it("a failing task fails exactly its own calls", async () => {
  const { add, end } = setUp({ tasksMax: 1, itemsMax: 2 });
  const outcomes = Promise.allSettled(["a", "b", "c", "d"].map((items) => add(items)));
  await end(0);
  await end(1, new Error("lost"));
  await end(2);
  expect((await outcomes).map(({ status }) => status)).toEqual([
    ...["fulfilled", "rejected", "rejected", "fulfilled"],
  ]);
});

it("after a failure that one caller may have caused, each is tried alone", async () => {
  const batch = createBatcher<string, string>({
    tasksMax: 1,
    itemsMax: 9,
    isTriedAlone: (error) => !(error instanceof RangeError),
  });
  const run = (items: readonly string[]): Promise<readonly string[]> => {
    if (items.includes("away")) return Promise.reject(new RangeError("away"));
    if (items.includes("bad")) return Promise.reject(new Error("bad"));
    return Promise.resolve(items);
  };
  const statusesOf = async (all: readonly string[]): Promise<readonly string[]> => {
    const outcomes = await Promise.allSettled(all.map((item) => batch("g", run, [item])));
    await new Promise(setImmediate);
    return outcomes.map(({ status }) => status);
  };
  expect(await statusesOf(["first", "a", "bad", "b"])).toEqual([
    ...["fulfilled", "fulfilled", "rejected", "fulfilled"],
  ]);
  expect(await statusesOf(["first", "a", "away", "b"])).toEqual([
    ...["fulfilled", "rejected", "rejected", "rejected"],
  ]);
});
