import { describe, expect, it } from "vitest";
import { createSigningKeys } from "./signing-keys.ts";
import type { SigningKey } from "../../model/api-key.ts";

const acme: SigningKey = {
  org: "acme",
  secret: Buffer.from("secret"),
  mayWrite: true,
  expiresAt: null,
};

function setUp() {
  const state = { nowMs: 0, lookups: [] as string[] };
  const keys = createSigningKeys({
    findKey: (id) => {
      state.lookups.push(id);
      return Promise.resolve(id === "k1" ? acme : null);
    },
    nowMs: () => state.nowMs,
  });
  return { state, keys };
}

describe("keys that sign records", () => {
  it("made-up ids evict no key of a producer, and are not kept for ever", async () => {
    const { state, keys } = setUp();
    await keys.find("k1");
    for (let id = 0; id < 3_000; id += 1) await keys.find(`made up ${String(id)}`);
    expect(keys.known("k1")).toBe(acme);
    state.lookups = [];
    expect(await keys.find("k1")).toBe(acme);
    await keys.find("made up 2999");
    expect(state.lookups).toEqual([]);
    await keys.find("made up 0");
    expect(state.lookups).toEqual(["made up 0"]);
  });

  it("made-up ids are looked up eight at a time, once each, and a known key does not wait for them", async () => {
    const waiting: (() => void)[] = [];
    const state = { nowMs: 0 };
    const keys = createSigningKeys({
      findKey: (id) => {
        if (id === "k1") return Promise.resolve(acme);
        return new Promise((resolve) => {
          waiting.push(() => {
            resolve(null);
          });
        });
      },
      nowMs: () => state.nowMs,
    });
    await keys.find("k1");
    state.nowMs = 10_000;
    const ids = Array.from({ length: 20 }, (_, index) => `made up ${String(index)}`);
    const found = Promise.all([...ids, ...ids].map((id) => keys.find(id)));
    expect(await keys.find("k1")).toBe(acme);
    let lookups = 0;
    for (; waiting.length > 0; lookups += 1) {
      expect(waiting.length).toBeLessThanOrEqual(8);
      waiting.shift()?.();
      await new Promise(setImmediate);
    }
    expect(lookups).toBe(20);
    expect(new Set(await found)).toEqual(new Set([null]));
  });

  it("a look-up that fails is made again, and holds its place no longer", async () => {
    const state = { isAway: true };
    const keys = createSigningKeys({
      findKey: () => (state.isAway ? Promise.reject(new Error("away")) : Promise.resolve(acme)),
      nowMs: () => 0,
    });
    const failed = Array.from({ length: 20 }, (_, index) => keys.find(`k${String(index)}`));
    const outcomes = await Promise.allSettled(failed);
    expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);
    state.isAway = false;
    expect(await keys.find("k1")).toBe(acme);
  });
});
