// The training of a process that is killed is done by another one, once.
import { expect, it } from "vitest";
import { answered, type Client } from "../support/client.ts";
import { dropInstallation } from "../support/distributed.ts";
import { labelledItems, unlabelledItem } from "../support/labelled-items.ts";
import { until } from "../support/poll.ts";
import { useCluster } from "./cluster.ts";
import { type Installation, startInstallation } from "./installation.ts";

interface ModelStatus {
  readonly status: string;
  readonly progress: number;
  readonly versions: readonly { readonly version: number; readonly items: number }[];
}

/** The claim of a killed process lasts 30 s. */
const TRAINED_MS_MAX = 240_000;

useCluster();

const read = async (client: Client): Promise<ModelStatus> =>
  answered(await client.call<ModelStatus>("GET", "/v2/models/mine"), 200);

const untilReady = (client: Client): Promise<ModelStatus> =>
  until(
    "the model is ready",
    async () => {
      const model = await read(client);
      return model.status === "ready" ? model : null;
    },
    TRAINED_MS_MAX,
  );

const labelsBy = async (client: Client): Promise<readonly string[] | undefined> => {
  const path = "/v2/transactions/sync?model_name=mine";
  const [one] = answered(
    await client.call<{ labels: string[] }[]>("POST", path, [unlabelledItem]),
    200,
  );
  return one?.labels;
};

/** Kills the only process that can train, in the middle of a training, for good; another one has joined by then. */
async function killTrainer(installation: Installation, client: Client): Promise<void> {
  const [trainer] = installation.enrich;
  const isTraining = async (): Promise<true | null> => {
    const { status, progress } = await read(client);
    return status === "training" && progress > 0 ? true : null;
  };
  await until("the model is being trained", isTraining, TRAINED_MS_MAX);
  const next = installation.join();
  await trainer?.leave("SIGKILL");
  await next.untilServing();
}

it("kill -9 of the process that trains leaves the training to another, which ends it once", async () => {
  const installation = startInstallation({
    name: `chaos-models-${String(process.pid)}`,
    ...{ ingest: [{}], enrich: [{}] },
  });
  try {
    await installation.untilServing();
    const client = installation.nextClient();
    const train = async (count: number, prefix: string): Promise<void> => {
      const body = { transactions: labelledItems(count, prefix), threshold: 0 };
      answered(await client.call("POST", "/v2/models/mine", body), 200);
    };
    await train(40, "old");
    await untilReady(client);
    await train(10_000, "new");
    await killTrainer(installation, client);
    // The version before labels until the other process has trained the new one.
    expect([["old 3"], ["new 3"]]).toContainEqual(await labelsBy(client));
    expect((await untilReady(client)).versions).toMatchObject([
      { version: 2, items: 10_000 },
      { version: 1, items: 40 },
    ]);
    expect(await labelsBy(client)).toEqual(["new 3"]);
  } catch (error) {
    for (const member of installation.members())
      process.stdout.write(`--- ${member.name}\n${member.output().slice(-6_000)}\n`);
    throw error;
  } finally {
    await installation.stop("SIGKILL");
    await dropInstallation(installation.config).catch(() => undefined);
  }
});
