import { expect, it } from "vitest";
import { createEndpointQueue, learn } from "./endpoint-queue.ts";

const queueOf = (limitMax = 16) => createEndpointQueue("o", "w", 50, limitMax, 0);

it("an endpoint that answers gets a call more at a time each time, up to what there is for it", () => {
  const queue = queueOf();
  expect(queue.limit).toBe(2);
  for (let calls = 0; calls < 5; calls += 1) learn(queue, null, 10);
  expect(queue.limit).toBe(7);
  for (let calls = 0; calls < 50; calls += 1) learn(queue, null, 10);
  expect(queue.limit).toBe(16);
});

it("one that lets a call hang gets half as many, and never none", () => {
  const queue = queueOf();
  for (let calls = 0; calls < 50; calls += 1) learn(queue, null, 10);
  const limits = Array.from({ length: 6 }, () => {
    learn(queue, "timed_out", 10_000);
    return queue.limit;
  });
  expect(limits).toEqual([8, 4, 2, 1, 1, 1]);
  // A quick refusal does not show how many calls the endpoint can handle.
  learn(queue, "status", 10);
  expect(queue.limit).toBe(1);
});

it("a smaller share bounds it at once, a larger one has to be earned", () => {
  const queue = queueOf();
  for (let calls = 0; calls < 50; calls += 1) learn(queue, null, 10);
  queue.share(10, 4, 0);
  expect([queue.limit, queue.ratePerSecond]).toEqual([4, 10]);
  queue.share(50, 16, 0);
  expect(queue.limit).toBe(4);
  learn(queue, null, 10);
  expect(queue.limit).toBe(5);
  expect(queueOf(1).limit).toBe(1);
});
