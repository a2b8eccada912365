// The promise that every event is delivered at least once, and always as the same event, against kill -9 at any moment.
// CHAOS_SEED repeats the choices of a run (not its timing: where a kill hits is up to the machine), CHAOS_KILLS and
// CHAOS_EVENTS make it longer.
import { expect } from "vitest";
import { createClient } from "../support/client.ts";
import { until } from "../support/poll.ts";
import { startProcess } from "../support/process.ts";
import { createRandom, type Random } from "../support/random.ts";
import { temporaryFolder } from "../support/service.ts";
import { createComplaints } from "./judge.ts";
import {
  type CallsTally,
  judgeCalls,
  registerEndpoint,
  startEndpoint,
  submitBatches,
  untilDelivered,
  WEBHOOK_ENVIRONMENT,
} from "./webhook-load.ts";

export const KILLS = Number(process.env["CHAOS_KILLS"] ?? 25);
export const EVENTS = Number(process.env["CHAOS_EVENTS"] ?? 2_500);
export const SEED = Number(process.env["CHAOS_SEED"] ?? Math.floor(Math.random() * 1_000_000));
/** Calls to one endpoint that are in flight or not recorded: a kill repeats no others. */
export const IN_FLIGHT_MAX = 16;
/** A commit and what comes before it in the loop of a process on a machine that does other things too. */
const WRITTEN_MS = 1_000;

/** How events come, and when the next kill does. */
export interface KilledLoad {
  readonly what: string;
  /** Batches submitted a second. */
  readonly perS: number;
  /** Resolves in the middle of calls, spread over the whole of the load. */
  readonly untilNextKill: (random: Random, goOn: (calls: number) => Promise<void>) => Promise<void>;
}

/** Kills the service again and again while events are delivered; returns what the endpoint saw, with everything wrong complained of. */
export async function deliverThroughKills(load: KilledLoad): Promise<Omit<CallsTally, "repeated">> {
  process.stdout.write(`CHAOS_SEED=${String(SEED)}\n`);
  const startedAt = performance.now();
  const options = { dataFolder: temporaryFolder(), env: WEBHOOK_ENVIRONMENT };
  const random = createRandom(SEED);
  const endpoint = await startEndpoint({ seed: SEED, answerMsMax: 10, unreliable: EVENTS / 2 });
  const stop = new AbortController();
  let service = await startProcess(options);
  let client = createClient(service.url);
  const kills: number[] = [];
  try {
    const webhook = await registerEndpoint(client, endpoint);
    const submissions = submitBatches(EVENTS, () => client, stop.signal, load.perS);
    for (let kill = 1; kill <= KILLS; kill += 1) {
      await load.untilNextKill(random, (calls) => {
        const last = endpoint.count() + calls;
        const isFarEnough = (): true | null =>
          endpoint.count() >= last || submissions.accepted.size >= (EVENTS * kill) / (KILLS + 1)
            ? true
            : null;
        return until("the load goes on", isFarEnough).then(() => undefined);
      });
      service.kill("SIGKILL");
      kills.push(Date.now());
      await service.exited;
      service = await startProcess(options);
      client = createClient(service.url);
    }
    await submissions.done;
    const batches = await untilDelivered(() => client, webhook);
    const { problems, complain } = createComplaints();
    const { accepted, served, unknown } = submissions;
    const { repeated, ...counts } = judgeCalls(
      { endpoint, batches, accepted, served, kills, writtenMs: WRITTEN_MS },
      complain,
    );
    service.kill("SIGTERM");
    expect((await service.exited).code).toBe(0);
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    const summary = {
      load: load.what,
      kills: kills.length,
      accepted: accepted.size,
      unknown: unknown(),
      seconds,
    };
    for (const one of repeated) process.stdout.write(`${JSON.stringify(one)}\n`);
    process.stdout.write(`${JSON.stringify({ ...summary, ...counts })}\n`);
    expect(problems).toEqual([]);
    return counts;
  } finally {
    stop.abort();
    service.kill("SIGKILL");
    await service.exited;
  }
}
