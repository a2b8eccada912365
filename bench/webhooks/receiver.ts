// Starts the process with the endpoints, and asks it what has arrived.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { until } from "../../test/support/poll.ts";

/** `hangs`: it takes calls and never answers. `tires`: it answers some calls, then hangs. `slow`: it answers after 5 s. */
export type Behaviour = "fast" | "slow" | "hangs" | "tires";

export type ToReceiver = "count" | "take";
export type FromReceiver =
  | { readonly kind: "listening"; readonly port: number }
  | { readonly kind: "count"; readonly count: number }
  | ({ readonly kind: "arrivals" } & Columns);

interface Columns {
  readonly eventIds: readonly string[];
  readonly paths: readonly string[];
  /** Milliseconds since 1970. */
  readonly atMs: readonly number[];
}

export interface Arrival {
  readonly eventId: string;
  readonly endpoint: number;
  readonly behaviour: Behaviour;
  /** Milliseconds since 1970. */
  readonly atMs: number;
}

export interface Receiver {
  readonly pid: number;
  urlOf(endpoint: number, behaviour: Behaviour): string;
  /** Calls of endpoints that answer at once since the last time that they were taken. */
  count(): Promise<number>;
  /** All calls since the last time, in the order in which they came; cuts the connections. */
  take(): Promise<Arrival[]>;
  stop(): void;
}

const PROGRAM = fileURLToPath(new URL("./receiver-process.ts", import.meta.url));

export async function startReceiver(): Promise<Receiver> {
  const child = fork(PROGRAM, { serialization: "advanced" });
  const [listening] = (await once(child, "message")) as [FromReceiver];
  if (listening.kind !== "listening" || child.pid === undefined)
    throw new Error("The receiver did not start");
  const { port } = listening;
  return {
    pid: child.pid,
    urlOf: (endpoint, behaviour) => {
      const host = `127.1.${String(endpoint >> 8)}.${String(endpoint & 255)}`;
      return `http://${host}:${String(port)}/${behaviour}/${String(endpoint)}`;
    },
    count: async () => {
      const reply = await ask(child, "count");
      return reply.kind === "count" ? reply.count : 0;
    },
    take: async () => {
      const reply = await ask(child, "take");
      return reply.kind === "arrivals" ? toArrivals(reply) : [];
    },
    stop: () => {
      child.disconnect();
    },
  };
}

async function ask(child: ChildProcess, question: ToReceiver): Promise<FromReceiver> {
  const reply = once(child, "message") as Promise<[FromReceiver]>;
  child.send(question);
  return (await reply)[0];
}

function toArrivals({ eventIds, paths, atMs }: Columns): Arrival[] {
  return eventIds.map((eventId, index) => {
    const [, behaviour = "", endpoint] = (paths[index] ?? "").split("/");
    return {
      eventId,
      endpoint: Number(endpoint),
      behaviour: behaviour as Behaviour,
      atMs: atMs[index] ?? Number.NaN,
    };
  });
}

/** Resolves once so many calls have arrived. */
export async function untilArrived(receiver: Receiver, count: number, ms: number): Promise<void> {
  await until(
    `${String(count)} calls`,
    async () => ((await receiver.count()) >= count ? true : null),
    ms,
  );
}
