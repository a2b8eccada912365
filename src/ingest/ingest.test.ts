import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { BatchHead } from "../model/batch.ts";
import type { EnrichmentReply, EnrichmentRequest } from "../model/records.ts";
import type { TransactionInput } from "../model/transaction.ts";
import { createIngest, type IngestLimits, type IngestPorts } from "./ingest.ts";

const input = (id: string): TransactionInput => ({
  id,
  description: "COFFEE",
  date: "2024-01-01",
  amount: 1,
  entryType: "outgoing",
  currency: "USD",
  accountHolderId: null,
  location: null,
});

interface Published {
  topic: string;
  key: string;
  value: EnrichmentRequest;
}

function setUp(overrides: Partial<IngestPorts> = {}, limits: Partial<IngestLimits> = {}) {
  const published: Published[] = [];
  const heads: BatchHead[] = [];
  const steps: string[] = [];
  let handler: (reply: EnrichmentReply) => void = () => undefined;
  let ids = 0;
  const ports: IngestPorts = {
    publish: (topic, records) => {
      steps.push("publish");
      published.push(...records.map((record) => ({ topic, ...record })));
      return Promise.resolve();
    },
    pending: () => 0,
    replyAddress: "me",
    onReply: (given) => {
      handler = given;
    },
    insertBatch: (head) => {
      steps.push("insertBatch");
      heads.push(head);
      return Promise.resolve();
    },
    unfinished: () => Promise.resolve(0),
    threadMsPerTransaction: () => 0,
    nowMs: () => 1000,
    newId: () => `id${String((ids += 1))}`,
    ...overrides,
  };
  const ingest = createIngest(ports, {
    replyTimeoutMs: 30_000,
    waitingMax: 4,
    atOnceMax: 4,
    batchRecordsMax: 100,
    batchThreadMsMax: 1_000,
    ...limits,
  });
  return {
    ingest,
    published,
    heads,
    steps,
    reply: (reply: EnrichmentReply) => {
      handler(reply);
    },
  };
}

/** Lets every call continue that can. */
const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

const BATCH = { id: "b", priority: "default" } as const;

describe("ingest", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("a synchronous call is published first and answered with the reply of its own id", async () => {
    const { ingest, published, reply } = setUp();
    const call = ingest.enrichOne("o", "r", input("a"));
    await settled();
    const request = published[0]?.value;
    expect(published[0]?.topic).toBe("requests-interactive");
    expect(request).toMatchObject({
      org: "o",
      requestId: "r",
      replyTo: { address: "me" },
      createdAt: 1000,
    });
    const result = { facts: "{}", error: null };
    reply({
      id: "another caller",
      chunkIndex: 0,
      outcome: "stored",
      results: [{ facts: "wrong", error: null }],
    });
    reply({ id: request?.replyTo?.id ?? "", chunkIndex: 0, outcome: "stored", results: [result] });
    expect(await call).toEqual({ createdAt: 1000, ...result });
  });

  it("no reply in time is `reply_timeout`, and a late reply has no effect", async () => {
    const { ingest, published, reply } = setUp();
    const call = ingest.enrichOne("o", "r", input("a"));
    const outcome = expect(call).rejects.toMatchObject({ code: "reply_timeout" });
    await vi.advanceTimersByTimeAsync(30_000);
    await outcome;
    reply({
      id: published[0]?.value.replyTo?.id ?? "",
      chunkIndex: 0,
      outcome: "stored",
      results: [],
    });
    expect(vi.getTimerCount()).toBe(0);
  });

  it("what the log refuses was not accepted: the call fails with the log's error", async () => {
    const error = new Error("disk full");
    const { ingest } = setUp({ publish: () => Promise.reject(error) });
    await expect(ingest.enrichOne("o", "r", input("a"))).rejects.toBe(error);
    await expect(ingest.submitBatch("o", "r", [input("a")], BATCH)).rejects.toBe(error);
  });

  it("more waiting calls than allowed are refused before anything is published, and others find a place all the same", async () => {
    const { ingest, published } = setUp();
    void ingest.enrichOne("o", "r", input("a"));
    void ingest.enrichOne("o", "r", input("b"));
    await expect(ingest.enrichOne("o", "r", input("c"))).rejects.toMatchObject({
      code: "overloaded",
    });
    void ingest.enrichOne("p", "r", input("d"));
    await settled();
    expect(published.map(({ value }) => value.org)).toEqual(["o", "o", "p"]);
  });

  it("concurrent calls in the log are bounded, round robin over organizations", async () => {
    const { ingest, published, reply } = setUp({}, { waitingMax: 100, atOnceMax: 2 });
    const calls = ["a", "b", "c", "d"].map((id) => ingest.enrichOne("flood", "r", input(id)));
    calls.push(ingest.enrichOne("calm", "r", input("e")));
    const ids = (): string[] => published.map(({ value }) => value.transactions[0]?.id ?? "");
    await settled();
    expect(ids()).toEqual(["a", "b"]);
    for (const order of ["abc", "abce", "abced"]) {
      answer(published[order.length - 3]);
      await settled();
      expect(ids().join("")).toBe(order);
    }
    answer(published[3]);
    answer(published[4]);
    expect(await Promise.all(calls)).toHaveLength(5);

    function answer(record: Published | undefined): void {
      const id = record?.value.replyTo?.id ?? "";
      const results = [{ facts: "{}", error: null }];
      reply({ id, chunkIndex: 0, outcome: "stored", results });
    }
  });

  it("a call whose turn does not come in time was not accepted, and gives its place away", async () => {
    const { promise: logged, resolve: log } = Promise.withResolvers<undefined>();
    const published: string[] = [];
    const publish: IngestPorts["publish"] = (_topic, records) => {
      published.push(records[0]?.value.transactions[0]?.id ?? "");
      return logged;
    };
    const { ingest } = setUp({ publish }, { atOnceMax: 1 });
    const failureOf = (id: string): Promise<unknown> =>
      ingest.enrichOne("o", "r", input(id)).catch((error: unknown) => error);
    const [first, second] = [failureOf("a"), failureOf("b")];
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await second).toMatchObject({ code: "overloaded" });
    void failureOf("c");
    log(undefined);
    expect(await first).toMatchObject({ code: "reply_timeout" });
    await settled();
    expect(published).toEqual(["a", "c"]);
  });

  it("a batch is cut into chunks of 250 in order, under keys that name it, and known only after it is in the log", async () => {
    const { ingest, published, heads, steps } = setUp();
    const inputs = Array.from({ length: 501 }, (_, index) => input(`t${String(index)}`));
    const batch = await ingest.submitBatch("o", "r", inputs, { id: "b1", priority: "low" });
    expect(batch).toMatchObject({ id: "b1", status: "processing", progress: 0, total: 501 });
    expect(published.map(({ value }) => value.transactions.length)).toEqual([250, 250, 1]);
    expect(published.flatMap(({ value }) => value.transactions.map((one) => one.id))).toEqual(
      inputs.map((one) => one.id),
    );
    expect(published.map(({ key }) => key)).toEqual([
      '["o","b1",0,"low"]',
      '["o","b1",1,"low"]',
      '["o","b1",2,"low"]',
    ]);
    expect(published.map(({ value }) => value.priority)).toEqual(["low", "low", "low"]);
    const options = { id: "b1", priority: "low" };
    expect(heads).toEqual([{ org: "o", ...options, total: 501, chunkCount: 3, createdAt: 1000 }]);
    expect(steps).toEqual(["publish", "insertBatch"]);
  });

  it("a batch that would overfill the log is refused whole", async () => {
    const { ingest, published } = setUp({ pending: () => 100 });
    await expect(ingest.submitBatch("o", "r", [input("a")], BATCH)).rejects.toMatchObject({
      code: "overloaded",
    });
    expect(published).toHaveLength(0);
  });
});
