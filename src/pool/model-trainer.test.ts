import { readdirSync, readFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import type { TrainingItem } from "../model/custom-model.ts";
import { loadKnowledge } from "./knowledge.ts";
import { openModelTrainer } from "./model-trainer.ts";

const worker = new URL("../../test/support/fixtures/endless-training-worker.ts", import.meta.url);

it("a training that is aborted ends, whatever its thread does, and the next one has a thread", async () => {
  const trainer = openModelTrainer(new SharedArrayBuffer(0), worker);
  onTestFinished(trainer.close);
  const stop = new AbortController();
  const training = trainer.train("for ever", 0.2, stop.signal);
  await expect.poll(() => trainer.progress()).toBe(1);
  stop.abort();
  await expect(training).rejects.toThrow();
  const { bytes } = await trainer.train("a moment", 0.2, new AbortController().signal);
  expect(bytes).toHaveLength(1);
});

/** Of each thread of this process; Linux only. */
function nicenessOfThreads(): readonly number[] {
  return readdirSync("/proc/self/task").map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, "utf8");
    // proc(5): the 19th field, and the second one may have spaces in its parentheses.
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]);
  });
}

it.runIf(process.platform === "linux")(
  "a training gets a tenth of what other threads get on a busy machine, not next to nothing",
  async () => {
    const before = nicenessOfThreads();
    const trainer = openModelTrainer((await loadKnowledge()).bytes);
    onTestFinished(trainer.close);
    const items = Array.from(
      { length: 40 },
      (_, at): TrainingItem => ({
        ...{ description: `SHOP ${String(at)}`, amount: 1 + at, entryType: "outgoing" },
        ...{ currency: "USD", accountHolderType: "consumer", country: null, mcc: null },
        label: at % 2 === 0 ? "even" : "odd",
      }),
    );
    await trainer.train(JSON.stringify(items), 0, new AbortController().signal);
    const count = (list: readonly number[], niceness: number) =>
      list.filter((one) => one === niceness).length;
    const after = nicenessOfThreads();
    expect(count(after, 10) - count(before, 10)).toBe(1);
    expect(count(after, 19)).toBe(count(before, 19));
  },
);
