import type { AccountType } from "../../../model/transaction.ts";
import type { Facts } from "../../../model/facts.ts";
import {
  type BankEvidence,
  type CategoryOrigin,
  createBankEvidence,
} from "../evidence/bank-evidence.ts";
import type { ParsedRow } from "../parsed-file.ts";
import type { EnrichPort } from "./enrich-line.ts";
import { recognise, type Recognised } from "./recognise.ts";

/** A row after the recogniser: facts or an error, never both. */
export type FinishedRow<Row extends ParsedRow = ParsedRow> = Row & {
  readonly facts: Facts | null;
  readonly categorySource: CategoryOrigin | null;
  readonly error: string | null;
};

/** What one pool task carries. */
const CHUNK_LINES_MAX = 250;
/** Enough to keep the threads of a usual machine busy while a chunk is written; it bounds the memory. */
const CHUNKS_IN_FLIGHT_MAX = 8;

/**
 * Sends records through the port in chunks and yields them in the order of the input, a chunk at a time. At most eight
 * chunks are read ahead, so a slow port or a slow reader of this stream stops the reading of the file.
 */
export async function* enrichInOrder<Row extends ParsedRow>(
  records: AsyncIterable<Row>,
  port: EnrichPort,
  accountType: AccountType,
  signal: AbortSignal,
): AsyncGenerator<readonly FinishedRow<Row>[], void> {
  const abort = rejectOnAbort(signal);
  const parts = { port, accountType, evidence: createBankEvidence(port, accountType) };
  const inFlight: Promise<readonly FinishedRow<Row>[]>[] = [];
  try {
    for await (const chunk of inChunks(records)) {
      signal.throwIfAborted();
      inFlight.push(enrichRows(chunk, parts));
      if (inFlight.length >= CHUNKS_IN_FLIGHT_MAX) yield await next(inFlight, abort.promise);
    }
    while (inFlight.length > 0) yield await next(inFlight, abort.promise);
  } finally {
    abort.release();
  }
}

async function next<Rows>(
  inFlight: Promise<readonly Rows[]>[],
  aborted: Promise<never>,
): Promise<readonly Rows[]> {
  return Promise.race([inFlight.shift() ?? Promise.resolve([]), aborted]);
}

/** A promise that only ever rejects, so that a port which hangs cannot hold up Ctrl-C. */
function rejectOnAbort(signal: AbortSignal): { promise: Promise<never>; release: () => void } {
  const { promise, reject } = Promise.withResolvers<never>();
  // Prevents an unhandled rejection when no caller awaits it at the abort; the loop checks the signal itself.
  promise.catch(() => undefined);
  const listener = (): void => {
    reject(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
  };
  if (signal.aborted) listener();
  signal.addEventListener("abort", listener, { once: true });
  return {
    promise,
    release: () => {
      signal.removeEventListener("abort", listener);
    },
  };
}

async function* inChunks<Row>(records: AsyncIterable<Row>): AsyncGenerator<Row[], void> {
  let chunk: Row[] = [];
  for await (const record of records) {
    chunk.push(record);
    if (chunk.length < CHUNK_LINES_MAX) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

interface EnrichParts {
  readonly port: EnrichPort;
  readonly accountType: AccountType;
  readonly evidence: BankEvidence;
}

/** Never rejects: a chunk that the port could not do becomes errors on its lines, and the run goes on. */
async function enrichRows<Row extends ParsedRow>(
  records: Row[],
  { port, accountType, evidence }: EnrichParts,
): Promise<FinishedRow<Row>[]> {
  const transactions = records.flatMap(({ reading }) => (reading.ok ? [reading.transaction] : []));
  let found: readonly Recognised[] = [];
  let failure = "the recogniser failed on this line";
  try {
    [found] = await Promise.all([
      recognise(transactions, port, accountType),
      evidence.read(transactions),
    ]);
  } catch (error) {
    failure = `the recogniser failed: ${error instanceof Error ? error.message : String(error)}`;
  }
  let at = 0;
  return records.map((record) => {
    const nothing = { ...record, facts: null, categorySource: null };
    if (!record.reading.ok) return { ...nothing, error: record.reading.reason };
    const one = found[at++];
    if (one === undefined) return { ...nothing, error: failure };
    const { transaction } = one;
    const { facts, categorySource } = evidence.apply(one.facts, transaction);
    const reading = { ok: true, transaction } as const;
    return { ...record, reading, facts, categorySource, error: facts === null ? failure : null };
  });
}
