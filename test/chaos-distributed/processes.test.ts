// Processes of an installation that are killed, that come and go, or that live in another time, with the services in
// order.
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { useCluster } from "./cluster.ts";
import { FLOOD_RECORDS, floodPartition } from "./flood.ts";
import { survive } from "./harness.ts";
import type { Environment } from "./installation.ts";

const KILLS = Number(process.env["CHAOS_KILLS"] ?? 6);
const JOINS = 4;
const HOUR_MS = 3_600_000;

useCluster();

it("kill -9 of processes that enrich, in rotation, loses and doubles nothing", async () => {
  await survive({
    name: "enrich killed",
    happen: async ({ installation, random, answers, note }) => {
      for (let kill = 0; kill < KILLS; kill += 1) {
        await answers(random.integer(1, 15));
        await delay(random.integer(0, 30));
        await installation.enrich[kill % installation.enrich.length]?.signal("SIGKILL");
        // Without the pause there are times without an enrich process; they are allowed too.
        if (random.chance(0.5)) await delay(random.integer(0, 2_000));
      }
      note("kills", KILLS);
    },
  });
});

it("kill -9 while a partition is read on behind a flood loses nothing of it", async () => {
  await survive({
    name: "ahead killed",
    happen: async ({ installation, note }) => {
      const flood = await floodPartition(installation);
      try {
        await flood.untilBehindIsStored();
        await Promise.all(installation.enrich.map((member) => member.signal("SIGKILL")));
        // What is done behind the flood may not be committed: what was passed over would not be read again.
        const uncommitted = await flood.uncommitted();
        const stored = await flood.stored();
        note("storedOfFlood", stored);
        note("uncommitted", uncommitted);
        expect(uncommitted).toBeGreaterThanOrEqual(FLOOD_RECORDS - stored);
        await flood.untilAllIsStored();
      } finally {
        await flood.close();
      }
    },
  });
});

it("kill -9 of processes that accept, in the middle of publishing, loses and doubles nothing", async () => {
  await survive({
    name: "ingest killed",
    happen: async ({ installation, random, answers, note }) => {
      for (let kill = 0; kill < KILLS; kill += 1) {
        await answers(random.integer(1, 15));
        await delay(random.integer(0, 60));
        await installation.ingest[kill % installation.ingest.length]?.signal("SIGKILL");
      }
      note("kills", KILLS);
    },
  });
});

it("a process that joins and leaves every few seconds costs nothing but time", async () => {
  await survive({
    name: "rebalances",
    happen: async ({ installation, random, note }) => {
      for (let join = 0; join < JOINS; join += 1) {
        const member = installation.join();
        await member.untilServing();
        await delay(random.integer(500, 2_500));
        // A process that is killed stays a member until its session ends, and is joined by the next one meanwhile.
        await member.leave(join % 3 === 2 ? "SIGKILL" : "SIGTERM");
        await delay(random.integer(0, 1_000));
      }
      note("joins", JOINS);
    },
  });
});

it("clocks that are hours apart, and jump, change nothing that is stored", async () => {
  const moved = (...moves: readonly (readonly [number, number])[]): Environment => ({
    NODE_OPTIONS: `--import=${new URL("../support/fixtures/moved-clock.ts", import.meta.url).href}`,
    CLOCK_MOVES: JSON.stringify(moves),
  });
  await survive({
    name: "clocks moved",
    ingest: [moved([0, 5 * HOUR_MS]), moved([0, -3 * HOUR_MS])],
    enrich: [
      moved([0, -7 * HOUR_MS], [12_000, 2 * HOUR_MS]),
      moved([0, 4 * HOUR_MS], [15_000, -1 * HOUR_MS]),
    ],
    happen: async ({ installation, answers }) => {
      await delay(15_000);
      await installation.ingest[1]?.signal("SIGKILL");
      await installation.enrich[0]?.signal("SIGKILL");
      await answers(40);
      await delay(5_000);
    },
  });
});
