import { describe, expect, it } from "vitest";
import { createInFlight } from "./in-flight.ts";

describe("in-flight offsets", () => {
  it("finishing a record twice is a bug and reports so", () => {
    const inFlight = createInFlight();
    inFlight.received(1);
    inFlight.started(1, 0);
    inFlight.finish(1);
    expect(() => inFlight.finish(1)).toThrow(/not in flight/);
    expect(() => {
      inFlight.started(1, 0);
    }).toThrow(/not received/);
  });
});
