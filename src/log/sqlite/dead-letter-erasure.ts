// Dead letters of the embedded log keep the bytes of requests, and so transactions of account holders that are deleted.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { EnrichmentRequest } from "../../model/records.ts";
import type { TransactionInput } from "../../model/transaction.ts";
import type { Database } from "../../sqlite/database.ts";
import type { RecordCodec } from "../codec.ts";
import {
  createDeadLetterCodec,
  createRequestCodec,
  type DeadLetterRecord,
} from "../record-codecs.ts";
import type { RawRecord } from "../record-runner.ts";
import { DEAD_LETTERS, REPLAYS } from "./dead-letters.ts";
import { createTableRegistry, fetchRecords } from "./tables.ts";
import type { HolderKey } from "../../model/account-holder.ts";

/** Each has at most a few hundred KB. */
const READ_AT_ONCE = 20;
/** What is left of a transaction: its id and its holder, so that a replay reports that the holder is missing. */
const ERASED: Partial<TransactionInput> = {
  description: "",
  date: "1970-01-01",
  amount: 0,
  location: null,
};

/** Returns what takes the transactions of a holder out of all dead letters, a page at a time. */
export async function createDeadLetterErasure(
  database: Database,
): Promise<(holder: HolderKey) => Promise<void>> {
  const registry = createTableRegistry(database);
  const letters = await createDeadLetterCodec(registry, DEAD_LETTERS);
  const requests = await createRequestCodec(registry, "requests");

  async function erase(row: RawRecord, holder: HolderKey): Promise<void> {
    const letter = await letters.decode(row.bytes);
    const next = await withoutHolder(letter, holder, requests);
    await database.write(() =>
      next === null
        ? database.run("DELETE FROM log_records WHERE offset = ?", [row.offset])
        : database.run("UPDATE log_records SET bytes = ? WHERE offset = ?", [
            letters.encode(next),
            row.offset,
          ]),
    );
  }

  return async (holder) => {
    // Avro has texts as they are, so that a letter without the id has nothing of the holder.
    const [org, id] = [Buffer.from(holder.org), Buffer.from(holder.id)];
    for (const rows of pages(database)) {
      for (const row of rows) {
        const bytes = Buffer.from(row.bytes);
        if (bytes.includes(org) && bytes.includes(id)) await erase(row, holder);
      }
      // Between two pages requests are answered.
      await nextTurn();
    }
  };
}

function* pages(database: Database): Iterable<readonly RawRecord[]> {
  for (const topic of [DEAD_LETTERS, REPLAYS]) {
    let after: number | undefined = 0;
    while (after !== undefined) {
      const rows: readonly RawRecord[] = fetchRecords(database, topic, after, READ_AT_ONCE);
      yield rows;
      after = rows.at(-1)?.offset;
    }
  }
}

/** The letter without the holder's data; null for unreadable bytes, whose parts cannot be separated. */
async function withoutHolder(
  letter: DeadLetterRecord,
  { org, id }: HolderKey,
  codec: RecordCodec<EnrichmentRequest>,
): Promise<DeadLetterRecord | null> {
  const request = await codec.decode(letter.original).catch(() => null);
  if (request === null) return null;
  if (request.org !== org) return letter;
  const transactions = request.transactions.map((one) =>
    one.accountHolderId === id ? { ...one, ...ERASED } : one,
  );
  return { ...letter, original: Buffer.from(codec.encode({ ...request, transactions })) };
}
