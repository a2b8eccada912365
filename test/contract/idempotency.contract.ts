// What every engine promises about idempotency keys.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../src/store/collection.ts";
import type { IdempotencyRepository } from "../../src/model/idempotency.ts";
import { createIdempotencyRepository } from "../../src/store/repositories/idempotency.ts";
import { answerHolderSpec, answerPartSpec } from "../../src/store/specs/idempotency-specs.ts";

const DAY_MS = 24 * 3_600_000;

async function allOf(parts: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const all: Uint8Array[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

export function idempotencyContract(
  name: string,
  open: () => Promise<{ store: Store; close: () => Promise<void> }>,
): void {
  describe(`idempotency contract: ${name}`, () => {
    let store: Store;
    let keys: IdempotencyRepository;
    let close: () => Promise<void>;
    let nowMs = 1_000;
    /** How much of `nowMs` is a leap of the clock. */
    let leaptMs = 0;
    let isOver = false;

    beforeEach(async () => {
      const opened = await open();
      ({ close, store } = opened);
      nowMs = 1_000;
      leaptMs = 0;
      isOver = false;
      let ids = 0;
      keys = createIdempotencyRepository(opened.store, {
        nowMs: () => nowMs,
        retentionNow: () => Promise.resolve(nowMs - leaptMs),
        newId: () => `id${String((ids += 1))}`,
        // As the engines have it: what is taken over now is not over.
        isOver: (startedAtMs) => isOver && startedAtMs < nowMs,
      });
    });
    afterEach(() => close());

    const begin = (fingerprint = "f", org = "o"): ReturnType<IdempotencyRepository["begin"]> =>
      keys.begin(org, "POST /x", "k", fingerprint);

    it("of many that come at once one runs", async () => {
      const starts = await Promise.all(Array.from({ length: 10 }, () => begin()));
      expect(starts.filter((start) => start.kind === "new")).toHaveLength(1);
      expect(starts.filter((start) => start.kind === "running")).toHaveLength(9);
    });

    it("a finished request is replayed, another under its key is refused, another organization's is its own", async () => {
      await begin();
      await keys.finish("o", "POST /x", "k", 200, "answer", null);
      expect(await begin()).toEqual({ kind: "replay", status: 200, body: "answer" });
      expect(await begin("other")).toEqual({ kind: "mismatch" });
      expect(await begin("other", "p")).toMatchObject({ kind: "new" });
    });

    it("a long answer is replayed in the parts it was kept in, until its 24 hours are over", async () => {
      const parts = Array.from({ length: 23 }, (_, index) => new Uint8Array(index).fill(index));
      await begin();
      await keys.finishLong("o", "POST /x", "k", 200, parts, []);
      const replay = await begin();
      if (replay.kind !== "replayLong") throw new Error("It should be a long answer");
      expect(replay.status).toBe(200);
      expect(await allOf(replay.parts)).toEqual(parts);
      expect(await begin("other")).toEqual({ kind: "mismatch" });
      expect(await begin("other", "p")).toMatchObject({ kind: "new" });
      nowMs += DAY_MS;
      await keys.removeExpired(10, nowMs);
      expect(await begin()).toMatchObject({ kind: "replayLong" });
      nowMs += 1;
      expect(await keys.removeExpired(10, nowMs)).toBe(2);
      expect(await store.collection(answerPartSpec).find({ where: {}, limit: 1 })).toEqual([]);
      expect(await store.collection(answerHolderSpec).find({ where: {}, limit: 1 })).toEqual([]);
    });

    it("a long answer without a part is not replayed in part: its key is busy", async () => {
      await begin();
      await keys.finishLong("o", "POST /x", "k", 200, [Uint8Array.of(1), Uint8Array.of(2)], []);
      await store.write([store.collection(answerPartSpec).delete({ part: 1 })]);
      expect(await begin()).toEqual({ kind: "running" });
    });

    it("a long answer that goes while it is read ends with an error, not as if it were whole", async () => {
      await begin();
      const parts = [Uint8Array.of(1), Uint8Array.of(2), Uint8Array.of(3)];
      await keys.finishLong("o", "POST /x", "k", 200, parts, []);
      const replay = await begin();
      if (replay.kind !== "replayLong") throw new Error("It should be a long answer");
      await store.write([store.collection(answerPartSpec).delete({ part: { gte: 1 } })]);
      await expect(allOf(replay.parts)).rejects.toThrow("repeat the request");
    });

    it("a request that changed nothing frees its key", async () => {
      await begin();
      await keys.abandon("o", "POST /x", "k");
      expect(await begin("other")).toMatchObject({ kind: "new" });
    });

    it("a request that failed and may have been accepted runs again at once, as itself and only once", async () => {
      const first = await begin();
      await keys.interrupt("o", "POST /x", "k");
      expect(await begin("other")).toEqual({ kind: "mismatch" });
      nowMs += 1;
      const again = await Promise.all([begin(), begin(), begin()]);
      expect(again.filter((start) => start.kind === "new")).toEqual([first]);
      await keys.finish("o", "POST /x", "k", 200, "answer", null);
      expect(await begin()).toEqual({ kind: "replay", status: 200, body: "answer" });
    });

    it("a request that a crash cut off runs again as itself, once what it left is done, and never as another", async () => {
      const first = await begin();
      expect(await begin()).toEqual({ kind: "running" });
      isOver = true;
      nowMs += 1;
      expect(await begin("other")).toEqual({ kind: "mismatch" });
      const again = await Promise.all([begin(), begin()]);
      expect(again.filter((start) => start.kind === "new")).toEqual([first]);
    });

    it("a clock that leaps 40 days ahead has no request run twice", async () => {
      await begin();
      await keys.finish("o", "POST /x", "k", 200, "answer", null);
      leaptMs = 40 * DAY_MS;
      nowMs += leaptMs;
      expect(await begin()).toEqual({ kind: "replay", status: 200, body: "answer" });
    });

    it("after 24 hours a key is free, and names something new", async () => {
      const first = await begin();
      await keys.finish("o", "POST /x", "k", 200, "answer", null);
      nowMs += DAY_MS;
      expect(await begin()).toMatchObject({ kind: "replay" });
      nowMs += 1;
      const second = await begin("other");
      expect(second.kind).toBe("new");
      expect(second).not.toEqual(first);
      nowMs += DAY_MS + 1;
      expect(await keys.removeExpired(10, nowMs)).toBe(1);
    });
  });
}
