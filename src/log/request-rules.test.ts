import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { transactionInput } from "../http/v3/schemas.ts";
import type { EnrichmentRequest } from "../model/records.ts";
import { brokenRule, isNamed } from "./request-rules.ts";
import type { TransactionInput } from "../model/transaction.ts";

const coffee: TransactionInput = {
  id: "t",
  description: "COFFEE",
  date: "2026-05-04",
  amount: 6.5,
  entryType: "outgoing",
  currency: "USD",
  accountHolderId: null,
  location: null,
};

const good: EnrichmentRequest = {
  org: "acme",
  requestId: "",
  origin: "kafka",
  batchId: null,
  chunkIndex: 0,
  chunkCount: 1,
  total: 0,
  createdAt: 0,
  replyTo: null,
  basedOn: null,
  priority: "default",
  transactions: [coffee],
};

/** Texts around the bounds too, of characters that are one, two and more UTF-16 units. */
const text = (min: number, max: number): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ unit: "grapheme", minLength: min, maxLength: 20 }),
    fc
      .tuple(fc.constantFrom("a", "é", "💶"), fc.constantFrom(min, max, max + 1))
      .map(([unit, length]) => unit.repeat(length)),
  );
/** Days of the calendar: an invalid day cannot be written in Avro. */
const date = fc
  .tuple(
    fc.constantFrom("0000", "0001", "1969", "2024", "9999"),
    fc.constantFrom("01-01", "02-28", "12-31"),
  )
  .map((parts) => parts.join("-"));

/** What a client may send, good and bad. */
const wireTransaction = fc.record({
  id: text(0, 256),
  description: text(0, 1024),
  date,
  amount: fc.oneof(fc.double(), fc.constantFrom(0, -0, Number.MAX_VALUE, Number.MIN_VALUE)),
  entry_type: fc.constantFrom("incoming", "outgoing"),
  currency: fc.constantFrom("USD", "usd", "QQQ", ""),
  account_holder_id: fc.option(text(0, 256)),
  location: fc.option(
    fc.record({
      raw_address: fc.option(text(0, 1024)),
      country: fc.option(fc.constantFrom("US", "us", "XX")),
    }),
  ),
});

describe("rules for producers outside", () => {
  it("are those of the API: each transaction that it accepts is accepted, each that it refuses is refused", () => {
    let accepted = 0;
    fc.assert(
      fc.property(wireTransaction, (wire) => {
        const parsed = transactionInput.safeParse(wire);
        const request = {
          ...good,
          transactions: [parsed.success ? parsed.data : toInput(wire)],
        };
        if (parsed.success) accepted += 1;
        expect(brokenRule(request) === null).toBe(parsed.success);
      }),
      { numRuns: 5_000 },
    );
    expect(accepted).toBeGreaterThan(50);
  });

  const transaction = (fields: Partial<TransactionInput>): Partial<EnrichmentRequest> => ({
    transactions: [coffee, { ...coffee, ...fields }],
  });
  const inBatch = { batchId: "b", chunkCount: 3 };
  it.each<[string, Partial<EnrichmentRequest>]>([
    ["org must", { org: "" }],
    ["org must", { org: "a b" }],
    ["org must", { org: "a".repeat(65) }],
    ["origin must be kafka", { origin: "v3" }],
    ["based_on is not", { basedOn: "1" }],
    ["request_id has more", { requestId: "r".repeat(257) }],
    ["batch_id must", { batchId: "" }],
    ["batch_id must", { batchId: "b".repeat(257) }],
    ["created_at must", { createdAt: -1 }],
    ["created_at must", { createdAt: Date.UTC(2200, 0, 1) }],
    ["reply_to must", { replyTo: { address: "", id: "i" } }],
    ["reply_to must", { replyTo: { address: "0.a", id: "i".repeat(257) } }],
    ["chunk_count must", { chunkCount: 0 }],
    ["chunk_count must", { chunkCount: 24_961 }],
    ["chunk_index must", { chunkIndex: -1 }],
    ["chunk_index must", { chunkIndex: 1 }],
    ["total must be 0", { total: -1 }],
    ["total must be 0", { total: 24_961 }],
    ["total must be the number", { ...inBatch, total: 0 }],
    ["total must be the number", { ...inBatch, total: 2 }],
    ["total must be the number", { ...inBatch, total: 502 }],
    ["total must be the number", { batchId: "b", total: 2 }],
    ["a record has 1 to 250", { transactions: [] }],
    ["a record has 1 to 250", { transactions: Array<TransactionInput>(251).fill(coffee) }],
    ["transaction 1: id must", transaction({ id: "" })],
    ["transaction 1: id must", transaction({ id: "i".repeat(257) })],
    ["transaction 1: description has", transaction({ description: "d".repeat(1025) })],
    ["transaction 1: amount must", transaction({ amount: -0.01 })],
    ["transaction 1: amount must", transaction({ amount: Number.NaN })],
    ["transaction 1: amount must", transaction({ amount: Number.POSITIVE_INFINITY })],
    ["transaction 1: date must", transaction({ date: "0000-12-31" })],
    ["transaction 1: date must", transaction({ date: "-000001-0" })],
    ["transaction 1: date must", transaction({ date: "+010000-0" })],
    ["transaction 1: currency must", transaction({ currency: "usd" })],
    ["transaction 1: account_holder_id must", transaction({ accountHolderId: "" })],
    [
      "transaction 1: raw_address has",
      transaction({ location: { rawAddress: "a".repeat(1025), country: null } }),
    ],
    [
      "transaction 1: country must",
      transaction({ location: { rawAddress: null, country: "Germany" } }),
    ],
  ])("%s …: %j", (words, fields) => {
    expect(brokenRule({ ...good, ...fields })).toMatch(new RegExp(`^${words}`));
  });

  it("let everything at its bounds pass", () => {
    const request: EnrichmentRequest = {
      ...good,
      org: "A".repeat(64),
      requestId: "💶".repeat(256),
      batchId: "b".repeat(256),
      chunkIndex: 99,
      chunkCount: 100,
      total: 24_960,
      createdAt: Date.UTC(2200, 0, 1) - 1,
      replyTo: { address: "0.any text", id: "1" },
      transactions: Array<TransactionInput>(250).fill(coffee),
    };
    expect(brokenRule(request)).toBeNull();
    expect(brokenRule({ ...good, batchId: "b", total: 1 })).toBeNull();
    expect(brokenRule({ ...good, batchId: "b", chunkCount: 2, total: 251 })).toBeNull();
    expect(brokenRule({ ...good, batchId: "b", chunkCount: 2, total: 252 })).not.toBeNull();
  });

  it("never quote the content of a request", () => {
    const secret = "secret";
    const request = {
      ...good,
      transactions: [{ ...coffee, currency: secret }],
    };
    expect(brokenRule(request)).not.toContain(secret);
  });

  it("a request names its batch only when the names in it are names", () => {
    expect(isNamed({ ...good, batchId: "b", origin: "v3" })).toBe(true);
    expect(isNamed({ ...good, batchId: "" })).toBe(false);
    expect(isNamed({ ...good, batchId: "b".repeat(257) })).toBe(false);
    expect(isNamed({ ...good, org: "no organization" })).toBe(false);
  });
});

type WireOf<T> = T extends fc.Arbitrary<infer Value> ? Value : never;

/** What the codec of the log makes of it, which has no rules. */
function toInput(wire: WireOf<typeof wireTransaction>): TransactionInput {
  return {
    id: wire.id,
    description: wire.description,
    date: wire.date,
    amount: wire.amount,
    entryType: wire.entry_type,
    currency: wire.currency,
    accountHolderId: wire.account_holder_id,
    location:
      wire.location === null
        ? null
        : { rawAddress: wire.location.raw_address, country: wire.location.country },
  };
}
