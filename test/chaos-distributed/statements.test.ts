// Bank statements against processes that are killed while they accept them and while they read them.
import { setTimeout as delay } from "node:timers/promises";
import { MongoClient } from "mongodb";
import { expect, it } from "vitest";
import { createComplaints } from "../chaos/judge.ts";
import { eventsOf, judgeStatements } from "../chaos/judge-statements.ts";
import { makeUploadFiles, uploadStatements } from "../chaos/statement-load.ts";
import { dropInstallation } from "../support/distributed.ts";
import { until } from "../support/poll.ts";
import { createRandom } from "../support/random.ts";
import { useCluster } from "./cluster.ts";
import { type Installation, startInstallation } from "./installation.ts";
import { readLag } from "./lag.ts";

const CLIENTS = ["a", "b"] as const;
const KILLS = Number(process.env["CHAOS_KILLS"] ?? 6);
const SEED = Number(process.env["CHAOS_SEED"] ?? Math.floor(Math.random() * 1_000_000));
const KILL_AFTER_MS_MAX = 1_500;
const RECOVERY_MS_MAX = 240_000;

useCluster();

/** Kills a process that accepts or one that reads, at random moments. */
async function killInRotation(
  { ingest, statements }: Installation,
  answers: () => number,
): Promise<void> {
  const random = createRandom(SEED);
  const members = [...statements, ...ingest];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const target = answers() + random.integer(1, 6);
    await until("uploads go on", () => (answers() >= target ? true : null), RECOVERY_MS_MAX);
    await delay(random.integer(0, KILL_AFTER_MS_MAX));
    await members[kill % members.length]?.signal("SIGKILL");
  }
}

async function eventIdsIn({ config }: Installation): Promise<readonly string[]> {
  const mongo = new MongoClient(config.mongodbUrl);
  try {
    const events = await mongo.db().collection("events").find({}).toArray();
    return events.map((event) => String(event["eventId"])).toSorted();
  } finally {
    await mongo.close();
  }
}

it(`kill -9 of processes that accept and read loses and doubles no statement (CHAOS_SEED=${String(SEED)})`, async () => {
  process.stdout.write(`CHAOS_SEED=${String(SEED)}\n`);
  const installation = startInstallation({
    name: `chaos-${String(SEED)}-statements`,
    ...{ ingest: [{}, {}], enrich: [{}], statements: [{}, {}] },
  });
  const stop = new AbortController();
  try {
    await installation.untilServing();
    const files = await makeUploadFiles();
    let answers = 0;
    const load = Promise.all(
      CLIENTS.map((name, index) =>
        uploadStatements({
          ...{ name, files, seed: SEED * CLIENTS.length + index, signal: stop.signal },
          url: installation.nextUrl,
          onServices: true,
          answered: () => {
            answers += 1;
          },
        }),
      ),
    );
    await Promise.race([killInRotation(installation, () => answers), load]);
    stop.abort();
    const sent = (await load).flat();
    await installation.untilServing();
    const isQuiet = async (): Promise<true | null> =>
      (await readLag(installation.config).catch(() => null)) === 0 ? true : null;
    await until("the groups have done all records", isQuiet, RECOVERY_MS_MAX);
    const { complain, problems } = createComplaints();
    const documents = await judgeStatements(installation.nextClient(), sent, complain);
    const found = await eventIdsIn(installation);
    if (found.join() !== eventsOf(documents).join())
      complain(`${String(found.length)} events, not one of each document and batch`);
    const unknown = sent.filter(({ isUnknown }) => isUnknown).length;
    const tally = { sent: sent.length, unknown, documents: documents.length };
    process.stdout.write(`${JSON.stringify(tally)}\n`);
    expect(problems).toEqual([]);
    expect(await installation.stop("SIGTERM")).toEqual([]);
  } finally {
    stop.abort();
    await installation.stop("SIGKILL");
    await dropInstallation(installation.config).catch(() => undefined);
  }
});
