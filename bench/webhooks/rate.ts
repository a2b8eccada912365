// How many deliveries a second a dispatcher brings to endpoints that answer at once when there is always more to send, from
// events that have no deliveries yet to attempts that are written down.
import { type DeliveryRow, deliverySpec } from "../../src/store/specs/webhook-specs.ts";
import { availableParallelism } from "node:os";
import { until } from "../../test/support/poll.ts";
import { machineSeconds, memoryMb, processSeconds } from "../process-usage.ts";
import {
  createInstallation,
  eventOf,
  insertEvents,
  type Installation,
  stopProcess,
} from "./installation.ts";
import { type Behaviour, type Receiver, untilArrived } from "./receiver.ts";

export interface RatePlan {
  readonly isDistributed: boolean;
  readonly endpoints: number;
  /** To all endpoints together. */
  readonly deliveries: number;
  /** How one of ten answers; all others answer at once, and only what they get is counted. */
  readonly tenth: Behaviour;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface RateRun {
  readonly perSecond: number;
  /** Of a core; the receiver and MongoDB have the rest. */
  readonly dispatcherShare: number | null;
  readonly receiverShare: number | null;
  readonly machineShare: number | null;
  readonly memoryMb: number | null;
  /** Calls that came more than once. */
  readonly repeated: number;
}

const WAIT_MS = 300_000;
const PER_ORGANIZATION = 10;

export async function measureRate(receiver: Receiver, plan: RatePlan): Promise<RateRun> {
  const installation = createInstallation(plan.isDistributed);
  try {
    const expected = await fill(installation, receiver, plan);
    await receiver.take();
    const service = await installation.start(plan.environment);
    const servesMs = Date.now();
    const before = look(service.pid, receiver.pid);
    await untilArrived(receiver, expected, WAIT_MS);
    const after = look(service.pid, receiver.pid);
    const memory = memoryMb(service.pid)?.peak ?? null;
    await untilRecorded(installation, expected);
    const arrivals = (await receiver.take()).filter(({ behaviour }) => behaviour === "fast");
    await stopProcess(service, plan.tenth === "fast" ? "SIGTERM" : "SIGKILL");
    const share = (name: "dispatcher" | "receiver" | "machine"): number | null => {
      const [from, to] = [before[name], after[name]];
      return from === null || to === null ? null : (to - from) / (after.seconds - before.seconds);
    };
    const machine = share("machine");
    const calls = new Set(
      arrivals.map(({ eventId, endpoint }) => `${eventId}/${String(endpoint)}`),
    );
    // It starts to serve shortly after it begins to send, or reports an error later.
    const startMs = Math.min(servesMs, arrivals[0]?.atMs ?? servesMs);
    return {
      perSecond: (expected * 1000) / ((arrivals[expected - 1]?.atMs ?? 0) - startMs),
      dispatcherShare: share("dispatcher"),
      receiverShare: share("receiver"),
      machineShare: machine === null ? null : machine / availableParallelism(),
      memoryMb: memory,
      repeated: arrivals.length - calls.size,
    };
  } finally {
    await installation.remove();
  }
}

const look = (dispatcher: number, receiver: number) => ({
  seconds: performance.now() / 1000,
  dispatcher: processSeconds(dispatcher),
  receiver: processSeconds(receiver),
  machine: machineSeconds(),
});

/** Makes the webhooks and their events; returns how many calls endpoints that answer at once are to get. */
async function fill(
  installation: Installation,
  receiver: Receiver,
  { endpoints, deliveries, tenth }: RatePlan,
): Promise<number> {
  const store = await installation.openStore();
  const orgs = Math.ceil(endpoints / PER_ORGANIZATION);
  for (let index = 0; index < endpoints; index += 1) {
    const behaviour = index < endpoints / PER_ORGANIZATION ? tenth : "fast";
    await store.createEndpoint(`org-${String(index % orgs)}`, receiver.urlOf(index, behaviour));
  }
  const perEndpoint = Math.ceil(deliveries / endpoints);
  const now = Date.now();
  const made = Array.from({ length: perEndpoint * orgs }, (_, index) =>
    eventOf(`org-${String(index % orgs)}`, now),
  );
  await insertEvents(store, made);
  await store.close();
  return perEndpoint * (tenth === "fast" ? endpoints : endpoints - orgs);
}

/** Delivered is what is written down. */
async function untilRecorded(installation: Installation, expected: number): Promise<void> {
  const store = await installation.openStore();
  const deliveries = store.engine.store.collection<DeliveryRow>(deliverySpec);
  try {
    await until("the deliveries to be written down", async () => {
      const { count } = await deliveries.aggregate({ state: "delivered" }, "attempts", "dueAt");
      return count >= expected ? true : null;
    });
  } finally {
    await store.close();
  }
}
