import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type ClaimedTraining, TRAINING_ATTEMPTS_MAX } from "../model/custom-model.ts";
import { startTraining, type TrainingPorts } from "./model-training.ts";

const claimed: ClaimedTraining = {
  ...{ org: "o", name: "m", createdAt: 1, updatedAt: 1, accountHolderType: "consumer" },
  ...{ status: "training", progress: 0, error: null, training: 1, trainingId: "t" },
  ...{ threshold: 0.2, versions: [], attempts: 0 },
};

const TRAINED = { bytes: new Uint8Array(1), quality: null as never };

/** One training waits; `done` resolves with what it came to. */
function setUp(overrides: Partial<TrainingPorts> = {}, one: ClaimedTraining = claimed) {
  const waiting = [one];
  const calls: string[] = [];
  let end: (outcome: unknown) => void = () => undefined;
  const done = new Promise<unknown>((resolve) => {
    end = resolve;
  });
  const trainer = startTraining({
    claim: () => Promise.resolve(waiting.pop() ?? null),
    release: null,
    renew: () => Promise.resolve(true),
    items: () => Promise.resolve(['[{"a":1}]', "[]", '[{"b":2}]']),
    train: (items) => {
      calls.push(items);
      return Promise.resolve(TRAINED);
    },
    progress: () => 0,
    finish: (_claimed, outcome) => {
      end(outcome);
      return Promise.resolve(true);
    },
    giveBack: () => {
      end("given back");
      return Promise.resolve();
    },
    report: ({ kind }) => calls.push(kind),
    nowMs: () => 0,
    ...overrides,
  });
  onTestFinished(trainer.close);
  trainer.wake();
  return { trainer, done, calls };
}

describe("trainings of labelling models", () => {
  it("the parts of the items are trained as one list", async () => {
    const { done, calls } = setUp();
    expect(await done).toBe(TRAINED);
    expect(calls[0]).toBe('[{"a":1},{"b":2}]');
  });

  it("a thread that fails is the error of the model, which reveals nothing of it", async () => {
    const { done, calls } = setUp({ train: () => Promise.reject(new Error("secret")) });
    expect(await done).toEqual({ error: "The training failed" });
    expect(calls).toContain("training_failed");
  });

  it("a training that was interrupted too often ends with an error", async () => {
    const { done, calls } = setUp({}, { ...claimed, attempts: TRAINING_ATTEMPTS_MAX });
    expect(await done).toMatchObject({ error: expect.stringContaining("interrupted") as unknown });
    expect(calls).not.toContain('[{"a":1},{"b":2}]');
  });

  /** A training that lasts until its signal is aborted. */
  function trainUntilAborted() {
    const begun = Promise.withResolvers<undefined>();
    const train: TrainingPorts["train"] = (_items, _threshold, signal) =>
      new Promise((_resolve, reject) => {
        begun.resolve(undefined);
        signal.addEventListener("abort", () => {
          reject(new Error("The thread was ended"));
        });
      });
    return { train, begun: begun.promise };
  }

  it("a process that stops gives its training back", async () => {
    const { train, begun } = trainUntilAborted();
    const { trainer, done, calls } = setUp({ train });
    await begun;
    await trainer.close();
    expect(await done).toBe("given back");
    expect(calls).not.toContain("training_failed");
  });

  it("a training whose model is deleted ends at the next renewal, and the next one begins", async () => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { train, begun } = trainUntilAborted();
    const waiting = [{ ...claimed, name: "next" }, claimed];
    const finished: string[] = [];
    const { calls } = setUp({
      claim: () => Promise.resolve(waiting.pop() ?? null),
      renew: ({ name }) => Promise.resolve(name === "next"),
      train: (...task) => (waiting.length === 1 ? train(...task) : Promise.resolve(TRAINED)),
      finish: ({ name }) => {
        finished.push(name);
        return Promise.resolve(true);
      },
    });
    await begun;
    expect(finished).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(finished).toEqual(["next"]);
    expect(calls).toEqual(["model_trained"]);
  });

  it("items that cannot be read give the training back, to be tried again", async () => {
    const { done, calls } = setUp({ items: () => Promise.reject(new Error("unavailable")) });
    expect(await done).toBe("given back");
    await expect.poll(() => calls).toContain("training_failed");
  });
});
