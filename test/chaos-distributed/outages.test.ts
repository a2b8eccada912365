// Services that are away for a while and come back, with a single server of each.
import { setTimeout as delay } from "node:timers/promises";
import { it } from "vitest";
import { useCluster } from "./cluster.ts";
import { survive } from "./harness.ts";

const BROKER_AWAY_MS = 20_000;
const MONGO_AWAY_MS = 30_000;
const REGISTRY_AWAY_MS = 10_000;

const cluster = useCluster();

it("a broker that is away for 20 s", async () => {
  await survive({
    name: "broker stopped",
    happen: async () => {
      const [broker] = cluster().kafka.nodes;
      await broker?.kill("SIGKILL");
      await delay(BROKER_AWAY_MS);
      await broker?.restart();
    },
  });
});

it("a MongoDB that is away for 30 s", async () => {
  await survive({
    name: "mongodb stopped",
    happen: async () => {
      const [node] = cluster().mongo.nodes;
      await node?.kill("SIGKILL");
      await delay(MONGO_AWAY_MS);
      await node?.restart();
    },
  });
});

it("without a schema registry the processes go on, and processes that start wait for it", async () => {
  await survive({
    name: "registry stopped",
    happen: async ({ installation, answers }) => {
      await cluster().registry.kill("SIGKILL");
      await answers(60);
      await installation.ingest[0]?.signal("SIGKILL");
      await installation.enrich[0]?.signal("SIGKILL");
      await delay(REGISTRY_AWAY_MS);
      await cluster().registry.restart();
      await installation.untilServing();
    },
  });
});
