import { expect, it } from "vitest";
import { until } from "../../../test/support/poll.ts";
import { createSingleFlight, type SingleFlight } from "./single-flight.ts";

interface Read {
  readonly key: string;
  end(value: string): void;
  fail(error: Error): void;
}

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

function setUp(): { ask: SingleFlight<string>; reads: Read[] } {
  const reads: Read[] = [];
  const ask = createSingleFlight<string>(
    (key) =>
      new Promise((resolve, reject) => {
        reads.push({ key, end: resolve, fail: reject });
      }),
    2,
  );
  return { ask, reads };
}

it("who asks in the same turn shares one read; of other keys there are others", async () => {
  const { ask, reads } = setUp();
  const asked = [ask("a"), ask("a"), ask("b")];
  expect(reads.map(({ key }) => key)).toEqual(["a", "b"]);
  reads[0]?.end("A");
  reads[1]?.end("B");
  expect(await Promise.all(asked)).toEqual(["A", "A", "B"]);
});

it("a later caller gets a read that began after its call, alone or shared", async () => {
  const { ask, reads } = setUp();
  const first = ask("a");
  await turn();
  const second = ask("a");
  await turn();
  const waiting = [ask("a"), ask("a")];
  await turn();
  waiting.push(ask("a"));
  expect(reads).toHaveLength(2);
  reads[0]?.end("old");
  expect(await first).toBe("old");
  await turn();
  expect(reads).toHaveLength(3);
  reads[1]?.end("older");
  reads[2]?.end("new");
  expect(await second).toBe("older");
  expect(await Promise.all(waiting)).toEqual(["new", "new", "new"]);
});

it("a read that fails fails those who share it, and the next who asks has another", async () => {
  const { ask, reads } = setUp();
  const shared = Promise.allSettled([ask("a"), ask("a")]);
  await turn();
  const own = Promise.allSettled([ask("a")]);
  await turn();
  const waiting = ask("a");
  await turn();
  const late = ask("a");
  reads[0]?.fail(new Error("away"));
  await turn();
  reads[1]?.fail(new Error("away"));
  for (const outcomes of [await shared, await own]) {
    for (const { status } of outcomes) expect(status).toBe("rejected");
  }
  await turn();
  reads[2]?.end("there");
  expect(await Promise.all([waiting, late])).toEqual(["there", "there"]);
});

/** Longer than a test takes. */
const LONG_MS = 600_000;

it("a caller that can wait shares the next read of any caller", async () => {
  const { ask, reads } = setUp();
  const before = ask("a");
  await turn();
  const later = [ask("a", LONG_MS), ask("a", LONG_MS)];
  await turn();
  reads[0]?.end("old");
  await before;
  expect(reads).toHaveLength(1);
  const own = ask("a");
  const fresh = ask("a", LONG_MS);
  expect(reads).toHaveLength(2);
  reads[1]?.end("new");
  expect(await Promise.all([...later, own, fresh])).toEqual(["new", "new", "new", "new"]);
});

it("a caller that can wait gets its own read when no other caller comes in time", async () => {
  const { ask, reads } = setUp();
  const alone = ask("a", 1);
  await until("a read", () => reads[0] ?? null);
  reads[0]?.fail(new Error("away"));
  await expect(alone).rejects.toThrow("away");
  const running = [ask("a")];
  await turn();
  running.push(ask("a"));
  await turn();
  const later = ask("a", 1);
  const waiting = ask("a");
  reads[1]?.end("one");
  await until("the third read", () => reads[3] ?? null);
  reads[2]?.end("two");
  reads[3]?.end("three");
  expect(await Promise.all([...running, later, waiting])).toEqual(["one", "two", "three", "three"]);
});
