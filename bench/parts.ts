// What single parts cost, in this process and without the service: the recogniser through the pool, the codec of the
// log, and reading a batch's JSON.
import { Bench } from "tinybench";
import { checkItems } from "../src/http/server/long-list.ts";
import { runAtOnce } from "../src/http/server/steps.ts";
import { batchInput, transactionInput } from "../src/http/v3/schemas.ts";
import { parsePart } from "../src/http/server/validation.ts";
import type { EnrichmentRequest } from "../src/model/records.ts";
import type { TransactionInput } from "../src/model/transaction.ts";
import { createRequestCodec } from "../src/log/record-codecs.ts";
import { loadKnowledge } from "../src/pool/knowledge.ts";
import { openPool } from "../src/pool/pool.ts";
import type { WireTransaction } from "../test/support/lines.ts";

const CHUNK = 250;

/** Transactions a second that this many threads recognise, with nothing around them. */
export async function poolRate(
  threads: number,
  lines: readonly WireTransaction[],
  forMs: number,
): Promise<number> {
  const knowledge = await loadKnowledge();
  const pool = await openPool({ threads, knowledge: knowledge.bytes });
  const items = lines.map((line) => ({
    description: line.description,
    amount: line.amount,
    entryType: line.entry_type,
    currency: line.currency,
    accountType: "consumer" as const,
    rawAddress: null,
    country: null,
  }));
  let next = 0;
  const chunk = (): typeof items => {
    next = next + CHUNK > items.length ? 0 : next;
    next += CHUNK;
    return items.slice(next - CHUNK, next);
  };
  const run = async (ms: number): Promise<number> => {
    const startMs = performance.now();
    let done = 0;
    // Two a thread, so that no thread waits for its next task.
    const workers = Array.from({ length: threads * 2 }, async () => {
      while (performance.now() < startMs + ms) {
        const facts = await pool.enrich(chunk(), "batch");
        // Not `done += (await …).length`, which reads the sum before it waits and loses what the concurrent calls add.
        done += facts.length;
      }
    });
    await Promise.all(workers);
    return done / ((performance.now() - startMs) / 1000);
  };
  try {
    // The first second is the compiler's.
    await run(Math.min(forMs, 1_000));
    return await run(forMs);
  } finally {
    await pool.close();
  }
}

export interface PartCost {
  readonly name: string;
  readonly ms: number;
}

/** Mean time of each part. `body` is a batch request of `inputs`. */
export async function partCosts(
  body: Buffer,
  inputs: readonly TransactionInput[],
  timeMs: number,
): Promise<PartCost[]> {
  const registry = { register: () => Promise.resolve(1), schema: () => Promise.resolve(null) };
  const codec = await createRequestCodec(registry, "requests");
  const request: EnrichmentRequest = {
    org: "default",
    requestId: "bench",
    origin: "batch",
    batchId: "bench",
    chunkIndex: 0,
    chunkCount: 1,
    total: CHUNK,
    createdAt: 0,
    replyTo: null,
    basedOn: null,
    priority: "default",
    transactions: inputs.slice(0, CHUNK),
  };
  const encoded = codec.encode(request);
  const parsed: unknown = JSON.parse(body.toString("utf8"));
  const bench = new Bench({ time: timeMs, warmupTime: timeMs / 4 });
  bench
    .add("Avro encode, 250 transactions", () => {
      codec.encode(request);
    })
    .add("Avro decode, 250 transactions", async () => {
      await codec.decode(encoded);
    })
    .add(`JSON.parse, ${String(inputs.length)} transactions`, () => {
      JSON.parse(body.toString("utf8"));
    })
    .add(`schema check, ${String(inputs.length)} transactions`, () => {
      const body = parsePart("body", batchInput, parsed);
      runAtOnce(checkItems({ field: "data", item: transactionInput }, parsed, body));
    });
  await bench.run();
  return bench.tasks.map((task) => {
    const { result } = task;
    return { name: task.name, ms: "latency" in result ? result.latency.mean : Number.NaN };
  });
}
