// The training of a killed process begins again in the next one, and what it had trained before labels meanwhile.
import { describe, expect, it, onTestFinished } from "vitest";
import { answered, createClient } from "../support/client.ts";
import { labelledItems, unlabelledItem } from "../support/labelled-items.ts";
import { until } from "../support/poll.ts";
import { type ServiceProcess, startProcess } from "../support/process.ts";
import { temporaryFolder } from "../support/service.ts";

interface ModelStatus {
  readonly status: string;
  readonly versions: readonly { readonly version: number }[];
}

async function start(dataFolder: string): Promise<ServiceProcess> {
  const service = await startProcess({ dataFolder });
  onTestFinished(async () => {
    service.kill("SIGKILL");
    await service.exited;
  });
  return service;
}

const label = (client: ReturnType<typeof createClient>) =>
  client.call<{ labels: string[] }[]>("POST", "/v2/transactions/sync?model_name=mine", [
    unlabelledItem,
  ]);

describe("a killed process", () => {
  it("leaves its training to the next one, and the version before labels until it is ready", async () => {
    const dataFolder = temporaryFolder();
    const first = await start(dataFolder);
    const client = createClient(first.url);
    const read = async (by: typeof client): Promise<ModelStatus> =>
      answered(await by.call<ModelStatus>("GET", "/v2/models/mine"), 200);
    const train = (transactions: object[]) =>
      client.call("POST", "/v2/models/mine", { transactions, threshold: 0 });
    const reach = (by: typeof client, wanted: string) =>
      until(`the model is ${wanted}`, async () => {
        const model = await read(by);
        return model.status === wanted ? model : null;
      });
    answered(await train(labelledItems(40, "old")), 200);
    await reach(client, "ready");
    answered(await train(labelledItems(4_000, "new")), 200);
    await reach(client, "training");
    first.kill("SIGKILL");
    await first.exited;

    const next = createClient((await start(dataFolder)).url);
    expect(["queued", "training"]).toContain((await read(next)).status);
    expect(answered(await label(next), 200)[0]?.labels).toEqual(["old 3"]);
    expect((await reach(next, "ready")).versions.map(({ version }) => version)).toEqual([2, 1]);
    expect(answered(await label(next), 200)[0]?.labels).toEqual(["new 3"]);
  }, 120_000);
});
