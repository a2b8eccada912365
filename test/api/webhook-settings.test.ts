// What owners of webhooks set, and what operators are told, over real HTTP.
import { createServer } from "node:https";
import { describe, expect, it } from "vitest";
import type { Config } from "../../src/config/config.ts";
import { makeCertificate } from "../support/certificate.ts";
import { answered, type Client } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { until } from "../support/poll.ts";
import { answerWith, startReceiver } from "../support/receiver.ts";
import { startService, type TestService } from "../support/service.ts";
import { listening } from "../support/tcp-server.ts";
import { callableWebhooks } from "../support/webhooks.ts";
import { verify } from "../../examples/webhooks/verify.ts";

interface WebhookBody {
  readonly id: string;
  readonly enabled: boolean;
  readonly ca: string | null;
  readonly ordered: boolean;
  readonly signing_keys: readonly { readonly id: string; readonly expires_at: string | null }[];
}
interface AttemptBody {
  readonly status: number | null;
  readonly error: string | null;
  readonly request_id: string;
  readonly key_ids: readonly string[];
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
  it("one that is disabled for how it answers leaves an audit entry, and the operator's webhook is told, signed", async () => {
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
    // Nobody but the operator has to do with it.
    const list = answered(
      await client.call<{ data: readonly object[] }>("GET", "/v3/webhooks"),
      200,
    );
    expect(list.data).toMatchObject([{ id, enabled: false, disabled_reason: "gone" }]);
    answered(await client.call("GET", "/v3/webhooks/operator"), 404);
  });

  it("with its own certificates it is called where nobody else vouches for the endpoint", async () => {
    const certificate = makeCertificate(["hooks.test"]);
    const server = await listening(
      createServer(certificate, (_request, response) => response.end("ok")),
    );
    const lookup = () => Promise.resolve([{ address: "127.0.0.1", family: 4 as const }]);
    const { client } = await withWebhooks({ allowHttp: false }, { lookup });
    const url = `https://hooks.test:${String(server.port)}/`;
    const plain = await register(client, url);
    const pinned = await register(client, url, { ca: certificate.cert });
    expect([plain.ca, pinned.ca]).toEqual([null, certificate.cert]);
    const tested = async ({ id }: WebhookBody): Promise<AttemptBody> =>
      answered(await client.call<AttemptBody>("POST", `/v3/webhooks/${id}/test`), 200);
    expect(await tested(plain)).toMatchObject({ status: null, error: "tls_failed" });
    expect(await tested(pinned)).toMatchObject({ status: 200, error: null });
    expect(await tested(plain)).toMatchObject({ status: null, error: "tls_failed" });
    const path = `/v3/webhooks/${pinned.id}`;
    for (const ca of [certificate.key, "none"]) {
      const detail = [{ loc: ["body", "ca"] }];
      const refused = { status: 422, body: { detail } };
      expect(await client.call("PATCH", path, { ca })).toMatchObject(refused);
    }
    expect(await tested(pinned)).toMatchObject({ status: 200 });
    answered(await client.call("PATCH", path, { ca: "" }), 200);
    expect(await tested(pinned)).toMatchObject({ error: "tls_failed" });
  });

  it("its URL may have the ports that the installation allows, and no others", async () => {
    const { client } = await withWebhooks({ allowPorts: [{ from: 8443, to: 8444 }] });
    const events = ["batches.completed"];
    const post = (url: string) => client.call("POST", "/v3/webhooks", { url, events });
    answered(await post("https://example.com:8444/"), 200);
    for (const url of ["https://example.com/", "https://example.com:8445/"])
      expect(await post(url)).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ["body", "url"] }] },
      });
  });

  it("a report that is moved twice is told in its order, also when the first telling fails", async () => {
    const { client } = await withWebhooks();
    const receiver = await startReceiver((response, call, index) => {
      answerWith(index === 0 ? 500 : 200)(response, call, index);
    });
    const events = ["reports.pending", "reports.resolved"];
    const hmac_secret = "a secret of some length";
    const webhook = await register(client, receiver.url, { events, ordered: true, hmac_secret });
    expect(webhook.ordered).toBe(true);
    answered(await client.call("POST", "/v3/transactions", coffee("t")), 200);
    const report = { transaction_id: "t", description: "", fields: [] };
    const made = await client.call<{ id: string }>("POST", "/v3/reports", report);
    const { id } = answered(made, 200);
    for (const status of ["pending", "resolved"])
      answered(await client.call("PATCH", `/ops/reports/${id}`, { status }), 200);
    await until("all calls", () => (receiver.calls.length === 3 ? true : null));
    const told = receiver.calls.map(({ headers }) => headers["webhook-sequence"]);
    expect(told).toEqual(["1", "1", "2"]);
    expect(receiver.events().map(({ event_type }) => event_type)).toEqual([
      "reports.pending",
      ...events,
    ]);
    const [event] = receiver.events();
    const path = `/v3/webhooks/${webhook.id}/deliveries/${event?.event_id ?? ""}`;
    const found = await until("two attempts", async () => {
      const delivery = await client.call<{ attempts: readonly AttemptBody[] }>("GET", path);
      const { attempts } = answered(delivery, 200);
      return attempts.length === 2 ? attempts : null;
    });
    const ids = receiver.calls.slice(0, 2).map(({ headers }) => headers["x-request-id"]);
    expect(found.map(({ request_id }) => request_id)).toEqual(ids);
    const keys = webhook.signing_keys.map((key) => key.id);
    expect(keys).toHaveLength(1);
    for (const { key_ids } of found) expect(key_ids).toEqual(keys);
  });
});
