import { expect, it } from "vitest";
import { createLags } from "./lags.ts";

it("records count while they are being sent, and until Kafka counts them", () => {
  const lags = createLags();
  const sent = lags.publishing("t", 1, 4);
  expect([lags.pending("t"), lags.lag("t", 1), lags.lag("t", 0)]).toEqual([4, 4, 0]);
  sent(true);
  expect(lags.pending("t")).toBe(4);
  lags.look("t")([{ partition: 1, end: 14, committed: 10 }]);
  expect(lags.pending("t")).toBe(4);
  lags.look("t")([{ partition: 1, end: 14, committed: 14 }]);
  expect([lags.pending("t"), lags.pending("other")]).toEqual([0, 0]);
});

it("records that are sent while Kafka is asked are counted whether its answer contains them or not", () => {
  const lags = createLags();
  const sent = lags.publishing("t", 0, 3);
  const settle = lags.look("t");
  sent(true);
  settle([{ partition: 0, end: 5, committed: 5 }]);
  expect(lags.pending("t")).toBe(3);
  lags.look("t")([{ partition: 0, end: 8, committed: 8 }]);
  expect(lags.pending("t")).toBe(0);
});

it("records that were refused are not counted", () => {
  const lags = createLags();
  lags.publishing("t", 0, 3)(false);
  expect(lags.pending("t")).toBe(0);
});

it("a look that failed leaves what was counted", () => {
  const lags = createLags();
  lags.publishing("t", 0, 3)(true);
  lags.look("t");
  expect(lags.pending("t")).toBe(3);
});
