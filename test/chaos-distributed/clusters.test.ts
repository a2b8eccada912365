// Three servers of each kind, of which one is lost at a time.
import { setTimeout as delay } from "node:timers/promises";
import { it } from "vitest";
import { useCluster } from "./cluster.ts";
import { survive } from "./harness.ts";
import { createSubmitter } from "./submitter.ts";

const BROKER_AWAY_MS = 6_000;
const PRIMARIES = 2;
const PRIMARY_AWAY_MS = 5_000;

const cluster = useCluster({ brokers: 3, mongoNodes: 3 });

it("brokers that are killed one after the other", async () => {
  await survive({
    name: "brokers in rotation",
    happen: async () => {
      for (const broker of cluster().kafka.nodes) {
        await broker.kill("SIGKILL");
        await delay(BROKER_AWAY_MS);
        await broker.restart();
        await cluster().kafka.untilInSync();
      }
    },
  });
});

it("the primary of MongoDB, killed while a batch is being stored", async () => {
  await survive({
    name: "primary killed",
    happen: async ({ installation, alsoSent, random }) => {
      const submitter = createSubmitter("primary", installation.nextClient);
      for (let kill = 0; kill < PRIMARIES; kill += 1) {
        const primary = cluster().mongo.nodes[await cluster().mongo.primary()];
        await submitter.submit(10_000);
        await delay(random.integer(0, 500));
        await primary?.kill("SIGKILL");
        await delay(PRIMARY_AWAY_MS);
        await primary?.restart();
      }
      alsoSent(submitter.result());
    },
  });
});
