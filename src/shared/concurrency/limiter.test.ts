import { describe, expect, it } from "vitest";
import { createLimiter } from "./limiter.ts";

/** A function whose calls end when the test ends them. */
function pending() {
  const begun: string[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const call = (name: string): Promise<string> =>
    new Promise((resolve, reject) => {
      begun.push(name);
      ends.push((error) => {
        if (error === undefined) resolve(name);
        else reject(error);
      });
    });
  return { begun, ends, call };
}

describe("calls of which so many may be under way", () => {
  it("begin in the order of asking, each when one before it has ended", async () => {
    const { begun, ends, call } = pending();
    const limited = createLimiter(2)(call);
    const calls = ["a", "b", "c", "d"].map((name) => limited(name));
    expect(begun).toEqual(["a", "b"]);
    ends[1]?.();
    await calls[1];
    expect(begun).toEqual(["a", "b", "c"]);
    ends[0]?.();
    await calls[0];
    expect(begun).toEqual(["a", "b", "c", "d"]);
    ends[2]?.();
    ends[3]?.();
    expect(await Promise.all(calls)).toEqual(["a", "b", "c", "d"]);
  });

  it("that fail tell their own caller and leave their place to the next", async () => {
    const { begun, ends, call } = pending();
    const limited = createLimiter(1)(call);
    const [first, second] = [limited("a"), limited("b")];
    ends[0]?.(new Error("lost"));
    await expect(first).rejects.toThrow("lost");
    expect(begun).toEqual(["a", "b"]);
    ends[1]?.();
    expect(await second).toBe("b");
  });

  it("share their places, and have all of them again when they are over", async () => {
    const { begun, ends, call } = pending();
    const atMost = createLimiter(1);
    const [one, other] = [atMost(call), atMost(call)];
    for (const name of ["a", "b"]) {
      const calls = [one(`${name}1`), other(`${name}2`)];
      expect(begun.at(-1)).toBe(`${name}1`);
      ends.at(-1)?.();
      await calls[0];
      ends.at(-1)?.();
      await calls[1];
    }
    expect(begun).toEqual(["a1", "a2", "b1", "b2"]);
  });
});
