import { describe, expect, it } from "vitest";
import type { HolderSince } from "../model/account-holder.ts";
import { itemOrder, recordOrder } from "../model/acceptance-order.ts";
import {
  enrichedAs,
  holderSince,
  requestFor,
  setUpEnrich,
  type StoredChunk,
} from "../../test/support/enrich-world.ts";

describe("enrich stage", () => {
  it("results keep the order of the request, and only what has a holder or none is stored", async () => {
    const { run, stored, replies, work } = setUpEnrich();
    await run(requestFor(["h1", "missing", null, "h2"]));
    expect(work).toEqual([["business", null, "business"]]);
    expect(replies[0]?.results.map((one) => one.facts ?? one.error?.code)).toEqual([
      '{"of":"d0"}',
      "account_holder_not_found",
      '{"of":"d2"}',
      '{"of":"d3"}',
    ]);
    expect(stored[0]?.transactions.map((one) => one.input.id)).toEqual(["t0", "t2", "t3"]);
  });

  it("what an organization has set goes along with its transactions, and which set its holders use", async () => {
    const used: unknown[] = [];
    const { run } = setUpEnrich({
      settingsOf: (org) => Promise.resolve(`settings of ${org}`),
      getHolders: () => {
        const own = holderSince("h1");
        const named = { ...own, holder: { ...own.holder, id: "h2", categoryId: "mine" } };
        return Promise.resolve([own, named]);
      },
      enrich: (items, _priority, settings) => {
        used.push(settings, ...items.map((item) => item.holder?.categorySetId ?? null));
        return Promise.resolve(items.map(() => enrichedAs("{}")));
      },
    });
    await run(requestFor(["h1", "h2", null]));
    expect(used).toEqual(["settings of o", "business", "mine", null]);
  });

  it("of one id twice in a request the later has the greater order", async () => {
    const { run, stored } = setUpEnrich();
    await run(requestFor([null, null, null]));
    const orders = stored[0]?.transactions.map((one) => one.order) ?? [];
    expect([...orders].sort()).toEqual(orders);
    expect(new Set(orders).size).toBe(3);
  });

  it("a transaction that cannot be enriched fails alone with internal_error and is kept", async () => {
    const { run, stored, replies } = setUpEnrich();
    await run(requestFor(Array.from({ length: 12 }, () => null)));
    expect(replies[0]?.results.filter((one) => one.error !== null)).toHaveLength(1);
    expect(replies[0]?.results[9]).toMatchObject({
      facts: null,
      error: { code: "internal_error" },
    });
    expect(stored[0]?.transactions).toHaveLength(12);
  });

  it("a holder created after the request was accepted is not the one that was meant", async () => {
    const { run, replies } = setUpEnrich({
      getHolders: () => Promise.resolve([holderSince("h1", recordOrder(5))]),
    });
    await run(requestFor(["h1"]), 5);
    expect(replies[0]?.results[0]?.error?.code).toBe("account_holder_not_found");
  });

  it("what was stored for a holder that was deleted meanwhile is taken back, and nothing else", async () => {
    const taken = [{ id: "t0", order: itemOrder(recordOrder(5), 0), accountHolderId: "h1" }];
    const call = setUpEnrich({ getHoldersSoon: () => Promise.resolve([holderSince("h2")]) });
    await call.run(requestFor(["h1", null, "h2"]));
    expect(call.withdrawn).toEqual(taken);
    let reads = 0;
    const batch = setUpEnrich({
      getHolders: () =>
        Promise.resolve(
          (reads += 1) === 1 ? [holderSince("h1"), holderSince("h2")] : [holderSince("h2")],
        ),
    });
    await batch.run(requestFor(["h1", null, "h2"], { batchId: "b", replyTo: null }));
    expect(batch.withdrawn).toEqual(taken);
    expect([call.chunks, batch.chunks]).toEqual([[null], [{ batchId: "b", chunkIndex: 0 }]]);
    expect(batch.stored[0]?.batch?.chunk.accountHolderIds).toEqual(["h1", null, "h2"]);
  });

  it("a reply does not wait for the look at holders behind storing, but its record is not done before", async () => {
    const look = Promise.withResolvers<readonly HolderSince[]>();
    const replied = Promise.withResolvers<undefined>();
    const { run, withdrawn } = setUpEnrich({
      getHoldersSoon: () => look.promise,
      reply: () => {
        replied.resolve(undefined);
        return Promise.resolve();
      },
    });
    let isDone = false;
    const done = run(requestFor(["h1"])).then(() => {
      isDone = true;
    });
    await replied.promise;
    expect([isDone, withdrawn]).toEqual([false, []]);
    look.resolve([]);
    await done;
    expect(withdrawn.map((one) => one.accountHolderId)).toEqual(["h1"]);
  });

  it("chunks in flight at the same time are written together, and a single call waits for none", async () => {
    const held = Promise.withResolvers<undefined>();
    const written: number[] = [];
    const { run } = setUpEnrich({
      storesTogether: true,
      enrich: async (items) => {
        if (items.length === 20) await held.promise;
        return items.map(() => enrichedAs("{}"));
      },
      storeChunk: async ({ transactions }, whenToWrite) => {
        await whenToWrite();
        written.push(transactions.length);
        return "stored";
      },
    });
    const [slow, quick, single] = [20, 17, 1].map((length) =>
      run(requestFor(Array.from({ length }, () => null))),
    );
    await single;
    expect(written).toEqual([1]);
    held.resolve(undefined);
    await Promise.all([slow, quick]);
    expect(written).toEqual([1, 17, 20]);
  });

  it("a chunk whose record fails is not waited for", async () => {
    const held = Promise.withResolvers<undefined>();
    const { run, stored } = setUpEnrich({
      storesTogether: true,
      enrich: async (items) => {
        if (items.length === 20) await held.promise;
        return items.map(() => enrichedAs("{}"));
      },
    });
    const [failing, other] = [20, 17].map((length) =>
      run(requestFor(Array.from({ length }, () => null))),
    );
    held.reject(new Error("lost"));
    await expect(failing).rejects.toThrow("lost");
    await other;
    expect(stored.map(({ transactions }) => transactions.length)).toEqual([17]);
  });

  it("a failed check after storing redelivers the record", async () => {
    const { run } = setUpEnrich({ getHoldersSoon: () => Promise.reject(new Error("away")) });
    await expect(run(requestFor(["h1"]))).rejects.toThrow("away");
  });

  it("a batch completes only after rows without an account holder are removed", async () => {
    const effects: string[] = [];
    let reads = 0;
    const { run } = setUpEnrich({
      getHolders: () => Promise.resolve((reads += 1) === 1 ? [holderSince("h1")] : []),
      withdraw: () => {
        effects.push("withdrawn");
        return Promise.resolve();
      },
      chunkStored: () => {
        effects.push("completed");
        return Promise.resolve();
      },
    });
    await run(requestFor(["h1"], { batchId: "b", replyTo: null }));
    expect(effects).toEqual(["withdrawn", "completed"]);
  });

  it("a chunk whose process died after storing it is looked at again for holders that are gone", async () => {
    const { run, withdrawn } = setUpEnrich({ hasChunk: () => Promise.resolve(true) });
    await run(requestFor(["h1", "gone"], { batchId: "b", replyTo: null }));
    expect(withdrawn.map((one) => one.id)).toEqual(["t1"]);
  });

  it("results are announced before they are stored: a crash in between announces them again", async () => {
    const { run, announced } = setUpEnrich({ storeChunk: () => Promise.reject(new Error("away")) });
    await expect(run(requestFor([null]))).rejects.toThrow("away");
    expect(announced).toEqual(["t0"]);
  });

  it("a chunk that is stored already is not enriched again, but its batch is looked at", async () => {
    const { run, work, finished, stored } = setUpEnrich({ hasChunk: () => Promise.resolve(true) });
    await run(requestFor([null], { batchId: "b", replyTo: null }));
    expect(work).toHaveLength(0);
    expect(stored).toHaveLength(0);
    expect(finished).toEqual([
      { org: "o", id: "b", total: 1, chunkCount: 1, priority: "default", createdAt: 1000 },
    ]);
  });

  it("a batch's chunk carries its results as the API shows them", async () => {
    const { run, stored } = setUpEnrich();
    await run(requestFor([null, "missing"], { batchId: "b", replyTo: null }));
    const results: unknown = JSON.parse(`[${stored[0]?.batch?.chunk.results ?? ""}]`);
    expect(results).toEqual([
      { created_at: "1970-01-01T00:00:01.000Z", id: "t0", of: "d0", error: null },
      {
        created_at: "1970-01-01T00:00:01.000Z",
        id: "t1",
        entities: null,
        categories: null,
        location: null,
        confidence: null,
        error: { code: "account_holder_not_found", message: expect.any(String) as string },
      },
    ]);
  });

  it("a request for a transaction that was replaced since stores nothing and reports it", async () => {
    const { run, replies, stored } = setUpEnrich({
      storeChunk: () => Promise.resolve("superseded"),
    });
    await run(requestFor([null], { basedOn: "order-1" }));
    expect(stored).toHaveLength(0);
    expect(replies[0]?.outcome).toBe("superseded");
  });

  it("what was corrected about a transaction goes along when it is assigned, and stays with it; a new submission starts without", async () => {
    const override = { location: null };
    const asked: unknown[] = [];
    const { run, stored } = setUpEnrich({
      seenOf: (org, ids) =>
        Promise.resolve(
          org === "o" && ids.includes("t0")
            ? [{ id: "t0", order: "order-3", accountHolderId: null, override }]
            : [],
        ),
      enrich: (items) => {
        asked.push(...items.map((item) => item.override));
        return Promise.resolve(items.map(() => enrichedAs("{}")));
      },
    });
    await run(requestFor(["h1"], { basedOn: itemOrder(recordOrder(3), 0) }));
    await run(requestFor(["h1"]));
    expect(asked).toEqual([override, null]);
    expect(stored.map((chunk) => chunk.transactions[0]?.override)).toEqual([override, null]);
  });

  it("a correction that is made while its transaction is enriched again is kept: the result that does not know it is dropped", async () => {
    const override = { location: null, review: {} };
    const seen = { id: "t0", accountHolderId: "h1" };
    const states = [
      { ...seen, order: "order-3", override: null },
      { ...seen, order: "order-3.1", override },
    ];
    let reads = 0;
    let isChanged = true;
    const asked: unknown[] = [];
    const chunks: StoredChunk[] = [];
    const { run, replies } = setUpEnrich({
      settingsOf: () => Promise.resolve("settings"),
      seenOf: () => Promise.resolve(states.slice(reads, (reads += 1))),
      enrich: (items) => {
        asked.push(...items.map((item) => item.override));
        return Promise.resolve(items.map((item) => enrichedAs(JSON.stringify(item.override))));
      },
      storeChunk: (chunk) => {
        chunks.push(chunk);
        const outcome = isChanged ? "changed" : "stored";
        isChanged = false;
        return Promise.resolve(outcome);
      },
    });
    await run(requestFor(["h1"]));
    expect(asked).toEqual([null, override]);
    expect(chunks.map((chunk) => chunk.seen)).toEqual([
      [{ id: "t0", order: "order-3" }],
      [{ id: "t0", order: "order-3.1" }],
    ]);
    expect(chunks[1]?.transactions[0]?.override).toEqual(override);
    expect(replies.map(({ results }) => results[0]?.facts)).toEqual([JSON.stringify(override)]);
  });

  it("results of settings that are changed while they are made are made again", async () => {
    let version: string | null = null;
    const chunks: StoredChunk[] = [];
    const { run, replies } = setUpEnrich({
      settingsOf: () => Promise.resolve(version),
      enrich: (items, _load, settings) => {
        version = "new";
        return Promise.resolve(items.map(() => enrichedAs(JSON.stringify(settings))));
      },
      storeChunk: (chunk) => {
        chunks.push(chunk);
        return Promise.resolve(chunk.settings === version ? "stored" : "changed");
      },
    });
    await run(requestFor([null]));
    expect(chunks.map(({ settings }) => settings)).toEqual([null, "new"]);
    expect(chunks[1]?.transactions[0]?.facts).toBe('"new"');
    expect(replies.map(({ results }) => results[0]?.facts)).toEqual(['"new"']);
  });

  it("settings that change all the time hold up nothing for good", async () => {
    const { run, work, replies } = setUpEnrich({
      storeChunk: ({ settings }) =>
        Promise.resolve(settings === undefined ? "stored" : ("changed" as const)),
    });
    await run(requestFor([null]));
    expect([work.length, replies.length]).toEqual([6, 1]);
  });

  it("what is corrected for the first time while it is enriched again is read, though there were no settings", async () => {
    const override = { location: null, review: {} };
    const corrected = { id: "t0", accountHolderId: "h1", order: "order-3.1", override };
    const chunks: StoredChunk[] = [];
    const { run } = setUpEnrich({
      seenOf: () => Promise.resolve([corrected]),
      storeChunk: (chunk) => {
        chunks.push(chunk);
        return Promise.resolve(chunk.read === null ? "changed" : "stored");
      },
    });
    await run(requestFor(["h1"]));
    expect(chunks.map(({ read, seen }) => [read, seen])).toEqual([
      [null, []],
      [new Set(["t0"]), [{ id: "t0", order: "order-3.1" }]],
    ]);
    expect(chunks[1]?.transactions[0]?.override).toEqual(override);
  });

  it("an assignment that a crash cut off after storing it is taken back when its holder is gone", async () => {
    const { run, withdrawn } = setUpEnrich({ storeChunk: () => Promise.resolve("superseded") });
    await run(requestFor(["gone"], { basedOn: itemOrder(recordOrder(3), 0) }));
    expect(withdrawn.map((one) => one.accountHolderId)).toEqual(["gone"]);
  });

  it("an effect that fails fails the record, and no reply is sent", async () => {
    const { run, replies } = setUpEnrich({ storeChunk: () => Promise.reject(new Error("away")) });
    await expect(run(requestFor([null]))).rejects.toThrow("away");
    expect(replies).toHaveLength(0);
  });
});
