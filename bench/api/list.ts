// Walking the list of one account holder with very many transactions, page by page, as an export does.
import { createSource, type Latency, submit, toLatency, untilCompleted } from "../calls.ts";
import type { BenchClient } from "../http.ts";
import { memoryMb } from "../process-usage.ts";
import { BATCH_MAX, fill, type Installation } from "./installation.ts";

export interface ListPlan {
  readonly transactions: number;
  /** Batches that are written while pages are read. */
  readonly concurrentBatches: number;
}

export interface ListRun {
  readonly fillSeconds: number;
  readonly storedBytes: number;
  /** Once it was filled, and the most that it was at any time. */
  readonly filledMb: number | null;
  readonly peakMb: number | null;
  /** From the newest transaction to the oldest. */
  readonly whole: Walk;
  /** The middle half, cut out by `created_after` and `created_before`. */
  readonly bounded: Walk;
  readonly concurrent: ConcurrentRun;
}

/** Times of single pages. */
export interface Walk {
  readonly pages: number;
  readonly first: Latency;
  readonly last: Latency;
}

export interface ConcurrentRun extends Omit<Walk, "pages"> {
  readonly transactionsPerSecond: number;
}

export const PAGE_LIMIT = 100;
/** At the beginning of a walk and at its end. */
export const PAGES_MEASURED = 100;
const HOLDER = "bench";

export async function measureList(installation: Installation, plan: ListPlan): Promise<ListRun> {
  const { client, pid } = installation;
  const source = createSource([HOLDER]);
  await client.post("/v3/account_holders", JSON.stringify({ id: HOLDER, type: "consumer" }));
  const startMs = performance.now();
  await fill(installation, source, plan.transactions);
  const fillSeconds = (performance.now() - startMs) / 1000;
  const filledMb = memoryMb(pid)?.now ?? null;
  const storedBytes = await installation.storedBytes();
  // The first pages of a process meet code that is not compiled yet.
  await readPages(client, "", null, PAGES_MEASURED);
  const whole = await readPages(client, "", null);
  const rows = whole.reduce((sum, { length }) => sum + length, 0);
  if (rows !== plan.transactions) throw new Error(`The list has ${String(rows)} rows`);
  const bounded = await readPages(client, middleHalf(whole), null);
  // Making a batch takes this process so long that a page would seem to.
  const bodies = Array.from({ length: plan.concurrentBatches }, () => source.batchBody(BATCH_MAX));
  const concurrent = await measureConcurrent(
    installation,
    bodies,
    whole.at(-PAGES_MEASURED)?.cursor ?? "",
  );
  return {
    fillSeconds,
    storedBytes,
    filledMb,
    peakMb: memoryMb(pid)?.peak ?? null,
    whole: toWalk(whole),
    bounded: toWalk(bounded),
    concurrent,
  };
}

interface PageRead {
  readonly ms: number;
  /** What led to it; null: nothing, it is the first. */
  readonly cursor: string | null;
  readonly length: number;
  /** `created_at` of its first row. */
  readonly newest: string;
}

interface PageBody {
  readonly next_cursor: string | null;
  readonly data: readonly { readonly created_at: string }[];
}

/** @param bounds more of the query, with `&` before it */
async function readPages(
  client: BenchClient,
  bounds: string,
  from: string | null,
  pagesMax = Number.POSITIVE_INFINITY,
): Promise<PageRead[]> {
  const query = `account_holder_id=${HOLDER}&limit=${String(PAGE_LIMIT)}${bounds}`;
  const pages: PageRead[] = [];
  let cursor = from;
  do {
    const after = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const startMs = performance.now();
    const { body } = await client.get(`/v3/transactions?${query}${after}`);
    const ms = performance.now() - startMs;
    const { next_cursor: next, data } = JSON.parse(body.toString("utf8")) as PageBody;
    const [first] = data;
    if (first === undefined) throw new Error("A page without transactions");
    pages.push({ ms, cursor, length: data.length, newest: first.created_at });
    cursor = next;
  } while (cursor !== null && pages.length < pagesMax);
  return pages;
}

/** Bounds of time that leave out about a quarter of the transactions at each end. */
function middleHalf(pages: readonly PageRead[]): string {
  const at = (share: number): string => {
    const page = pages[Math.floor(pages.length * share)];
    return encodeURIComponent(page?.newest ?? "");
  };
  return `&created_after=${at(0.75)}&created_before=${at(0.25)}`;
}

/** Batches one after the other, and meanwhile the first pages and the last ones in turn. */
async function measureConcurrent(
  { client, pauseMs }: Installation,
  bodies: readonly Buffer[],
  lastFrom: string,
): Promise<ConcurrentRun> {
  const first: PageRead[] = [];
  const last: PageRead[] = [];
  let isWriting = true;
  const startMs = performance.now();
  const write = async (): Promise<number> => {
    try {
      for (const body of bodies) await untilCompleted(client, await submit(client, body), pauseMs);
    } finally {
      isWriting = false;
    }
    return (performance.now() - startMs) / 1000;
  };
  const read = async (): Promise<void> => {
    while (isWriting) {
      first.push(...(await readPages(client, "", null, PAGES_MEASURED)));
      last.push(...(await readPages(client, "", lastFrom)));
    }
  };
  const [seconds] = await Promise.all([write(), read()]);
  return {
    first: latencyOf(first),
    last: latencyOf(last),
    transactionsPerSecond: (bodies.length * BATCH_MAX) / seconds,
  };
}

const latencyOf = (pages: readonly PageRead[]): Latency => toLatency(pages.map(({ ms }) => ms));

const toWalk = (pages: readonly PageRead[]): Walk => ({
  pages: pages.length,
  first: latencyOf(pages.slice(0, PAGES_MEASURED)),
  last: latencyOf(pages.slice(-PAGES_MEASURED)),
});
