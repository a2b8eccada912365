import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { batch, fakeDeps, startServer } from "../../../test/support/http-server.ts";
import { LedgerlineError } from "../../shared/errors.ts";
import { createAheadCount, resultTexts } from "./result-texts.ts";
import { NO_RECURRENCE, type RecurrenceText } from "./recurrence.ts";

const PARTS = 5;

/** An answer of five parts of one result each, of which what repeats is not known until `find`. */
function answer(aheadMax: number) {
  const aheadOfAll = createAheadCount(aheadMax);
  const found = Promise.withResolvers<RecurrenceText>();
  let prepared = 0;
  async function* parts() {
    for (; prepared < PARTS; prepared += 1) {
      const id = String(prepared);
      yield await Promise.resolve([
        { id, accountHolderId: "h", text: `{"id":"${id}"`, isError: false },
      ]);
    }
  }
  const texts = resultTexts(parts(), () => found.promise, aheadOfAll);
  return {
    aheadOfAll,
    texts: texts[Symbol.asyncIterator](),
    find: () => {
      found.resolve(NO_RECURRENCE);
    },
    prepared: () => prepared,
  };
}

describe("results that are prepared while what repeats is looked for", () => {
  it("all parts are prepared meanwhile, and are sent in their order", async () => {
    const { texts, find, prepared, aheadOfAll } = answer(PARTS);
    const first = texts.next();
    await expect.poll(prepared).toBe(PARTS);
    find();
    const sent = [(await first).value as string];
    for (let next = await texts.next(); next.done !== true; next = await texts.next())
      sent.push(next.value);
    expect(sent.map((text) => (JSON.parse(text) as { id: string }).id)).toEqual([
      "0",
      "1",
      "2",
      "3",
      "4",
    ]);
    aheadOfAll.add(PARTS);
    expect(aheadOfAll.isOver()).toBe(false);
  });

  it("beyond the bound of all answers one part is prepared at a time", async () => {
    const { texts, find, prepared } = answer(0);
    const first = texts.next();
    const isWaiting = Promise.race([
      first.then(() => false),
      new Promise((done) => setImmediate(done, true)),
    ]);
    expect(await isWaiting).toBe(true);
    expect(prepared()).toBe(0);
    find();
    expect((await first).value).toContain('"id":"0"');
    expect(prepared()).toBe(0);
    await texts.next();
    expect(prepared()).toBe(1);
  });

  it("an answer that is not read to its end gives its places back", async () => {
    const { texts, find, aheadOfAll } = answer(PARTS);
    find();
    await texts.next();
    await texts.return?.();
    aheadOfAll.add(PARTS);
    expect(aheadOfAll.isOver()).toBe(false);
    aheadOfAll.add(1);
    expect(aheadOfAll.isOver()).toBe(true);
  });
});

it("a batch whose recurrence is not found in time is a 503, and is read without it", async () => {
  const result = { id: "t1", entities: null, categories: null, location: null, confidence: null };
  const chunk = {
    results: Buffer.from(JSON.stringify({ ...result, error: null })),
    accountHolderIds: ["h"],
    accountTypes: ["consumer" as const],
  };
  const late = new LedgerlineError("recurrence_timeout", "Late.", { retryAfterSeconds: 10 });
  await using server = await startServer({
    batches: {
      ...fakeDeps([], []).batches,
      resultChunks: () =>
        Promise.resolve({
          batch: { ...batch, status: "completed" },
          chunks: Readable.from([chunk]),
        }),
    },
    recurrence: { groups: () => Promise.reject(late) },
  });
  const path = `/v2/transactions/async/${batch.id}`;
  const { status, headers, json } = await server.call("GET", path);
  expect([status, headers.get("Retry-After"), json]).toMatchObject([
    503,
    "10",
    { code: "recurrence_timeout", detail: expect.stringContaining("not found in time") as string },
  ]);
  expect((await server.call("GET", `${path}?with_recurrence=false`)).status).toBe(200);
});
