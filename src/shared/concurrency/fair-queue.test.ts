import { expect, test } from "vitest";
import { createFairQueue } from "./fair-queue.ts";

function filled(entries: readonly string[]) {
  const queue = createFairQueue<string>();
  for (const entry of entries) queue.add(entry.charAt(0), entry);
  const takeAll = (): string[] => {
    const taken: string[] = [];
    for (let item = queue.take(); item !== undefined; item = queue.take()) taken.push(item);
    return taken;
  };
  return { queue, takeAll };
}

test("owners are served round robin, items of one owner in order", () => {
  const { takeAll } = filled(["a1", "a2", "a3", "a4", "b1", "c1", "c2"]);
  expect(takeAll()).toEqual(["a1", "b1", "c1", "a2", "c2", "a3", "a4"]);
});

test("a new owner is served after waiting ones, before the next item of a served one", () => {
  const { queue, takeAll } = filled(["a1", "a2", "a3", "b1", "b2"]);
  expect(queue.take()).toBe("a1");
  queue.add("c", "c1");
  expect(takeAll()).toEqual(["b1", "a2", "c1", "b2", "a3"]);
});

test("removed items are not served, and an owner without items leaves the queue", () => {
  const { queue, takeAll } = filled(["a1", "a2", "b1"]);
  queue.remove("a", "a1");
  queue.remove("b", "b1");
  queue.remove("b", "b1");
  queue.remove("x", "x1");
  expect(takeAll()).toEqual(["a2"]);
  expect(queue.take()).toBeUndefined();
});
