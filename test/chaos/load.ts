// One client of the load: it creates holders, sends single transactions and batches, deletes and assigns, one call at a
// time on ids of its own, and reports the outcome of each call to the oracle.
import { setTimeout as delay } from "node:timers/promises";
import type { Client, Outcome } from "../support/client.ts";
import { createLines, type Line, type WireTransaction } from "../support/lines.ts";
import { until } from "../support/poll.ts";
import { createRandom } from "../support/random.ts";
import { createOracle, type Oracle } from "./oracle.ts";

const BATCH_SIZES = [1, 3, 40, 249, 250, 251, 600, 1_200, 3_000] as const;
const HOLDERS_MAX = 4;
/** Ids that are used again are taken from this many of the newest. */
const RECENT_MAX = 400;
const OPEN_BATCHES_MAX = 6;
const PATIENCE_MS = 60_000;
const UNAVAILABLE = 503;
const NO_REPLY_YET = 504;
const AWAY_PAUSE_MS = 100;

export interface LoadOptions {
  readonly name: string;
  readonly seed: number;
  /** The service as it runs now; another one after each kill. */
  readonly client: () => Client;
  /** Called after each call that was answered. */
  readonly answered: () => void;
  /**
   * Whether the log and the store are services that can be away. Then the outcome of a 503 is unknown, like that of a broken
   * connection, and 504 means that it is accepted; both may happen later than the next call, so that the ids in them
   * are left alone from then on.
   */
  readonly onServices?: boolean;
  /** How long a call is repeated that the service must take in the end. */
  readonly patienceMs?: number;
  /** Length of a batch, one of these at random. */
  readonly batchSizes?: readonly number[];
  /** A client waits up to this long before each step, at random; not at all when left out. */
  readonly pauseMsMax?: number;
  readonly signal: AbortSignal;
}

export interface LoadResult {
  readonly oracle: Oracle;
  /** Holders that exist in the end. */
  readonly holders: readonly string[];
  readonly deletedHolders: readonly string[];
  readonly calls: number;
  readonly unknown: number;
}

/** A call that can be neither answered nor lost: the answer breaks the contract. */
class BrokenPromise extends Error {}

export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const load = createLoad(options);
  const pauses = createRandom(options.seed + 1);
  while (!options.signal.aborted) {
    const { pauseMsMax } = options;
    if (pauseMsMax !== undefined) await delay(pauses.integer(0, pauseMsMax));
    await load.step();
  }
  return load.result();
}

function createLoad(options: LoadOptions): { step(): Promise<void>; result(): LoadResult } {
  const { name, client, onServices = false, patienceMs = PATIENCE_MS } = options;
  const { batchSizes = BATCH_SIZES } = options;
  const random = createRandom(options.seed);
  const nextLine = createLines(options.seed);
  const oracle = createOracle();
  const holders: string[] = [];
  const deletedHolders: string[] = [];
  const recent: string[] = [];
  const openBatches: string[] = [];
  let made = 0;
  let calls = 0;
  let unknown = 0;

  /** Sends a call until a connection is made; what then breaks is unknown. */
  async function send<Body>(
    call: (to: Client) => Promise<Outcome<Body>>,
    isProgress = true,
  ): Promise<Answer<Body>> {
    const outcome = await until(
      "the service accepts connections",
      async () => {
        const tried = await call(client());
        return tried.kind === "refused" ? null : tried;
      },
      patienceMs,
    );
    calls += 1;
    const isUnknown = outcome.kind === "broken" || (onServices && outcome.status === UNAVAILABLE);
    if (isUnknown) unknown += 1;
    if (outcome.kind === "broken") return null;
    if (isUnknown) {
      // What is away is not there sooner for being asked again at once.
      await delay(AWAY_PAUSE_MS);
      return null;
    }
    if (isProgress) options.answered();
    const { status } = outcome;
    if (status < 500 || status === UNAVAILABLE || (onServices && status === NO_REPLY_YET))
      return outcome;
    throw new BrokenPromise(`Status ${String(status)}`);
  }

  /** Ids of which something may still happen are not used again. */
  function leaveAlone(ids: readonly string[]): void {
    if (!onServices) return;
    const left = new Set(ids);
    recent.splice(0, recent.length, ...recent.filter((id) => !left.has(id)));
  }

  function newId(): string {
    made += 1;
    const id = `${name}-${String(made)}`;
    recent.push(id);
    if (recent.length > RECENT_MAX) recent.shift();
    return id;
  }

  function transaction(reused: number): WireTransaction {
    const id = recent.length > 0 && random.chance(reused) ? random.pick(recent) : newId();
    const holder =
      holders.length > 0 && random.chance(0.8) ? { account_holder_id: random.pick(holders) } : {};
    const line: Line = nextLine();
    // Numbered, so that all submissions of an id differ.
    return { id, ...line, description: `${line.description} ${String(calls)}`, ...holder };
  }

  async function single(): Promise<void> {
    const sent = transaction(0.3);
    const answer = await send((to) => to.enrich(sent));
    if (answer === null) {
      oracle.submitted([sent], false, null);
      leaveAlone([sent.id]);
    } else if (answer.status === NO_REPLY_YET) {
      oracle.submitted([sent], true, `call ${String(calls)}`);
      leaveAlone([sent.id]);
    } else if (answer.status === 200) {
      if (answer.body.error !== null) throw new BrokenPromise(JSON.stringify(answer.body.error));
      oracle.submitted([sent], true, null);
    }
  }

  async function batch(): Promise<void> {
    const size = random.pick(batchSizes);
    const sent = Array.from({ length: size }, () => transaction(0.05));
    const ids = sent.map(({ id }) => id);
    const key = random.chance(0.3) ? `${name}-key-${String(calls)}` : undefined;
    let answer = await send((to) => to.submitBatch(sent, key));
    // With a key, a client may ask again; 409 means that the service still believes in the first call.
    if (answer === null && key !== undefined) {
      // Should the key have been freed, what the first call leaves open is another batch than that of the second.
      if (onServices) oracle.batchSent({ id: null, ids });
      answer = await send((to) => to.submitBatch(sent, key));
    }
    const isAccepted = answer?.status === 200;
    if (answer !== null && !isAccepted && answer.status !== 409) return;
    const id = isAccepted && answer !== null ? answer.body.id : null;
    oracle.submitted(sent, isAccepted, id);
    oracle.batchSent({ id, ids });
    if (id === null) leaveAlone(ids);
    else openBatches.push(id);
    if (openBatches.length > OPEN_BATCHES_MAX) await awaitBatch();
  }

  /** Sees one of the batches through to its end. */
  async function awaitBatch(): Promise<void> {
    const id = openBatches.shift();
    if (id === undefined) return;
    await until(
      `batch ${id} is completed`,
      async () => {
        // Kills follow the answers: if clients that only wait made them, no start would live long enough to finish a batch.
        const answer = await send((to) => to.getBatch(id), false);
        if (answer === null || answer.status === UNAVAILABLE) return null;
        // On services the batch itself is made known after its records, at the latest by the first of them.
        if (answer.status === 404 && onServices) return null;
        if (answer.status !== 200) throw new BrokenPromise(`Accepted batch ${id} is not known`);
        if (answer.body.status === "error") throw new BrokenPromise(`Batch ${id} has failed`);
        return answer.body.status === "completed" ? answer.body : null;
      },
      patienceMs,
    );
    oracle.batchCompleted(id);
  }

  async function createHolder(): Promise<void> {
    if (holders.length >= HOLDERS_MAX) return;
    // Sometimes the id of one that was deleted: nothing of the earlier holder may show up in the new one.
    const isOld = deletedHolders.length > 0 && random.chance(0.4);
    made += 1;
    const id = isOld ? random.pick(deletedHolders) : `${name}-holder-${String(made)}`;
    const type = name.length % 2 === 0 ? "consumer" : "business";
    await until(
      "the holder exists",
      async () => {
        const answer = await send((to) => to.createHolder(id, type));
        // 400: it exists, because an earlier try came through.
        return answer !== null && (answer.status === 200 || answer.status === 400) ? answer : null;
      },
      patienceMs,
    );
    if (isOld) deletedHolders.splice(deletedHolders.indexOf(id), 1);
    holders.push(id);
  }

  async function deleteHolder(): Promise<void> {
    const id = holders.length > 1 ? random.pick(holders) : undefined;
    if (id === undefined) return;
    // While the deletion runs, and after it, a chunk for the holder may have been stored before or be refused.
    await until(
      "the holder is gone",
      async () => {
        const answer = await send((to) => to.deleteHolder(id));
        return answer !== null && (answer.status === 204 || answer.status === 404) ? answer : null;
      },
      patienceMs,
    );
    oracle.holderDeleted(id);
    holders.splice(holders.indexOf(id), 1);
    deletedHolders.push(id);
  }

  async function deleteTransaction(): Promise<void> {
    if (recent.length === 0) return;
    const id = random.pick(recent);
    const answer = await send((to) => to.deleteTransaction(id));
    if (answer === null) {
      oracle.deleted(id, false);
      leaveAlone([id]);
    } else if (answer.status === 204) oracle.deleted(id, true);
    else if (answer.status === 404 && oracle.surelyThere(id))
      throw new BrokenPromise(`Transaction ${id} was accepted and is not found`);
  }

  async function deleteOfHolder(): Promise<void> {
    if (recent.length === 0 || holders.length === 0) return;
    const holder = random.pick(holders);
    const ids = Array.from({ length: 5 }, () => random.pick(recent));
    const path = `/v3/account_holders/${holder}/transactions/delete`;
    const answer = await send((to) => to.call("POST", path, { transaction_ids: ids }));
    // Which of them belonged to the holder at that moment is not looked at: each may or may not be gone.
    if (answer === null || answer.status === 204) for (const id of ids) oracle.deleted(id, false);
    if (answer === null) leaveAlone(ids);
  }

  async function assign(): Promise<void> {
    if (recent.length === 0 || holders.length === 0) return;
    const [id, holder] = [random.pick(recent), random.pick(holders)];
    const answer = await send((to) => to.assign(id, holder));
    if (answer === null || answer.status === NO_REPLY_YET) {
      oracle.assigned(id, holder, false);
      leaveAlone([id]);
    } else if (answer.status === 200) oracle.assigned(id, holder, true);
    else if (answer.status === 404 && oracle.surelyThere(id))
      throw new BrokenPromise(`Transaction ${id} was accepted and is not found`);
  }

  async function step(): Promise<void> {
    const action = random.pick([
      createHolder,
      ...Array<() => Promise<void>>(6).fill(single),
      ...Array<() => Promise<void>>(4).fill(batch),
      deleteHolder,
      deleteTransaction,
      deleteTransaction,
      deleteOfHolder,
      assign,
      assign,
      awaitBatch,
    ]);
    await action();
  }

  return { step, result: () => ({ oracle, holders, deletedHolders, calls, unknown }) };
}

/** Null: the connection broke before the answer had come. */
type Answer<Body> = { readonly status: number; readonly body: Body } | null;
