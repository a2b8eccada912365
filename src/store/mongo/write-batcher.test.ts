import { expect, it } from "vitest";
import { LedgerlineError } from "../../shared/errors.ts";
import type { Write } from "../collection.ts";
import { createUpsertBatcher } from "./write-batcher.ts";

interface Done {
  readonly steps: readonly Write[];
  end(): Promise<void>;
  fail(error: Error): Promise<void>;
}

/** Writes that the test ends. */
function setUp() {
  const done: Done[] = [];
  const turn = (): Promise<void> =>
    new Promise((resolve) => {
      setImmediate(resolve);
    });
  const apply = createUpsertBatcher(
    (steps) =>
      new Promise((resolve, reject) => {
        done.push({
          steps,
          end: () => {
            resolve(true);
            return turn();
          },
          fail: (error) => {
            reject(error);
            return turn();
          },
        });
      }),
    2,
  );
  const rowsOf = (index: number): unknown =>
    done[index]?.steps.map((step) => ("rows" in step ? step.rows : step.kind));
  return { apply, done, rowsOf, turn };
}

const upsert = (rows: readonly string[], collection = "c", guard = "order"): Write => ({
  kind: "upsertMany",
  collection,
  rows: rows.map((id) => ({ id })),
  guard,
});
const rows = (...ids: string[]): object[] => ids.map((id) => ({ id }));

it("an upsert to an idle server goes alone; during two writes, upserts are batched in order", async () => {
  const { apply, done, rowsOf, turn } = setUp();
  const all = ["a", "b", "c", "d", "e"].map((id) => apply([upsert([id])]));
  expect([rowsOf(0), rowsOf(1)]).toEqual([[rows("a")], [rows("b")]]);
  expect(done).toHaveLength(2);
  await done[1]?.end();
  expect(rowsOf(2)).toEqual([rows("c", "d", "e")]);
  await done[0]?.end();
  await done[2]?.end();
  await Promise.all(all);
  const later = apply([upsert(["f"])]);
  expect(rowsOf(3)).toEqual([rows("f")]);
  await done[3]?.end();
  await later;
  await turn();
  expect(done).toHaveLength(4);
});

it("many rows and steps of another kind are done at once and as they are", () => {
  const { apply, done } = setUp();
  const many = upsert(Array.from({ length: 9 }, (_, index) => String(index)));
  const remove: Write = { kind: "delete", collection: "c", where: { id: "a" } };
  for (let round = 0; round < 3; round += 1) {
    for (const steps of [[many], [remove, upsert(["a"])], [many, upsert(["a"])]]) {
      apply(steps).catch(() => undefined);
    }
  }
  expect(done).toHaveLength(9);
  expect(done[1]?.steps).toEqual([remove, upsert(["a"])]);
});

it("small upserts before other steps are batched, and the other steps follow once they are done", async () => {
  const { apply, done, rowsOf, turn } = setUp();
  const remove: Write = { kind: "delete", collection: "c", where: { id: "a" } };
  // "b" stays in flight.
  const all = Promise.allSettled(
    ["a", "c", "d"].map((id, index) => {
      const applied = apply([upsert([id]), upsert([id], "d"), remove]);
      if (index === 0) apply([upsert(["b"])]).catch(() => undefined);
      return applied;
    }),
  );
  expect([rowsOf(0), rowsOf(1)]).toEqual([[rows("a")], [rows("b")]]);
  await done[0]?.end();
  expect(done.slice(2).map(({ steps }) => steps[0])).toEqual([
    upsert(["c", "d"]),
    upsert(["a"], "d"),
  ]);
  await done[2]?.fail(new LedgerlineError("unavailable", "away"));
  await done[3]?.end();
  expect(done[4]?.steps).toEqual([remove]);
  await done[4]?.end();
  expect((await all).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
  // Of those whose first step has failed, nothing more is done.
  await turn();
  expect(done).toHaveLength(5);
});

it("other collections and other guards have writes of their own", () => {
  const { apply, done } = setUp();
  for (let round = 0; round < 3; round += 1) {
    for (const step of [upsert(["a"]), upsert(["a"], "d"), upsert(["a"], "c", "since")]) {
      apply([step]).catch(() => undefined);
    }
  }
  expect(done).toHaveLength(6);
});

it("a write has so many rows at most, and the rest the next one", async () => {
  const { apply, done } = setUp();
  const five = Array.from({ length: 5 }, () => "a");
  for (let caller = 0; caller < 2 + 150; caller += 1) {
    apply([upsert(five)]).catch(() => undefined);
  }
  const lengthOf = (index: number): unknown => {
    const [step] = done[index]?.steps ?? [];
    return step !== undefined && "rows" in step ? step.rows.length : null;
  };
  await done[0]?.end();
  await done[1]?.end();
  expect([lengthOf(2), lengthOf(3)]).toEqual([500, 250]);
});

it("while the server is unavailable every waiting caller gets that error, and nothing is retried", async () => {
  const { apply, done } = setUp();
  const all = ["a", "b", "c", "d"].map((id) => apply([upsert([id])]));
  const outcomes = Promise.allSettled(all);
  await done[0]?.end();
  await done[2]?.fail(new LedgerlineError("unavailable", "away"));
  await done[1]?.end();
  const reasons = (await outcomes).map((one) => (one.status === "rejected" ? "away" : "done"));
  expect(reasons).toEqual(["done", "done", "away", "away"]);
  expect(done).toHaveLength(3);
});

it("a row that cannot be written costs its own caller alone", async () => {
  const { apply, done, rowsOf } = setUp();
  const all = ["a", "b", "good", "bad", "fine"].map((id) => apply([upsert([id])]));
  const outcomes = Promise.allSettled(all);
  await done[0]?.end();
  await done[2]?.fail(new Error("bad row"));
  expect([3, 4, 5].map(rowsOf)).toEqual([[rows("good")], [rows("bad")], [rows("fine")]]);
  await done[3]?.end();
  await done[4]?.fail(new Error("bad row"));
  await done[5]?.end();
  await done[1]?.end();
  const ends = (await outcomes).map(({ status }) => status);
  expect(ends).toEqual(["fulfilled", "fulfilled", "fulfilled", "rejected", "fulfilled"]);
});
