// Request bodies that cost much to read: the largest that are accepted, and the worst that are refused.
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { createLines } from "../../test/support/lines.ts";

/** A request of the benchmark. */
export interface BodyCase {
  readonly name: string;
  readonly path: string;
  /** Made anew for each round: a repeated id or key would be another case. */
  body(round: number): Buffer;
  readonly headers?: (round: number) => Readonly<Record<string, string>>;
  /** Of the answer; the benchmark fails with another one. */
  readonly status: number;
  /** Whether the answer is a batch whose completion is measured too. */
  readonly isBatch?: true;
}

const MIB = 1024 * 1024;
const BATCH_LENGTH = 24_960;
/** As large as a batch may be, and a little less than any refusal by length. */
const LARGEST_BYTES = 32 * MIB - 1024;

const OPERATION = "POST /v3/transactions";
const BATCHES = "/v3/batches";

const batchOf = (transactions: readonly object[]): Buffer =>
  Buffer.from(JSON.stringify({ operation: OPERATION, data: transactions }));

/** Transactions as banks print them: 6 MB for the longest batch. */
function usualBatch(round: number): Buffer {
  const line = createLines(round + 1);
  return batchOf(
    Array.from({ length: BATCH_LENGTH }, (_, index) => ({
      id: `usual-${String(round)}-${String(index)}`,
      ...line(),
      account_holder_id: null,
    })),
  );
}

/** The longest batch with texts that fill the largest body. */
function largestBatch(round: number, filler: string): Buffer {
  const line = createLines(round + 1);
  const itemBytes = Math.floor(LARGEST_BYTES / BATCH_LENGTH);
  return batchOf(
    Array.from({ length: BATCH_LENGTH }, (_, index) => {
      const item = {
        id: `largest-${String(round)}-${String(index)}`,
        ...line(),
        description: "",
      };
      const left = itemBytes - Buffer.byteLength(JSON.stringify(item)) - 1;
      const length = Math.min(1024, Math.floor(left / Buffer.byteLength(filler)));
      return { ...item, description: filler.repeat(length) };
    }),
  );
}

function repeated(before: string, item: (index: number) => string, after: string): Buffer {
  const parts: string[] = [before];
  let bytes = before.length + after.length;
  for (let index = 0; bytes < LARGEST_BYTES; index += 1) {
    const text = item(index);
    bytes += text.length;
    if (bytes < LARGEST_BYTES) parts.push(text);
  }
  parts.push(after);
  return Buffer.from(parts.join(""));
}

const before = `{"operation":"${OPERATION}","data":[`;
/** So many values as a body may have, of three bytes each. */
const VALUES = 990_000;

const distinctNames = (count: number): Buffer =>
  Buffer.from(
    `{${Array.from({ length: count }, (_, index) => `"${String(index * 7)}n":1`).join(",")}}`,
  );

/** Objects of a thousand members, no two of which have the same name. */
const manyNames = (objects: number): Buffer =>
  Buffer.from(
    `${before}${Array.from({ length: objects }, (_, at) => {
      const names = Array.from(
        { length: 1_000 },
        (_each, index) => `"${String(at)}n${String(index)}":1`,
      );
      return `{${names.join(",")}}`;
    }).join(",")}]}`,
  );

const key = (round: number): Readonly<Record<string, string>> => ({
  "Idempotency-Key": `bodies-${String(round)}-${String(process.pid)}`,
});

const once = (make: () => Buffer): (() => Buffer) => {
  let made: Buffer | null = null;
  return () => (made ??= make());
};

const gzipped = { "Content-Encoding": "gzip" };

/** Every body, in the order in which they are sent. */
export const BODY_CASES: readonly BodyCase[] = [
  {
    name: "batch, 24 960 usual transactions",
    path: BATCHES,
    body: usualBatch,
    status: 200,
    isBatch: true,
  },
  {
    name: "the same with an idempotency key",
    path: BATCHES,
    body: (round) => usualBatch(round + 1000),
    headers: key,
    status: 200,
    isBatch: true,
  },
  {
    name: "batch, 32 MiB of ASCII",
    path: BATCHES,
    body: (round) => largestBatch(round, "x"),
    headers: (round) => key(round + 1000),
    status: 200,
    isBatch: true,
  },
  {
    name: "batch, 32 MiB of three-byte characters",
    path: BATCHES,
    body: (round) => largestBatch(round + 100, "中"),
    status: 200,
    isBatch: true,
  },
  {
    name: "batch of 24 960 wrong transactions",
    path: BATCHES,
    body: once(() => batchOf(Array.from({ length: BATCH_LENGTH }, () => ({ id: 1, amount: "x" })))),
    status: 422,
  },
  {
    name: "batch, the last transaction is wrong",
    path: BATCHES,
    body: once(() => {
      const text = usualBatch(5000).toString().slice(0, -2);
      return Buffer.from(`${text},{"id":7}]}`.replace(/\{"id":"usual-5000-0".*?\},/, ""));
    }),
    status: 422,
  },
  {
    name: "26 MB of distinct names",
    path: BATCHES,
    body: once(() => distinctNames(2_000_000)),
    status: 422,
  },
  {
    name: "990 000 distinct names",
    path: BATCHES,
    body: once(() => distinctNames(VALUES)),
    status: 422,
  },
  {
    name: "distinct names in objects of a thousand",
    path: BATCHES,
    body: once(() => manyNames(900)),
    status: 422,
  },
  {
    name: "495 000 empty objects in the list",
    path: BATCHES,
    body: once(() => Buffer.from(`${before}${"{},".repeat(VALUES / 2)}{}]}`)),
    status: 422,
  },
  {
    name: "495 000 empty objects in a transaction",
    path: BATCHES,
    body: once(() => Buffer.from(`${before}{"id":[${"{},".repeat(VALUES / 2)}{}]}]}`)),
    status: 422,
  },
  {
    name: "990 000 levels of names that come again",
    path: BATCHES,
    body: once(() => Buffer.from(`{"data":[${'{"data":1},'.repeat(VALUES / 2)}1]}`)),
    status: 422,
  },
  {
    name: "32 MiB of numbers that are too many",
    path: BATCHES,
    body: once(() => repeated(before, () => "1,", "1]}")),
    status: 413,
  },
  {
    name: "one text of 32 MiB",
    path: BATCHES,
    body: once(() => Buffer.from(`{"data":"${"x".repeat(LARGEST_BYTES)}"}`)),
    status: 422,
  },
  {
    name: "one text of 32 MiB, all of it escaped",
    path: BATCHES,
    body: once(() => Buffer.from(`{"data":"${"\\u4e2d".repeat(LARGEST_BYTES / 6)}"}`)),
    status: 422,
  },
  {
    name: "one number of 32 MiB",
    path: BATCHES,
    body: once(() => Buffer.from(`{"data":${"7".repeat(LARGEST_BYTES)}}`)),
    status: 422,
  },
  {
    name: "32 MiB of spaces",
    path: BATCHES,
    body: once(() => Buffer.from(`{"data":${" ".repeat(LARGEST_BYTES)}1}`)),
    status: 422,
  },
  {
    name: "32 MiB without an end",
    path: BATCHES,
    body: once(() => repeated(before, () => `{"id":"${"x".repeat(1000)}"},`, "")),
    status: 422,
  },
  {
    name: "32 MiB, one text without an end",
    path: BATCHES,
    body: once(() => Buffer.from(`{"data":"${"x".repeat(LARGEST_BYTES)}`)),
    status: 422,
  },
  {
    name: "32 MiB that are not UTF-8 at the end",
    path: BATCHES,
    body: once(() =>
      Buffer.concat([
        Buffer.from(`{"data":"${"中".repeat(LARGEST_BYTES / 3)}`),
        Buffer.from([0xff]),
      ]),
    ),
    status: 422,
  },
  {
    name: "32 MiB of opening brackets",
    path: BATCHES,
    body: once(() => Buffer.from("[".repeat(LARGEST_BYTES))),
    status: 422,
  },
  {
    name: "gzip of 24 960 usual transactions",
    path: BATCHES,
    body: (round) => gzipSync(usualBatch(round + 2000)),
    headers: () => gzipped,
    status: 200,
    isBatch: true,
  },
  {
    name: "gzip bomb of 1 GiB",
    path: BATCHES,
    body: once(() => {
      const part = gzipSync(Buffer.alloc(64 * MIB));
      return Buffer.concat(Array.from({ length: 16 }, () => part));
    }),
    headers: () => gzipped,
    status: 413,
  },
  {
    name: "brotli bomb of 1 GiB",
    path: BATCHES,
    body: once(() =>
      brotliCompressSync(Buffer.alloc(1024 * MIB), {
        params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
      }),
    ),
    headers: () => ({ "Content-Encoding": "br" }),
    status: 413,
  },
  {
    name: "32 MiB to a route of small bodies",
    path: "/v3/transactions",
    body: once(() => distinctNames(VALUES)),
    status: 413,
  },
  {
    name: "rules, 500 KiB of empty objects",
    path: "/v3/rules/replace",
    body: once(() => Buffer.from(`[${"{},".repeat(170_000)}{}]`)),
    status: 413,
  },
  {
    name: "rules, as many values as they may be",
    path: "/v3/rules/replace",
    body: once(() => Buffer.from(`[${"{},".repeat(24_000)}{}]`)),
    status: 422,
  },
  {
    name: "explain, 60 KiB of distinct names",
    path: "/ops/explain",
    body: once(() => distinctNames(5_000)),
    status: 422,
  },
];
