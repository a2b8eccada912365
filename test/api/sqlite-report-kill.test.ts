// A report that is moved while no service runs, after a process on the data folder was killed.
import { expect, it } from "vitest";
import { answered, createClient } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { runCommand } from "../support/command.ts";
import { until } from "../support/poll.ts";
import { startProcess } from "../support/process.ts";
import { startReceiver } from "../support/receiver.ts";
import { temporaryFolder } from "../support/service.ts";

it("a move is delivered after the service was killed, with the id that the webhook gets", async () => {
  const dataFolder = temporaryFolder();
  const [own, registered] = [await startReceiver(), await startReceiver()];
  const env = { WEBHOOK_ALLOW_HTTP: "on", WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8" };
  const first = await startProcess({ dataFolder, env });
  const client = createClient(first.url);
  answered(await client.enrich(coffee("t")), 200);
  const webhook = { url: registered.url, events: ["reports.pending"] };
  answered(await client.call("POST", "/v3/webhooks", webhook), 200);
  const report = { transaction_id: "t", webhook_url: own.url };
  const { id } = answered(await client.call<{ id: string }>("POST", "/v2/report", report), 200);
  first.kill("SIGKILL");
  await first.exited;
  // Without a service that could deliver it.
  const data = { LEDGERLINE_DATA: dataFolder, LOG_LEVEL: "warn" };
  const moved = await runCommand(data, "reports", "move", id, "pending");
  expect([moved.code, own.calls.length]).toEqual([0, 0]);
  const second = await startProcess({ dataFolder, env });
  const isDelivered = (): true | null =>
    own.calls.length > 0 && registered.calls.length > 0 ? true : null;
  await until("both calls", isDelivered);
  expect(own.events()).toEqual(registered.events());
  expect(own.events()).toMatchObject([{ event_type: "reports.pending", data: { id } }]);
  second.kill("SIGTERM");
  await second.exited;
});
