// What recurrence costs in the service: a batch of the v2 API, all of one account holder, from the request that submits it to the
// last byte of its results, with the recurrence of each and without. Each round has a holder of its own, whose ledger nothing has
// cached. Every other round reads the results with recurrence first: what is read second finds more in memory.
import { setTimeout as delay } from "node:timers/promises";
import { BATCH_MAX, openEmbedded } from "../api/installation.ts";
import { processSeconds } from "../process-usage.ts";
import { ascending, percentile } from "../table.ts";
import type { LedgerTransactionSample } from "./samples.ts";

export interface ServiceRun {
  /** Middle values over the rounds, until the batch is finished and its results are read, without recurrence and with it. */
  readonly without: BatchCost;
  readonly with: BatchCost;
  /** Of each round, with recurrence over without. */
  readonly ratios: readonly BatchCost[];
  /** The middle ones. */
  readonly ratio: BatchCost;
}

/** What a batch takes; processor time is that of the service, NaN where it is not known. */
interface BatchCost {
  readonly ms: number;
  readonly processorMs: number;
}

interface Round {
  readonly without: BatchCost;
  readonly with: BatchCost;
}

const POLL_MS = 5;
/** Those of the compiler: both threads take part, and the first ledger takes a thread twice as long as the fourth. */
const WARM_UP_ROUNDS = 6;
const middle = (numbers: readonly number[]): number => percentile(ascending(numbers), 0.5);
const middleCost = (costs: readonly BatchCost[]): BatchCost => ({
  ms: middle(costs.map(({ ms }) => ms)),
  processorMs: middle(costs.map(({ processorMs }) => processorMs)),
});
const sum = (a: BatchCost, b: BatchCost): BatchCost => ({
  ms: a.ms + b.ms,
  processorMs: a.processorMs + b.processorMs,
});

function bodyOf(entries: readonly LedgerTransactionSample[], holder: string): string {
  return JSON.stringify(
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
}

/** @param entries at least one batch of them */
export async function measureService(
  entries: readonly LedgerTransactionSample[],
  rounds: number,
): Promise<ServiceRun> {
  const { client, pid, close } = await openEmbedded();
  const costOf = async (work: () => Promise<unknown>): Promise<BatchCost> => {
    const [startMs, startSeconds] = [performance.now(), processSeconds(pid) ?? Number.NaN];
    await work();
    const seconds = (processSeconds(pid) ?? Number.NaN) - startSeconds;
    return { ms: performance.now() - startMs, processorMs: 1_000 * seconds };
  };
  const measure = async (holder: string, isWithFirst: boolean): Promise<Round> => {
    const body = bodyOf(entries, holder);
    let path = "";
    const enriched = await costOf(async () => {
      const answer = await client.post("/v2/transactions/async", body);
      const { id } = JSON.parse(answer.body.toString()) as { id: string };
      for (let status = ""; status !== "completed"; ) {
        const { body: text } = await client.get(`/v3/batches/${id}`);
        ({ status } = JSON.parse(text.toString()) as { status: string });
        await delay(POLL_MS);
      }
      path = `/v2/transactions/async/${id}`;
    });
    const readWith = () => costOf(() => client.get(path));
    const first = isWithFirst ? await readWith() : null;
    const without = await costOf(() => client.get(`${path}?with_recurrence=false`));
    const last = first ?? (await readWith());
    return { without: sum(enriched, without), with: sum(enriched, last) };
  };
  try {
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1)
      await measure(`warm${String(round)}`, round % 2 === 0);
    const measured: Round[] = [];
    for (let round = 0; round < rounds; round += 1)
      measured.push(await measure(`h${String(round)}`, round % 2 === 0));
    const ratios = measured.map((round) => ({
      ms: round.with.ms / round.without.ms,
      processorMs: round.with.processorMs / round.without.processorMs,
    }));
    return {
      without: middleCost(measured.map(({ without }) => without)),
      with: middleCost(measured.map((round) => round.with)),
      ...{ ratios, ratio: middleCost(ratios) },
    };
  } finally {
    await close();
  }
}
