// Compares what the service shows over its API with what the oracles allow, whatever engine is under it.
import {
  answered,
  type BatchResource,
  type Client,
  type HolderResource,
  type StoredTransaction,
} from "../support/client.ts";
import { until } from "../support/poll.ts";
import type { LoadResult } from "./load.ts";
import type { State } from "./oracle.ts";

/** Receives each violation. */
export type Complain = (problem: string) => void;

export interface Complaints {
  readonly complain: Complain;
  /** The first `PROBLEMS_MAX` of them. */
  readonly problems: readonly string[];
}

/** What was sent, and what is there now. */
export interface Tally {
  readonly calls: number;
  readonly unknownCalls: number;
  readonly ids: number;
  readonly stored: number;
  readonly batches: number;
  readonly transactionsInBatches: number;
}

const PROBLEMS_MAX = 20;
/** Ids that are read one by one in addition to the list; the list has all of them. */
const READ_ALONE_MAX = 1_000;
/** All threads together need seconds for what may wait in the log. */
const BACKLOG_MS_MAX = 60_000;

export function createComplaints(): Complaints {
  const problems: string[] = [];
  return {
    problems,
    complain: (problem) => {
      if (problems.length < PROBLEMS_MAX) problems.push(problem);
    },
  };
}

/** Waits until all batches have ended and goes through everything that the API shows. */
export async function judgeApi(
  client: Client,
  results: readonly LoadResult[],
  complain: Complain,
): Promise<{ readonly batches: readonly BatchResource[]; readonly tally: Tally }> {
  const batches = await drained(client);
  const transactionsInBatches = await judgeBatches(client, results, batches, complain);
  const stored = await judgeTransactions(client, results, complain);
  await judgeHolders(client, results, complain);
  const tally = {
    calls: sum(results.map((result) => result.calls)),
    unknownCalls: sum(results.map((result) => result.unknown)),
    ids: sum(results.map((result) => result.oracle.possible().size)),
    stored,
    batches: batches.length,
    transactionsInBatches,
  };
  return { batches, tally };
}

/** All batches, once none is processing any more. */
async function drained(client: Client): Promise<BatchResource[]> {
  await until(
    "the backlog is done",
    async () => {
      const open = await client.listAll<BatchResource>("/v3/batches?status=processing");
      return open.length === 0 ? true : null;
    },
    BACKLOG_MS_MAX,
  );
  return client.listAll<BatchResource>("/v3/batches");
}

async function judgeBatches(
  client: Client,
  results: readonly LoadResult[],
  batches: readonly BatchResource[],
  complain: Complain,
): Promise<number> {
  const sent = results.flatMap((result) => result.oracle.batches);
  const accepted = new Map(sent.flatMap((one) => (one.id === null ? [] : [[one.id, one.ids]])));
  const unknown = sent.filter((one) => one.id === null).map((one) => JSON.stringify(one.ids));
  const known = new Set(batches.map((batch) => batch.id));
  if (known.size !== batches.length) complain("the list of batches names one twice");
  for (const id of accepted.keys()) if (!known.has(id)) complain(`accepted batch ${id} is lost`);
  let count = 0;
  for (const batch of batches) {
    if (batch.status !== "completed") complain(`batch ${batch.id} is ${batch.status}`);
    if (batch.progress !== batch.total) complain(`batch ${batch.id} has not all its results`);
    const shown = answered(await client.results(batch.id), 200);
    const ids = shown.results.map((result) => result.id);
    count += ids.length;
    if (ids.length !== batch.total || shown.total !== batch.total)
      complain(`batch ${batch.id} has ${String(ids.length)} of ${String(batch.total)} results`);
    const expected = accepted.get(batch.id);
    const text = JSON.stringify(ids);
    // A batch without an answer must be one of those that were sent, and no two may be the same one.
    const isRight =
      expected === undefined ? takeOut(unknown, text) : JSON.stringify(expected) === text;
    if (!isRight) complain(`the results of batch ${batch.id} are not what was submitted, in order`);
    const wrong = shown.results.find(
      (result) => result.error !== null && result.error.code !== "account_holder_not_found",
    );
    if (wrong !== undefined) complain(`${wrong.id} in batch ${batch.id} failed`);
  }
  return count;
}

function takeOut(texts: string[], text: string): boolean {
  const place = texts.indexOf(text);
  if (place === -1) return false;
  texts.splice(place, 1);
  return true;
}

async function judgeTransactions(
  client: Client,
  results: readonly LoadResult[],
  complain: Complain,
): Promise<number> {
  const rows = await client.listAll<StoredTransaction>("/v3/transactions");
  const listed = new Map(rows.map((row) => [row.id, row]));
  if (listed.size !== rows.length) complain("the list of transactions names one twice");
  const possible = new Map(results.flatMap((result) => [...result.oracle.possible()]));
  const historyOf = (id: string): string =>
    results.map((result) => result.oracle.history(id)).join("");
  for (const id of listed.keys())
    if (!possible.has(id)) complain(`${id} is there and was never sent`);
  for (const [id, states] of possible) {
    const row = listed.get(id);
    const found = stateOf(row);
    if (!states.some((state) => JSON.stringify(state) === JSON.stringify(found)))
      complain(
        `${id} is ${JSON.stringify(found)}, may be ${JSON.stringify(states)}: ${historyOf(id)}`,
      );
    if (row?.error != null) complain(`${id} was stored with ${row.error.code}`);
  }
  const alone = [...possible.keys()].filter(
    (_, index) => index % Math.ceil(possible.size / READ_ALONE_MAX) === 0,
  );
  for (const id of alone) {
    const one = await client.getTransaction(id);
    if (one.kind !== "answered") complain(`reading ${id} was not answered`);
    else if (
      JSON.stringify(one.status === 200 ? one.body : null) !==
      JSON.stringify(listed.get(id) ?? null)
    )
      complain(`${id} read alone is not what the list shows`);
  }
  return rows.length;
}

function stateOf(row: StoredTransaction | undefined): State {
  return row === undefined ? null : { holder: row.account_holder_id, description: row.description };
}

async function judgeHolders(
  client: Client,
  results: readonly LoadResult[],
  complain: Complain,
): Promise<void> {
  const rows = await client.listAll<HolderResource>("/v3/account_holders");
  const found = rows.map((row) => row.id).sort();
  const expected = results.flatMap((result) => result.holders).sort();
  if (JSON.stringify(found) !== JSON.stringify(expected))
    complain(`the holders are ${found.join()}, must be ${expected.join()}`);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
