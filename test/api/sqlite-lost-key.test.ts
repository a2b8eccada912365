// A data folder whose key file is lost: from the refused start to a webhook that works again.
import { existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { Webhook as Verifier } from "standardwebhooks";
import { expect, it } from "vitest";
import { openWebhooks, rotateEncryption } from "../../src/app/commands.ts";
import { type Config, readConfig } from "../../src/config/config.ts";
import { createLogger } from "../../src/observability/logger.ts";
import { answered } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { until } from "../support/poll.ts";
import { startReceiver } from "../support/receiver.ts";
import { startService } from "../support/service.ts";

const SECRET = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`;
const SENTENCE =
  /^The encryption key [0-9a-f]{8} is missing, and 1 stored secret needs it: restore .*encryption\.key from a copy/;
const logger = createLogger("silent");
const webhooks: Config["webhooks"] = {
  ...readConfig({}, 1).webhooks,
  allowCidrs: ["127.0.0.0/8"],
  allowHttp: true,
};

it("a start without the key file is refused and makes none; with the file restored all is as before", async () => {
  const first = await startService({ config: { webhooks } });
  const receiver = await startReceiver();
  const body = { url: receiver.url, events: ["batches.completed"], hmac_secret: SECRET };
  const { id } = answered(
    await first.client.call<{ id: string }>("POST", "/v3/webhooks", body),
    200,
  );
  await first.close();
  const file = join(first.dataFolder, "encryption.key");
  renameSync(file, `${file}.away`);
  const config = { webhooks, dataFolder: first.dataFolder };
  await expect(startService({ config })).rejects.toThrow(SENTENCE);
  await expect(openWebhooks(first.config, logger)).rejects.toThrow(SENTENCE);
  await expect(rotateEncryption(first.config, logger, false)).rejects.toThrow(SENTENCE);
  expect(existsSync(file)).toBe(false);
  renameSync(`${file}.away`, file);
  const again = await startService({ config });
  const tested = await again.client.call<{ error: null }>("POST", `/v3/webhooks/${id}/test`);
  expect(answered(tested, 200).error).toBeNull();
});

it("a command drops a lost key; attempts then fail with a reason until a new secret is set", async () => {
  const first = await startService({ config: { webhooks } });
  const receiver = await startReceiver();
  const body = { url: receiver.url, events: ["batches.completed"], hmac_secret: SECRET };
  const keyed = { "Idempotency-Key": "create-once" };
  const created = await first.client.call<{ id: string }>("POST", "/v3/webhooks", body, keyed);
  const { id } = answered(created, 200);
  await first.close();
  const file = join(first.dataFolder, "encryption.key");
  renameSync(file, `${file}.lost`);
  expect(await rotateEncryption(first.config, logger, true)).toBe(1);
  expect(readFileSync(file, "utf8")).not.toBe(readFileSync(`${file}.lost`, "utf8"));

  const { client, url } = await startService({
    config: { webhooks, dataFolder: first.dataFolder },
  });
  const path = `/v3/webhooks/${id}`;
  const refused = await client.call<{ detail: string }>("POST", "/v3/webhooks", body, keyed);
  expect(answered(refused, 409).detail).toMatch(/cannot be decrypted any more/);
  const tested = await client.call<{ detail: string }>("POST", `${path}/test`);
  expect(answered(tested, 409).detail).toMatch(/set it again with PATCH/);

  answered(await client.submitBatch([coffee("t1")]), 200);
  const failing = await until("a failed attempt", async () => {
    const page = await client.call<Deliveries>("GET", `${path}/deliveries`);
    const [one] = answered(page, 200).data;
    return one !== undefined && one.attempt_count > 0 ? one : null;
  });
  expect(failing).toMatchObject({ state: "pending", last_error: "secret_unavailable" });
  expect(receiver.calls).toEqual([]);
  const health = await fetch(`${url}/health/ready`);
  expect(health.status).toBe(200);
  expect(await health.json()).toEqual({
    status: "ready",
    reasons: [],
    degraded: [expect.stringContaining("The secret of 1 webhook cannot be decrypted") as string],
  });
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toContain("ledgerline_webhook_secrets_unavailable 1");
  expect(metrics).toMatch(/webhook_attempts_total\{outcome="secret_unavailable".*\} [1-9]/);
  const shown = answered(await client.call<{ last_error: string }>("GET", path), 200);
  expect(shown.last_error).toMatch(/^The hmac_secret of this webhook cannot be decrypted/);
  const audit = await client.call<{ data: { subject: string }[] }>(
    "GET",
    "/v3/audit?action=webhook.secret_unavailable",
  );
  expect(answered(audit, 200).data).toMatchObject([{ subject: id }]);

  answered(await client.call("PATCH", path, { hmac_secret: SECRET }), 200);
  await until("the waiting event arrives", () => (receiver.calls.length > 0 ? true : null));
  const [call] = receiver.calls;
  expect(() =>
    new Verifier(SECRET).verify(call?.body ?? "", (call?.headers ?? {}) as Record<string, string>),
  ).not.toThrow();
});

interface Deliveries {
  readonly data: readonly { readonly state: string; readonly attempt_count: number }[];
}
