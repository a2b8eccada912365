import { describe, expect, it } from "vitest";
import { itemOrder, recordOrder } from "../model/acceptance-order.ts";
import type { HolderSince } from "../model/account-holder.ts";
import type { BatchHead } from "../model/batch.ts";
import type { EnrichmentReply, EnrichmentRequest } from "../model/records.ts";
import { createEnrich, type EnrichPorts } from "./enrich.ts";

type Stored = Parameters<EnrichPorts<string>["storeChunk"]>[0];

const holder = (id: string, since = recordOrder(0)): HolderSince => ({
  holder: { org: "o", id, type: "business", name: null, categoryId: null, createdAt: 0 },
  since,
});

function request(
  holders: readonly (string | null)[],
  fields: Partial<EnrichmentRequest> = {},
): EnrichmentRequest {
  return {
    org: "o",
    requestId: "r",
    origin: "v3",
    batchId: null,
    chunkIndex: 0,
    chunkCount: 1,
    total: holders.length,
    createdAt: 1000,
    replyTo: { address: "a", id: "x" },
    basedOn: null,
    priority: "default",
    transactions: holders.map((accountHolderId, index) => ({
      id: `t${String(index)}`,
      description: `d${String(index)}`,
      date: "2024-01-01",
      amount: 1,
      entryType: "outgoing",
      currency: "USD",
      accountHolderId,
      location: null,
    })),
    ...fields,
  };
}

const enriched = (facts: string | null) => ({ facts, bytes: null });

const holdersAmong = (ids: readonly string[]): HolderSince[] =>
  ids.filter((id) => id.startsWith("h")).map((id) => holder(id));

function setUp(overrides: Partial<EnrichPorts<string>> = {}) {
  const stored: Stored[] = [];
  const replies: EnrichmentReply[] = [];
  const finished: BatchHead[] = [];
  const withdrawn: { id: string; order: string; accountHolderId: string }[] = [];
  const chunks: (object | null)[] = [];
  const announced: string[] = [];
  const work: (readonly (string | null)[])[] = [];
  const credits: string[] = [];
  const ports: EnrichPorts<string> = {
    enrich: (items) => {
      work.push(items.map((item) => item.accountType));
      return Promise.resolve(
        items.map((item) =>
          enriched(item.description === "d9" ? null : `{"of":"${item.description}"}`),
        ),
      );
    },
    settingsOf: () => Promise.resolve(null),
    seenOf: () => Promise.resolve([]),
    getHolders: (_org, ids) => Promise.resolve(holdersAmong(ids)),
    getHoldersSoon: (_org, ids) => Promise.resolve(holdersAmong(ids)),
    storeChunk: (chunk) => {
      stored.push(chunk);
      return Promise.resolve("stored");
    },
    withdraw: (_org, submissions, chunk) => {
      withdrawn.push(...submissions);
      chunks.push(chunk);
      return Promise.resolve();
    },
    hasChunk: () => Promise.resolve(false),
    joinBatch: () => Promise.resolve(null),
    takeCredits: (org, count) => {
      credits.push(`${org} ${String(count)}`);
      return Promise.resolve({ giveBack: () => credits.push("given back") });
    },
    chunkStored: (head) => {
      finished.push(head);
      return Promise.resolve();
    },
    announces: () => true,
    announce: (records) => {
      announced.push(...records.map((one) => one.input.id));
      return Promise.resolve();
    },
    reply: (_address, reply) => {
      replies.push(reply);
      return Promise.resolve();
    },
    nowMs: () => 2000,
    ...overrides,
  };
  const enrich = createEnrich(ports, "interactive");
  const run = (value: EnrichmentRequest, offset = 5) =>
    enrich({ key: "k", value, order: recordOrder(offset) });
  const runSigned = (value: EnrichmentRequest) =>
    enrich({ key: "k", value, order: recordOrder(5), chargedTo: value.org });
  return { run, runSigned, credits, stored, replies, finished, work, withdrawn, chunks, announced };
}

describe("enrich stage", () => {
  it("results keep the order of the request, and only what has a holder or none is stored", async () => {
    const { run, stored, replies, work } = setUp();
    await run(request(["h1", "missing", null, "h2"]));
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
    const { run } = setUp({
      settingsOf: (org) => Promise.resolve(`settings of ${org}`),
      getHolders: () => {
        const own = holder("h1");
        const named = { ...own, holder: { ...own.holder, id: "h2", categoryId: "mine" } };
        return Promise.resolve([own, named]);
      },
      enrich: (items, _priority, settings) => {
        used.push(settings, ...items.map((item) => item.holder?.categorySetId ?? null));
        return Promise.resolve(items.map(() => enriched("{}")));
      },
    });
    await run(request(["h1", "h2", null]));
    expect(used).toEqual(["settings of o", "business", "mine", null]);
  });

  it("a signed record costs a credit for each transaction, and what Ledgerline published costs none again", async () => {
    const { run, runSigned, credits } = setUp();
    expect(await run(request([null, null]))).toBe("done");
    expect(credits).toEqual([]);
    expect(await runSigned(request([null, null], { origin: "kafka" }))).toBe("done");
    expect(credits).toEqual(["o 2"]);
  });

  it("a record without enough credits is postponed before anything is done", async () => {
    const postponed = { org: "o", waitMs: 700 };
    const { runSigned, work, stored, replies } = setUp({
      takeCredits: () => Promise.resolve(postponed),
    });
    expect(await runSigned(request([null], { origin: "kafka" }))).toEqual(postponed);
    expect([work, stored, replies]).toEqual([[], [], []]);
  });

  it("a record that could not be stored gets its credits back, so that no attempt costs them again", async () => {
    const { runSigned, credits } = setUp({
      storeChunk: () => Promise.reject(new Error("the store is away")),
    });
    await expect(runSigned(request([null], { origin: "kafka" }))).rejects.toThrow("away");
    expect(credits).toEqual(["o 1", "given back"]);
  });

  it("a record whose reply could not be sent is paid for once, however often it is tried again", async () => {
    const outcomes = [() => Promise.reject(new Error("the log is away")), () => Promise.resolve()];
    const { runSigned, credits } = setUp({
      reply: () => outcomes.shift()?.() ?? Promise.resolve(),
    });
    const signed = request([null], { origin: "kafka" });
    await expect(runSigned(signed)).rejects.toThrow("away");
    expect(await runSigned(signed)).toBe("done");
    expect(credits).toEqual(["o 1", "given back", "o 1"]);
  });

  it("a chunk that is stored is paid for, also where its batch could not be ended at once", async () => {
    const { runSigned, credits } = setUp({
      chunkStored: () => Promise.reject(new Error("the store is away")),
    });
    const chunk = request([null], { origin: "kafka", batchId: "b" });
    await expect(runSigned(chunk)).rejects.toThrow("away");
    expect(credits).toEqual(["o 1"]);
  });

  it("a chunk of a batch that is stored already costs nothing when it is delivered again", async () => {
    const { runSigned, credits } = setUp({ hasChunk: () => Promise.resolve(true) });
    const chunk = request([null], { origin: "kafka", batchId: "b" });
    expect(await runSigned(chunk)).toBe("done");
    expect(credits).toEqual([]);
  });

  it("of one id twice in a request the later has the greater order", async () => {
    const { run, stored } = setUp();
    await run(request([null, null, null]));
    const orders = stored[0]?.transactions.map((one) => one.order) ?? [];
    expect([...orders].sort()).toEqual(orders);
    expect(new Set(orders).size).toBe(3);
  });

  it("a transaction that cannot be enriched fails alone with internal_error and is kept", async () => {
    const { run, stored, replies } = setUp();
    await run(request(Array.from({ length: 12 }, () => null)));
    expect(replies[0]?.results.filter((one) => one.error !== null)).toHaveLength(1);
    expect(replies[0]?.results[9]).toMatchObject({
      facts: null,
      error: { code: "internal_error" },
    });
    expect(stored[0]?.transactions).toHaveLength(12);
  });

  it("a holder created after the request was accepted is not the one that was meant", async () => {
    const { run, replies } = setUp({
      getHolders: () => Promise.resolve([holder("h1", recordOrder(5))]),
    });
    await run(request(["h1"]), 5);
    expect(replies[0]?.results[0]?.error?.code).toBe("account_holder_not_found");
  });

  it("what was stored for a holder that was deleted meanwhile is taken back, and nothing else", async () => {
    const taken = [{ id: "t0", order: itemOrder(recordOrder(5), 0), accountHolderId: "h1" }];
    const call = setUp({ getHoldersSoon: () => Promise.resolve([holder("h2")]) });
    await call.run(request(["h1", null, "h2"]));
    expect(call.withdrawn).toEqual(taken);
    let reads = 0;
    const batch = setUp({
      getHolders: () =>
        Promise.resolve((reads += 1) === 1 ? [holder("h1"), holder("h2")] : [holder("h2")]),
    });
    await batch.run(request(["h1", null, "h2"], { batchId: "b", replyTo: null }));
    expect(batch.withdrawn).toEqual(taken);
    expect([call.chunks, batch.chunks]).toEqual([[null], [{ batchId: "b", chunkIndex: 0 }]]);
    expect(batch.stored[0]?.batch?.chunk.accountHolderIds).toEqual(["h1", null, "h2"]);
  });

  it("a reply does not wait for the look at holders behind storing, but its record is not done before", async () => {
    const look = Promise.withResolvers<readonly HolderSince[]>();
    const replied = Promise.withResolvers<undefined>();
    const { run, withdrawn } = setUp({
      getHoldersSoon: () => look.promise,
      reply: () => {
        replied.resolve(undefined);
        return Promise.resolve();
      },
    });
    let isDone = false;
    const done = run(request(["h1"])).then(() => {
      isDone = true;
    });
    await replied.promise;
    expect([isDone, withdrawn]).toEqual([false, []]);
    look.resolve([]);
    await done;
    expect(withdrawn.map((one) => one.accountHolderId)).toEqual(["h1"]);
  });

  it("a failed check after storing redelivers the record", async () => {
    const { run } = setUp({ getHoldersSoon: () => Promise.reject(new Error("away")) });
    await expect(run(request(["h1"]))).rejects.toThrow("away");
  });

  it("a batch completes only after rows without an account holder are removed", async () => {
    const effects: string[] = [];
    let reads = 0;
    const { run } = setUp({
      getHolders: () => Promise.resolve((reads += 1) === 1 ? [holder("h1")] : []),
      withdraw: () => {
        effects.push("withdrawn");
        return Promise.resolve();
      },
      chunkStored: () => {
        effects.push("completed");
        return Promise.resolve();
      },
    });
    await run(request(["h1"], { batchId: "b", replyTo: null }));
    expect(effects).toEqual(["withdrawn", "completed"]);
  });

  it("a chunk whose process died after storing it is looked at again for holders that are gone", async () => {
    const { run, withdrawn } = setUp({ hasChunk: () => Promise.resolve(true) });
    await run(request(["h1", "gone"], { batchId: "b", replyTo: null }));
    expect(withdrawn.map((one) => one.id)).toEqual(["t1"]);
  });

  it("results are announced before they are stored: a crash in between announces them again", async () => {
    const { run, announced } = setUp({ storeChunk: () => Promise.reject(new Error("away")) });
    await expect(run(request([null]))).rejects.toThrow("away");
    expect(announced).toEqual(["t0"]);
  });

  it("a chunk that is stored already is not enriched again, but its batch is looked at", async () => {
    const { run, work, finished, stored } = setUp({ hasChunk: () => Promise.resolve(true) });
    await run(request([null], { batchId: "b", replyTo: null }));
    expect(work).toHaveLength(0);
    expect(stored).toHaveLength(0);
    expect(finished).toEqual([
      { org: "o", id: "b", total: 1, chunkCount: 1, priority: "default", createdAt: 1000 },
    ]);
  });

  it("a batch's chunk carries its results as the API shows them", async () => {
    const { run, stored } = setUp();
    await run(request([null, "missing"], { batchId: "b", replyTo: null }));
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
    const { run, replies, stored } = setUp({ storeChunk: () => Promise.resolve("superseded") });
    await run(request([null], { basedOn: "order-1" }));
    expect(stored).toHaveLength(0);
    expect(replies[0]?.outcome).toBe("superseded");
  });

  it("what was corrected about a transaction goes along when it is assigned, and stays with it; a new submission starts without", async () => {
    const override = { location: null };
    const asked: unknown[] = [];
    const { run, stored } = setUp({
      seenOf: (org, ids) =>
        Promise.resolve(
          org === "o" && ids.includes("t0")
            ? [{ id: "t0", order: "order-3", accountHolderId: null, override }]
            : [],
        ),
      enrich: (items) => {
        asked.push(...items.map((item) => item.override));
        return Promise.resolve(items.map(() => enriched("{}")));
      },
    });
    await run(request(["h1"], { basedOn: itemOrder(recordOrder(3), 0) }));
    await run(request(["h1"]));
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
    const chunks: Stored[] = [];
    const { run, replies } = setUp({
      settingsOf: () => Promise.resolve("settings"),
      seenOf: () => Promise.resolve(states.slice(reads, (reads += 1))),
      enrich: (items) => {
        asked.push(...items.map((item) => item.override));
        return Promise.resolve(items.map((item) => enriched(JSON.stringify(item.override))));
      },
      storeChunk: (chunk) => {
        chunks.push(chunk);
        const outcome = isChanged ? "changed" : "stored";
        isChanged = false;
        return Promise.resolve(outcome);
      },
    });
    await run(request(["h1"]));
    expect(asked).toEqual([null, override]);
    expect(chunks.map((chunk) => chunk.seen)).toEqual([
      [{ id: "t0", order: "order-3" }],
      [{ id: "t0", order: "order-3.1" }],
    ]);
    expect(chunks[1]?.transactions[0]?.override).toEqual(override);
    expect(replies.map(({ results }) => results[0]?.facts)).toEqual([JSON.stringify(override)]);
  });

  it("what is corrected for the first time while it is enriched again is read, though there were no settings", async () => {
    const override = { location: null, review: {} };
    const corrected = { id: "t0", accountHolderId: "h1", order: "order-3.1", override };
    const chunks: Stored[] = [];
    const { run } = setUp({
      seenOf: () => Promise.resolve([corrected]),
      storeChunk: (chunk) => {
        chunks.push(chunk);
        return Promise.resolve(chunk.read === null ? "changed" : "stored");
      },
    });
    await run(request(["h1"]));
    expect(chunks.map(({ read, seen }) => [read, seen])).toEqual([
      [null, []],
      [new Set(["t0"]), [{ id: "t0", order: "order-3.1" }]],
    ]);
    expect(chunks[1]?.transactions[0]?.override).toEqual(override);
  });

  it("an assignment that a crash cut off after storing it is taken back when its holder is gone", async () => {
    const { run, withdrawn } = setUp({ storeChunk: () => Promise.resolve("superseded") });
    await run(request(["gone"], { basedOn: itemOrder(recordOrder(3), 0) }));
    expect(withdrawn.map((one) => one.accountHolderId)).toEqual(["gone"]);
  });

  it("an effect that fails fails the record, and no reply is sent", async () => {
    const { run, replies } = setUp({ storeChunk: () => Promise.reject(new Error("away")) });
    await expect(run(request([null]))).rejects.toThrow("away");
    expect(replies).toHaveLength(0);
  });
});
