// Batches of one transaction, each of which makes an event, an endpoint that takes most of its calls, and what must
// be true of the calls that it got.
import { setTimeout as delay } from "node:timers/promises";
import { eventId } from "../../src/events/events.ts";
import { answered, type BatchResource, type Client } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { until } from "../support/poll.ts";
import { createRandom } from "../support/random.ts";
import {
  type ReceivedCall,
  type ReceivedEvent,
  type Receiver,
  startReceiver,
} from "../support/receiver.ts";
import type { Complain } from "./judge.ts";

/** Of the processes of an installation that calls an endpoint on this machine. */
export const WEBHOOK_ENVIRONMENT = {
  WEBHOOK_ALLOW_HTTP: "on",
  WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
  WEBHOOK_RATE: "1000",
};

const CLIENTS = 6;
const AWAY_PAUSE_MS = 20;
const FAILED = 0.03;
const PAGE = 1_000;
/** Whatever a dead process held is due again after 30 s, and a failed attempt after 5 s, 30 s and 2 min. */
const REST_MS_MAX = 300_000;

export interface Endpoint {
  readonly receiver: Receiver;
  /** Calls that it took, in their order. */
  taken(): readonly ReceivedCall[];
  /** Calls that it has taken or refused, repeats included. */
  count(): number;
  /** When the answer to a call had been given to the operating system, milliseconds since 1970; null: it never was. */
  answeredAt(call: ReceivedCall): number | null;
}

export interface EndpointOptions {
  readonly seed: number;
  /** It is slow, so that calls are in flight at any moment. */
  readonly answerMsMax: number;
  /** One in 30 of the first so many calls is refused. */
  readonly unreliable: number;
}

/** Answers 200, and 503 to what it refuses. */
export async function startEndpoint(options: EndpointOptions): Promise<Endpoint> {
  const { seed, answerMsMax, unreliable } = options;
  const random = createRandom(seed);
  const taken: ReceivedCall[] = [];
  const answered = new Map<ReceivedCall, number>();
  const receiver = await startReceiver((response, call, index) => {
    const isTaken = index >= unreliable || !random.chance(FAILED);
    if (isTaken) taken.push(call);
    const end = (): void => {
      response.writeHead(isTaken ? 200 : 503).end(() => answered.set(call, Date.now()));
    };
    setTimeout(end, random.integer(0, answerMsMax));
  });
  return {
    receiver,
    taken: () => taken,
    count: () => receiver.calls.length,
    answeredAt: (call) => answered.get(call) ?? null,
  };
}

/** Makes a webhook for all batches that calls the endpoint; returns its id. */
export async function registerEndpoint(client: Client, { receiver }: Endpoint): Promise<string> {
  const body = { url: `${receiver.url}/hook`, events: ["batches.completed", "batches.error"] };
  return answered(await client.call<{ id: string }>("POST", "/v3/webhooks", body), 200).id;
}

/** When a request was sent and its answer had come, milliseconds since 1970. */
interface Served {
  readonly sentAt: number;
  readonly servedAt: number;
}

export interface Submissions {
  /** Ids of the batches that the service took. */
  readonly accepted: ReadonlySet<string>;
  /** One for each of them. */
  readonly served: readonly Served[];
  /** Batches of which it is unknown whether they were accepted. */
  readonly unknown: () => number;
  /** Resolves when as many as asked for are accepted, or it was stopped. */
  readonly done: Promise<void>;
}

/** Resolves when it is the next one's turn: one after the other, so many a second on average, never two for one missed. */
function createPace(perS: number): () => Promise<void> {
  let nextAt = 0;
  return async () => {
    const now = performance.now();
    nextAt = Math.max(now, nextAt + 1_000 / perS);
    await delay(nextAt - now);
  };
}

/**
 * Submits batches of one transaction until so many are accepted. `client` is the service as it runs now; `perS` how many
 * are sent a second, as many as it takes without it.
 */
export function submitBatches(
  count: number,
  client: () => Client,
  signal: AbortSignal,
  perS = Infinity,
): Submissions {
  const accepted = new Set<string>();
  const served: Served[] = [];
  let submitted = 0;
  let unknown = 0;
  const itsTurn = createPace(perS);
  const submit = async (): Promise<void> => {
    while (accepted.size < count && !signal.aborted) {
      if (perS < Infinity) await itsTurn();
      submitted += 1;
      const sentAt = Date.now();
      const outcome = await client().submitBatch([coffee(`t${String(submitted)}`)]);
      if (outcome.kind === "answered" && outcome.status === 200) {
        accepted.add(outcome.body.id);
        served.push({ sentAt, servedAt: Date.now() });
      } else {
        // A service that is away, or cannot reach its own.
        if (outcome.kind === "broken") unknown += 1;
        await delay(AWAY_PAUSE_MS);
      }
    }
  };
  const done = Promise.all(Array.from({ length: CLIENTS }, submit)).then(() => undefined);
  return { accepted, served, unknown: () => unknown, done };
}

/** Resolves when no batch is processing and no delivery waits any more; returns all batches. */
export async function untilDelivered(
  client: () => Client,
  webhookId: string,
): Promise<readonly BatchResource[]> {
  const isEmpty = async (path: string): Promise<true | null> => {
    const page = await client().call<{ data: readonly object[] }>("GET", path);
    return page.kind === "answered" && page.status === 200 && page.body.data.length === 0
      ? true
      : null;
  };
  const quiet = async (): Promise<true | null> => {
    await delay(AWAY_PAUSE_MS);
    const isDone = await isEmpty("/v3/batches?status=processing&limit=1");
    return isDone && isEmpty(`/v3/webhooks/${webhookId}/deliveries?state=pending&limit=1`);
  };
  // Between the end of a batch and its delivery the event is in the outbox, which no list shows: what counts is how many.
  await until("nothing is processing or waits", quiet, REST_MS_MAX);
  const batches = await client().listAll<BatchResource>(`/v3/batches`);
  await until(
    "there is a delivery for each batch",
    async () => {
      const path = `/v3/webhooks/${webhookId}/deliveries`;
      const all = await client().listAll<object>(path);
      return all.length >= batches.length ? true : delay(PAGE, null);
    },
    REST_MS_MAX,
  );
  await until("nothing waits", quiet, REST_MS_MAX);
  return batches;
}

/** Calls that were made again although the endpoint had taken them, because of one kill. */
interface Repeats {
  readonly kill: number;
  /** How long before the kill the first of them had been taken. */
  readonly earliestMs: number;
  /** Calls that had no answer yet: their outcome is unknown. */
  readonly inFlight: readonly string[];
  /** Those that had been answered, and that was not written down. */
  readonly answered: readonly string[];
  /** Of these, those whose answer the process had time to write down. */
  readonly overdue: readonly string[];
}

export interface CallsTally {
  readonly events: number;
  readonly calls: number;
  readonly taken: number;
  readonly repeats: number;
  readonly repeatsPerKill: number;
  readonly repeatsOfWorstKill: number;
  /** Of the repeats, those that had no answer when the process died. */
  readonly inFlight: number;
  /** Of the repeats, those that had been answered, and what of all events they are. */
  readonly answered: number;
  readonly answeredPerCent: number;
  /** Of these, those whose answer the process had time to write down. */
  readonly overdue: number;
  readonly perCent: number;
  /** Each of them by id. */
  readonly repeated: readonly Repeats[];
}

export interface Judged {
  readonly endpoint: Endpoint;
  readonly batches: readonly BatchResource[];
  readonly accepted: ReadonlySet<string>;
  /**
   * Requests that the process that delivers has answered. Where it answered one that was sent after the answer to a call, it
   * had time to write that answer down, however slow the machine is.
   */
  readonly served: readonly Served[];
  /** When processes that deliver were killed, milliseconds since 1970, ascending. */
  readonly kills: readonly number[];
  /** The outcome of a call is recorded within this time, or lost by a kill. */
  readonly writtenMs: number;
}

/** Every batch has at least one call, with one event of one body; only a kill repeats calls. */
export function judgeCalls(judged: Judged, complain: Complain): CallsTally {
  const { endpoint, batches, accepted, writtenMs } = judged;
  const known = new Set(batches.map(({ id }) => id));
  for (const id of accepted) if (!known.has(id)) complain(`accepted batch ${id} is lost`);
  for (const { id, status } of batches)
    if (status !== "completed") complain(`batch ${id} is ${status}`);
  const events = judgeEvents(endpoint.receiver.calls, known, complain);
  const taken = Map.groupBy(
    endpoint.taken(),
    ({ body }) => (JSON.parse(body) as ReceivedEvent).data.id,
  );
  for (const id of known) if (!taken.has(id)) complain(`no call for batch ${id}`);
  const repeats = [...taken].flatMap(([batchId, calls]) => repeatsOf(batchId, calls, judged));
  for (const { id, kill, beforeMs } of repeats)
    if (kill === null || beforeMs > writtenMs) complain(`${id} was sent twice without a kill`);
  const byKill = Map.groupBy(repeats, ({ kill }) => kill ?? -1);
  const repeated = [...byKill].map(([kill, all]) => ({
    kill,
    earliestMs: Math.max(...all.map(({ beforeMs }) => beforeMs)),
    inFlight: all.filter(({ isAnswered }) => !isAnswered).map(({ id }) => id),
    answered: all.filter(({ isAnswered }) => isAnswered).map(({ id }) => id),
    overdue: all.filter(({ isOverdue }) => isOverdue).map(({ id }) => id),
  }));
  const answered = repeats.filter(({ isAnswered }) => isAnswered).length;
  const perCent = (count: number): number => Number(((100 * count) / events).toFixed(2));
  return {
    events,
    calls: endpoint.count(),
    taken: endpoint.taken().length,
    repeats: repeats.length,
    repeatsPerKill: repeats.length / Math.max(1, judged.kills.length),
    repeatsOfWorstKill: Math.max(0, ...[...byKill.values()].map((all) => all.length)),
    inFlight: repeats.length - answered,
    answered,
    answeredPerCent: perCent(answered),
    overdue: repeats.filter(({ isOverdue }) => isOverdue).length,
    perCent: perCent(repeats.length),
    repeated: repeated.toSorted((a, b) => a.kill - b.kill),
  };
}

/** Every batch has one event, and every event one body; returns how many there are. */
function judgeEvents(
  calls: readonly ReceivedCall[],
  known: ReadonlySet<string>,
  complain: Complain,
): number {
  const bodies = new Map<string, string>();
  for (const { body, headers } of calls) {
    const event = JSON.parse(body) as ReceivedEvent;
    const id = event.event_id;
    if (headers["webhook-id"] !== id) complain(`the header of ${id} names another event`);
    if (event.event_type !== "batches.completed") complain(`${id} is ${event.event_type}`);
    if (id !== eventId("default", "batches.completed", event.data.id))
      complain(`batch ${event.data.id} has another event ${id}`);
    if (!known.has(event.data.id)) complain(`${id} is about a batch that was never sent`);
    if ((bodies.get(id) ?? body) !== body) complain(`${id} has several bodies`);
    bodies.set(id, body);
  }
  return bodies.size;
}

/** A call in flight arrives a moment after the process that made it died. */
const IN_FLIGHT_MS = 100;

interface Repeat {
  readonly id: string;
  /** Number of the kill between the call that was taken and the next; null: there was none. */
  readonly kill: number | null;
  /** Milliseconds from the call that was taken to the kill. */
  readonly beforeMs: number;
  /** Whether it had been answered by then. */
  readonly isAnswered: boolean;
  /** Whether the process answered another request meanwhile, which had been sent later. */
  readonly isOverdue: boolean;
}

function repeatsOf(
  batchId: string,
  calls: readonly ReceivedCall[],
  { endpoint, kills, served }: Judged,
): readonly Repeat[] {
  const id = eventId("default", "batches.completed", batchId);
  return calls.slice(1).map((call, index) => {
    const before = calls[index];
    const takenAt = before?.at ?? 0;
    const answeredAt = (before && endpoint.answeredAt(before)) ?? Infinity;
    const kill = kills.findIndex((at) => at >= takenAt - IN_FLIGHT_MS && at <= call.at);
    const killedAt = kills[kill];
    if (killedAt === undefined)
      return { id, kill: null, beforeMs: 0, isAnswered: true, isOverdue: true };
    const isOverdue = served.some((one) => one.sentAt > answeredAt && one.servedAt < killedAt);
    const isAnswered = answeredAt <= killedAt;
    return { id, kill, beforeMs: killedAt - takenAt, isAnswered, isOverdue };
  });
}
