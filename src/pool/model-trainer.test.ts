import { expect, it, onTestFinished } from "vitest";
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
