// What recurrence costs in the service: a batch of the v2 API, all of one account holder, from the request that submits it to the
// last byte of its results, with the recurrence of each and without. Each round has a holder of its own, whose ledger nothing has cached.
import { setTimeout as delay } from "node:timers/promises";
import { BATCH_MAX, openEmbedded } from "../api/installation.ts";
import { processSeconds } from "../process-usage.ts";
import { ascending, percentile } from "../table.ts";
import type { LedgerTransactionSample } from "./samples.ts";

/** Middle values over the rounds. */
export interface ServiceRun {
  /** Until the batch is finished, and its results without recurrence are read. */
  readonly withoutMs: number;
  readonly withMs: number;
  readonly ratio: number;
  /** Processor time of the service. */
  readonly withoutProcessorMs: number | null;
  /** The same ratio of the processor time of the service. */
  readonly processorRatio: number | null;
}

interface Round {
  readonly ms: readonly number[];
  readonly seconds: readonly number[];
}

const POLL_MS = 5;
/** Those of the compiler: both threads take part, and the first ledger takes a thread twice as long as the fourth. */
const WARM_UP_ROUNDS = 6;
const middle = (numbers: readonly number[]): number => percentile(ascending(numbers), 0.5);

/** @param entries at least one batch of them */
export async function measureService(
  entries: readonly LedgerTransactionSample[],
  rounds: number,
): Promise<ServiceRun> {
  const { client, pid, close } = await openEmbedded();
  const measure = async (holder: string): Promise<Round> => {
    const body = JSON.stringify(
      entries.slice(0, BATCH_MAX).map((entry, index) => ({
        transaction_id: `${holder}-${String(index)}`,
        description: entry.description,
        date: entry.date,
        amount: entry.amount,
        entry_type: entry.entryType,
        iso_currency_code: entry.currency,
        account_holder_id: holder,
        account_holder_type: "consumer",
      })),
    );
    const times: number[] = [];
    const seconds: number[] = [];
    const mark = (): void => {
      times.push(performance.now());
      seconds.push(processSeconds(pid) ?? Number.NaN);
    };
    mark();
    const answer = await client.post("/v2/transactions/async", body);
    const { id } = JSON.parse(answer.body.toString()) as { id: string };
    for (let status = ""; status !== "completed"; ) {
      const { body: text } = await client.get(`/v3/batches/${id}`);
      ({ status } = JSON.parse(text.toString()) as { status: string });
      await delay(POLL_MS);
    }
    mark();
    await client.get(`/v2/transactions/async/${id}?with_recurrence=false`);
    mark();
    await client.get(`/v2/transactions/async/${id}`);
    mark();
    return { ms: times, seconds };
  };
  try {
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await measure(`warm${String(round)}`);
    const measured: Round[] = [];
    for (let round = 0; round < rounds; round += 1)
      measured.push(await measure(`h${String(round)}`));
    const parts = (values: readonly number[]): readonly [number, number] => {
      const [start = 0, finished = 0, without = 0, end = 0] = values;
      return [without - start, finished - start + (end - without)];
    };
    const ms = measured.map((round) => parts(round.ms));
    const seconds = measured.map((round) => parts(round.seconds));
    const processorRatio = middle(seconds.map(([without, withIt]) => withIt / without));
    const withoutProcessorMs = 1_000 * middle(seconds.map(([without]) => without));
    const isKnown = !Number.isNaN(processorRatio);
    return {
      withoutMs: middle(ms.map(([without]) => without)),
      withMs: middle(ms.map(([, withIt]) => withIt)),
      ratio: middle(ms.map(([without, withIt]) => withIt / without)),
      withoutProcessorMs: isKnown ? withoutProcessorMs : null,
      processorRatio: isKnown ? processorRatio : null,
    };
  } finally {
    await close();
  }
}
