import { describe, expect, it } from "vitest";
import { paidLine } from "../../test/support/recogniser-input.ts";
import type { EnrichItem } from "../model/enrich-item.ts";
import type { Workload } from "../model/workload.ts";
import { batchCalls } from "./call-batcher.ts";
import type { EnrichedItem } from "./chunk.ts";

const itemsOf = (...descriptions: readonly string[]): EnrichItem[] =>
  descriptions.map((description) => paidLine(description));

const batchOf = (org: string): Workload => ({ org, priority: "batch" });

/** A pool of one thread whose tasks wait for `open`; `tasks` names organization and lines of each. */
function setUp() {
  const tasks: string[] = [];
  const gate = Promise.withResolvers<undefined>();
  const enrich = batchCalls(
    {
      enrichChunk: async (items, { org, priority }) => {
        tasks.push(`${priority} ${org}: ${items.map(({ description }) => description).join(" ")}`);
        await gate.promise;
        return items.map(({ description }): EnrichedItem => ({ facts: description, bytes: null }));
      },
    },
    1,
  );
  const run = (load: Workload, ...descriptions: readonly string[]) =>
    enrich(itemsOf(...descriptions), load, null, false);
  return { tasks, run, open: gate.resolve };
}

describe("items that wait for a thread", () => {
  it("small records of one organization share a task, and each gets its own results", async () => {
    const { tasks, run, open } = setUp();
    const all = [
      run(batchOf("a"), "a1"),
      run(batchOf("a"), "a2", "a3"),
      run(batchOf("b"), "b1"),
      run(batchOf("a"), "a4"),
      run({ org: "a", priority: "low" }, "low"),
    ];
    open(undefined);
    const results = (await Promise.all(all)).map((found) => found.map(({ facts }) => facts));
    expect(results).toEqual([["a1"], ["a2", "a3"], ["b1"], ["a4"], ["low"]]);
    expect(tasks).toEqual(["batch a: a1", "batch b: b1", "low a: low", "batch a: a2 a3 a4"]);
  });

  it("a record that is not small is a task of its own, and waits for none", async () => {
    const { tasks, run, open } = setUp();
    const lines = Array.from({ length: 17 }, (_, index) => `line${String(index)}`);
    const all = [run(batchOf("a"), "a1"), run(batchOf("a"), ...lines)];
    expect(tasks).toHaveLength(2);
    open(undefined);
    expect((await Promise.all(all)).map(({ length }) => length)).toEqual([1, 17]);
  });
});
