// The records of the topic of enriched transactions, which only others read: written by hand, because of no other kind
// there are as many, and from facts that a thread has encoded already. The schema is schemas/EnrichedTransaction.avsc.
import { AvroBytes } from "../codec/avro-bytes.ts";
import type { Facts } from "../model/facts.ts";
import { writeFacts, writeNoFacts } from "../codec/facts-bytes.ts";
import type { EncodedResult, EnrichedRecord } from "../model/records.ts";
import type { TransactionError } from "../model/transaction.ts";
import { readSchema, registerSchema, type SchemaRegistry, wireHeader } from "./codec.ts";

const MICROS_PER_MS = 1_000;
const DAY_MS = 86_400_000;
/** Days whose numbers are kept: a chunk's transactions share few. */
const DAYS_MAX = 4_096;
/** Most records take less. */
const RECORD_BYTES = 768;

/** Registers the schema of the topic and returns what encodes its records. */
export async function createEnrichedEncoder(
  registry: SchemaRegistry,
  topic: string,
): Promise<(records: readonly EnrichedRecord[]) => readonly Buffer[]> {
  const id = await registerSchema(registry, topic, readSchema("EnrichedTransaction"));
  const header = wireHeader(id);
  const dayOf = createDays();
  return (records) => {
    const bytes = new AvroBytes(records.length * RECORD_BYTES);
    const ends = records.map((record) => {
      bytes.raw(header);
      writeRecord(bytes, record, dayOf);
      return bytes.length;
    });
    const { buffer } = bytes.written();
    return ends.map((end, index) => {
      const begin = index === 0 ? 0 : (ends[index - 1] ?? 0);
      return Buffer.from(buffer, begin, end - begin);
    });
  };
}

/** Returns what turns YYYY-MM-DD into Avro's number of days since 1970-01-01. */
function createDays(): (date: string) => number {
  const known = new Map<string, number>();
  return (date) => {
    const found = known.get(date);
    if (found !== undefined) return found;
    if (known.size >= DAYS_MAX) known.clear();
    const day = Date.parse(`${date}T00:00:00Z`) / DAY_MS;
    known.set(date, day);
    return day;
  };
}

function writeRecord(to: AvroBytes, record: EnrichedRecord, dayOf: (date: string) => number): void {
  const { input } = record;
  to.text(record.org);
  to.text(input.id);
  to.text(record.order);
  to.textOrNone(input.accountHolderId);
  to.text(record.requestId);
  to.textOrNone(record.batchId);
  to.integer(record.createdAt * MICROS_PER_MS);
  to.text(input.description);
  to.integer(dayOf(input.date));
  to.double(input.amount);
  // The place among the symbols of the enum.
  to.integer(input.entryType === "incoming" ? 0 : 1);
  to.text(input.currency);
  writeResult(to, record.result);
}

function writeResult(to: AvroBytes, { facts, factsBytes, error }: EncodedResult): void {
  if (factsBytes !== null) to.raw(factsBytes);
  else if (facts === null) writeNoFacts(to);
  // The text has the names of the v3 API, which are those of `Facts`.
  else writeFacts(to, JSON.parse(facts) as Facts);
  if (error === null) to.none();
  else writeError(to, error);
}

function writeError(to: AvroBytes, { code, message }: TransactionError): void {
  to.some();
  to.text(code);
  to.text(message);
}
