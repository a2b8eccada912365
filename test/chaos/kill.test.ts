// The promises that accepted is durable, that there is one result and that the later submission wins, against kill -9 at
// any moment. CHAOS_SEED repeats the choices of a run (not its timing: where a kill hits is up to the machine).
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { createClient } from "../support/client.ts";
import { until } from "../support/poll.ts";
import { type ServiceProcess, spawnProcess, startProcess } from "../support/process.ts";
import { createRandom, type Random } from "../support/random.ts";
import { temporaryFolder } from "../support/service.ts";
import { judgeEmbedded } from "./judge-embedded.ts";
import { runLoad } from "./load.ts";

const CLIENTS = ["a", "bb", "c", "dd"] as const;
const KILLS = Number(process.env["CHAOS_KILLS"] ?? 40);
const SEED = Number(process.env["CHAOS_SEED"] ?? Math.floor(Math.random() * 1_000_000));

/** `load`: while it serves. `start_up`: before it listens. `drain`: after SIGTERM, which may have ended it already. */
const KILL_KINDS = ["load", "load", "load", "start_up", "drain"] as const;

it(`kill -9 at ${String(KILLS)} random moments loses nothing, doubles nothing and brings nothing back (CHAOS_SEED=${String(SEED)})`, async () => {
  process.stdout.write(`CHAOS_SEED=${String(SEED)}\n`);
  const dataFolder = temporaryFolder();
  const random = createRandom(SEED);
  const stop = new AbortController();
  let service = await startProcess({ dataFolder });
  let client = createClient(service.url);
  let answers = 0;
  const load = Promise.all(
    CLIENTS.map((name, index) =>
      runLoad({
        name,
        seed: SEED * CLIENTS.length + index,
        client: () => client,
        answered: () => {
          answers += 1;
        },
        signal: stop.signal,
      }),
    ),
  );
  // A broken promise ends the run at once instead of when the kills are over.
  const failures: unknown[] = [];
  load.catch((error: unknown) => {
    failures.push(error);
  });
  const kills: Record<string, number> = {};
  try {
    for (let kill = 0; kill < KILLS && failures.length === 0; kill += 1) {
      const target = answers + random.integer(1, 40);
      await until("the load goes on", () =>
        answers >= target || failures.length > 0 ? true : null,
      );
      const kind = random.pick(KILL_KINDS);
      kills[kind] = (kills[kind] ?? 0) + 1;
      service = await killAndRestart(service, kind, dataFolder, random);
      client = createClient(service.url);
    }
    stop.abort();
    const results = await load;
    const summary = await judgeEmbedded({ dataFolder, service, client, results });
    process.stdout.write(`${JSON.stringify({ kills, ...summary })}\n`);
    expect(summary.problems).toEqual([]);
  } finally {
    stop.abort();
    service.kill("SIGKILL");
    await service.exited;
  }
});

async function killAndRestart(
  service: ServiceProcess,
  kind: (typeof KILL_KINDS)[number],
  dataFolder: string,
  random: Random,
): Promise<ServiceProcess> {
  await delay(random.integer(0, 30));
  if (kind === "drain") {
    service.kill("SIGTERM");
    await delay(random.integer(0, 30));
  }
  service.kill("SIGKILL");
  await service.exited;
  if (kind === "start_up") {
    const starting = spawnProcess({ dataFolder });
    await Promise.race([starting.listening, delay(random.integer(0, 600))]);
    starting.kill("SIGKILL");
    await starting.exited;
  }
  // Nothing of the one that was killed may keep this one from starting.
  return startProcess({ dataFolder });
}
