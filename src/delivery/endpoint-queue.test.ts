import { expect, it } from "vitest";
import { createLane, learn } from "./endpoint-queue.ts";

const laneOf = (limitMax = 16) => createLane("o", "w", 50, limitMax, 0);

it("an endpoint that answers gets a call more at a time each time, up to what there is for it", () => {
  const lane = laneOf();
  expect(lane.limit).toBe(2);
  for (let calls = 0; calls < 5; calls += 1) learn(lane, null, 10);
  expect(lane.limit).toBe(7);
  for (let calls = 0; calls < 50; calls += 1) learn(lane, null, 10);
  expect(lane.limit).toBe(16);
});

it("one that lets a call hang gets half as many, and never none", () => {
  const lane = laneOf();
  for (let calls = 0; calls < 50; calls += 1) learn(lane, null, 10);
  const limits = Array.from({ length: 6 }, () => {
    learn(lane, "timed_out", 10_000);
    return lane.limit;
  });
  expect(limits).toEqual([8, 4, 2, 1, 1, 1]);
  // A quick refusal says nothing about how many calls it can take.
  learn(lane, "status", 10);
  expect(lane.limit).toBe(1);
});

it("a smaller share bounds it at once, a larger one has to be earned", () => {
  const lane = laneOf();
  for (let calls = 0; calls < 50; calls += 1) learn(lane, null, 10);
  lane.share(10, 4, 0);
  expect([lane.limit, lane.ratePerSecond]).toEqual([4, 10]);
  lane.share(50, 16, 0);
  expect(lane.limit).toBe(4);
  learn(lane, null, 10);
  expect(lane.limit).toBe(5);
  expect(laneOf(1).limit).toBe(1);
});
