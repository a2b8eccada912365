// Settings of webhooks by their owners, and notifications of operators, over real HTTP.

import { describe, expect, it } from "vitest";
import type { Config } from "../../src/config/config.ts";
import { answered, type Client } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { until } from "../support/poll.ts";
import { answerWith, startReceiver } from "../support/receiver.ts";
import { startService, type TestService } from "../support/service.ts";
import { callableWebhooks } from "../support/webhooks.ts";
import { verify } from "../../examples/webhooks/verify.ts";

interface WebhookBody {
  readonly id: string;
  readonly enabled: boolean;
  readonly ca: string | null;
  readonly ordered: boolean;
  readonly signing_keys: readonly { readonly id: string; readonly expires_at: string | null }[];
}

const withWebhooks = (
  webhooks: Partial<Config["webhooks"]> = {},
  outbound: object = {},
): Promise<TestService> =>
  startService({ config: { webhooks: { ...callableWebhooks, ...webhooks } }, outbound });

const register = async (client: Client, url: string, fields: object = {}): Promise<WebhookBody> => {
  const body = { url, events: ["batches.completed"], ...fields };
  return answered(await client.call<WebhookBody>("POST", "/v3/webhooks", body), 200);
};

describe("webhooks as they are set", () => {
  it("a disabled webhook has an audit entry, and the operator's webhook gets a signed event", async () => {
    const operator = await startReceiver();
    const secret = "secret of the operator";
    const { client } = await withWebhooks({ operator: { url: `${operator.url}/alerts`, secret } });
    const receiver = await startReceiver(answerWith(410));
    const { id } = await register(client, `${receiver.url}/hook`);
    answered(await client.submitBatch([coffee("t")]), 200);
    const call = await until("word to the operator", () => operator.calls[0] ?? null);
    expect(call.path).toBe("/alerts");
    expect(verify(call.headers, Buffer.from(call.body), secret)).toBe(true);
    expect(JSON.parse(call.body)).toMatchObject({
      event_type: "webhooks.disabled",
      data: { organization: "default", id, enabled: false, disabled_reason: "gone" },
    });
    const path = "/v3/audit?action=webhook.disabled";
    const page = answered(await client.call<{ data: readonly object[] }>("GET", path), 200);
    expect(page.data).toMatchObject([
      {
        ...{ action: "webhook.disabled", subject: id, key_id: null, request_id: null },
        details: { reason: "gone", consecutive_failures: 1 },
      },
    ]);
    // Only the operator gets it.
    const list = answered(
      await client.call<{ data: readonly object[] }>("GET", "/v3/webhooks"),
      200,
    );
    expect(list.data).toMatchObject([{ id, enabled: false, disabled_reason: "gone" }]);
    answered(await client.call("GET", "/v3/webhooks/operator"), 404);
  });
});
