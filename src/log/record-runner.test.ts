import { expect, it } from "vitest";
import type { Handled } from "../model/records.ts";
import { createRecordRunner, type RawRecord } from "./record-runner.ts";

const recordAt = (offset: number, key: string): RawRecord => ({
  partition: 0,
  offset,
  key,
  bytes: new Uint8Array(),
  headers: {},
  order: String(offset),
  appendedAtMs: 0,
});

/** A runner in key order, whose handler gets the order of the record. */
function setUp(handle: (order: string) => Promise<Handled>) {
  const stopping = new AbortController();
  const run = createRecordRunner<null>(
    {
      read: () => Promise.resolve({ kind: "request", value: null }),
      deadLetter: () => Promise.resolve(),
    },
    {
      handle: ({ order }) => handle(order),
      abandoned: () => Promise.resolve(),
      report: () => undefined,
      isKeyOrdered: true,
    },
    stopping.signal,
  );
  return {
    run,
    stop: () => {
      stopping.abort();
    },
  };
}

it("a record waits for those of its key that were started before, also while one is retried, and for no other", async () => {
  const done: string[] = [];
  const first = Promise.withResolvers<Handled>();
  let attempts = 0;
  const { run } = setUp((order) => {
    if (order === "1") {
      attempts += 1;
      if (attempts === 1) return Promise.resolve("retry");
      if (attempts === 2) return first.promise;
    }
    done.push(order);
    return Promise.resolve("done");
  });
  const [one, two, other] = [run(recordAt(1, "a")), run(recordAt(2, "a")), run(recordAt(3, "b"))];
  expect(await other).toBe("done");
  expect(done).toEqual(["3"]);
  first.resolve("retry");
  expect(await Promise.all([one, two])).toEqual(["done", "done"]);
  expect(done).toEqual(["3", "1", "2"]);
});

it("when a record is left for the next process, those of its key behind it are left too", async () => {
  const handled: string[] = [];
  const { run, stop } = setUp((order) => {
    handled.push(order);
    return Promise.resolve("retry");
  });
  const all = Promise.all([run(recordAt(1, "a")), run(recordAt(2, "a"))]);
  await new Promise(setImmediate);
  stop();
  expect(await all).toEqual(["left", "left"]);
  expect(new Set(handled)).toEqual(new Set(["1"]));
});

it("a record that is postponed has ended, without a retry or a dead letter", async () => {
  const postponed = { org: "acme", waitMs: 1_000 };
  let attempts = 0;
  const { run } = setUp(() => {
    attempts += 1;
    return Promise.resolve(postponed);
  });
  expect(await run(recordAt(1, "a"))).toEqual(postponed);
  expect(attempts).toBe(1);
});
