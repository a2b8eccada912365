import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createRendezvous } from "./rendezvous.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Participants by letter, and the letters of those that went on. */
function setUp(letters: string) {
  const { join } = createRendezvous({ weightMax: 10, waitMs: 50 });
  const gone: string[] = [];
  const participants = new Map(Array.from(letters, (letter) => [letter, join()]));
  const settle = async (): Promise<string> => {
    await new Promise(setImmediate);
    return gone.join("");
  };
  return {
    arrive: (letter: string, weight = 1) => {
      void participants
        .get(letter)
        ?.arrive(weight)
        .then(() => gone.push(letter));
      return settle();
    },
    leave: (letter: string) => {
      participants.get(letter)?.leave();
      return settle();
    },
    settle,
  };
}

it("who is alone does not wait", async () => {
  expect(await setUp("a").arrive("a")).toBe("a");
});

it("those that work at the same time go on together, once the last has arrived or left", async () => {
  const { arrive, leave } = setUp("abc");
  expect(await arrive("a")).toBe("");
  expect(await arrive("b")).toBe("");
  expect(await leave("c")).toBe("ab");
});

it("who leaves after it has arrived is not counted twice", async () => {
  const { arrive, leave } = setUp("abc");
  await arrive("a");
  expect(await leave("a")).toBe("");
  expect(await arrive("b")).toBe("");
  expect(await arrive("c")).toBe("abc");
});

it("enough weight waits for nothing more, and those behind it begin to wait anew", async () => {
  const { arrive } = setUp("abcde");
  expect(await arrive("a", 6)).toBe("");
  expect(await arrive("b", 4)).toBe("ab");
  expect(await arrive("c", 9)).toBe("ab");
  expect(await arrive("d", 1)).toBe("abcd");
});

it("one that is slow is waited for no longer than the limit, from the first that arrived", async () => {
  const { arrive, settle } = setUp("abc");
  await arrive("a");
  vi.advanceTimersByTime(49);
  expect(await arrive("b")).toBe("");
  vi.advanceTimersByTime(1);
  expect(await settle()).toBe("ab");
  expect(await arrive("c")).toBe("abc");
});
