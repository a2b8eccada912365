// Processes of their own tell subscribers: two of them, killed in turn, and a MongoDB that is away for a while.
import { setTimeout as delay } from "node:timers/promises";
import { MongoClient } from "mongodb";
import { expect, it } from "vitest";
import { type Complain, createComplaints } from "../chaos/judge.ts";
import {
  judgeCalls,
  registerEndpoint,
  startEndpoint,
  submitBatches,
  untilDelivered,
  WEBHOOK_ENVIRONMENT,
} from "../chaos/webhook-load.ts";
import { dropInstallation } from "../support/distributed.ts";
import { until } from "../support/poll.ts";
import { createRandom } from "../support/random.ts";
import { useCluster } from "./cluster.ts";
import { type Installation, startInstallation } from "./installation.ts";
import { judgePublished } from "./judge-services.ts";
import { readLag } from "./lag.ts";

const KILLS = Number(process.env["CHAOS_KILLS"] ?? 12);
const EVENTS = Number(process.env["CHAOS_EVENTS"] ?? 3_000);
const SEED = Number(process.env["CHAOS_SEED"] ?? Math.floor(Math.random() * 1_000_000));
const MONGO_AWAY_MS = 15_000;
/** What is answered while MongoDB is away can only be written down afterwards. */
const WRITTEN_MS = MONGO_AWAY_MS + 10_000;
/** Calls in flight to one endpoint from one process, and calls that only wait for their batched write. */
const IN_FLIGHT_MAX = 16;
const UNWRITTEN_MAX = 64;
const OUTPUT_SHOWN_MAX = 6_000;
const RECOVERY_MS_MAX = 120_000;

const cluster = useCluster();

it(`dispatchers killed in turn and MongoDB away for 15 s: each of ${String(EVENTS)} events arrives, and never as two (CHAOS_SEED=${String(SEED)})`, async () => {
  const startedAt = performance.now();
  const random = createRandom(SEED);
  // Events come more slowly here, so that only slow answers leave calls in flight at a kill.
  const endpoint = await startEndpoint({ seed: SEED, answerMsMax: 150, unreliable: EVENTS / 2 });
  const env = WEBHOOK_ENVIRONMENT;
  const installation = startInstallation({
    name: `chaos-${String(SEED)}-webhooks`,
    ingest: [env],
    enrich: [env],
    dispatch: [env, env],
  });
  const { nextClient, dispatch } = installation;
  const stop = new AbortController();
  const kills: number[] = [];
  try {
    await installation.untilServing();
    const webhook = await registerEndpoint(nextClient(), endpoint);
    const submissions = submitBatches(EVENTS, nextClient, stop.signal);
    // Spread over all deliveries.
    const goesOn = (count: number): Promise<true> => {
      const latest = (EVENTS * (kills.length + 1)) / (KILLS + 1);
      const calls = Math.min(endpoint.count() + count, latest);
      const isThere = (): true | null => (endpoint.count() >= calls ? true : null);
      return until("the load goes on", isThere, RECOVERY_MS_MAX);
    };
    const killNext = async (): Promise<void> => {
      const member = dispatch[kills.length % dispatch.length];
      kills.push(Date.now());
      await member?.signal("SIGKILL");
    };
    while (kills.length < KILLS) {
      await goesOn(random.integer(1, Math.ceil((2 * EVENTS) / KILLS)));
      await delay(random.integer(0, 30));
      if (kills.length === Math.floor(KILLS / 2)) await withoutMongo(killNext);
      else await killNext();
    }
    await submissions.done;
    const batches = await untilDelivered(nextClient, webhook);
    const { problems, complain } = createComplaints();
    const { accepted, unknown } = submissions;
    const { repeated, ...counts } = judgeCalls(
      { endpoint, batches, accepted, served: [], kills, writtenMs: WRITTEN_MS },
      complain,
    );
    for (const end of await installation.stop("SIGTERM")) complain(`after SIGTERM ${end}`);
    const lag = await readLag(installation.config);
    if (lag !== 0) complain(`${String(lag)} records are not committed in the end`);
    const published = await publishedOf(installation, complain);
    // A process that starts without MongoDB ends and is started again.
    const exits = installation.members().flatMap((member) => member.exits());
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    const summary = {
      kills: kills.length,
      accepted: accepted.size,
      unknown: unknown(),
      published,
      seconds,
    };
    for (const one of [...repeated, ...exits]) process.stdout.write(`${JSON.stringify(one)}\n`);
    process.stdout.write(`${JSON.stringify({ ...summary, ...counts })}\n`);
    expect(problems).toEqual([]);
    expect(counts.repeatsPerKill).toBeLessThanOrEqual(IN_FLIGHT_MAX);
    expect(counts.repeatsOfWorstKill).toBeLessThanOrEqual(IN_FLIGHT_MAX + UNWRITTEN_MAX);
  } catch (error) {
    for (const member of installation.members())
      process.stdout.write(`--- ${member.name}\n${member.output().slice(-OUTPUT_SHOWN_MAX)}\n`);
    throw error;
  } finally {
    stop.abort();
    await installation.stop("SIGKILL");
    await dropInstallation(installation.config).catch(() => undefined);
  }
});

/** Records on `events`, each of which must be an event as it is stored, and each event among them. */
async function publishedOf(
  installation: Pick<Installation, "config">,
  complain: Complain,
): Promise<number> {
  const mongo = new MongoClient(installation.config.mongodbUrl);
  try {
    return await judgePublished(installation, mongo, complain);
  } finally {
    await mongo.close();
  }
}

/** @param happen what happens meanwhile */
async function withoutMongo(happen: () => Promise<void>): Promise<void> {
  const [node] = cluster().mongo.nodes;
  await node?.kill("SIGKILL");
  await delay(MONGO_AWAY_MS / 2);
  await happen();
  await delay(MONGO_AWAY_MS / 2);
  await node?.restart();
}
