import { expect, it } from "vitest";
import { createKeyedMutex, createLocks } from "./keyed-mutex.ts";

it("work under one key is done one after the other, in the order in which it was asked for", async () => {
  const turns = createKeyedMutex(10);
  const seen: string[] = [];
  const work = (name: string) => async (): Promise<void> => {
    seen.push(`${name} begins`);
    await new Promise(setImmediate);
    seen.push(`${name} ends`);
  };
  await Promise.all([turns("k", work("a")), turns("k", work("b")), turns("other", work("c"))]);
  expect(seen).toEqual(["a begins", "c begins", "a ends", "b begins", "c ends", "b ends"]);
});

it("work that fails lets the next have its turn", async () => {
  const turns = createKeyedMutex(10);
  const failing = turns("k", () => Promise.reject(new Error("no")));
  const next = turns("k", () => Promise.resolve("done"));
  await expect(failing).rejects.toThrow("no");
  expect(await next).toBe("done");
  expect(await turns("k", () => Promise.resolve("again"))).toBe("again");
});

it("what finds too much waiting is refused at once and is never begun", async () => {
  const turns = createKeyedMutex(1);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const first = turns("k", () => promise);
  const second = turns("k", () => Promise.resolve("second"));
  expect(await turns("k", () => Promise.reject(new Error("it was begun")))).toBeNull();
  resolve(undefined);
  await first;
  expect(await second).toBe("second");
});

it("a lock of several keys waits for all of them, and holds up no other key", async () => {
  const locks = createLocks();
  const acquired: string[] = [];
  const lock = (name: string, keys: readonly string[]): (() => void) => {
    const { acquired: turn, release } = locks.lock(keys);
    void turn.then(() => acquired.push(name));
    return release;
  };
  const settle = (): Promise<unknown> => new Promise(setImmediate);
  const [ab, bc, ba, d] = [
    lock("ab", ["a", "b"]),
    lock("bc", ["b", "c"]),
    lock("ba", ["b", "a"]),
    lock("d", ["d"]),
  ];
  await settle();
  expect(acquired).toEqual(["ab", "d"]);
  // Leaves before it was acquired: the one behind it must still wait for the first.
  bc();
  await settle();
  expect(acquired).toEqual(["ab", "d"]);
  ab();
  await settle();
  expect(acquired).toEqual(["ab", "d", "bc", "ba"]);
  ba();
  d();
  await settle();
  expect(["a", "b", "c", "d"].map(locks.count)).toEqual([0, 0, 0, 0]);
});
