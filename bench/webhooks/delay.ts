// Delay between an event and its delivery to each subscriber, with endpoints that answer slowly or never.
import { setTimeout as pause } from "node:timers/promises";
import type { ServiceProcess } from "../../test/support/process.ts";
import { createSource, type Latency, toLatency } from "../calls.ts";
import { createBenchClient } from "../http.ts";
import { processSeconds } from "../process-usage.ts";
import {
  createInstallation,
  eventOf,
  eventTimes,
  type OpenStore,
  insertEvents,
  stopProcess,
} from "./installation.ts";
import type { Arrival, Behaviour, Receiver } from "./receiver.ts";

export interface DelayPlan {
  /** With the services the benchmark writes the events; else batches over the API make them. */
  readonly isDistributed: boolean;
  readonly organizations: number;
  /** Of each organization: how its endpoints answer. */
  endpoints(organization: number): readonly Behaviour[];
  readonly eventsPerSecond: number;
  readonly forMs: number;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface DelayRun {
  /** From an event to its first call, of endpoints that answer at once. */
  readonly delay: Latency;
  /** Of the calls that endpoints which answer at once should have got. */
  readonly arrivedShare: number;
  readonly events: number;
  /** Of a core. */
  readonly processShare: number | null;
}

/** Deliveries that are in flight at the last event may still arrive: late, not lost. */
const SETTLE_MS = 3_000;
/** At the beginning compilers and connections take their time. */
const WARM_UP_MS = 3_000;

export async function measureDelay(receiver: Receiver, plan: DelayPlan): Promise<DelayRun> {
  const installation = createInstallation(plan.isDistributed);
  try {
    const store = await installation.openStore();
    const orgs = await createOrganizations(store, receiver, plan);
    if (!plan.isDistributed) await store.close();
    await receiver.take();
    const service = await installation.start(plan.environment);
    const emit = !plan.isDistributed ? overApi(service) : intoStore(store);
    const before = processSeconds(service.pid);
    const startMs = Date.now();
    await feed(plan, orgs, emit.emit);
    const after = processSeconds(service.pid);
    const seconds = (Date.now() - startMs) / 1000;
    await pause(SETTLE_MS);
    emit.close();
    const arrivals = await receiver.take();
    await stopProcess(service, "SIGKILL");
    const read = !plan.isDistributed ? await installation.openStore() : store;
    const times = await eventTimes(read);
    await read.close();
    const fast = orgs.reduce((sum, { behaviours }) => sum + countFast(behaviours), 0) / orgs.length;
    return {
      ...summary(arrivals, times, fast, startMs + WARM_UP_MS),
      processShare: before === null || after === null ? null : (after - before) / seconds,
    };
  } finally {
    await installation.remove();
  }
}

interface Organization {
  readonly org: string;
  readonly key: string;
  readonly behaviours: readonly Behaviour[];
}

const countFast = (behaviours: readonly Behaviour[]): number =>
  behaviours.filter((behaviour) => behaviour === "fast").length;

async function createOrganizations(
  store: OpenStore,
  receiver: Receiver,
  plan: DelayPlan,
): Promise<Organization[]> {
  const orgs: Organization[] = [];
  let endpoint = 0;
  for (let index = 0; index < plan.organizations; index += 1) {
    const org = `org-${String(index)}`;
    const behaviours = plan.endpoints(index);
    for (const behaviour of behaviours) {
      await store.createEndpoint(org, receiver.urlOf(endpoint, behaviour));
      endpoint += 1;
    }
    orgs.push({ org, key: await store.createKey(org), behaviours });
  }
  return orgs;
}

interface Emitter {
  emit(org: Organization): Promise<void>;
  close(): void;
}

/** A batch of one transaction, whose end is an event. */
function overApi(service: ServiceProcess): Emitter {
  const client = createBenchClient(service.url);
  const source = createSource([]);
  return {
    emit: async ({ key }) => {
      await client.post("/v3/batches", source.batchBody(1), key);
    },
    close: client.close,
  };
}

const intoStore = (store: OpenStore): Emitter => ({
  emit: ({ org }) => insertEvents(store, [eventOf(org, Date.now())]),
  close: () => undefined,
});

/** Events begin when they are due, of one organization after the other. */
async function feed(
  { eventsPerSecond, forMs }: DelayPlan,
  orgs: readonly Organization[],
  emit: Emitter["emit"],
): Promise<void> {
  const startMs = performance.now();
  const total = Math.floor(((WARM_UP_MS + forMs) / 1000) * eventsPerSecond);
  const calls: Promise<void>[] = [];
  while (calls.length < total) {
    const dueMs = startMs + (calls.length * 1000) / eventsPerSecond;
    const org = orgs[calls.length % orgs.length];
    if (performance.now() < dueMs || org === undefined) await pause(1);
    else calls.push(emit(org));
  }
  await Promise.all(calls);
}

function summary(
  arrivals: readonly Arrival[],
  times: ReadonlyMap<string, number>,
  fastPerEvent: number,
  fromMs: number,
): Omit<DelayRun, "processShare"> {
  const counted = new Map([...times].filter(([, createdAt]) => createdAt >= fromMs));
  const seen = new Set<string>();
  const delays: number[] = [];
  for (const { eventId, endpoint, behaviour, atMs } of arrivals) {
    const key = `${eventId}/${String(endpoint)}`;
    const createdAt = counted.get(eventId);
    if (createdAt === undefined || behaviour !== "fast" || seen.has(key)) continue;
    seen.add(key);
    delays.push(atMs - createdAt);
  }
  return {
    delay: toLatency(delays),
    arrivedShare: delays.length / (counted.size * fastPerEvent),
    events: counted.size,
  };
}
