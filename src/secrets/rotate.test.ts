import { expect, it } from "vitest";
import { rotateKeys } from "./rotate.ts";

function createSteps(fails: string | null = null) {
  const steps: string[] = [];
  const step = (name: string): Promise<void> => {
    steps.push(name);
    return name === fails ? Promise.reject(new Error(name)) : Promise.resolve();
  };
  return {
    steps,
    keyFile: {
      addKey: () => step("add"),
      dropOldKeys: () => {
        steps.push("drop");
      },
    },
    reencrypt: async (done: () => void) => {
      await step("reencrypt");
      done();
      return 2;
    },
  };
}

it("adds a key, encrypts with it, and drops the old keys last", async () => {
  const { steps, ...ports } = createSteps();
  expect(await rotateKeys(ports)).toBe(2);
  expect(steps).toEqual(["add", "reencrypt", "drop"]);
});

it.each([
  ["add", ["add"]],
  ["reencrypt", ["add", "reencrypt"]],
])("keeps the old keys when %s fails", async (failing, done) => {
  const { steps, ...ports } = createSteps(failing);
  await expect(rotateKeys(ports)).rejects.toThrow(failing);
  expect(steps).toEqual(done);
});

it("only encrypts again where the keys are set in the environment", async () => {
  const { steps, reencrypt } = createSteps();
  expect(await rotateKeys({ keyFile: null, reencrypt })).toBe(2);
  expect(steps).toEqual(["reencrypt"]);
});
