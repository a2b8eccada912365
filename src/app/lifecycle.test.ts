import { expect, it } from "vitest";
import { createLifecycle } from "./lifecycle.ts";

it("closes in reverse, once, and one failure does not keep the others open", async () => {
  const closed: string[] = [];
  const lifecycle = createLifecycle();
  lifecycle.opened("first", () => void closed.push("first"));
  lifecycle.opened("second", () => Promise.reject(new Error("stuck")));
  lifecycle.opened("third", () => void closed.push("third"));
  const [failures, again] = await Promise.all([lifecycle.close(), lifecycle.close()]);
  expect(closed).toEqual(["third", "first"]);
  expect(failures.map((failure) => failure.name)).toEqual(["second"]);
  expect(again).toBe(failures);
});
