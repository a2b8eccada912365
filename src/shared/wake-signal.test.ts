import { expect, it } from "vitest";
import { createWakeSignal } from "./wake-signal.ts";

it("drops calls before a listener is connected, and passes on those after", () => {
  const woken: string[] = [];
  const { wake, connect } = createWakeSignal<[string]>();
  wake("early");
  connect((what) => woken.push(what));
  wake("late");
  expect(woken).toEqual(["late"]);
});
