import { describe, expect, it } from "vitest";
import { createGate } from "./gate.ts";

const limits = { runningMax: 1, queueLengthMax: 2 };

function blocker(): { readonly work: () => Promise<void>; release(): void } {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  return {
    work: () => held,
    release: () => {
      release();
    },
  };
}

describe("gate", () => {
  it("lets interactive work go before batch work that waited longer", async () => {
    const gate = createGate(limits);
    const first = blocker();
    const order: string[] = [];
    const running = gate.run("batch", first.work);
    const batch = gate.run("batch", () => Promise.resolve(order.push("batch")));
    const interactive = gate.run("interactive", () => Promise.resolve(order.push("interactive")));
    expect(gate.running()).toBe(1);
    first.release();
    await Promise.all([running, batch, interactive]);
    expect(order).toEqual(["interactive", "batch"]);
    expect([gate.running(), gate.waiting("batch"), gate.waiting("interactive")]).toEqual([0, 0, 0]);
  });

  it("refuses what goes beyond a queue's limit at once, and only that priority", async () => {
    const gate = createGate(limits);
    const first = blocker();
    const running = gate.run("batch", first.work);
    const waiting = [1, 2].map(() => gate.run("batch", () => Promise.resolve()));
    await expect(gate.run("batch", () => Promise.resolve())).rejects.toMatchObject({
      code: "overloaded",
    });
    const interactive = gate.run("interactive", () => Promise.resolve("through"));
    first.release();
    expect(await interactive).toBe("through");
    await Promise.all([running, ...waiting]);
  });

  it("work that fails frees its place", async () => {
    const gate = createGate(limits);
    await expect(gate.run("batch", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await gate.run("batch", () => Promise.resolve("next"))).toBe("next");
  });
});
