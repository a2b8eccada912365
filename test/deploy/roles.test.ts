// The image as three processes, one of each role, on the real services.
import { randomBytes } from "node:crypto";
import { Wait } from "testcontainers";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import type { DistributedConfig } from "../../src/config/config.ts";
import { claimPort } from "../services/native/ports.ts";
import { API_KEY, answered, type Client, createClient } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { distributedEnvironment, dropInstallation, realServices } from "../support/distributed.ts";
import { until } from "../support/poll.ts";
import { startReceiver } from "../support/receiver.ts";
import { HardenedContainer, remove, stop } from "./container.ts";

const TRANSACTIONS = 1_000;
const image = inject("image");
const name = image?.name ?? "";

interface RoleContainer {
  readonly id: string;
  readonly client: Client;
}

/** On the machine's own network, because that is where the services listen. Resolves when it is healthy. */
async function startRole(
  role: "ingest" | "enrich" | "dispatch",
  distributed: DistributedConfig,
): Promise<RoleContainer> {
  const claim = await claimPort();
  try {
    const container = await new HardenedContainer(name)
      .withNetworkMode("host")
      .withCommand(["serve", "--role", role])
      .withEnvironment({
        ...distributedEnvironment(distributed),
        HOST: "127.0.0.1",
        PORT: String(claim.port),
        ...(role === "ingest" ? { LEDGERLINE_API_KEY: API_KEY } : {}),
        WEBHOOK_ALLOW_CIDRS: "127.0.0.1/32",
        WEBHOOK_ALLOW_HTTP: "on",
      })
      // As in deploy/compose.yaml: nothing may be kept in the data folder.
      .withTmpFs({ "/tmp": "noexec,nosuid,nodev", "/var/lib/ledgerline": "size=4k,mode=0555" })
      .withWaitStrategy(Wait.forHealthCheck())
      .start();
    onTestFinished(() => remove(container.getId()));
    const client = createClient(`http://127.0.0.1:${String(claim.port)}`);
    return { id: container.getId(), client };
  } finally {
    await claim.release();
  }
}

describe.skipIf(image === null)("the image in three roles", () => {
  it("takes a batch in as ingest, recognises it as enrich, tells of it as dispatch, and all end in order", async () => {
    const distributed = realServices(`ledgerline-image-${randomBytes(4).toString("hex")}`);
    onTestFinished(() => dropInstallation(distributed));
    const [ingest, enrich, dispatch] = await Promise.all([
      startRole("ingest", distributed),
      startRole("enrich", distributed),
      startRole("dispatch", distributed),
    ]);
    const receiver = await startReceiver();
    const events = ["batches.completed"];
    answered(await ingest.client.call("POST", "/v3/webhooks", { url: receiver.url, events }), 200);
    const transactions = Array.from({ length: TRANSACTIONS }, (_, index) =>
      coffee(`t${String(index)}`),
    );
    const { id } = answered(await ingest.client.submitBatch(transactions), 200);
    await until("the end of the batch", async () => {
      const { status } = answered(await ingest.client.getBatch(id), 200);
      return status === "processing" ? null : status;
    });
    const { status, results } = answered(await ingest.client.results(id), 200);
    expect(status).toBe("completed");
    expect(results.map((result) => result.id)).toEqual(transactions.map((line) => line.id));
    expect(JSON.stringify(results.at(-1)?.entities)).toContain("Blue Bottle Coffee");
    await until("the call", () => (receiver.calls.length > 0 ? true : null));
    expect(receiver.events()[0]).toMatchObject({ event_type: "batches.completed", data: { id } });
    answered(await ingest.client.enrich(coffee("one")), 200);
    // It must not accept API calls.
    for (const { client } of [enrich, dispatch])
      answered(await client.call("GET", "/v3/transactions"), 404);

    expect((await stop(dispatch.id)).exitCode).toBe(0);
    expect((await stop(enrich.id)).exitCode).toBe(0);
    expect((await stop(ingest.id)).exitCode).toBe(0);
  });
});
